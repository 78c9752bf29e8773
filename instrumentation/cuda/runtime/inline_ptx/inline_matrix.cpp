// Matrix loads and stores, and products of a warp's fragments. PTX ISA, "Warp Level Matrix
// Multiply-Accumulate Instructions": ldmatrix, stmatrix, movmatrix, mma.
#include <array>

#include "instrumentation/cuda/hooks.h"
#include "instrumentation/cuda/runtime/block/worker.h"
#include "instrumentation/cuda/runtime/inline_ptx/inline_address.h"
#include "instrumentation/cuda/runtime/inline_ptx/inline_sites.h"
#include "instrumentation/cuda/runtime/inline_ptx/inline_values.h"
#include "instrumentation/cuda/runtime/tensor/multiply.h"

namespace tilereel::runtime {
// A name of its own: other families have functions of the same names.
namespace ptx_matrix {

constexpr std::uint32_t kWholeWarp = 0xffffffff;
constexpr std::uint32_t kRowBytes = 16, kRows = 8, kMostMatrices = 4;

// An instruction that all lanes of the warp execute together.
struct WholeWarpTogether : LanesTogether {
    bool is_done = false;
};
// True and marks the lanes if they are all here.
bool are_all_here(std::uint32_t mask, const LanesTogether* const* lanes) {
    if (mask != kWholeWarp) return false;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane)
        const_cast<WholeWarpTogether*>(static_cast<const WholeWarpTogether*>(lanes[lane]))
            ->is_done = true;
    return true;
}
void run_together(const WholeWarpTogether& together, const char* name) {
    RunningBlock* const block = RunningBlock::current();
    if (block == nullptr) return;
    block->run_together(together);
    if (!together.is_done)
        refuse((std::string("runs ") + name + " in a branch that not all 32 lanes of its warp take")
                   .c_str());
}

struct Matrices final : PtxDetails {
    std::shared_ptr<PtxAddress> address;
    std::vector<std::uint32_t> targets;
    std::vector<PtxSource> sources;
    bool transposed = false;
};
const Matrices& matrices_of(const PtxStep& step) {
    return static_cast<const Matrices&>(*step.details);
}

// What a lane brings to ldmatrix, stmatrix or movmatrix: the address of its row, and a register for
// each matrix.
struct RowsTogether : WholeWarpTogether {
    unsigned char* row = nullptr;
    std::uint32_t matrices = 0;
    bool transposed = false;
    std::array<std::uint32_t, kMostMatrices>* registers = nullptr;
};
const RowsTogether& rows_of(const LanesTogether* lane) {
    return static_cast<const RowsTogether&>(*lane);
}

// Calls visit(matrix, row, column, lane, half) for each element of the matrices: the lane whose
// register holds it in its lower or upper half.
template <class Visit>
void for_each_element(std::uint32_t matrices, bool transposed, Visit visit) {
    for (std::uint32_t matrix = 0; matrix < matrices; ++matrix)
        for (int lane = 0; lane < int(kLanes); ++lane)
            for (int half = 0; half < 2; ++half) {
                const MatrixElement element = matrix_load_element(transposed, lane, half);
                visit(matrix, element.row, element.column, lane, half);
            }
}

unsigned char* element_in(const LanesTogether* const* lanes, std::uint32_t matrix, int row,
                          int column) {
    return rows_of(lanes[address_lane(int(matrix), row)]).row + 2 * column;
}

void load_rows(std::uint32_t mask, const LanesTogether* const* lanes) {
    if (!are_all_here(mask, lanes)) return;
    const RowsTogether& first = rows_of(lanes[0]);
    for_each_element(first.matrices, first.transposed,
                     [&](std::uint32_t matrix, int row, int column, int lane, int half) {
                         std::uint16_t bits = 0;
                         std::memcpy(&bits, element_in(lanes, matrix, row, column), sizeof bits);
                         std::uint32_t& word = (*rows_of(lanes[lane]).registers)[matrix];
                         word = half == 0 ? bits : (word & 0xffff) | std::uint32_t{bits} << 16;
                     });
}

// Gathers the row of each address lane, 16 bytes in its own buffer.
void gather_rows(std::uint32_t mask, const LanesTogether* const* lanes) {
    if (!are_all_here(mask, lanes)) return;
    const RowsTogether& first = rows_of(lanes[0]);
    for_each_element(first.matrices, first.transposed,
                     [&](std::uint32_t matrix, int row, int column, int lane, int half) {
                         const auto bits =
                             std::uint16_t((*rows_of(lanes[lane]).registers)[matrix] >> 16 * half);
                         std::memcpy(element_in(lanes, matrix, row, column), &bits, sizeof bits);
                     });
}

// The lanes that an .aligned instruction needs.
void check_whole_warp(const char* name) {
    const RunningBlock* const block = RunningBlock::current();
    if (block == nullptr) return;
    const std::uint64_t threads = block->extents().count(),
                        first = block->thread() / kLanes * kLanes;
    if (first + kLanes > threads)
        refuse((std::string("runs ") + name +
                " in a warp of fewer than 32 threads; give the block a multiple of 32")
                   .c_str());
}

Site* row_site(const PtxFrame& frame, const PtxStep& step, SiteKind kind, const char* callee) {
    if (Worker::current() == nullptr || frame.call == nullptr) return nullptr;
    return &site_of(
        *frame.call, step,
        {.kind = kind, .callee = callee, .width_bytes = kRowBytes, .element = PtxType::kB16});
}

void load_matrices(PtxFrame& frame, const PtxStep& step) {
    const Matrices& given = matrices_of(step);
    check_whole_warp("ldmatrix");
    std::array<std::uint32_t, kMostMatrices> registers{};
    RowsTogether together;
    together.run = load_rows;
    together.matrices = std::uint32_t(given.targets.size());
    together.transposed = given.transposed;
    together.registers = &registers;
    // Other lanes give no address that is read.
    if (lane_number() < kRows * together.matrices) {
        const void* row = given.address->pointer(frame);
        if (Site* const site = row_site(frame, step, SiteKind::kLoad,
                                        given.transposed ? "ldmatrix.trans" : "ldmatrix"))
            row = tilereel_load(row, site);
        together.row = static_cast<unsigned char*>(const_cast<void*>(row));
    }
    enter_call(frame, step, "ldmatrix");
    run_together(together, "ldmatrix");
    for (std::size_t i = 0; i < given.targets.size(); ++i)
        put(frame, given.targets[i], registers[i]);
}

void store_matrices(PtxFrame& frame, const PtxStep& step) {
    const Matrices& given = matrices_of(step);
    check_whole_warp("stmatrix");
    std::array<std::uint32_t, kMostMatrices> registers{};
    for (std::size_t i = 0; i < given.sources.size(); ++i)
        registers[i] = get_as<std::uint32_t>(frame, given.sources[i]);
    std::array<unsigned char, kRowBytes> row{};
    RowsTogether together;
    together.run = gather_rows;
    together.matrices = std::uint32_t(given.sources.size());
    together.transposed = given.transposed;
    together.registers = &registers;
    together.row = row.data();
    enter_call(frame, step, "stmatrix");
    run_together(together, "stmatrix");
    if (lane_number() >= kRows * together.matrices) return;
    void* to = given.address->pointer(frame);
    Site* const site =
        row_site(frame, step, SiteKind::kStore, given.transposed ? "stmatrix.trans" : "stmatrix");
    if (site != nullptr) to = tilereel_store_wide(to, site);
    std::memcpy(to, row.data(), kRowBytes);
    if (site != nullptr) tilereel_stored(to);
}

// movmatrix d, a: the transposed matrix.
void move_matrix(std::uint32_t mask, const LanesTogether* const* lanes) {
    if (!are_all_here(mask, lanes)) return;
    std::array<std::array<std::uint16_t, 8>, 8> matrix{};
    for_each_element(1, false, [&](std::uint32_t, int row, int column, int lane, int half) {
        matrix[row][column] = std::uint16_t((*rows_of(lanes[lane]).registers)[0] >> 16 * half);
    });
    for_each_element(1, true, [&](std::uint32_t, int row, int column, int lane, int half) {
        std::uint32_t& word = (*rows_of(lanes[lane]).registers)[1];
        word = half == 0 ? matrix[row][column]
                         : (word & 0xffff) | std::uint32_t{matrix[row][column]} << 16;
    });
}
void transpose(PtxFrame& frame, const PtxStep& step) {
    check_whole_warp("movmatrix");
    std::array<std::uint32_t, kMostMatrices> registers{get_as<std::uint32_t>(frame, step.in[0])};
    RowsTogether together;
    together.run = move_matrix;
    together.registers = &registers;
    enter_call(frame, step, "movmatrix");
    run_together(together, "movmatrix");
    put(frame, step.out[0], registers[1]);
}

Result<PtxStep> bind_matrices(const PtxBinder& binder, bool loads) {
    const PtxInstruction& instruction = binder.instruction();
    if (!instruction.has("m8n8"))
        return binder.refuse("use .m8n8, the shape of GPUs before sm_100");
    TRY(binder.expect_operands(2, 2));
    auto made = std::make_shared<Matrices>();
    made->transposed = instruction.has("trans");
    made->address = TRY(address_of(binder, loads ? 1 : 0, space_of(instruction)));
    if (loads)
        made->targets = TRY(binder.targets(0));
    else
        made->sources = TRY(binder.sources(1, PtxType::kB32));
    const std::size_t named = instruction.has("x4") ? 4 : instruction.has("x2") ? 2 : 1;
    if (std::max(made->targets.size(), made->sources.size()) != named)
        return failed("gives " + instruction.text + " a number of registers that is not " +
                      std::to_string(named));
    PtxStep step;
    step.run = loads ? load_matrices : store_matrices;
    step.details = std::move(made);
    return step;
}
Result<PtxStep> bind_load(const PtxBinder& binder) { return bind_matrices(binder, true); }
Result<PtxStep> bind_store(const PtxBinder& binder) { return bind_matrices(binder, false); }
Result<PtxStep> bind_move(const PtxBinder& binder) {
    return computing(binder, transpose, 1, PtxType::kB32);
}

// mma.sync d, a, b, c
struct Product final : PtxDetails {
    WarpProduct product;
    std::vector<PtxSource> a, b, c;
    std::vector<std::uint32_t> d;
    bool wide_sums = false, wide_factors = false;  // f64: a slot holds two registers
};

constexpr std::size_t kMostRegisters = 16;  // of one operand of a lane
using Registers = std::array<std::uint32_t, kMostRegisters>;
struct ProductTogether : WholeWarpTogether {
    const WarpProduct* product = nullptr;
    Registers a{}, b{}, c{}, d{};
};

void multiply_fragments(std::uint32_t mask, const LanesTogether* const* lanes) {
    if (!are_all_here(mask, lanes)) return;
    const auto of = [&](std::uint32_t lane) -> ProductTogether& {
        return const_cast<ProductTogether&>(static_cast<const ProductTogether&>(*lanes[lane]));
    };
    const WarpProduct& product = *of(0).product;
    std::array<std::uint32_t, kLanes * kMostRegisters> a, b, c, d;
    const auto gather = [&](MatrixOperand operand, Registers ProductTogether::*from, auto& to) {
        const auto count = std::size_t(registers_of(product, operand));
        for (std::uint32_t lane = 0; lane < kLanes; ++lane)
            std::copy_n((of(lane).*from).data(), count, to.data() + lane * count);
    };
    gather(MatrixOperand::kA, &ProductTogether::a, a);
    gather(MatrixOperand::kB, &ProductTogether::b, b);
    gather(MatrixOperand::kC, &ProductTogether::c, c);
    multiply(product, a.data(), b.data(), c.data(), d.data());
    const auto count = std::size_t(registers_of(product, MatrixOperand::kD));
    for (std::uint32_t lane = 0; lane < kLanes; ++lane)
        std::copy_n(d.data() + lane * count, count, of(lane).d.data());
}

void fill(const PtxFrame& frame, const std::vector<PtxSource>& sources, bool wide, Registers& to) {
    std::size_t at = 0;
    for (const PtxSource& source : sources) {
        const std::uint64_t bits = get(frame, source);
        to[at++] = std::uint32_t(bits);
        if (wide) to[at++] = std::uint32_t(bits >> 32);
    }
}

void product(PtxFrame& frame, const PtxStep& step) {
    const auto& given = static_cast<const Product&>(*step.details);
    check_whole_warp("mma.sync");
    ProductTogether together;
    together.run = multiply_fragments;
    together.product = &given.product;
    fill(frame, given.a, given.wide_factors, together.a);
    fill(frame, given.b, given.wide_factors, together.b);
    fill(frame, given.c, given.wide_sums, together.c);
    enter_call(frame, step, "mma");
    run_together(together, "mma.sync");
    for (std::size_t i = 0; i < given.d.size(); ++i) {
        if (given.wide_sums)
            put(frame, given.d[i], together.d[2 * i] | std::uint64_t{together.d[2 * i + 1]} << 32);
        else
            put(frame, given.d[i], together.d[i]);
    }
    Worker* const worker = Worker::current();
    if (worker == nullptr || frame.call == nullptr) return;
    std::array<std::uint32_t, 3 * kMostRegisters> words;
    auto* end = std::copy_n(together.a.data(), registers_of(given.product, MatrixOperand::kA),
                            words.data());
    end = std::copy_n(together.b.data(), registers_of(given.product, MatrixOperand::kB), end);
    end = std::copy_n(together.d.data(), registers_of(given.product, MatrixOperand::kD), end);
    worker->value(&site_of(*frame.call, step, {.kind = SiteKind::kMatrixProduct, .callee = "mma"}),
                  words.data(), std::uint32_t(end - words.data()), given.product.code());
}

Result<PtxStep> bind_product(const PtxBinder& binder) {
    const PtxInstruction& instruction = binder.instruction();
    TRY(binder.expect_operands(4, 4));
    std::string name;
    for (const std::string& word : instruction.words) name += (name.empty() ? "" : ".") + word;
    const Result<WarpProduct> found = find_warp_product(name);
    if (!found) return binder.refuse(found.error().message);
    auto made = std::make_shared<Product>();
    made->product = *found;
    made->wide_factors = found->a == MatrixType::kF64;
    made->wide_sums = found->d == MatrixType::kF64;
    made->d = TRY(binder.targets(0));
    made->a = TRY(binder.sources(1, PtxType::kB32));
    made->b = TRY(binder.sources(2, PtxType::kB32));
    made->c = TRY(binder.sources(3, found->c == MatrixType::kF64 ? PtxType::kF64 : PtxType::kF32));
    const auto fits = [&](MatrixOperand operand, std::size_t count, bool wide) {
        return count * (wide ? 2 : 1) == std::size_t(registers_of(*found, operand));
    };
    if (!fits(MatrixOperand::kA, made->a.size(), made->wide_factors) ||
        !fits(MatrixOperand::kB, made->b.size(), made->wide_factors) ||
        !fits(MatrixOperand::kC, made->c.size(), made->wide_sums) ||
        !fits(MatrixOperand::kD, made->d.size(), made->wide_sums))
        return failed("gives " + name + " a number of registers that is not that of its fragments");
    PtxStep step;
    step.run = product;
    step.details = std::move(made);
    return step;
}

}  // namespace ptx_matrix

PtxBind matrix_instruction(std::string_view name) {
    using namespace ptx_matrix;
    constexpr std::array kInstructions = std::to_array<PtxEntry>({
        {"ldmatrix", bind_load},
        {"stmatrix", bind_store},
        {"movmatrix", bind_move},
        {"mma", bind_product},
    });
    return find_bind(kInstructions, name);
}

}  // namespace tilereel::runtime

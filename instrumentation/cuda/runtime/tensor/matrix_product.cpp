// Products of nvcuda::wmma: the lanes of a warp pass their fragments to each other.
#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <tuple>
#include <vector>

#include "instrumentation/base/check.h"
#include "instrumentation/cuda/include/tilereel/runtime_calls.h"
#include "instrumentation/cuda/runtime/block/worker.h"
#include "instrumentation/cuda/runtime/made_once.h"
#include "instrumentation/cuda/runtime/tensor/multiply.h"
#include "instrumentation/cuda/runtime/warp/call_sites.h"
#include "instrumentation/trace/fragments/wmma_fragments.h"

namespace tilereel::runtime {
namespace {

constexpr unsigned kAllLanes = 0xffffffffu;

MatrixType type_of(const char* ptx_name) {
    const std::optional<MatrixType> type = matrix_type(ptx_name);
    check(type.has_value());
    return *type;
}

WmmaProduct product_of(const MatrixCall& call) {
    const std::string_view bits = call.bits;
    return {.shape = {call.m, call.n, call.k},
            .a = type_of(call.a_type),
            .b = type_of(call.b_type),
            .c = type_of(call.c_type),
            .d = type_of(call.d_type),
            .bits = bits.empty()    ? BitOperation::kNone
                    : bits == "xor" ? BitOperation::kXor
                                    : BitOperation::kAnd,
            .saturates = call.saturates};
}

using CallsOfLanes = std::array<MatrixCall*, 32>;

// Registers of one fragment in all lanes: at most four a lane, as A with m16n8k16.
constexpr int kMostRegisters = 4;
using WarpRegisters = std::array<std::uint32_t, 32 * kMostRegisters>;

// The registers of fragment number `piece` of all lanes.
WarpRegisters gathered(const CallsOfLanes& calls, const void* const MatrixCall::*from,
                       int registers, int piece) {
    check(registers <= kMostRegisters);
    WarpRegisters words;
    for (std::size_t lane = 0; lane < calls.size(); ++lane)
        std::memcpy(words.data() + lane * static_cast<std::size_t>(registers),
                    static_cast<const std::uint32_t*>(calls[lane]->*from) + piece * registers,
                    sizeof(std::uint32_t) * static_cast<std::size_t>(registers));
    return words;
}

// All sums are computed before any is stored, because D may be C.
void multiply_pieces(const CallsOfLanes& calls) {
    const WmmaPieces pieces = pieces_of(product_of(*calls.front()));
    const WarpProduct& product = pieces.product;
    const auto a = pieces.is_transposed ? &MatrixCall::b : &MatrixCall::a;
    const auto b = pieces.is_transposed ? &MatrixCall::a : &MatrixCall::b;
    const auto registers = [&product](MatrixOperand operand) {
        return registers_of(product, operand);
    };
    const auto width = static_cast<std::size_t>(registers(MatrixOperand::kD));
    std::array<WarpRegisters, 2> sums;
    for (int piece = 0; piece < pieces.count(); ++piece) {
        const auto words_a =
            gathered(calls, a, registers(MatrixOperand::kA), std::min(piece, pieces.of_a - 1));
        const auto words_b =
            gathered(calls, b, registers(MatrixOperand::kB), std::min(piece, pieces.of_b - 1));
        const auto words_c = gathered(calls, &MatrixCall::c, registers(MatrixOperand::kC), piece);
        multiply(product, words_a.data(), words_b.data(), words_c.data(),
                 sums[static_cast<std::size_t>(piece)].data());
    }
    for (std::size_t lane = 0; lane < calls.size(); ++lane)
        for (std::size_t piece = 0; piece < static_cast<std::size_t>(pieces.count()); ++piece)
            std::memcpy(static_cast<std::uint32_t*>(calls[lane]->d) + piece * width,
                        sums[piece].data() + lane * width, sizeof(std::uint32_t) * width);
}

struct ProductTogether : LanesTogether {
    MatrixCall* call = nullptr;
};

void multiply_together(std::uint32_t mask, const LanesTogether* const* lanes) {
    if (mask != kAllLanes) return;
    CallsOfLanes calls;
    for (std::size_t lane = 0; lane < calls.size(); ++lane)
        calls[lane] = static_cast<const ProductTogether*>(lanes[lane])->call;
    multiply_pieces(calls);
    for (MatrixCall* const each : calls) each->is_done = true;
}

// A record for each piece: the lane's registers of A, B and D.
void record(const MatrixCall& call, const Site* site) {
    Worker* const worker = Worker::current();
    if (worker == nullptr || site == nullptr) return;
    WmmaPieces pieces = pieces_of(product_of(call));
    pieces.product.c = pieces.product.d;  // mma.sync has no other; C is not recorded
    const auto append = [&](std::vector<std::uint32_t>& words, const void* fragment,
                            MatrixOperand operand, int piece) {
        const int count = registers_of(pieces.product, operand);
        const auto* const first = static_cast<const std::uint32_t*>(fragment) + piece * count;
        words.insert(words.end(), first, first + count);
    };
    for (int piece = 0; piece < pieces.count(); ++piece) {
        std::vector<std::uint32_t> words;
        append(words, pieces.is_transposed ? call.b : call.a, MatrixOperand::kA,
               std::min(piece, pieces.of_a - 1));
        append(words, pieces.is_transposed ? call.a : call.b, MatrixOperand::kB,
               std::min(piece, pieces.of_b - 1));
        append(words, call.d, MatrixOperand::kD, piece);
        worker->value(&site_at_call(*site, SiteKind::kMatrixProduct), words.data(),
                      static_cast<std::uint32_t>(words.size()), pieces.product.code());
    }
}

}  // namespace

void matrix_product(MatrixCall& call) noexcept {
    RunningBlock* const block = RunningBlock::current();
    if (block == nullptr || !block->in_thread()) return;
    const Site* const site = block->call_site();  // later it is that of another lane
    ProductTogether together;
    together.run = multiply_together;
    together.call = &call;
    block->run_together(together);
    if (!call.is_done)
        refuse("multiplies fragments in a branch that not all 32 lanes of its warp take");
    record(call, site);
}

const MatrixPlace* fragment_places(int m, int n, int k, const char* type, char matrix,
                                   bool transposed) noexcept {
    const MatrixType element = type_of(type);
    const WmmaProduct product = {
        .shape = {m, n, k}, .a = element, .b = element, .c = element, .d = element};
    const MatrixOperand operand = matrix == 'a'   ? MatrixOperand::kA
                                  : matrix == 'b' ? MatrixOperand::kB
                                                  : MatrixOperand::kC;
    const std::tuple key(m, n, k, element, matrix, transposed);
    const auto hash = static_cast<std::size_t>(matrix) + static_cast<std::size_t>(element);
    const std::vector<MatrixPlace>& all = made_once(key, hash, [&] {
        std::vector<MatrixPlace> places;
        const int elements = elements_of(product, operand);
        for (int lane = 0; lane < 32; ++lane)
            for (int i = 0; i < elements; ++i) {
                MatrixElement at = element_of(product, operand, lane, i);
                const MatrixElement corner = {at.row / 8 * 8, at.column / 8 * 8};
                if (transposed) at = {corner.row + at.column % 8, corner.column + at.row % 8};
                places.push_back({at.row, at.column});
            }
        return places;
    });
    return all.data();
}

}  // namespace tilereel::runtime

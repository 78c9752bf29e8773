// The fragments of nvcuda::wmma (PTX ISA, "Warp Level Matrix Load Instruction: wmma.load" and the
// sections beside it).
//
// The accesses of a lane are those that the CPU records (tilereel/wmma/load_and_store.h): elements
// that lie side by side in its fragment and in memory are one access. 16-bit elements that lie
// across the memory's order are accessed as they lie there, and exchanged between lanes.
// A lane's place in a matrix is linear in its group g = lane / 4 and its number t = lane % 4, so an
// access is three numbers for each dimension, from which a hook computes the address.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/base/check.h"
#include "instrumentation/gpu/dump.h"
#include "instrumentation/gpu/ptx/ptx_call.h"
#include "instrumentation/gpu/ptx/ptx_kinds.h"
#include "instrumentation/gpu/ptx/ptx_product.h"
#include "instrumentation/trace/fragments/instruction_parts.h"
#include "instrumentation/trace/fragments/wmma_fragments.h"

namespace tilereel::gpu {
namespace {

// What the name of an instruction says.
struct WmmaName {
    MatrixShape shape;
    std::vector<MatrixType> types;
    std::vector<bool> by_rows;  // the layouts
};

std::optional<WmmaName> wmma_name(const PtxInstruction& instruction) {
    WmmaName name;
    for (const std::string_view part : instruction.parts) {
        if (const auto shape = written_shape(part)) name.shape = *shape;
        if (const auto type = matrix_type(part)) name.types.push_back(*type);
        if (part == "row" || part == "col") name.by_rows.push_back(part == "row");
    }
    if (name.shape.m == 0 || name.types.empty() || name.by_rows.empty()) return std::nullopt;
    return name;
}

// A place in a matrix as a function of the lane: group * g + in_group * t + first.
struct LanePlace {
    int group = 0, in_group = 0, first = 0;
    // As the hook takes it: a byte each.
    [[nodiscard]] std::string packed() const {
        return std::to_string(group | in_group << 8 | first << 16);
    }
};

// One access of each lane: elements `first` to `first` + `count` - 1 of its fragment.
struct FragmentAccess {
    int first = 0, count = 1;
    bool transposed = false;  // in the 8 x 8 matrix that is transposed
};

class Fragment {
  public:
    Fragment(const WmmaName& name, MatrixOperand operand)
        : operand_(operand), type_(name.types[0]), by_rows_(name.by_rows[0]) {
        product_ = {.shape = name.shape, .a = type_, .b = type_, .c = type_, .d = type_};
    }

    [[nodiscard]] int bits() const { return element_bits(type_); }
    [[nodiscard]] bool by_rows() const { return by_rows_; }
    [[nodiscard]] std::vector<FragmentAccess> accesses() const {
        const bool is_sum = operand_ == MatrixOperand::kC;
        const bool along_row = operand_ == MatrixOperand::kA || (is_sum && product_.shape.n != 32);
        const bool side_by_side = by_rows_ == along_row;
        // Pairs of sums; of factors as many as 32 bits hold.
        const int together = is_sum ? 2 : std::max(1, 32 / bits());
        const bool transposed = !side_by_side && bits() == 16;
        const bool whole = side_by_side || transposed || bits() < 8;
        std::vector<FragmentAccess> all;
        for (int i = 0; i < elements_of(product_, operand_); i += whole ? together : 1)
            all.push_back({i, whole ? together : 1, transposed});
        return all;
    }
    // The row or the column of an access.
    [[nodiscard]] LanePlace place(const FragmentAccess& access, bool row) const {
        const auto of_lane = [&](int lane) {
            MatrixElement at = element_of(product_, operand_, lane, access.first);
            if (access.transposed)
                at = {at.row / 8 * 8 + at.column % 8, at.column / 8 * 8 + at.row % 8};
            return row ? at.row : at.column;
        };
        const int first = of_lane(0);
        const LanePlace place{of_lane(4) - first, of_lane(1) - first, first};
        for (int lane = 0; lane < 32; ++lane)
            dcheck(of_lane(lane) == place.group * (lane / 4) + place.in_group * (lane % 4) + first);
        return place;
    }

  private:
    MatrixOperand operand_;
    MatrixType type_;
    bool by_rows_;
    WmmaProduct product_;
};

// The registers of a store that hold the elements of an access.
std::vector<std::string> registers_with(const FragmentAccess& access, int bits,
                                        const std::vector<std::string>& all) {
    const int of_one = std::max(1, 32 / bits);
    std::vector<std::string> found;
    for (int i = access.first / of_one; i * of_one < access.first + access.count; ++i)
        if (i < static_cast<int>(all.size())) found.push_back(all[static_cast<std::size_t>(i)]);
    return found;
}

// PTX that copies a register to the words of a hook, one or two. Returns how many.
unsigned copy_words(const PtxContext& context, const std::string& from, bool transposed,
                    unsigned first, PtxCall& call) {
    const auto word = [](unsigned i) { return "%tilereel_w" + std::to_string(i); };
    if (context.registers.bits_of(from) == 64) {
        call.prepare("mov.b64 {" + word(first) + ", " + word(first + 1) + "}, " + from + ";");
        return 2;
    }
    const char* const moves = transposed ? "movmatrix.sync.aligned.m8n8.trans.b16" : "mov.b32";
    call.prepare((transposed ? context.instruction.guard + " " : std::string()) + moves + " " +
                 word(first) + ", " + from + ";");
    return 1;
}

// wmma.load.x r, [p], stride and wmma.store.d [p], r, stride.
PtxWork fragment_access_work(const PtxContext& context, bool stores) {
    const PtxInstruction& instruction = context.instruction;
    const Space space = space_of(instruction);
    const auto name = wmma_name(instruction);
    const std::size_t place = stores ? 0 : 1;
    if (!name || instruction.operands.size() != 3 || space == Space::kSharedCluster)
        return left_out_work();
    const auto address = ptx_address(instruction.operands[place]);
    if (!address) return left_out_work();
    const MatrixOperand operand = instruction.has("a")   ? MatrixOperand::kA
                                  : instruction.has("b") ? MatrixOperand::kB
                                                         : MatrixOperand::kC;
    const Fragment fragment(*name, operand);
    const std::vector<std::string> registers = ptx_elements(instruction.operands[1 - place]);
    PtxWork work;
    for (const FragmentAccess& access : fragment.accesses()) {
        PtxSite site = plain_site(stores ? Operation::kStore : Operation::kLoad);
        site.width_bytes = static_cast<std::uint8_t>(access.count * fragment.bits() / 8);
        PtxCall call("tilereel_gpu_fragment", instruction.guard);
        call.prepare(address_text(*address, space, context.registers, "%tilereel_a") +
                     ".reg .b32 %tilereel_w<4>;");
        unsigned words = 0;
        if (stores)
            for (const std::string& each : registers_with(access, fragment.bits(), registers))
                words += copy_words(context, each, access.transposed, words, call);
        site.value_words = static_cast<std::uint8_t>(words);
        const bool by_rows = fragment.by_rows();
        call.pass(64, "%tilereel_a");
        const auto number = context.first + static_cast<std::uint32_t>(work.sites.size());
        call.pass(32, site_number(number, space));
        call.pass(32, context.caller);
        call.pass(32, instruction.operand(2));
        call.pass(32, fragment.place(access, by_rows).packed());
        call.pass(32, fragment.place(access, !by_rows).packed());
        call.pass(32, std::to_string(fragment.bits()));
        call.pass(32, std::to_string(words));
        for (unsigned i = 0; i < 4; ++i)
            call.pass(32, i < words ? "%tilereel_w" + std::to_string(i) : "0");
        work.sites.push_back(site);
        work.hook.before += (access.transposed && stores ? converged(context) : std::string()) +
                            in_braces(call.text());
    }
    work.hook.before += converged(context);
    return work;
}

// wmma.mma d, a, b, c: of f16 factors the name has the types of D and C only.
PtxWork fragment_product_work(const PtxContext& context) {
    const PtxInstruction& instruction = context.instruction;
    const auto name = wmma_name(instruction);
    if (!name || (name->types.size() != 2 && name->types.size() != 4) ||
        instruction.operands.size() != 4)
        return left_out_work();
    const bool is_half = name->types.size() == 2;
    const WmmaPieces pieces =
        pieces_of({.shape = name->shape,
                   .a = is_half ? MatrixType::kF16 : name->types[1],
                   .b = is_half ? MatrixType::kF16 : name->types[2],
                   .c = name->types[0],  // C is not recorded, and mma.sync has no other
                   .d = name->types[0],
                   .bits = instruction.has("xor")   ? BitOperation::kXor
                           : instruction.has("and") ? BitOperation::kAnd
                                                    : BitOperation::kNone,
                   .saturates = instruction.has("satfinite")});
    PtxProductHook hook(context);
    const PtxProductHook::Words a = hook.factor(pieces.is_transposed ? 2 : 1),
                                b = hook.factor(pieces.is_transposed ? 1 : 2), d = hook.sums(0);
    for (int piece = 0; piece < pieces.count(); ++piece) {
        PtxProductHook::Words words;
        const auto append = [&](const PtxProductHook::Words& from, MatrixOperand operand, int of) {
            const auto count = static_cast<std::size_t>(registers_of(pieces.product, operand));
            const std::size_t first = static_cast<std::size_t>(of) * count;
            for (std::size_t i = first; i < std::min(first + count, from.size()); ++i)
                words.push_back(from[i]);
        };
        append(a, MatrixOperand::kA, std::min(piece, pieces.of_a - 1));
        append(b, MatrixOperand::kB, std::min(piece, pieces.of_b - 1));
        append(d, MatrixOperand::kD, piece);
        if (!hook.add(pieces.product, words)) return left_out_work();
    }
    return hook.take();
}

}  // namespace

PtxWork fragment_work(const PtxContext& context) {
    const PtxInstruction& instruction = context.instruction;
    if (instruction.has("mma")) return fragment_product_work(context);
    return fragment_access_work(context, instruction.has("store"));
}

}  // namespace tilereel::gpu

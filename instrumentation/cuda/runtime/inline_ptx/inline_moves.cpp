// Instructions that move, convert, compare and select values, and that branch. PTX ISA, "Data
// Movement and Conversion Instructions", "Comparison and Selection Instructions", "Control Flow
// Instructions".
#include <array>
#include <cmath>
#include <limits>

#include "instrumentation/cuda/include/tilereel/runtime_calls.h"
#include "instrumentation/cuda/include/tilereel/small_float.h"
#include "instrumentation/cuda/runtime/inline_ptx/inline_address.h"
#include "instrumentation/cuda/runtime/inline_ptx/inline_sites.h"
#include "instrumentation/cuda/runtime/inline_ptx/inline_special.h"
#include "instrumentation/cuda/runtime/inline_ptx/inline_values.h"
#include "instrumentation/cuda/runtime/running_block.h"

namespace tilereel::runtime {
// A name of its own: other families have functions of the same names.
namespace ptx_moves {

struct SpecialRegister final : PtxDetails {
    PtxSpecial read = nullptr;
};
struct Parts final : PtxDetails {
    std::vector<PtxSource> sources;
    std::vector<std::uint32_t> targets;
};

void move_value(PtxFrame& frame, const PtxStep& step) {
    put(frame, step.out[0], get(frame, step.in[0]));
}
void move_predicate(PtxFrame& frame, const PtxStep& step) {
    put(frame, step.out[0], std::uint64_t{get_predicate(frame, step.in[0])});
}
void move_special(PtxFrame& frame, const PtxStep& step) {
    put(frame, step.out[0], static_cast<const SpecialRegister&>(*step.details).read());
}
// numbers[0]: the bits of a part.
void pack(PtxFrame& frame, const PtxStep& step) {
    std::uint64_t bits = 0;
    std::uint32_t at = 0;
    const std::uint64_t mask = (std::uint64_t{1} << step.numbers[0]) - 1;
    for (const PtxSource& part : static_cast<const Parts&>(*step.details).sources) {
        bits |= (get(frame, part) & mask) << at;
        at += step.numbers[0];
    }
    put(frame, step.out[0], bits);
}
void unpack(PtxFrame& frame, const PtxStep& step) {
    const std::uint64_t bits = get(frame, step.in[0]);
    const std::uint64_t mask = (std::uint64_t{1} << step.numbers[0]) - 1;
    std::uint32_t at = 0;
    for (const std::uint32_t target : static_cast<const Parts&>(*step.details).targets) {
        put(frame, target, bits >> at & mask);
        at += step.numbers[0];
    }
}

Result<PtxStep> move(const PtxBinder& binder) {
    TRY(binder.expect_operands(2, 2));
    const PtxOperand &to = binder.instruction().operands[0],
                     &from = binder.instruction().operands[1];
    const PtxType type = last_type(binder.instruction());
    PtxStep step;
    if (from.kind == PtxOperandKind::kSpecial && from.name != "%pt") {
        auto special = std::make_shared<SpecialRegister>();
        special->read = find_special(from.name);
        if (special->read == nullptr) return binder.refuse("it has no register " + from.name);
        step.details = std::move(special);
        step.run = move_special;
        step.out[0] = TRY(binder.target(0));
        return step;
    }
    const bool packs = from.kind == PtxOperandKind::kVector;
    if (packs || to.kind == PtxOperandKind::kVector) {
        const std::size_t count = packs ? from.parts.size() : to.parts.size();
        if (count == 0 || bytes_of(type) == 0 || bytes_of(type) > 8)
            return binder.refuse("pack at most 64 bits");
        auto parts = std::make_shared<Parts>();
        step.numbers[0] = std::uint32_t(8 * bytes_of(type) / count);
        if (packs) {
            parts->sources = TRY(binder.sources(1, PtxType::kB64));
            step.out[0] = TRY(binder.target(0));
            step.run = pack;
        } else {
            parts->targets = TRY(binder.targets(0));
            step.in[0] = TRY(binder.source(1));
            step.run = unpack;
        }
        step.details = std::move(parts);
        return step;
    }
    return computing(binder, type == PtxType::kPredicate ? move_predicate : move_value, 1, type);
}

// Comparisons.
enum class Compare : std::uint8_t {
    kEq,
    kNe,
    kLt,
    kLe,
    kGt,
    kGe,
    kEqu,
    kNeu,
    kLtu,
    kLeu,
    kGtu,
    kGeu,
    kNum,
    kNan
};
constexpr std::array<std::pair<std::string_view, Compare>, 18> kCompares = {
    {{"eq", Compare::kEq},
     {"ne", Compare::kNe},
     {"lt", Compare::kLt},
     {"le", Compare::kLe},
     {"gt", Compare::kGt},
     {"ge", Compare::kGe},
     {"lo", Compare::kLt},
     {"ls", Compare::kLe},
     {"hi", Compare::kGt},
     {"hs", Compare::kGe},
     {"equ", Compare::kEqu},
     {"neu", Compare::kNeu},
     {"ltu", Compare::kLtu},
     {"leu", Compare::kLeu},
     {"gtu", Compare::kGtu},
     {"geu", Compare::kGeu},
     {"num", Compare::kNum},
     {"nan", Compare::kNan}}};

template <class T>
bool compares(Compare how, T a, T b) {
    bool unordered = false;
    if constexpr (std::is_floating_point_v<T>) unordered = std::isnan(a) || std::isnan(b);
    switch (how) {
        case Compare::kEq:
            return !unordered && a == b;
        case Compare::kNe:
            return !unordered && a != b;
        case Compare::kLt:
            return !unordered && a < b;
        case Compare::kLe:
            return !unordered && a <= b;
        case Compare::kGt:
            return !unordered && a > b;
        case Compare::kGe:
            return !unordered && a >= b;
        case Compare::kEqu:
            return unordered || a == b;
        case Compare::kNeu:
            return unordered || a != b;
        case Compare::kLtu:
            return unordered || a < b;
        case Compare::kLeu:
            return unordered || a <= b;
        case Compare::kGtu:
            return unordered || a > b;
        case Compare::kGeu:
            return unordered || a >= b;
        case Compare::kNum:
            return !unordered;
        case Compare::kNan:
            return unordered;
    }
    return false;
}
bool compares(PtxType type, Compare how, std::uint64_t a, std::uint64_t b) {
    const auto as = [&]<class T>(T) { return compares(how, T(a), T(b)); };
    const auto halves = [&](auto to_float) {
        return compares(how, to_float(std::uint16_t(a)), to_float(std::uint16_t(b)));
    };
    switch (type) {
        case PtxType::kF32:
            return compares(how, std::bit_cast<float>(std::uint32_t(a)),
                            std::bit_cast<float>(std::uint32_t(b)));
        case PtxType::kF64:
            return compares(how, std::bit_cast<double>(a), std::bit_cast<double>(b));
        case PtxType::kF16:
        case PtxType::kF16x2:
            return halves(half_to_float);
        case PtxType::kBf16:
        case PtxType::kBf16x2:
            return halves(bfloat_to_float);
        default:
            return with_integer(type, as);
    }
}

// numbers: the comparison, the type, and what joins it with a predicate: 0 nothing, 1 and, 2 or,
// 3 xor.
enum Joins : std::uint8_t { kAlone, kAnd, kOr, kXor };
bool joined(std::uint32_t how, bool result, bool with) {
    return how == kAnd   ? result && with
           : how == kOr  ? result || with
           : how == kXor ? result != with
                         : result;
}
void set_predicate(PtxFrame& frame, const PtxStep& step) {
    const auto how = static_cast<Compare>(step.numbers[0]);
    const auto type = static_cast<PtxType>(step.numbers[1]);
    const std::uint64_t a = get(frame, step.in[0]), b = get(frame, step.in[1]);
    const bool with = step.numbers[2] != kAlone && get_predicate(frame, step.in[2]);
    const bool result = compares(type, how, a, b);
    // Of a pair of 16 bits the second predicate is that of the upper halves.
    const bool pairs = type == PtxType::kF16x2 || type == PtxType::kBf16x2;
    const bool second = pairs ? compares(type, how, a >> 16, b >> 16) : !result;
    put(frame, step.out[0], std::uint64_t{joined(step.numbers[2], result, with)});
    put(frame, step.out[1], std::uint64_t{joined(step.numbers[2], second, with)});
}
Status bind_comparison(const PtxBinder& binder, PtxStep& step, PtxType type) {
    const PtxInstruction& instruction = binder.instruction();
    if (instruction.words.size() < 3) return binder.refuse("it names no comparison");
    bool found = false;
    for (const auto& [word, compare] : kCompares)
        if (instruction.words[1] == word) step.numbers[0] = std::uint32_t(compare), found = true;
    if (!found) return binder.refuse("it names no comparison");
    step.numbers[1] = std::uint32_t(type);
    step.numbers[2] = instruction.has("and")   ? kAnd
                      : instruction.has("or")  ? kOr
                      : instruction.has("xor") ? kXor
                                               : kAlone;
    const std::size_t operands = step.numbers[2] == kAlone ? 3 : 4;
    TRY(binder.expect_operands(operands, operands));
    step.in[0] = TRY(binder.source(1, type));
    step.in[1] = TRY(binder.source(2, type));
    if (operands == 4) step.in[2] = TRY(binder.source(3, PtxType::kPredicate));
    return Done{};
}
Result<PtxStep> set_predicates(const PtxBinder& binder) {
    PtxStep step;
    step.run = set_predicate;
    TRY(bind_comparison(binder, step, last_type(binder.instruction())));
    const PtxOperand& target = binder.instruction().operands[0];
    if (target.kind == PtxOperandKind::kPair) {
        for (std::size_t i = 0; i < 2; ++i) step.out[i] = TRY(binder.target(target.parts[i]));
    } else {
        step.out[0] = TRY(binder.target(target));
    }
    return step;
}
// set: all ones or 1.0 where the comparison holds.
template <bool is_float>
void set_value(PtxFrame& frame, const PtxStep& step) {
    const bool with = step.numbers[2] != kAlone && get_predicate(frame, step.in[2]);
    const bool result = joined(
        step.numbers[2],
        compares(static_cast<PtxType>(step.numbers[1]), static_cast<Compare>(step.numbers[0]),
                 get(frame, step.in[0]), get(frame, step.in[1])),
        with);
    put(frame, step.out[0], result ? (is_float ? 0x3f800000u : 0xffffffffu) : 0u);
}
Result<PtxStep> set(const PtxBinder& binder) {
    const std::vector<PtxType> types = binder.instruction().types();
    if (types.size() != 2 || bytes_of(types[0]) != 4 || bytes_of(types[1]) < 4 ||
        types[1] == PtxType::kF16x2 || types[1] == PtxType::kBf16x2)
        return binder.refuse("use setp and selp");
    PtxStep step;
    TRY(bind_comparison(binder, step, types[1]));
    step.run = types[0] == PtxType::kF32 ? set_value<true> : set_value<false>;
    step.out[0] = TRY(binder.target(0));
    return step;
}
Result<PtxStep> select(const PtxBinder& binder) {  // selp d, a, b, p
    const PtxType type = last_type(binder.instruction());
    PtxStep step = TRY(computing(
        binder,
        [](PtxFrame& frame, const PtxStep& run) {
            put(frame, run.out[0], get(frame, run.in[get_predicate(frame, run.in[2]) ? 0 : 1]));
        },
        3, type));
    step.in[2] = TRY(binder.source(3, PtxType::kPredicate));
    return step;
}
Result<PtxStep> select_by_sign(const PtxBinder& binder) {  // slct d, a, b, c: a if c >= 0
    const std::vector<PtxType> types = binder.instruction().types();
    if (types.size() != 2) return binder.refuse("PTX gives it two types");
    PtxStep step = TRY(computing(
        binder,
        [](PtxFrame& frame, const PtxStep& run) {
            const std::uint64_t c = get(frame, run.in[2]);
            const bool holds = run.numbers[0] != 0 ? std::bit_cast<float>(std::uint32_t(c)) >= 0.0f
                                                   : std::int32_t(c) >= 0;
            put(frame, run.out[0], get(frame, run.in[holds ? 0 : 1]));
        },
        3, types[0]));
    step.numbers[0] = types[1] == PtxType::kF32 ? 1 : 0;
    return step;
}

// Branches.
void branch(PtxFrame& frame, const PtxStep& step) { frame.next = step.numbers[0]; }
Result<PtxStep> branch_to(const PtxBinder& binder) {
    PtxStep step;
    step.run = branch;
    step.numbers[0] = TRY(binder.label(0));
    return step;
}
Result<PtxStep> trap_here(const PtxBinder&) {
    PtxStep step;
    step.run = [](PtxFrame&, const PtxStep&) { trap(); };
    return step;
}
// Instructions that change nothing here: hints, and fences, because every write is visible at once.
Result<PtxStep> nothing(const PtxBinder&) {
    PtxStep step;
    step.run = [](PtxFrame&, const PtxStep&) {};
    return step;
}
Result<PtxStep> fence(const PtxBinder& binder) {
    PtxStep step;
    step.run = [](PtxFrame&, const PtxStep&) {};
    if (binder.instruction().has("proxy") && binder.instruction().has("async"))
        step.run = [](PtxFrame& frame, const PtxStep& run) {
            enter_call(frame, run, "fence.proxy.async");
            fence_async_proxy();
        };
    return step;
}
// setmaxnreg: a hint here; its record shows that registers move from one warpgroup to another.
Result<PtxStep> set_registers(const PtxBinder& binder) {
    TRY(binder.expect_operands(1, 1));
    PtxStep step;
    step.in[0] = TRY(binder.source(0, PtxType::kB32));
    step.run = [](PtxFrame& frame, const PtxStep& run) {
        RunningBlock* const block = RunningBlock::current();
        if (block == nullptr) return;
        enter_call(frame, run, "setmaxnreg");
        block->warp_collective(0, 0, CollectiveKind::kSetRegisters,
                               std::uint32_t(get(frame, run.in[0])));
    };
    return step;
}
Result<PtxStep> policy(const PtxBinder& binder) {  // createpolicy: a number that nothing reads
    PtxStep step;
    step.run = [](PtxFrame& frame, const PtxStep& run) {
        put(frame, run.out[0], std::uint64_t{0});
    };
    step.out[0] = TRY(binder.target(0));
    return step;
}

// cvta: between generic addresses and those of a state space. Here only shared memory has addresses
// of its own.
Result<PtxStep> convert_address(const PtxBinder& binder) {
    const PtxInstruction& instruction = binder.instruction();
    const bool shared = instruction.has("shared") || instruction.has("shared::cta") ||
                        instruction.has("shared::cluster");
    PtxStep step = TRY(computing(
        binder,
        [](PtxFrame& frame, const PtxStep& run) {
            const std::uint64_t from = get(frame, run.in[0]);
            const std::uint64_t to = run.numbers[0] == 0 ? from
                                     : run.numbers[0] == 1
                                         ? shared_address(reinterpret_cast<const void*>(from))
                                         : reinterpret_cast<std::uint64_t>(shared_pointer(from));
            put(frame, run.out[0], to);
        },
        1, PtxType::kU64));
    step.numbers[0] = !shared ? 0 : instruction.has("to") ? 1 : 2;
    return step;
}
Result<PtxStep> is_in_space(const PtxBinder& binder) {
    const PtxInstruction& instruction = binder.instruction();
    PtxStep step = TRY(computing(
        binder,
        [](PtxFrame& frame, const PtxStep& run) {
            const Space space = space_of(get(frame, run.in[0]));
            const auto asked = static_cast<Space>(run.numbers[0]);
            const bool may_be_others = run.numbers[1] != 0 && is_shared_memory(space);
            put(frame, run.out[0], std::uint64_t{space == asked || may_be_others});
        },
        1, PtxType::kU64));
    step.numbers[0] =
        std::uint32_t(space_named(instruction.words.size() > 1 ? instruction.words[1] : ""));
    step.numbers[1] = instruction.has("shared::cluster") ? 1 : 0;
    return step;
}

// mapa d, a, rank and getctarank d, a: of generic addresses, or of shared ones.
const void* pointer_at(std::uint64_t address, bool is_shared) {
    return is_shared ? shared_pointer(address) : reinterpret_cast<const void*>(address);
}
Result<PtxStep> map_to_block(const PtxBinder& binder) {
    PtxStep step = TRY(computing(
        binder,
        [](PtxFrame& frame, const PtxStep& run) {
            const bool is_shared = run.numbers[0] != 0;
            enter_call(frame, run, "mapa");
            const void* const there = mapped_shared(pointer_at(get(frame, run.in[0]), is_shared),
                                                    unsigned(std::uint32_t(get(frame, run.in[1]))));
            put(frame, run.out[0],
                is_shared ? std::uint64_t{shared_address(there)}
                          : reinterpret_cast<std::uint64_t>(there));
        },
        2, PtxType::kU64));
    step.in[1] = TRY(binder.source(2, PtxType::kU32));
    step.numbers[0] = binder.instruction().has("shared::cluster") ? 1 : 0;
    return step;
}
Result<PtxStep> rank_of_block(const PtxBinder& binder) {
    PtxStep step = TRY(computing(
        binder,
        [](PtxFrame& frame, const PtxStep& run) {
            put(frame, run.out[0],
                std::uint64_t{
                    rank_of_shared(pointer_at(get(frame, run.in[0]), run.numbers[0] != 0))});
        },
        1, PtxType::kU64));
    step.numbers[0] = binder.instruction().has("shared::cluster") ? 1 : 0;
    return step;
}

}  // namespace ptx_moves

[[nodiscard]] PtxBind conversion_instruction(std::string_view name);

PtxBind move_instruction(std::string_view name) {
    using namespace ptx_moves;
    constexpr std::array kInstructions = std::to_array<PtxEntry>({
        {"mov", move},
        {"setp", set_predicates},
        {"set", set},
        {"selp", select},
        {"slct", select_by_sign},
        {"bra", branch_to},
        {"trap", trap_here},
        {"cvta", convert_address},
        {"isspacep", is_in_space},
        {"mapa", map_to_block},
        {"getctarank", rank_of_block},
        {"createpolicy", policy},
        {"brkpt", nothing},
        {"nanosleep", nothing},
        {"pmevent", nothing},
        {"prefetch", nothing},
        {"prefetchu", nothing},
        {"applypriority", nothing},
        {"discard", nothing},
        {"griddepcontrol", nothing},
        {"setmaxnreg", set_registers},
        {"membar", nothing},
        {"fence", fence},
    });
    if (const PtxBind found = find_bind(kInstructions, name)) return found;
    return conversion_instruction(name);
}

}  // namespace tilereel::runtime

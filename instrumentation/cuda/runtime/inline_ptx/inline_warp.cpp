// Instructions in which the lanes of a warp exchange values. PTX ISA, "Parallel Synchronization and
// Communication Instructions": shfl, vote, match, redux, activemask, elect; "Data Movement:
// shfl.sync".
#include <array>

#include "instrumentation/cuda/include/tilereel/runtime_calls.h"
#include "instrumentation/cuda/runtime/inline_ptx/inline_sites.h"
#include "instrumentation/cuda/runtime/inline_ptx/inline_values.h"

namespace tilereel::runtime {
// A name of its own: other families have functions of the same names.
namespace ptx_warp {

// The target d|p, where p may be missing.
Status bind_target(const PtxBinder& binder, PtxStep& step) {
    if (binder.operands() == 0) return failed("has no result in " + binder.instruction().text);
    const PtxOperand& target = binder.instruction().operands[0];
    if (target.kind != PtxOperandKind::kPair) {
        step.out[0] = TRY(binder.target(target));
        return Done{};
    }
    for (std::size_t i = 0; i < 2; ++i) step.out[i] = TRY(binder.target(target.parts[i]));
    return Done{};
}

enum Shuffle : std::uint8_t { kUp, kDown, kButterfly, kIndex };
struct ShuffleFacts {
    std::string_view word;
    const char* function;  // of CUDA
};
constexpr std::array<ShuffleFacts, 4> kShuffles = {{{"up", "__shfl_up_sync"},
                                                    {"down", "__shfl_down_sync"},
                                                    {"bfly", "__shfl_xor_sync"},
                                                    {"idx", "__shfl_sync"}}};

// shfl.sync d|p, a, b, c, mask. PTX ISA, "shfl.sync", the pseudo-code of its semantics.
void shuffle(PtxFrame& frame, const PtxStep& step) {
    const auto lane = std::int32_t(lane_number());
    const auto b = std::int32_t(get(frame, step.in[1]) & 31),
               c = std::int32_t(get(frame, step.in[2]));
    const std::int32_t clamp = c & 31, segment = c >> 8 & 31;
    const std::int32_t least = lane & segment, most = least | (clamp & ~segment);
    std::int32_t source = lane;
    bool in_range = false;
    switch (step.numbers[0]) {
        case kUp:
            source = lane - b, in_range = source >= most;
            break;
        case kDown:
            source = lane + b, in_range = source <= most;
            break;
        case kButterfly:
            source = lane ^ b, in_range = source <= most;
            break;
        default:
            source = least | (b & ~segment), in_range = source <= most;
            break;
    }
    if (!in_range) source = lane;
    enter_call(frame, step, kShuffles[step.numbers[0]].function);
    const std::uint64_t own = get(frame, step.in[0]);
    const LaneValues lanes =
        warp_shuffle(std::uint32_t(get(frame, step.in[3])), own, std::uint32_t(source));
    const bool takes_part = (lanes.mask >> source & 1) != 0;
    put(frame, step.out[0], std::uint32_t(takes_part ? lanes.values[source] : own));
    put(frame, step.out[1], std::uint64_t{in_range});
}
Result<PtxStep> bind_shuffle(const PtxBinder& binder) {
    const PtxInstruction& instruction = binder.instruction();
    if (!instruction.has("sync")) return binder.refuse("use shfl.sync, which has a mask of lanes");
    TRY(binder.expect_operands(5, 5));
    PtxStep step;
    step.run = shuffle;
    TRY(bind_target(binder, step));
    for (std::size_t i = 0; i < 4; ++i) step.in[i] = TRY(binder.source(i + 1, PtxType::kB32));
    for (std::uint32_t i = 0; i < kShuffles.size(); ++i)
        if (instruction.has(kShuffles[i].word)) step.numbers[0] = i;
    return step;
}

// vote.sync.all|any|uni.pred p, a, mask; vote.sync.ballot.b32 d, a, mask
enum Vote : std::uint8_t { kVoteAll, kVoteAny, kUniform, kBallot };
void vote(PtxFrame& frame, const PtxStep& step) {
    constexpr std::array<const char*, 4> kFunctions = {"__all_sync", "__any_sync", "__all_sync",
                                                       "__ballot_sync"};
    enter_call(frame, step, kFunctions[step.numbers[0]]);
    const LaneValues lanes =
        warp_exchange(std::uint32_t(get(frame, step.in[1])), get_predicate(frame, step.in[0]));
    std::uint32_t ballot = 0;
    for (std::uint32_t i = 0; i < 32; ++i)
        if ((lanes.mask >> i & 1) != 0 && lanes.values[i] != 0) ballot |= 1u << i;
    std::uint64_t result = ballot;
    switch (step.numbers[0]) {
        case kVoteAll:
            result = ballot == lanes.mask;
            break;
        case kVoteAny:
            result = ballot != 0;
            break;
        case kUniform:
            result = ballot == 0 || ballot == lanes.mask;
            break;
        default:
            break;
    }
    put(frame, step.out[0], result);
}
Result<PtxStep> bind_vote(const PtxBinder& binder) {
    const PtxInstruction& instruction = binder.instruction();
    if (!instruction.has("sync")) return binder.refuse("use vote.sync, which has a mask of lanes");
    PtxStep step = TRY(computing(binder, vote, 2, PtxType::kB32));
    step.numbers[0] = instruction.has("all")   ? kVoteAll
                      : instruction.has("any") ? kVoteAny
                      : instruction.has("uni") ? kUniform
                                               : kBallot;
    return step;
}

// match.any.sync d, a, mask; match.all.sync d|p, a, mask
void match(PtxFrame& frame, const PtxStep& step) {
    const bool all = step.numbers[0] != 0;
    enter_call(frame, step, all ? "__match_all_sync" : "__match_any_sync");
    const std::uint64_t own = get(frame, step.in[0]);
    const LaneValues lanes = warp_exchange(std::uint32_t(get(frame, step.in[1])), own);
    std::uint32_t same = 0;
    for (std::uint32_t i = 0; i < 32; ++i)
        if ((lanes.mask >> i & 1) != 0 && lanes.values[i] == own) same |= 1u << i;
    const bool whole = same == lanes.mask;
    put(frame, step.out[0], all && !whole ? 0u : same);
    put(frame, step.out[1], std::uint64_t{whole});
}
Result<PtxStep> bind_match(const PtxBinder& binder) {
    TRY(binder.expect_operands(3, 3));
    PtxStep step;
    step.run = match;
    TRY(bind_target(binder, step));
    step.in[0] = TRY(binder.source(1, last_type(binder.instruction())));
    step.in[1] = TRY(binder.source(2, PtxType::kB32));
    step.numbers[0] = binder.instruction().has("all") ? 1 : 0;
    return step;
}

// redux.sync.op d, a, mask
enum Reduction : std::uint8_t { kAdd, kMin, kMax, kAnd, kOr, kXor };
void reduce(PtxFrame& frame, const PtxStep& step) {
    enter_call(frame, step, "__reduce_sync");
    const LaneValues lanes =
        warp_exchange(std::uint32_t(get(frame, step.in[1])), get(frame, step.in[0]) & 0xffffffff);
    std::uint32_t result = 0;
    bool first = true;
    for (std::uint32_t i = 0; i < 32; ++i) {
        if ((lanes.mask >> i & 1) == 0) continue;
        const auto value = std::uint32_t(lanes.values[i]);
        const bool less =
            step.numbers[1] != 0 ? std::int32_t(value) < std::int32_t(result) : value < result;
        if (first) {
            result = value;
        } else {
            switch (step.numbers[0]) {
                case kAdd:
                    result += value;
                    break;
                case kMin:
                    result = less ? value : result;
                    break;
                case kMax:
                    result = less ? result : value;
                    break;
                case kAnd:
                    result &= value;
                    break;
                case kOr:
                    result |= value;
                    break;
                default:
                    result ^= value;
                    break;
            }
        }
        first = false;
    }
    put(frame, step.out[0], result);
}
Result<PtxStep> bind_reduce(const PtxBinder& binder) {
    const PtxType type = last_type(binder.instruction());
    if (is_floating(type)) return binder.refuse("reduce with shuffles, as GPUs before sm_100 do");
    PtxStep step = TRY(computing(binder, reduce, 2, type));
    constexpr std::array<std::string_view, 6> kNames = {"add", "min", "max", "and", "or", "xor"};
    for (std::uint32_t i = 0; i < kNames.size(); ++i)
        if (binder.instruction().has(kNames[i])) step.numbers[0] = i;
    step.numbers[1] = is_signed(type) ? 1 : 0;
    return step;
}

Result<PtxStep> bind_active(const PtxBinder& binder) {
    return computing(
        binder,
        [](PtxFrame& frame, const PtxStep& step) {
            enter_call(frame, step, "__activemask");
            put(frame, step.out[0], std::uint32_t(warp_exchange(0, 0).mask));
        },
        0, PtxType::kB32);
}

// elect.sync d|p, mask: the lowest lane is the leader.
void elect(PtxFrame& frame, const PtxStep& step) {
    enter_call(frame, step, "__activemask");  // it orders no accesses
    const LaneValues lanes = warp_exchange(std::uint32_t(get(frame, step.in[0])), 0);
    const auto leader = std::uint32_t(std::countr_zero(lanes.mask));
    put(frame, step.out[0], leader);
    put(frame, step.out[1], std::uint64_t{leader == lane_number()});
}
Result<PtxStep> bind_elect(const PtxBinder& binder) {
    TRY(binder.expect_operands(2, 2));
    PtxStep step;
    step.run = elect;
    TRY(bind_target(binder, step));
    step.in[0] = TRY(binder.source(1, PtxType::kB32));
    return step;
}

}  // namespace ptx_warp

PtxBind warp_instruction(std::string_view name) {
    using namespace ptx_warp;
    constexpr std::array kInstructions = std::to_array<PtxEntry>({
        {"shfl", bind_shuffle},
        {"vote", bind_vote},
        {"match", bind_match},
        {"redux", bind_reduce},
        {"activemask", bind_active},
        {"elect", bind_elect},
    });
    return find_bind(kInstructions, name);
}

}  // namespace tilereel::runtime

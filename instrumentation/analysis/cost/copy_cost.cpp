#include "instrumentation/analysis/cost/copy_cost.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <set>
#include <tuple>

#include "instrumentation/analysis/generations/memory_units.h"

namespace tilereel {
namespace {

constexpr std::uint32_t kRowBytes = 128, kPieceBytes = 16;

// Calls visit(lane) for the active lanes among the `count` lanes from `first` on.
template <class Visit>
void for_each_lane(std::uint32_t mask, std::uint32_t first, std::uint32_t count, Visit&& visit) {
    for (std::uint32_t lane = first; lane < first + count; ++lane)
        if ((mask >> lane & 1u) != 0) visit(lane);
}

void add_bypassing_l1(const LaneOffsets& to, const LaneOffsets& from, CopyCost& cost) {
    std::map<std::uint32_t, std::uint32_t> source;  // by where it is written
    for_each_lane(to.mask, 0, kWarpSize,
                  [&](std::uint32_t lane) { source[to.bytes[lane]] = from.bytes[lane]; });
    using Route = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // from, to, how
    std::set<Route> wavefronts, sectors;
    for (const auto& [target, origin] : source) {
        const std::uint32_t moved = (target ^ origin) / kPieceBytes;
        wavefronts.insert(
            {origin / kRowBytes, target / kRowBytes, moved % (kRowBytes / kPieceBytes)});
        sectors.insert(
            {origin / kSectorBytes, target / kSectorBytes, moved % (kSectorBytes / kPieceBytes)});
    }
    cost.wavefronts = cost.ideal_wavefronts = static_cast<std::uint32_t>(wavefronts.size());
    cost.sectors = static_cast<std::uint32_t>(sectors.size());
}

// The number of wavefronts in which a group of lanes is served, in the order of the lanes.
std::uint32_t wavefronts_of_group(const LaneOffsets& to, const LaneOffsets& from,
                                  std::uint32_t mask, std::uint32_t width_bytes) {
    const auto bank = [&](std::uint32_t offset) { return offset % kRowBytes / width_bytes; };
    std::uint32_t wavefronts = 0;
    for (std::uint32_t left = mask; left != 0; ++wavefronts) {
        std::uint32_t busy_from = 0, busy_to = 0, waiting = 0;  // banks, banks, lanes
        for_each_lane(left, 0, kWarpSize, [&](std::uint32_t lane) {
            const std::uint32_t source = 1u << bank(from.bytes[lane]);
            const std::uint32_t target = 1u << bank(to.bytes[lane]);
            if ((busy_from & source) != 0 || (busy_to & target) != 0) waiting |= 1u << lane;
            busy_from |= source;
            busy_to |= target;
        });
        left = waiting;
    }
    return wavefronts;
}

void add_through_l1(const LaneOffsets& to, const LaneOffsets& from, std::uint32_t width_bytes,
                    CopyCost& cost) {
    const std::uint32_t together = kRowBytes / width_bytes;
    for (std::uint32_t first = 0; first < kWarpSize; first += together) {
        std::uint32_t mask = 0;
        for_each_lane(to.mask, first, together, [&](std::uint32_t lane) { mask |= 1u << lane; });
        cost.wavefronts += wavefronts_of_group(to, from, mask, width_bytes);
        cost.ideal_wavefronts += mask != 0;
    }
    std::set<std::uint32_t> sectors;
    for_each_lane(to.mask, 0, kWarpSize,
                  [&](std::uint32_t lane) { sectors.insert(from.bytes[lane] / kSectorBytes); });
    cost.sectors = static_cast<std::uint32_t>(sectors.size());
}

}  // namespace

CopyCost cost_of_copy(const LaneOffsets& to, const LaneOffsets& from, std::uint32_t width_bytes) {
    CopyCost cost;
    if (width_bytes == kPieceBytes)
        add_bypassing_l1(to, from, cost);
    else
        add_through_l1(to, from, std::max(width_bytes, kWordBytes), cost);
    return cost;
}

}  // namespace tilereel

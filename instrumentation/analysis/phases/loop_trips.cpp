#include "instrumentation/analysis/phases/loop_trips.h"

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_map>
#include <vector>

#include "instrumentation/base/check.h"

namespace tilereel {
namespace {

bool is_multiply_add(const Trace& trace, std::uint64_t record) {
    dcheck(record < trace.records.size());
    return site_at(trace, record).operation == Operation::kMultiplyAdd;
}

}  // namespace

std::uint32_t assign_trips(const Trace& trace, std::uint64_t first, std::uint64_t last,
                           std::span<std::uint32_t> trips_of_records) {
    struct Use {
        std::uint32_t trip = 0;
        std::uint32_t lanes = 0;
    };
    std::unordered_map<std::uint32_t, Use> uses;  // by accumulator
    std::uint32_t trip = 0;
    std::uint64_t assigned = first;  // the trips of the records before this one are set
    for (std::uint64_t record = first; record < last; ++record) {
        if (!is_multiply_add(trace, record)) continue;
        const std::uint32_t lanes = trace.patterns[trace.records.pattern[record]].mask;
        Use& use = uses[trace.records.base[record]];
        if (use.trip == trip && (use.lanes & lanes) != 0) ++trip;
        if (use.trip != trip) use = {.trip = trip};
        use.lanes |= lanes;
        for (; assigned <= record; ++assigned) trips_of_records[assigned - first] = trip;
    }
    for (; assigned < last; ++assigned) trips_of_records[assigned - first] = trip;
    return trip + 1;
}

std::uint32_t assign_trips_lane_by_lane(const Trace& trace, std::uint64_t first, std::uint64_t last,
                                        std::span<std::uint32_t> trips_of_records) {
    std::unordered_map<std::uint64_t, std::uint32_t> trip_of_sum;  // by lane and accumulator
    std::array<std::uint32_t, kWarpSize> trip{};
    std::array<std::vector<std::uint64_t>, kWarpSize> unassigned;
    std::uint32_t trips = 1;
    const auto assign = [&](std::size_t lane) {
        for (const std::uint64_t record : unassigned[lane])
            trips_of_records[record - first] = trip[lane];
        unassigned[lane].clear();
    };
    for (std::uint64_t record = first; record < last; ++record) {
        const std::uint32_t mask = trace.patterns[trace.records.pattern[record]].mask;
        const auto lane = static_cast<std::size_t>(std::countr_zero(mask));
        unassigned[lane].push_back(record);
        if (!is_multiply_add(trace, record)) continue;
        const std::uint64_t sum = lane << 32 | trace.records.base[record];
        const auto [known, fresh] = trip_of_sum.try_emplace(sum, trip[lane]);
        if (!fresh && known->second == trip[lane]) ++trip[lane];
        known->second = trip[lane];
        trips = std::max(trips, trip[lane] + 1);
        assign(lane);
    }
    for (std::size_t lane = 0; lane < unassigned.size(); ++lane) assign(lane);
    return trips;
}

}  // namespace tilereel

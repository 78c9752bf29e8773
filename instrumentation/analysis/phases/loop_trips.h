#pragma once
// The iterations (trips) of a warp's k loop, found in its multiply-adds.
#include <cstdint>
#include <span>

#include "instrumentation/trace/trace.h"

namespace tilereel {

// Sets the trip of each record in [first, last): index 0 of `trips_of_records` belongs to `first`.
// A trip ends with the last multiply-add before an accumulator of some lane is added to again.
// Returns the number of trips.
std::uint32_t assign_trips(const Trace& trace, std::uint64_t first, std::uint64_t last,
                           std::span<std::uint32_t> trips_of_records);
// The same for lanes that ran one after another: each lane has its own trips.
std::uint32_t assign_trips_lane_by_lane(const Trace& trace, std::uint64_t first, std::uint64_t last,
                                        std::span<std::uint32_t> trips_of_records);

}  // namespace tilereel

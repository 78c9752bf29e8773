#pragma once
// The accesses of a launch to those global arrays that it writes, sorted by address.
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "instrumentation/trace/trace.h"

namespace tilereel {

// What one thread does to one cell: 4 bytes, or less if the array has narrower accesses.
struct GlobalAccess {
    std::uint64_t cell = 0;  // number of the cell within its array
    std::uint64_t record = 0;
    std::uint32_t segment = 0;
    std::uint32_t value = 0;  // stored in the cell, if `has_value`
    SiteId site = 0;
    std::uint8_t lane = 0;
    bool has_value = false;
};

// Calls visit(accesses, cell_bytes) for each array that the launch writes, once for each part of
// it, by ascending address. The accesses are sorted by cell, those to one cell in the order of the
// trace. An array is visited in so many parts that the accesses of a part fit in about 100 MB.
using VisitGlobal = std::function<void(const std::vector<GlobalAccess>&, std::uint32_t cell_bytes)>;
inline constexpr std::uint64_t kMostOfPart = std::uint64_t{1} << 21;
void for_each_global_access(const Trace& trace, const VisitGlobal& visit,
                            std::uint64_t most_of_part = kMostOfPart);

}  // namespace tilereel

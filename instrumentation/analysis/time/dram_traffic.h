#pragma once
// What a launch moves between L2 and DRAM, from the blocks that are recorded.
//
// Every byte that a launch reads comes from DRAM once, and every byte that it writes goes there,
// except what L2 still holds at the end. More is moved where data are read again after L2 has given
// them up. How long L2 keeps a sector follows from what else passes through it:
//
//   streamed arrays   each sector is used by a block, or by blocks that run at about the same time:
//                     a share t of the launch brings a share t of the array into L2
//   scattered arrays  each access takes a random place, as in "x[column[i]]": a share t of n
//                     accesses brings 1 - exp(-n t / places) of the places
//
// The t at which both together fill L2 is the time for which a sector stays, and an access of a
// scattered array hits if its place was used within t: Che's approximation of a cache (Che, Tung,
// Wang, "Hierarchical Web Caching Systems", 2002).
//
// Blocks that were not recorded count like those that were; the recorded ones are spread evenly
// over the grid, with the first and the last.
#include <vector>

#include "instrumentation/analysis/time/gpu_model.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

struct ArrayTraffic {
    ArrayId array = 0;
    double asked_bytes = 0;    // sectors that blocks read, each once for a block
    double touched_bytes = 0;  // sectors that the launch reads or writes, each once
    double fetched_bytes = 0;  // from DRAM
    double written_bytes = 0;  // to DRAM, but for what stays in L2
    bool scattered = false;
    [[nodiscard]] double hits() const {  // of what blocks ask for
        return asked_bytes > fetched_bytes ? 1 - fetched_bytes / asked_bytes : 0;
    }
};

struct DramTraffic {
    std::vector<ArrayTraffic> arrays;  // of global memory that are accessed
    double fetched_bytes = 0, written_bytes = 0;
    [[nodiscard]] double bytes() const { return fetched_bytes + written_bytes; }
    [[nodiscard]] double asked_bytes() const {
        double bytes = 0;
        for (const ArrayTraffic& each : arrays) bytes += each.asked_bytes;
        return bytes;
    }
};

// L2 is empty when the launch begins.
[[nodiscard]] DramTraffic dram_traffic(const Trace& trace, const GpuModel& gpu);

}  // namespace tilereel

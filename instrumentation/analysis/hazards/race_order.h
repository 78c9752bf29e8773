#pragma once
// The program order of the two accesses of a race, and where the missing barrier belongs.
//
// A race in a loop is often between two trips: what one trip reads, the next trip overwrites. The
// lines alone mislead then, because the write has the lower line, and a barrier stands
// between the two lines already. The missing barrier belongs elsewhere:
//
//     for (...) {                       trip 1        trip 2
//         tile[i] = in[...];            write         write  <-+
//         __syncthreads();              barrier       barrier  | no barrier between
//         sum += tile[...];             read  --------- read --+ this read and that write
//     }
//
// A trip is found in the records of a thread: it ends where the access that comes first in the
// source order of a trip follows the other one. A thread that executes only one of the two (a
// producer of copies) begins a trip where it executes it again after a synchronisation.
#include <cstdint>

#include "instrumentation/analysis/hazards/finding.h"

namespace tilereel {

struct RaceOrder {
    // In program order. The trips count from 0; both are 0 outside of a loop.
    HazardParty earlier{}, later{};
    std::uint32_t earlier_trip = 0, later_trip = 0;
    bool in_loop = false;  // one of the two is executed in several trips
    // The missing barrier belongs after one line and before the other. `next_trip`: it ends the
    // trip, and `before_line` is a line of the next trip. 0: a barrier does not help, because one
    // instruction makes both accesses.
    std::uint32_t after_line = 0, before_line = 0;
    bool next_trip = false;
    // Each of the two threads reads the element and writes it again on the one line, as `sum += x`
    // does. A barrier helps in no place: the update must be atomic, or one thread's.
    bool is_update = false;
};

// `finding`: a race, or a copy under way, whose parties have records.
[[nodiscard]] RaceOrder race_order(const Trace& trace, const Finding& finding);

}  // namespace tilereel

#pragma once
// Which global element became which shared cell, found by value in the trace.
#include "app/replay/schedule.h"

namespace tilereel {

// Sorted by depart. A word of a shared store is paired with a word that the same warp loaded from
// global memory in this epoch or the one before, first loads first: with one whose every lane holds
// the value stored if there is such, otherwise lane by lane. Each loaded word travels once.
[[nodiscard]] std::vector<Flight> find_flights(const Trace& trace, const BlockRecords& records,
                                               const Schedule& schedule);

// What one lane of a request reads from A, B or the present state of C; NaN where unknown.
[[nodiscard]] float input_value(const Trace& trace, ArrayId array, std::uint32_t offset);

}  // namespace tilereel

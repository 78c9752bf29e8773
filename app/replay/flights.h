#pragma once
// Which global element became which shared cell, found by value in the trace.
#include "app/replay/loaded_words.h"
#include "app/replay/schedule.h"

namespace tilereel {

// Sorted by depart. A word of a shared store is paired with a word that the same warp loaded from
// global memory in this epoch or the one before, first loads first: with one whose every lane holds
// the value stored if there is such, otherwise lane by lane. Each loaded word travels once.
[[nodiscard]] std::vector<Flight> find_flights(const Trace& trace, const BlockRecords& records,
                                               const Schedule& schedule, const LoadedWords& loaded);

}  // namespace tilereel

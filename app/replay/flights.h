#pragma once
// Which global element became which shared cell, found by value in the trace.
#include "app/replay/loaded_words.h"
#include "app/replay/schedule.h"

namespace tilereel {

// One cell of global memory that travels to (or stands for) a shared cell: a flight. From the load
// request's first tick to the end of the store that put the same value of the same lane into shared
// memory. Paired per lane, first in, first out, by value.
struct Flight {
    Tick depart = 0, land = 0;  // begin of the load step, end of the store step
    std::uint32_t load_step = 0, store_step = 0;
    std::uint32_t first_read = kNoStep;  // that reads it from shared memory; kNoStep: none
    std::uint32_t replaced = kNoStep;    // that next stores to its shared cell; kNoStep: none
    std::uint32_t last_read_phase = 0;   // where there is one
    std::uint32_t stored_word = 0;       // which of the words that the block stores there, in time
    ArrayId from = 0, to = 0;
    std::uint32_t from_row = 0, from_column = 0, to_row = 0, to_column = 0;
    std::uint32_t from_bytes = 0;  // where it begins, from the array's first byte
    std::uint32_t to_bytes = 0;    // likewise in shared memory, from the block's first byte
    std::uint8_t lane = 0;
    float value = 0.0f;
};

// Sorted by depart. A word of a shared store is paired with a word that the same warp loaded from
// global memory in this epoch or the one before, first loads first: with one whose every lane holds
// the value stored if there is such, otherwise lane by lane. Each loaded word travels once.
[[nodiscard]] std::vector<Flight> find_flights(const Trace& trace, const BlockRecords& records,
                                               const Schedule& schedule, const LoadedWords& loaded);

}  // namespace tilereel

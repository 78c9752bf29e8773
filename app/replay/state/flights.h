#pragma once
// Finds the global element that was copied to each shared cell, by the values in the trace.
//
// A trace holds what a lane loads and what it stores, but not the register that carries a value
// from one request to the other. The picture has to show a value on its way, so loads and stores
// are paired by value:
//
//   lane 5 of warp 0    load B[0][5] = 3  . . . register . . .  store 3 to Bs[5][0]
//   ticks               depart                                                  land
//
#include "app/replay/elements.h"
#include "app/replay/schedule/loaded_words.h"
#include "app/replay/schedule/schedule.h"

namespace tilereel {

// A flight: the copy of one cell from global to shared memory, from the load request's first tick
// to the end of the store of the same value by the same lane.
struct Flight {
    Tick depart = 0, land = 0;  // begin of the load step, end of the store step
    std::uint32_t load_step = 0, store_step = 0;
    std::uint32_t first_read = kNoStep;  // step that first reads it from shared memory
    std::uint32_t replaced = kNoStep;    // step that next stores to its shared cell
    std::uint32_t last_read_phase = 0;   // valid if first_read is
    std::uint32_t stored_word = 0;       // index in Lifetimes::words
    ArrayId from = 0, to = 0;
    std::uint32_t from_row = 0, from_column = 0, to_row = 0, to_column = 0;
    [[nodiscard]] Element source() const { return {from_row, from_column}; }
    [[nodiscard]] Element target() const { return {to_row, to_column}; }
    std::uint32_t from_bytes = 0;  // source offset in the array
    std::uint32_t to_bytes = 0;    // destination offset in the block's shared memory
    std::uint8_t lane = 0;
    float value = 0.0f;
};

// Sorted by depart. A word of a shared store is paired with a word of the same value that the same
// warp loaded from global memory in this or the previous epoch; CopiedLoads describes the search.
// Each loaded word is paired once. The source of an asynchronous copy is recorded.
[[nodiscard]] std::vector<Flight> find_flights(const Trace& trace, const BlockRecords& records,
                                               const Schedule& schedule, const LoadedWords& loaded);

}  // namespace tilereel

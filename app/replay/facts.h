#pragma once
// What the step sentence says, as data: every number and name in the text is one of these.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/replay/elements.h"
#include "app/replay/step.h"

namespace tilereel {

enum class Verb : std::uint8_t {
    kNothing,   // the block recorded no request
    kNotBegun,  // see Replay::seek_before_first()
    kLoads,     // from global memory
    kStores,    // to shared memory
    kReads,     // from shared memory
    kWrites,    // to global memory
    kChanges,   // atomically, in shared or global memory
    kFetches,   // from constant memory
    kEnded,     // the block is done
};

// A tile in shared memory: an array, or one plane of an array of several.
struct SharedTile {
    ArrayId array = kNoArray;
    std::uint32_t plane = 0;
    auto operator<=>(const SharedTile&) const = default;
};

// Warps at the barrier, and what they did since the one before.
struct WaitingFacts {
    std::vector<std::uint16_t> warps;  // ascending
    std::vector<SharedTile> stored;    // that every one of them stored to
    bool multiplied = false;           // every one of them multiplied and added
    // One warp only: the share of each tile that it stored, as a reduced fraction; 0 if it
    // differs between the tiles or nothing was stored.
    std::uint32_t share_numerator = 0, share_denominator = 0;
};

// Lanes of a store to shared memory that store what they have not loaded.
struct UnloadedFacts {
    std::vector<std::uint16_t> lanes;  // ascending
    bool same_value = false;           // all of them store `value`
    float value = 0;
    // The matrix over whose edge all their cells reach, by where the others' values came from;
    // kNoArray: the trace does not show that.
    ArrayId beyond = kNoArray;
};

struct StepFacts {
    Verb verb = Verb::kNothing;
    std::uint16_t warp = 0;
    ArrayId array = kNoArray;

    CellRect cells;             // the elements touched lie in here
    bool in_one_plane = false;  // of an array of several: `plane`
    std::uint32_t plane = 0;
    std::uint32_t elements = 0;      // distinct elements touched
    std::string member;              // of these elements, where that is all that is touched; or ""
    std::uint32_t rows_touched = 0;  // distinct rows
    // Shared, of the array or of its one plane: all but the padding; rows (columns) at full length.
    bool whole_array = false, whole_rows = false, whole_columns = false;
    bool copies = false;  // global load: its values go on to shared memory
    // An asynchronous copy that begins (loads) or arrives (stores).
    bool asynchronous = false;
    bool box = false;         // of a box: by pieces, since the copy engine has no lanes
    SharedTile copied_to;     // where it goes
    bool whole_tile = false;  // global load: all that the block loads of the array in this phase

    std::uint32_t lanes = 0;
    std::uint32_t width_bytes = 4;
    std::uint32_t bytes_requested = 0;  // lanes x width
    std::uint32_t bytes_touched = 0;    // distinct
    std::uint32_t bytes_moved = 0;
    std::uint32_t transactions = 0;  // global: sectors, lines, ... as the generation calls them
    std::string_view unit = "sector", units = "sectors";
    std::uint32_t wavefronts = 0, ideal_wavefronts = 0;
    // Shared: lanes are served in so many groups of so many; `merged`: of twice as many as the
    // width allows, since neighbours share their address.
    std::uint32_t groups = 0, lanes_together = 32;
    bool merged = false;
    std::uint32_t words = 0;                        // distinct 4-byte words
    std::uint32_t banks = 0;                        // that serve the request
    std::uint32_t worst_bank = 0, worst_words = 0;  // the bank with the most distinct words
    // No two words of a bank are wanted by lanes served together: what takes more wavefronts is
    // that only one word at a time goes to all lanes that want it.
    bool one_broadcast = false;

    // Atomics: which, and lanes beyond the first at each place.
    AtomicKind atomic = AtomicKind::kAdd;
    std::uint32_t collisions = 0;

    UnloadedFacts unloaded;
    bool sums = false;  // what is written are the warp's sums
    WaitingFacts waiting;

    // Where the block is, and what it did: for the ending.
    std::uint32_t block_x = 0, block_y = 0, block_z = 0;
    bool chosen = true;        // false: the block ran without being recorded
    std::uint32_t phases = 0;  // 0: a block of one thread has rounds instead
    std::uint32_t c_elements = 0;
    Tick ticks = 0;
    bool complete = true;  // false: the recording was cut off
};

struct ReplayModel;
// The facts of the request in flight.
[[nodiscard]] StepFacts facts_of(const ReplayModel& model);

// What a request does with its array, before the array's name: "load", "store", "atomic on". An
// asynchronous copy is no warp's store, because warps wait while it arrives: "copy of", "copy
// into".
[[nodiscard]] std::string_view request_word(Operation operation);

}  // namespace tilereel

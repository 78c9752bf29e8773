#pragma once
// The facts of the step sentence as data: every number and name in its text is one of these.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/replay/elements.h"
#include "app/replay/schedule/step.h"
#include "instrumentation/analysis/cost/plain_rows.h"
#include "instrumentation/analysis/source/off_lanes.h"

namespace tilereel {

enum class Verb : std::uint8_t {
    kNothing,   // the block has no recorded request
    kNotBegun,  // see Replay::seek_before_first()
    kLoads,     // from global memory
    kStores,    // to shared memory
    kReads,     // from shared memory
    kWrites,    // to global memory
    kChanges,   // by an atomic, in shared or global memory
    kFetches,   // from constant memory
    kEnded,     // the block has ended
};

// A tile in shared memory: an array, or one plane of a multi-buffered array.
struct SharedTile {
    ArrayId array = kNoArray;
    std::uint32_t plane = 0;
    auto operator<=>(const SharedTile&) const = default;
};

// Warps at the barrier, and their operations since the previous barrier.
struct WaitingFacts {
    std::vector<std::uint16_t> warps;  // ascending
    std::vector<SharedTile> stored;    // tiles to which each of the warps stored
    bool multiplied = false;           // each of the warps executed multiply-adds
    // If one warp waits: the share of each tile that it stored, as a reduced fraction; 0 if the
    // share differs between the tiles or is 0.
    std::uint32_t share_numerator = 0, share_denominator = 0;
};

// Lanes of a store to shared memory that store a value which they have not loaded.
struct UnloadedFacts {
    std::vector<std::uint16_t> lanes;  // ascending
    bool same_value = false;           // all of them store `value`
    float value = 0;
    // The matrix beyond whose edge all their cells would lie, according to the sources of the other
    // lanes' values; kNoArray if the trace does not show that.
    ArrayId beyond = kNoArray;
};

// A read of A or B for a warpgroup's product (wgmma).
struct ProductReadFacts {
    bool of_a = true;
    int rows = 0, columns = 0;    // of the whole matrix
    bool is_last = false;         // of the warp's reads for the product
    std::uint32_t wait_line = 0;  // after it the sums may be read; 0: there is no wait
};

struct StepFacts {
    Verb verb = Verb::kNothing;
    std::uint16_t warp = 0;
    ArrayId array = kNoArray;

    CellRect cells;             // a rectangle that contains the accessed elements
    bool in_one_plane = false;  // of a multi-buffered array: `plane`
    std::uint32_t plane = 0;
    std::uint32_t elements = 0;  // number of distinct accessed elements
    std::string member;  // the member of the elements, if all lanes access the same one; else ""
    std::uint32_t rows_touched = 0, columns_touched = 0;  // number of distinct accessed ones
    // Shared: the access covers the array (or plane) without padding, whole rows, whole columns.
    bool whole_array = false, whole_rows = false, whole_columns = false;
    bool copies = false;  // global load: its values are later stored to shared memory
    // An asynchronous copy that begins (load) or completes (store).
    bool asynchronous = false;
    bool box = false;      // a bulk copy (TMA): it has no lanes, `lanes` counts its pieces
    SharedTile copied_to;  // destination of the copy
    // Global load: it loads all that the block loads of the array in this phase.
    bool whole_tile = false;

    std::uint32_t lanes = 0;
    std::uint32_t width_bytes = 4;
    std::uint32_t bytes_requested = 0;  // lanes x width
    std::uint32_t bytes_touched = 0;    // distinct
    std::uint32_t bytes_moved = 0;
    std::uint32_t transactions = 0;  // global: in units of GlobalRules::unit
    std::string_view unit = "sector", units = "sectors";
    std::uint32_t wavefronts = 0, ideal_wavefronts = 0;
    // Shared: as in WordService: number of groups of lanes, lanes of a group, WordService::merged.
    std::uint32_t groups = 0, lanes_together = 32;
    Operation operation = Operation::kLoad;  // of the request
    bool merged = false;
    std::uint32_t words = 0;                        // number of distinct 4-byte words
    std::uint32_t banks = 0;                        // number of banks that serve the request
    std::uint32_t worst_bank = 0, worst_words = 0;  // the bank with the most distinct words
    // Lanes served together access at most one word of each bank. More wavefronts are needed only
    // because one word per step is broadcast (SharedRules::broadcasts_one_word).
    bool one_broadcast = false;

    // Matrix loads and stores: what plain rows would cost (plain_rows.h); nullopt: they lie
    // plainly.
    std::optional<std::uint32_t> plain_wavefronts{};
    RowPlacement placement = RowPlacement::kSwizzled;
    std::uint32_t products = 0;  // of tensor cores, that the warp computes after the request

    std::optional<ProductReadFacts> product_read{};

    // Atomics. `collisions`: lanes beyond the first at each address.
    AtomicKind atomic = AtomicKind::kAdd;
    std::uint32_t collisions = 0;

    // Lanes of the warp that take no part, and the request's line. Not of an asynchronous copy that
    // completes.
    OffLanes off;
    std::uint32_t line = 0;
    std::uint16_t file = 0;  // as Site::file

    UnloadedFacts unloaded;
    bool sums = false;  // the written values are the warp's sums
    WaitingFacts waiting;

    // The whole block, for kEnded.
    std::uint32_t block = 0;   // its number in the grid
    bool chosen = true;        // false: the block was not recorded
    std::uint32_t phases = 0;  // 0: a block of one thread has rounds instead
    std::uint32_t c_elements = 0;
    Tick ticks = 0;
    bool complete = true;  // Trace::complete
};

struct ReplayModel;
// The facts of the request in flight.
[[nodiscard]] StepFacts facts_of(const ReplayModel& model);
// The tile into which a request of an asynchronous copy goes, of global or of shared memory: the
// tile to which its lowest lane copies.
[[nodiscard]] SharedTile target_of_copy(const Trace& trace, const Step& step);

}  // namespace tilereel

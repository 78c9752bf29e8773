#pragma once
// The state that a replay shows at one tick: shared memory, warps, the request in flight, sums.
#include <array>
#include <vector>

#include "app/replay/schedule/buffer_fills.h"
#include "instrumentation/analysis/cost/request_cost.h"
#include "instrumentation/analysis/cost/word_service.h"

namespace tilereel {

// The state of a cell of shared memory. kValid: a value of this phase, or one that a later request
// reads, whichever phase stored it (a prefetched tile). kStale: a value that no request reads again
// before it is overwritten; it becomes stale when the phase of its last read (or, if it is never
// read, of its store) is over. kUnderWay: an asynchronous copy to the cell is pending; a reader
// would see the old value.
enum class CellState : std::uint8_t { kNeverWritten = 0, kStale = 1, kValid = 2, kUnderWay = 3 };

struct SharedCell {
    float value = 0.0f;  // for a vector type: its first component
    CellState state = CellState::kNeverWritten;
    bool loaded = true;      // false: the lane that stored it had not loaded it from global memory
    std::uint64_t bits = 0;  // the first 8 bytes of the element; see text_of_bits()
};

// A tile in shared memory: an array, or one plane of a multi-buffered array.
struct SharedPlaneState {
    std::uint32_t landed = 0;    // distinct cells written in the current phase so far
    std::uint32_t expected = 0;  // distinct cells that the current phase writes in total
    // For a multi-buffered array: BufferFill::state_at() and BufferFill::phase.
    BufferState state = BufferState::kEmpty;
    std::uint32_t phase = 0;
    bool operator==(const SharedPlaneState&) const = default;
};
struct SharedArrayState {
    ArrayId array = kNoArray;
    std::vector<SharedCell> cells;         // rows x leading_dimension; padding stays kNeverWritten
    std::vector<SharedPlaneState> planes;  // at least one
    std::uint32_t landed = 0;              // sums over `planes`
    std::uint32_t expected = 0;
};

// kLoads: loads from global memory, or stores a tile. kStores: stores C. kWaitsAtBarrier: at a
// block barrier. kComputes: reads shared memory or operands, and multiplies. kReady: no request
// since the begin or since the last barrier. kDone: all threads have returned. kWaitsForCopy: waits
// for asynchronous copies.
enum class Activity : std::uint8_t {
    kLoads,
    kStores,
    kWaitsAtBarrier,
    kComputes,
    kReady,
    kDone,
    kWaitsForCopy
};
struct WarpState {
    Activity activity = Activity::kReady;
    std::uint32_t line = 0;        // of its current or last request, or of the barrier if it waits
    std::uint32_t step = kNoStep;  // current or last step
    std::uint32_t arrival = 0;     // position in the order of arrival at the barrier, from 0
};

// One lane of the request in flight.
struct LaneState {
    bool active = false;
    std::uint32_t row = 0, column = 0;  // element of Site::array
    std::uint32_t offset_bytes = 0;     // as Records::base
    std::uint32_t bank = 0;             // shared
    std::uint32_t sector = 0;           // global: offset / 32
    std::uint32_t wavefront = 0;        // shared: the wavefront that serves it, from 0
    float value = 0.0f;                 // loaded or stored (first element of a wide access); NaN:
                                        // unknown
    std::array<float, 4> values{};      // of its first four elements
    std::array<std::uint32_t, 4> words{};  // all bits of the access as in Trace::words, if `known`
    bool known = false;
};
struct RequestState {
    std::uint32_t step = kNoStep;
    std::uint32_t wavefront = 0;  // the current wavefront (global: line) of the request, from 0
    WarpAccess access;
    RequestCost cost;
    BankService service;  // shared only
    WordService words;    // shared only: the same, word by word
    std::array<LaneState, kWarpSize> lanes{};
};

// for_each_element() for the accessed elements of the request.
template <class Visit>
void for_each_element(const RequestState& request, const Array& array, Visit&& visit) {
    for_each_element(request.access.lanes, array, request.access.width_bytes,
                     std::forward<Visit>(visit));
}

// One element of C that this block computes.
struct PartialSum {
    float value = 0.0f;
    std::uint32_t multiply_adds = 0;  // number of recorded multiply-adds so far
    bool stored = false;              // it has been stored to C
};

struct ReplayState {
    Tick tick = 0;
    std::uint32_t step = kNoStep;  // running at this tick; kNoStep at the end and before the first
    std::uint32_t phase = 0;
    Part part = Part::kLoad;
    bool at_barrier = false;  // a warp waits at a barrier
    RequestState request;     // of `step`; at the end, of the last step
    std::vector<WarpState> warps;
    std::vector<SharedArrayState> shared;
    std::vector<PartialSum> sums;   // the block's elements of C, row-major over SumMap::c_rect
    std::uint32_t phases_done = 0;  // number of phases whose multiply-adds are all done
};
// Bitwise equality: a NaN equals itself.
[[nodiscard]] bool operator==(const ReplayState& left, const ReplayState& right);

}  // namespace tilereel

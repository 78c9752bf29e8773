#pragma once
// What a replay shows at one tick: shared memory, warps, the request in flight, sums.
#include <array>
#include <vector>

#include "app/replay/buffer_fills.h"
#include "instrumentation/analysis/request_cost.h"
#include "instrumentation/analysis/word_service.h"

namespace tilereel {

// What a cell of shared memory holds. Valid: a value of this phase, or one that a later request
// still reads, whichever phase stored it (a prefetched tile). Stale: one that no request reads
// again before it is overwritten, once a phase later than that of its last read, or of its store,
// has begun. Under way: an asynchronous copy into it has begun and not arrived; what it held before
// is what a reader would still see.
enum class CellState : std::uint8_t { kNeverWritten = 0, kStale = 1, kValid = 2, kUnderWay = 3 };

struct SharedCell {
    float value = 0.0f;  // of a vector type: its first component
    CellState state = CellState::kNeverWritten;
    bool loaded = true;      // false: the lane that stored it had not loaded it from global memory
    std::uint64_t bits = 0;  // the element's first 8 bytes, or all it has: text_of_bits()
};

// A tile in shared memory: an array, or one plane of an array of several.
struct SharedPlaneState {
    std::uint32_t landed = 0;    // distinct cells written in the current phase
    std::uint32_t expected = 0;  // distinct cells that the current phase writes in all
    // Of one plane of several; the phase is that of BufferFill.
    BufferState stage = BufferState::kEmpty;
    std::uint32_t phase = 0;
    bool operator==(const SharedPlaneState&) const = default;
};
struct SharedArrayState {
    ArrayId array = kNoArray;
    std::vector<SharedCell> cells;  // rows x leading_dimension (padding cells stay never written)
    std::vector<SharedPlaneState> planes;  // at least one
    std::uint32_t landed = 0;              // distinct cells written in the current phase
    std::uint32_t expected = 0;            // distinct cells that the current phase writes in all
};

enum class Activity : std::uint8_t { kLoads, kStores, kWaits, kComputes, kReady, kDone, kAwaits };
// kLoads: moving data (a global load, or the store of its tile), kComputes: reading shared memory
// or operands and multiplying, kStores: writing C, kWaits: at the barrier, kReady: between requests
// before its first, kDone: returned, kAwaits: for its copies to arrive.
struct WarpState {
    Activity activity = Activity::kReady;
    std::uint32_t line = 0;        // of its current or last request; barrier's line when waiting
    std::uint32_t step = kNoStep;  // current or last
    std::uint32_t arrival = 0;     // order of arrival at the barrier when waiting, from 0
};

// One lane of the request in flight.
struct LaneState {
    bool active = false;
    std::uint32_t row = 0, column = 0;  // element of Site::array
    std::uint32_t offset_bytes = 0;     // as Records::base
    std::uint32_t bank = 0;             // shared
    std::uint32_t sector = 0;           // global: offset / 32
    std::uint32_t wavefront = 0;        // shared: 0-based, that serves it
    float value = 0.0f;                 // loaded or stored (first element of a wide access); NaN:
                                        // unknown
    std::array<float, 4> values{};      // of all its elements, as far as there are four
    std::array<std::uint32_t, 4> words{};  // the bits of them all, as Trace::words; if `known`
    bool known = false;
};
struct RequestState {
    std::uint32_t step = kNoStep;
    std::uint32_t wavefront = 0;  // 0-based: which tick of the request this is
    WarpAccess access;
    RequestCost cost;
    BankService service;  // shared only
    WordService words;    // likewise: the same, word by word
    std::array<LaneState, kWarpSize> lanes{};
};

// As for_each_element() of a site's access.
template <class Visit>
void for_each_element(const RequestState& request, const Array& array, Visit&& visit) {
    for_each_element(request.access.lanes, array, request.access.width_bytes,
                     std::forward<Visit>(visit));
}

// One element of C that this block computes.
struct PartialSum {
    float value = 0.0f;
    std::uint32_t multiply_adds = 0;  // done so far, as recorded
    bool stored = false;              // C holds it
};

struct ReplayState {
    Tick tick = 0;
    std::uint32_t step = kNoStep;  // running at this tick; kNoStep at the very end
    std::uint32_t phase = 0;
    Part part = Part::kLoad;
    bool at_barrier = false;  // some warp waits
    RequestState request;     // of `step`; at the end, of the last step
    std::vector<WarpState> warps;
    std::vector<SharedArrayState> shared;
    std::vector<PartialSum> sums;   // block's C elements, row-major over c_rect
    std::uint32_t phases_done = 0;  // whole phases whose multiply-adds are all in
};
// The same to the bit: a NaN equals itself.
[[nodiscard]] bool operator==(const ReplayState& left, const ReplayState& right);

}  // namespace tilereel

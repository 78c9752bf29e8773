#pragma once
// The replay of one block: a schedule of ticks, and the state at any of them. No window, no GL.
//
// Modelled time: the warps of a block take turns, request by request, inside an epoch; a request
// holds the memory pipe for as many ticks as it costs wavefronts (shared) or lines (global);
// multiply-adds and barriers hold it for none; a barrier waits for the block's last warp.
// Measured time (a GPU's trace): requests in the order of their clocks, each until the next.
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "instrumentation/analysis/phases.h"
#include "instrumentation/analysis/request_cost.h"
#include "instrumentation/analysis/word_service.h"
#include "instrumentation/base/result.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

using Tick = std::uint64_t;
inline constexpr std::uint32_t kNoStep = 0xffffffff;

// One request (load or store) in the schedule. An asynchronous copy is two: its read when it
// begins, its write when it arrives, where its warp waits for it. Multiply-adds and barriers have
// no step of their own: they take effect when the step before them in their warp ends.
struct Step {
    std::uint64_t record = 0;
    Tick begin = 0;
    std::uint32_t ticks = 1;
    std::uint16_t warp = 0;
    SiteId site = 0;
    std::uint32_t epoch = 0;
    std::uint32_t phase = 0;
    Part part = Part::kLoad;
    [[nodiscard]] Tick end() const { return begin + ticks; }
};

struct Barrier {              // the block's n-th barrier, in time
    Tick at = 0;              // when the last warp arrives and all are released
    std::uint32_t epoch = 0;  // that it ends
    std::uint32_t line = 0;
};

struct PhaseSpan {  // [begin, end) of one part of one phase, for the timeline
    std::uint32_t phase = 0;
    Part part = Part::kLoad;
    Tick begin = 0, end = 0;
    bool barrier_after = false;
};

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
// An element's value as its array's type has it, from its first 8 bytes.
[[nodiscard]] std::string text_of_bits(const Array& array, std::uint64_t bits);
[[nodiscard]] double number_of_bits(const Array& array, std::uint64_t bits);

// What is done with one plane of an array of several.
enum class BufferState : std::uint8_t {
    kEmpty,        // nothing has been stored there yet, nor has a copy begun
    kBeingFilled,  // by stores
    kUnderWay,     // asynchronous copies have begun, and not all have arrived
    kFilled,       // all are there, and nobody has read them yet
    kBeingRead,    // from the first read to the last
    kAllRead,      // until it is filled again
};
// What one plane of an array of several holds from one fill to the next: a tile. All are steps;
// kNoStep: none does.
struct BufferFill {
    std::uint32_t begun = kNoStep, last_begun = kNoStep;          // stores to it or begins a copy
    std::uint32_t first_filled = kNoStep, last_filled = kNoStep;  // stores, or a copy arrives
    std::uint32_t first_read = kNoStep, last_read = kNoStep;
    std::vector<std::uint32_t> first_read_of_warp{}, last_read_of_warp{};
    std::uint32_t phase = 0;  // that reads it first; where nobody does, that begins to fill it
    bool copied = false;      // by asynchronous copies
    [[nodiscard]] BufferState stage_at(std::uint32_t step) const;
};
// The last one that has begun by a step; nullptr: none has. `fills`: of one plane.
[[nodiscard]] const BufferFill* fill_at(std::span<const BufferFill> fills, std::uint32_t step);

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
    std::uint8_t lane = 0;
    float value = 0.0f;
};

// One element of C that this block computes.
struct PartialSum {
    float value = 0.0f;
    std::uint32_t multiply_adds = 0;  // done so far, as recorded
    bool stored = false;              // C holds it
};

// A rectangle of elements, half-open.
struct CellRect {
    std::uint32_t row0 = 0, column0 = 0, row1 = 0, column1 = 0;
    [[nodiscard]] bool empty() const { return row0 >= row1 || column0 >= column1; }
    bool operator==(const CellRect&) const = default;
};

// In a block of one thread, which computes its part of C piece by piece (an element, or the strip
// that its registers hold): from the first request of a piece to the last of its stores.
struct Round {
    Tick begin = 0, end = 0;
    CellRect stores;  // of C
};

// One piece of the step sentence.
enum class Tone : std::uint8_t { kPlain, kStrong, kA, kB, kC, kConflict, kWait, kAccent };
struct Span {
    Tone tone = Tone::kPlain;
    std::string text;
};
using Sentence = std::vector<Span>;
[[nodiscard]] std::string plain_text(const Sentence& sentence);

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

// What is being watched, independent of TILE, PAD and kernel: kept when a replay is re-recorded.
struct LogicalPlace {
    // The first column and row of C that the block stores, as fractions of N and M: the first block
    // stays the first, whatever the size.
    double block_x = 0, block_y = 0;
    double phase = 0;  // fraction of the phases
    Part part = Part::kLoad;
    double within = 0;  // fraction of that part's steps
    std::uint32_t wavefront = 0;
};

// An operand that a warp loaded from global memory into registers, an element a lane, in a block
// that stages tiles in shared memory.
struct HeldOperand {
    std::uint32_t load_step = kNoStep;   // kNoStep: none yet
    std::uint32_t used = 0, of_all = 0;  // multiply-adds with it: before the step, and in all
};

struct StepFacts;
struct LaneWork;

class Replay {
  public:
    // The trace must outlive the replay. kWrongCall if the trace has no such block.
    static Result<Replay> of_block(const Trace& trace, std::uint32_t block,
                                   const Generation& generation = default_generation());

    // No two replays made by this run of the program have the same; a moved one keeps its own. What
    // is worked out for a replay is kept by it.
    [[nodiscard]] std::uint64_t id() const;
    [[nodiscard]] const Trace& trace() const;
    [[nodiscard]] std::uint32_t block() const;
    [[nodiscard]] const Generation& generation() const;  // whose rules time and cost follow
    [[nodiscard]] Tick ticks() const;                    // length; valid ticks are 0..ticks()
    // Of the GPU's clock, where time is measured; 0 where it is modelled.
    [[nodiscard]] std::uint64_t cycles_per_tick() const;
    [[nodiscard]] const std::vector<Step>& steps() const;  // in time order
    [[nodiscard]] const std::vector<Barrier>& barriers() const;
    [[nodiscard]] const std::vector<PhaseSpan>& spans() const;
    [[nodiscard]] const std::vector<Flight>& flights() const;  // sorted by depart
    [[nodiscard]] std::uint32_t phases() const;
    // In time order; empty where the block has several threads, or only one round.
    [[nodiscard]] const std::vector<Round>& rounds() const;
    // What the lanes of a step's warp hold in registers while it runs; see HeldOperand.
    [[nodiscard]] HeldOperand held_operand(std::uint32_t step) const;
    [[nodiscard]] bool holds_operands() const;  // some of them for more than one multiply-add
    // Some lane owns several rows and columns of C and reads its operands from shared memory.
    [[nodiscard]] bool lanes_own_tiles() const;
    // What one lane does with registers; app/replay/lane_work.h. Walks all of its warp's requests.
    [[nodiscard]] LaneWork lane_work(std::uint32_t warp, std::uint32_t lane) const;
    // The thread whose sum becomes an element of C; kNoStep: none does.
    [[nodiscard]] std::uint32_t owner_of(std::uint32_t row, std::uint32_t column) const;
    // A warp's part of C; of A and B, the elements of which it reads copies in a phase.
    [[nodiscard]] std::vector<CellRect> part_of_warp(ArrayId matrix, std::uint32_t warp,
                                                     std::uint32_t phase) const;
    // The flight that last landed in a shared cell by a tick; kNoStep: none did.
    [[nodiscard]] std::uint32_t flight_into(ArrayId shared, std::uint32_t row, std::uint32_t column,
                                            Tick tick) const;
    // Some lane stores to shared memory what it has not loaded.
    [[nodiscard]] bool stores_unloaded() const;
    [[nodiscard]] CellRect c_rect() const;  // elements of C this block stores
    // The colour of an array: of a product's matrices their own; of another launch's global arrays
    // A's, B's and C's in order of first access, then none; of a shared array that of what is
    // copied into it.
    [[nodiscard]] Tone tone_of(ArrayId array) const;
    [[nodiscard]] const RequestCost& cost(std::uint32_t step) const;
    // What a plane of a shared array of several holds, one tile after the other; else empty.
    [[nodiscard]] std::span<const BufferFill> fills(ArrayId shared, std::uint32_t plane) const;
    // Of a product only; else empty:
    // Elements of a global array touched by the block in all (the band); those that one phase
    // computes with (the tile); and those that it loads into shared memory for later ones only.
    [[nodiscard]] CellRect band(ArrayId array) const;
    [[nodiscard]] CellRect tile(ArrayId array, std::uint32_t phase) const;
    [[nodiscard]] CellRect prefetched(ArrayId array, std::uint32_t phase) const;
    // Ticks spent on each source line by this block: the cost column. Index = line.
    [[nodiscard]] const std::vector<Tick>& ticks_of_line() const;

    // State at a tick; seeks from the nearest keyframe in either direction.
    const ReplayState& seek(Tick tick);
    [[nodiscard]] const ReplayState& state() const;
    // What is happening at the current tick and why, from the trace.
    [[nodiscard]] Sentence sentence() const;
    [[nodiscard]] StepFacts facts() const;  // what the sentence says; app/replay/facts.h

    enum class Unit { kPhase, kRequest, kWavefront };
    // The tick one unit on or back from `from`; clamped to 0 and ticks(). Where a block has rounds,
    // a phase ends with the rounds of a row of C.
    [[nodiscard]] Tick next(Unit unit, Tick from) const;
    [[nodiscard]] Tick previous(Unit unit, Tick from) const;

    [[nodiscard]] LogicalPlace place(Tick tick) const;
    [[nodiscard]] Tick find(const LogicalPlace& place) const;
    // The block that stores the element of C at a place, or the one nearest to it.
    static std::uint32_t block_at(const Trace& trace, const LogicalPlace& place);

    Replay(Replay&&) noexcept;
    Replay& operator=(Replay&&) noexcept;
    ~Replay();

  private:
    struct Model;
    explicit Replay(std::unique_ptr<Model> model);
    std::unique_ptr<Model> model_;
};

}  // namespace tilereel

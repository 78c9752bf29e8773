#pragma once
// The trace model: what every warp of one kernel launch did to memory, as columns.
//
// A record is one warp-wide operation. Records lie in segments; a segment is what one warp did in
// one epoch (between two block barriers), in its program order. Segments are sorted by block, then
// epoch, then warp. A warp's barrier is the last record of its segment.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilereel {

inline constexpr int kWarpSize = 32;

using SiteId = std::uint16_t;
using ArrayId = std::uint16_t;
inline constexpr ArrayId kNoArray = 0xffff;

enum class Space : std::uint8_t { kGlobal = 0, kShared = 1 };

enum class Operation : std::uint8_t {
    kLoad = 0,
    kStore = 1,
    kMultiplyAdd = 2,  // sum += a * b into an Accumulator
    kBarrier = 3,      // __syncthreads()
    kWarpBarrier = 4,  // __syncwarp()
    // An asynchronous copy from global to shared memory is two records, one behind the other, of
    // the same line and lanes: what it reads, and what it writes. The value is not there before the
    // lane has waited for its group (copy_groups.h).
    kCopyLoad = 5,
    kCopyStore = 6,
    kCommitCopies = 7,  // what was begun since the last one is a group
    kWaitCopies = 8,    // all groups have arrived but the latest few
    // Barriers in shared memory, phase after phase (PTX ISA, mbarrier).
    kArrive = 9,
    // Asks the copy engine for a box of a matrix, which counts towards a phase. What it copies
    // comes right behind, on the same line: kCopyLoad and kCopyStore as above, but the engine's,
    // which has no lanes: each of up to 32 pieces takes a lane's place. A kCopyStore behind another
    // brings zeros for what lies outside the matrix: nothing is loaded for them.
    kStartBox = 10,
    kWaitPhase = 11,    // until the phase is over; its boxes are there then
    kMakeBarrier = 12,  // before anybody may do any of these; its phases begin
};
inline constexpr Operation kLastOperation = Operation::kMakeBarrier;
[[nodiscard]] constexpr bool is_of_phase(Operation operation) {
    return operation >= Operation::kArrive && operation <= Operation::kMakeBarrier;
}
// What the four are about, as Records::base.
struct ArrivalPhase {
    std::uint32_t barrier = 0;  // of its block, 0, 1, ... as declared
    std::uint32_t phase = 0;    // 0, 1, ... of the barrier
    static constexpr std::uint32_t kMostBarriers = 256;
    static constexpr std::uint32_t kMostPhases = 1u << 24;
    [[nodiscard]] constexpr std::uint32_t base() const { return barrier << 24 | phase; }
    [[nodiscard]] static constexpr ArrivalPhase of(std::uint32_t base) {
        return {base >> 24, base & (kMostPhases - 1)};
    }
    bool operator==(const ArrivalPhase&) const = default;
};
// From or to an array, in each of a warp's lanes.
[[nodiscard]] constexpr bool reads(Operation operation) {
    return operation == Operation::kLoad || operation == Operation::kCopyLoad;
}
[[nodiscard]] constexpr bool writes(Operation operation) {
    return operation == Operation::kStore || operation == Operation::kCopyStore;
}
[[nodiscard]] constexpr bool is_access(Operation operation) {
    return reads(operation) || writes(operation);
}
// Groups that a wait can leave under way.
inline constexpr std::uint32_t kMostGroups = 255;
[[nodiscard]] constexpr bool is_copy(Operation operation) {
    return operation == Operation::kCopyLoad || operation == Operation::kCopyStore;
}

// An array of the kernel: A, B, C in global memory, As, Bs in shared memory. Row-major.
struct Array {
    std::string name;
    Space space = Space::kGlobal;
    std::uint32_t rows = 0;
    std::uint32_t columns = 0;            // elements a row, padding not counted
    std::uint32_t leading_dimension = 0;  // elements from one row to the next, padding counted
    std::uint32_t element_bytes = 4;
    std::uint32_t base_bytes =
        0;  // shared: where it starts in the block's shared memory; global: 0
    // Of an array of more than two extents, those before the last two: {2} for As[2][16][17]. It is
    // so many planes of equal height, one under the other; `rows` counts the rows of them all.
    std::vector<std::uint32_t> outer_extents{};
    [[nodiscard]] std::uint64_t size_bytes() const {
        return std::uint64_t{rows} * leading_dimension * element_bytes;
    }
    [[nodiscard]] std::uint32_t planes() const;
    [[nodiscard]] std::uint32_t rows_of_plane() const { return rows / planes(); }
};
// As the kernel writes it: "A[4][8]", "As[1][3][5]" for row 19 of As[2][16][17], "buffer[5]" for a
// shared array of one row. Row and column as in the whole array, padding counted.
[[nodiscard]] std::string element_name(const Array& array, std::uint32_t row, std::uint32_t column);
// "As", or "As[1]" for a plane of several.
[[nodiscard]] std::string plane_name(const Array& array, std::uint32_t plane);

// A source line x array x operation.
struct Site {
    std::uint32_t line = 0;  // 1-based line of Trace::source
    ArrayId array = kNoArray;
    Operation operation = Operation::kLoad;
    std::uint8_t width_bytes = 4;  // of one lane's access: 4, 8 or 16
    bool operator==(const Site&) const = default;
};

// Which lanes took part, and where each lane's address lies against the lowest active lane's.
// Regular: relative(lane) = sum of delta_bytes[b] over the bits b set in lane, minus the same sum
// for the lowest active lane. That covers every access that is affine in the bits of the lane
// number. Irregular: 32 explicit relative offsets.
struct Pattern {
    static constexpr std::uint32_t kRegular = 0xffffffff;
    std::uint32_t mask = 0;
    std::array<std::int32_t, 5> delta_bytes{};
    std::uint32_t irregular = kRegular;  // or the row of Trace::irregular_offsets
    bool operator==(const Pattern&) const = default;
};
using IrregularOffsets = std::array<std::int32_t, kWarpSize>;  // bytes; 0 for inactive lanes

struct Records {  // columns of equal length
    static constexpr std::uint16_t kHasValues = 0x8000;
    std::vector<std::uint16_t> site;     // SiteId, with kHasValues set if values were kept
    std::vector<std::uint32_t> pattern;  // index into Trace::patterns
    std::vector<std::uint32_t> base;     // load, store: byte offset of the lowest active lane, from
                                         // the array's first byte (global) or from the block's
                                         // shared memory (shared); multiply-add: accumulator
                                         // number; waiting for copies: groups that need not arrive;
                                         // barriers in shared memory: ArrivalPhase::base()
    std::vector<std::uint64_t> clock;    // GPU cycles; empty when no clock was recorded
    [[nodiscard]] std::size_t size() const { return site.size(); }
};

struct Segments {                             // columns of equal length
    std::vector<std::uint32_t> block;         // blockIdx.y * gridDim.x + blockIdx.x
    std::vector<std::uint32_t> epoch;         // 0, 1, ... within the block
    std::vector<std::uint16_t> warp;          // within the block
    std::vector<std::uint64_t> record_begin;  // size() + 1 entries
    std::vector<std::uint64_t> value_begin;   // size() + 1 entries, into Trace::values
    [[nodiscard]] std::size_t size() const { return block.size(); }
};

struct Dim3 {
    std::uint32_t x = 1, y = 1, z = 1;
    [[nodiscard]] std::uint64_t count() const { return std::uint64_t{x} * y * z; }
    bool operator==(const Dim3&) const = default;
};

// In which order the threads of a block ran between two block barriers. A GPU promises none: where
// it matters, the kernel has a race.
enum class ThreadOrder : std::uint8_t {
    kTurns = 0,          // warps in turn, one request each, lanes together: what the replay shows
    kWarpsForward = 1,   // one warp after another as far as it gets, the first first
    kWarpsBackward = 2,  // likewise, the last first
    kLanes = 3,  // one lane after another as far as it gets: allowed since compute capability 7.0
};

struct Launch {
    std::string kernel;                 // "09_tiled"
    std::uint32_t m = 0, n = 0, k = 0;  // C(M,N) = A(M,K) B(K,N)
    std::uint32_t tile = 0, pad = 0;
    Dim3 grid, block;
    std::uint32_t shared_bytes = 0;     // a block
    std::uint64_t seed = 0;             // of the inputs; 0 when they came from files
    std::uint32_t removed_barrier = 0;  // line of the barrier, or of the wait for copies, that was
                                        // left out; 0: none
    ThreadOrder order = ThreadOrder::kTurns;
    [[nodiscard]] std::uint32_t threads() const {
        return static_cast<std::uint32_t>(block.count());
    }
    [[nodiscard]] std::uint32_t warps() const { return (threads() + kWarpSize - 1) / kWarpSize; }
    [[nodiscard]] std::uint32_t blocks() const { return static_cast<std::uint32_t>(grid.count()); }
};

struct RecordedBy {
    std::string recorder = "emulator";  // or "gpu"
    std::string device;                 // GPU name; empty for the emulator
    std::string driver;
};

struct Trace {
    Launch launch;
    RecordedBy recorded_by;
    bool complete = true;       // false: something was cut off, and every view says so
    std::string source_name;    // "09_tiled.cuh"
    std::string source;         // the kernel's text
    std::vector<Array> arrays;  // ArrayId order: A, B, C, then shared arrays as declared
    std::vector<Site> sites;    // SiteId order: by first execution
    std::vector<Pattern> patterns;
    std::vector<IrregularOffsets> irregular_offsets;
    Segments segments;
    Records records;
    // Values of the records with kHasValues: for each, active lanes in order, width/4 floats a
    // lane. Stores and copies' stores: the value stored (always kept). Multiply-adds: the
    // accumulator after it (kept for every `accumulator_interval`-th multiply-add of a thread and
    // for the last of each epoch). NaN where the kernel computed NaN, or read shared memory that
    // nobody had written.
    std::vector<float> values;
    std::uint32_t accumulator_interval = 1;
    std::uint32_t accumulators = 1;  // per thread
    std::vector<float> a, b;         // inputs: M x K and K x N, row-major
    std::vector<float> c_before;     // C before the launch: M x N; empty: all zeros
    std::vector<float> c;            // what the kernel left: M x N
    // C was NaN before the launch: so in files of format 1 and 2. c_before is empty then.
    bool c_was_nan = false;
    // Elements of C that were not A times B when the kernel had run; empty: nobody has compared.
    std::optional<std::uint64_t> wrong_elements;
    // Records whose values do not follow from what the same threads did before, when it was
    // recorded (analysis/value_check.h); empty: nobody has counted.
    std::optional<std::uint64_t> unexplained_values;
    // By block: the multiprocessor (SM) it ran on, kNotRecorded for a block without a record. Empty
    // when unknown: the emulator has none.
    static constexpr std::uint16_t kNotRecorded = 0xffff;
    std::vector<std::uint16_t> multiprocessors;
};

// An element of C before the launch.
[[nodiscard]] inline float first_content_of_c(const Trace& trace, std::size_t element) {
    if (trace.c_was_nan) return std::numeric_limits<float>::quiet_NaN();
    return trace.c_before.empty() ? 0.0f : trace.c_before[element];
}

// A record's address pattern written out lane by lane.
struct LaneOffsets {
    std::uint32_t mask = 0;
    std::array<std::uint32_t, kWarpSize> bytes{};  // as Records::base; 0 for inactive lanes
};
[[nodiscard]] LaneOffsets expand(const Pattern& pattern, std::uint32_t base,
                                 std::span<const IrregularOffsets> irregular);
[[nodiscard]] LaneOffsets lane_offsets(const Trace& trace, std::size_t record);

[[nodiscard]] inline SiteId site_of(const Trace& trace, std::size_t record) {
    return trace.records.site[record] & static_cast<SiteId>(~Records::kHasValues);
}
[[nodiscard]] inline bool has_values(const Trace& trace, std::size_t record) {
    return (trace.records.site[record] & Records::kHasValues) != 0;
}
// Floats that a record with kHasValues holds in Trace::values.
[[nodiscard]] inline std::size_t value_count(const Trace& trace, std::size_t record) {
    return static_cast<std::size_t>(
               std::popcount(trace.patterns[trace.records.pattern[record]].mask)) *
           trace.sites[site_of(trace, record)].width_bytes / 4;
}
// Zeros that a box brings for what lies outside the matrix: nothing is loaded for them.
[[nodiscard]] inline bool brings_zeros(const Trace& trace, std::size_t record) {
    return trace.sites[site_of(trace, record)].operation == Operation::kCopyStore &&
           (record == 0 ||
            trace.sites[site_of(trace, record - 1)].operation != Operation::kCopyLoad);
}
// Whether the site copies for the copy engine, not for lanes.
[[nodiscard]] bool is_of_engine(const Trace& trace, const Site& site);
// The other of the two records of a copy; of zeros, their own.
[[nodiscard]] inline std::size_t other_side_of(const Trace& trace, std::size_t record) {
    const Operation operation = trace.sites[site_of(trace, record)].operation;
    if (brings_zeros(trace, record)) return record;
    return operation == Operation::kCopyLoad ? record + 1 : record - 1;
}
// A line of the kernel's text, counted from 1; empty where there is none.
[[nodiscard]] std::string_view source_line(const Trace& trace, std::uint32_t line);
// The segments of one block: [first, last).
struct SegmentRange {
    std::size_t first = 0, last = 0;
};
[[nodiscard]] SegmentRange segments_of_block(const Trace& trace, std::uint32_t block);
// Bytes held by all columns.
[[nodiscard]] std::uint64_t memory_bytes(const Trace& trace);
// Per-thread loads and stores recorded (multiply-adds and barriers are not accesses).
[[nodiscard]] std::uint64_t access_count(const Trace& trace);

}  // namespace tilereel

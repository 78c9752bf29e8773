#pragma once
// The trace model: what every warp of one kernel launch did to memory, as columns. A trace has any
// number of arrays, of any element type and any number of extents. A matrix product is one case,
// which Trace::product names. FORMAT.md describes the file.
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

#include "instrumentation/trace/array.h"
#include "instrumentation/trace/recorded_finding.h"
#include "instrumentation/trace/site.h"

namespace tilereel {

inline constexpr int kWarpSize = 32;

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
                                         // barriers in shared memory: ArrivalPhase::base(); a
                                         // shuffle: the lane that the lowest active lane takes from
    std::vector<std::uint64_t> clock;    // GPU cycles; empty when no clock was recorded
    [[nodiscard]] std::size_t size() const { return site.size(); }
};

struct Segments {                             // columns of equal length
    std::vector<std::uint32_t> block;         // by number: index_of(grid, block)
    std::vector<std::uint32_t> epoch;         // 0, 1, ... within the block
    std::vector<std::uint16_t> warp;          // within the block
    std::vector<std::uint64_t> record_begin;  // size() + 1 entries
    std::vector<std::uint64_t> value_begin;   // size() + 1 entries, into words
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

// An integer that the launch has: a scalar argument or a compile-time constant ("n" = 1024).
struct NamedInteger {
    std::string name;
    std::int64_t value = 0;
    bool operator==(const NamedInteger&) const = default;
};
// A scalar argument of a floating type ("alpha" = 0.5).
struct NamedNumber {
    std::string name;
    double value = 0;
    bool operator==(const NamedNumber&) const = default;
};

struct Launch {
    std::string kernel;                 // "09_tiled", "reduce<256>"
    std::uint32_t m = 0, n = 0, k = 0;  // of Trace::product: C(M,N) = A(M,K) B(K,N); else 0
    std::uint32_t tile = 0, pad = 0;    // of a kernel of the ladder; else 0
    Dim3 grid, block;
    std::uint32_t shared_bytes = 0;     // a block
    std::uint64_t seed = 0;             // of the inputs; 0 when they came from files
    std::uint32_t removed_barrier = 0;  // line of the barrier, or of the wait for copies, that was
                                        // left out; 0: none
    ThreadOrder order = ThreadOrder::kTurns;
    std::vector<NamedInteger> integers{};  // as declared; of any kernel
    std::vector<NamedNumber> numbers{};    // likewise
    std::uint32_t number = 0;              // of the launches of its program, from 0 on
    [[nodiscard]] std::uint32_t threads() const {
        return static_cast<std::uint32_t>(block.count());
    }
    [[nodiscard]] std::uint32_t warps() const { return (threads() + kWarpSize - 1) / kWarpSize; }
    [[nodiscard]] std::uint32_t blocks() const { return static_cast<std::uint32_t>(grid.count()); }
};

struct RecordedBy {
    // "plain": on the CPU. "gpu": on a GPU. Files of former recorders have other names, such as
    // "emulator" for a kernel of the ladder on the CPU. Empty: unknown.
    std::string recorder;
    std::string device;      // GPU name; empty where no GPU ran
    std::string driver;      // likewise
    std::string compiler{};  // name and version: "g++ 12.2.0"; empty: the one that built Tilereel
    // Only accesses and calls of the runtime were seen: no sums of products, no locals. So it is
    // where g++ has no headers for plugins.
    bool accesses_only = false;
};

// What a trace with accesses only lacks, and what to install: one sentence; empty: it has all.
[[nodiscard]] std::string missing_facts(const RecordedBy& by);

// The matrices of C(M,N) = alpha A(M,K) B(K,N) + beta C(M,N): the one place that says which arrays
// they are. How a matrix lies in memory is its array's: Array::leading_dimension and by_columns.
// Where one array is both factors, the trace has it twice.
struct MatrixProduct {
    ArrayId a = 0, b = 1, c = 2;
    double alpha = 1, beta = 0;  // the C of the right-hand side is the one before the launch
    bool operator==(const MatrixProduct&) const = default;
};
inline constexpr ArrayId kNoMatrix = 0xfffe;  // the array of no site

// A variable of a thread's own.
struct Local {
    std::string name;
    ElementType type = ElementType::kInt32;
    std::string type_name{};  // as the compiler writes it
    std::uint32_t line = 0;   // where it is declared; 0: unknown
    std::string function{};   // that declares it
    bool operator==(const Local&) const = default;
};

struct SourceFile {
    std::string name, text;
    bool operator==(const SourceFile&) const = default;
};

struct Trace {
    Launch launch;
    RecordedBy recorded_by;
    bool complete = true;       // false: something was cut off, and every view says so
    std::string source_name;    // "09_tiled.cu"
    std::string source;         // its text
    std::vector<Array> arrays;  // ArrayId order: global ones first, then shared as declared
    std::vector<Site> sites;    // SiteId order: by first execution
    std::vector<Pattern> patterns;
    std::vector<IrregularOffsets> irregular_offsets;
    Segments segments;
    Records records;
    // Values of the records with kHasValues, as 32-bit words: for each record, active lanes in
    // order, Site::words() words a lane. A value of 1 or 2 bytes is the low bytes of its word; a
    // wider one is its words from the lowest address on. Stores, copies' stores: the value stored
    // (always kept). Atomics: the value that the lane left there (always kept). Multiply-adds: the
    // accumulator after it (kept for every `accumulator_interval`-th multiply-add of a thread and
    // for the last of each epoch). Assignments: the local after it (kept within a budget).
    // Exchanges: what the lane got.
    std::vector<std::uint32_t> words;
    std::uint32_t accumulator_interval = 1;
    std::uint32_t accumulators = 1;        // per thread
    std::optional<MatrixProduct> product;  // the launch is a product of these arrays
    // Of a product the matrices, row-major without padding, rounded to float where their elements
    // are of another type; else empty: see Array.
    std::vector<float> a, b;      // before the launch: M x K and K x N
    std::vector<float> c_before;  // C before the launch: M x N; empty: all zeros
    std::vector<float> c;         // what the kernel left: M x N
    // C was NaN before the launch: so in files of format 1 and 2. c_before is empty then.
    bool c_was_nan = false;
    // Elements of C that were not what MatrixProduct says when the kernel had run; empty: nobody
    // has compared.
    std::optional<std::uint64_t> wrong_elements;
    // Records whose values do not follow from what the same threads did before, when it was
    // recorded (analysis/value_check.h); empty: nobody has counted.
    std::optional<std::uint64_t> unexplained_values;
    // By block: the multiprocessor (SM) it ran on, kNotRecorded for a block without a record. Empty
    // when unknown: the CPU has none.
    static constexpr std::uint16_t kNotRecorded = 0xffff;
    std::vector<std::uint16_t> multiprocessors;
    std::vector<Local> locals;                 // LocalId order
    std::vector<SourceFile> more_sources;      // besides `source`; Site::file
    std::vector<std::uint32_t> chosen_blocks;  // ascending: only these were to be recorded; the
                                               // others ran unrecorded. Empty: all
    std::vector<RecordedFinding> findings;     // that the records do not show
    std::string output{};                      // what the program printed up to the launch's end
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
// Words that a record with kHasValues holds in Trace::words.
[[nodiscard]] inline std::size_t value_count(const Trace& trace, std::size_t record) {
    return static_cast<std::size_t>(
               std::popcount(trace.patterns[trace.records.pattern[record]].mask)) *
           trace.sites[site_of(trace, record)].words();
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
// A line of a source file, counted from 1; empty where there is none.
[[nodiscard]] std::string_view source_line(const Trace& trace, std::uint32_t line,
                                           std::uint16_t file = 0);
[[nodiscard]] std::string_view source_text(const Trace& trace, std::uint16_t file);
[[nodiscard]] std::string_view source_name(const Trace& trace, std::uint16_t file);

// The product's matrices; kNoMatrix for each where the launch is no product.
[[nodiscard]] inline MatrixProduct matrices_of(const Trace& trace) {
    return trace.product.value_or(MatrixProduct{kNoMatrix, kNoMatrix, kNoMatrix});
}
// What an array held before the launch and after it; empty: unknown.
[[nodiscard]] std::span<const std::byte> first_content(const Trace& trace, ArrayId array);
[[nodiscard]] std::span<const std::byte> last_content(const Trace& trace, ArrayId array);

// Blocks and threads are numbered x first, then y, then z (CUDA C++ Programming Guide, "Thread
// Hierarchy"). Here `extents` is a grid and the result a blockIdx, or a block and a threadIdx.
[[nodiscard]] constexpr Dim3 index_of(const Dim3& extents, std::uint64_t number) {
    const std::uint64_t rows = number / extents.x;
    return {static_cast<std::uint32_t>(number % extents.x),
            static_cast<std::uint32_t>(rows % extents.y),
            static_cast<std::uint32_t>(rows / extents.y)};
}
[[nodiscard]] constexpr std::uint64_t number_of(const Dim3& extents, const Dim3& index) {
    return (std::uint64_t{index.z} * extents.y + index.y) * extents.x + index.x;
}
// Whether the block was to be recorded.
[[nodiscard]] bool is_chosen(const Trace& trace, std::uint32_t block);
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

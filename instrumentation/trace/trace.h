#pragma once
// The trace model: all memory operations of the warps of one kernel launch, as columns. A trace has
// any number of arrays, of any element type and any number of extents. If the launch is a matrix
// product, Trace::product names its matrices. FORMAT.md describes the file.
//
// A record is one warp-wide operation. A segment holds the records of one warp in one epoch
// (between two block barriers), in program order. Segments are sorted by block, then epoch, then
// warp. The barrier at the end of an epoch is the last record of each of its segments.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/base/check.h"
#include "instrumentation/trace/array.h"
#include "instrumentation/trace/recorded_finding.h"
#include "instrumentation/trace/site.h"
#include "instrumentation/trace/warp_stop.h"

namespace tilereel {

inline constexpr int kWarpSize = 32;

// The active lanes, and the offset of each lane's address relative to the lowest active lane's.
// Regular: relative(lane) = sum of delta_bytes[b] over the bits b set in lane, minus the same sum
// for the lowest active lane. This covers every access that is affine in the bits of the lane
// number. Irregular: 32 explicit relative offsets.
struct Pattern {
    static constexpr std::uint32_t kRegular = 0xffffffff;
    std::uint32_t mask = 0;
    std::array<std::int32_t, 5> delta_bytes{};
    std::uint32_t irregular = kRegular;  // or a row of Trace::irregular_offsets
    bool operator==(const Pattern&) const = default;
};
using IrregularOffsets = std::array<std::int32_t, kWarpSize>;  // bytes; 0 for inactive lanes

struct Records {  // columns of equal length
    static constexpr std::uint16_t kHasValues = 0x8000;
    std::vector<std::uint16_t> site;     // SiteId, with kHasValues set if Trace::words has values
    std::vector<std::uint32_t> pattern;  // index into Trace::patterns
    std::vector<std::uint32_t> base;     // load, store: byte offset of the lowest active lane, from
                                         // the array's first byte (global) or from the block's
                                         // shared memory (shared); multiply-add: accumulator
                                         // number; wait for copies: groups that may stay pending;
                                         // mbarrier operations: MBarrierPhase::base(); shuffle:
                                         // source lane of the lowest active lane
    std::vector<std::uint64_t> clock;    // GPU cycles; empty if the recorder has no clock
    [[nodiscard]] std::size_t size() const { return site.size(); }
};

struct Segments {                             // columns of equal length
    std::vector<std::uint32_t> block;         // number; blockIdx is index_of(grid, number)
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

// The order in which the threads of a block ran between two block barriers. A GPU guarantees no
// order: if it matters, the kernel has a race.
enum class ThreadOrder : std::uint8_t {
    kRoundRobin = 0,     // warps take turns, one request each, lanes together: as the replay shows
    kWarpsForward = 1,   // one warp after another, each as far as it can run, in ascending order
    kWarpsBackward = 2,  // the same in descending order
    kLanes = 3,  // one lane after another, each as far as it can run; compute capability 7.0 and up
};

// An integer of the launch: a scalar argument or a compile-time constant ("n" = 1024).
struct NamedInteger {
    std::string name;
    std::int64_t value = 0;
    bool operator==(const NamedInteger&) const = default;
};
// A floating-point scalar argument ("alpha" = 0.5).
struct NamedNumber {
    std::string name;
    double value = 0;
    bool operator==(const NamedNumber&) const = default;
};

struct Launch {
    std::string kernel;                 // "09_tiled", "reduce<256>"
    std::uint32_t m = 0, n = 0, k = 0;  // of Trace::product: C(M,N) = A(M,K) B(K,N); else 0
    std::uint32_t tile = 0, pad = 0;    // of a kernel of the ladder; else 0. See is_rung()
    Dim3 grid, block;
    std::uint32_t shared_bytes = 0;     // per block
    std::uint64_t seed = 0;             // of the inputs; 0 if they came from files
    std::uint32_t removed_barrier = 0;  // line of the left-out barrier or wait for copies; 0: none
    ThreadOrder order = ThreadOrder::kRoundRobin;
    std::vector<NamedInteger> integers{};  // in the order of declaration
    std::vector<NamedNumber> numbers{};    // in the order of declaration
    std::uint32_t number = 0;              // among the launches of its program, from 0
    Dim3 cluster{1, 1, 1};                 // blocks of a cluster
    [[nodiscard]] std::uint32_t threads() const {
        return static_cast<std::uint32_t>(block.count());
    }
    [[nodiscard]] std::uint32_t warps() const { return (threads() + kWarpSize - 1) / kWarpSize; }
    [[nodiscard]] std::uint32_t blocks() const { return static_cast<std::uint32_t>(grid.count()); }
};

// Whether the launch has what only those of the ladder have: TILE, PAD or a left-out barrier.
[[nodiscard]] inline bool is_rung(const Launch& launch) {
    return launch.tile != 0 || launch.pad != 0 || launch.removed_barrier != 0;
}

inline constexpr std::string_view kCpuRecorder = "cpu";  // g++ and the plugin
inline constexpr std::string_view kGpuRecorder = "gpu";

struct RecordedBy {
    std::string recorder;    // kCpuRecorder, kGpuRecorder, or the name of another; empty: unknown
    std::string device;      // name of the GPU; empty for the CPU
    std::string driver;      // version of the GPU's driver; empty for the CPU
    std::string compiler{};  // name and version: "g++ 12.2.0"; empty: the one that built Tilereel
    // Some kinds of records are missing: on a GPU, shuffles, votes and locals.
    bool accesses_only = false;
};

// A sentence that says what a trace with accesses_only lacks and how to get it; empty for other
// traces.
[[nodiscard]] std::string missing_facts(const RecordedBy& by);

// The arrays of the matrices of C(M,N) = alpha A(M,K) B(K,N) + beta C(M,N). Their layouts are in
// Array::leading_dimension and Array::by_columns. If one array is both factors, the trace has it
// twice.
struct MatrixProduct {
    ArrayId a = 0, b = 1, c = 2;
    double alpha = 1, beta = 0;  // beta applies to C before the launch
    bool operator==(const MatrixProduct&) const = default;
};
inline constexpr ArrayId kNoMatrix = 0xfffe;  // differs from Site::array of every site

// A local variable of a thread.
struct Local {
    std::string name;
    ElementType type = ElementType::kInt32;
    std::string type_name{};  // in the source
    std::uint32_t line = 0;   // of the declaration; 0: unknown
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
    bool complete = true;       // false: records are missing; every view says so
    std::string source_name;    // "09_tiled.cu"
    std::string source;         // text of that file
    std::vector<Array> arrays;  // ArrayId order: shared ones last, as declared
    std::vector<Site> sites;    // SiteId order: by first execution
    std::vector<Pattern> patterns;
    std::vector<IrregularOffsets> irregular_offsets;
    Segments segments;
    Records records;
    // Values of the records with kHasValues, as 32-bit words: for each record the active lanes in
    // ascending order, with Site::words() words per lane. A value of 1 or 2 bytes is in the low
    // bytes of its word; words of a wider value are in the order of addresses. The value is:
    // - store, store of a copy: the stored value (always kept)
    // - atomic: the value that the lane left in memory (always kept)
    // - multiply-add: the new sum (kept for every `accumulator_interval`-th multiply-add of a
    //   thread and for the last of each epoch)
    // - assignment: the new value of the local (kept within a budget)
    // - exchange: the value that the lane got
    std::vector<std::uint32_t> words;
    std::uint32_t accumulator_interval = 1;
    std::uint32_t accumulators = 1;        // sums per thread
    std::optional<MatrixProduct> product;  // nullopt: the launch is not a matrix product
    // The number of elements of C that differ from `product` after the launch; nullopt: not
    // counted.
    std::optional<std::uint64_t> wrong_elements;
    // The number of records whose values did not follow from earlier operations of the same threads
    // when the trace was recorded (analysis/values/value_check.h); nullopt: not counted.
    std::optional<std::uint64_t> unexplained_values;
    // For each block the multiprocessor (SM) that ran it; kNotRecorded for a block without records.
    // Empty if recorded on the CPU.
    static constexpr std::uint16_t kNotRecorded = 0xffff;
    std::vector<std::uint16_t> multiprocessors;
    std::vector<Local> locals;                 // LocalId order
    std::vector<SourceFile> more_sources;      // source files besides `source`; see Site::file
    std::vector<std::uint32_t> chosen_blocks;  // blocks chosen for recording, ascending; the others
                                               // ran unrecorded. Empty: all
    std::vector<RecordedFinding> findings;     // errors that the records do not show
    // Of a trace that is not complete: where the warps were in each block that was not recorded to
    // its end, sorted by block and warp. nullopt: not known.
    std::optional<std::vector<WarpStop>> warp_stops{};
    std::string output{};  // of the program up to the end of the launch
    // Read from a file that was changed after it was written (trace_file.h).
    bool changed_file = false;
};

// The address pattern of a record, expanded to lanes.
struct LaneOffsets {
    std::uint32_t mask = 0;
    std::array<std::uint32_t, kWarpSize> bytes{};  // as Records::base; 0 for inactive lanes
};
[[nodiscard]] LaneOffsets expand(const Pattern& pattern, std::uint32_t base,
                                 std::span<const IrregularOffsets> irregular);
[[nodiscard]] LaneOffsets lane_offsets(const Trace& trace, std::size_t record);

[[nodiscard]] inline SiteId site_of(const Trace& trace, std::size_t record) {
    dcheck(record < trace.records.size());
    return trace.records.site[record] & static_cast<SiteId>(~Records::kHasValues);
}
[[nodiscard]] inline const Site& site_at(const Trace& trace, std::size_t record) {
    dcheck(record < trace.records.size());
    return trace.sites[site_of(trace, record)];
}
[[nodiscard]] inline bool has_values(const Trace& trace, std::size_t record) {
    dcheck(record < trace.records.size());
    return (trace.records.site[record] & Records::kHasValues) != 0;
}
// The number of words in Trace::words of a record with kHasValues.
[[nodiscard]] inline std::size_t value_count(const Trace& trace, std::size_t record) {
    dcheck(record < trace.records.size());
    return static_cast<std::size_t>(
               std::popcount(trace.patterns[trace.records.pattern[record]].mask)) *
           site_at(trace, record).words();
}
// Whether the record is a TMA's store of zeros for elements outside the matrix, without a load.
[[nodiscard]] inline bool brings_zeros(const Trace& trace, std::size_t record) {
    dcheck(record < trace.records.size());
    return site_at(trace, record).operation == Operation::kCopyStore &&
           (record == 0 || site_at(trace, record - 1).operation != Operation::kCopyLoad);
}
// Whether the site's copies are made by the TMA, not by lanes.
[[nodiscard]] bool is_of_tma(const Trace& trace, const Site& site);
// The record of a copy's store for that of its load, and vice versa. A store of zeros has no load:
// its own record is returned.
[[nodiscard]] inline std::size_t other_side_of(const Trace& trace, std::size_t record) {
    dcheck(record < trace.records.size());
    const Operation operation = site_at(trace, record).operation;
    if (brings_zeros(trace, record)) return record;
    return operation == Operation::kCopyLoad ? record + 1 : record - 1;
}
// A line of a source file, counted from 1; empty if there is no such line.
[[nodiscard]] std::string_view source_line(const Trace& trace, std::uint32_t line,
                                           std::uint16_t file = 0);
[[nodiscard]] std::string_view source_text(const Trace& trace, std::uint16_t file);
[[nodiscard]] std::string_view source_name(const Trace& trace, std::uint16_t file);

// The product's matrices; kNoMatrix for each if the launch is not a product.
[[nodiscard]] inline MatrixProduct matrices_of(const Trace& trace) {
    return trace.product.value_or(MatrixProduct{kNoMatrix, kNoMatrix, kNoMatrix});
}
// The matrices of a product: A and B before the launch, C after it, and C before it.
enum class MatrixRole : std::uint8_t { kA, kB, kC, kFirstC };

// The elements of a matrix, row by row, rounded to float. They are read from the content of the
// matrix's array, which must stay where it is.
class MatrixElements {
  public:
    MatrixElements() = default;
    // Empty if the content does not have the size of the array.
    MatrixElements(const Array& array, std::span<const std::byte> content);
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] float operator[](std::size_t element) const {
        dcheck(element < size_);
        return floats_ != nullptr ? floats_[element] : converted(element);
    }
    // Only of a row-major matrix of floats without padding.
    [[nodiscard]] std::span<const float> floats() const {
        dcheck(floats_ != nullptr || size_ == 0);
        return {floats_, size_};
    }
    [[nodiscard]] std::vector<float> copy() const;
    // The elements from one number to another, for loops and algorithms.
    [[nodiscard]] auto all() const {
        return std::views::iota(std::size_t{0}, size_) |
               std::views::transform([*this](std::size_t element) { return (*this)[element]; });
    }

  private:
    [[nodiscard]] float converted(std::size_t element) const;
    const float* floats_ = nullptr;  // null: the array is not a dense one of floats
    const Array* array_ = nullptr;
    std::span<const std::byte> content_;
    std::size_t size_ = 0;
};
[[nodiscard]] ArrayId array_of(const MatrixProduct& product, MatrixRole which);
// Empty if the launch is not a product, or if the content is unknown. An empty kFirstC: all zeros.
[[nodiscard]] MatrixElements matrix_of(const Trace& trace, MatrixRole which);
// Whether all elements of C were zero before the launch.
[[nodiscard]] bool is_first_c_zero(const Trace& trace);
// Makes `values` the content of the array of a matrix of the product, which is a row-major one of
// floats without padding.
void set_matrix(Trace& trace, MatrixRole which, std::span<const float> values);

// Blocks and threads are numbered x first, then y, then z (CUDA C++ Programming Guide, "Thread
// Hierarchy"). `extents`: gridDim for a blockIdx, blockDim for a threadIdx.
[[nodiscard]] constexpr Dim3 index_of(const Dim3& extents, std::uint64_t number) {
    const std::uint64_t rows = number / extents.x;
    return {static_cast<std::uint32_t>(number % extents.x),
            static_cast<std::uint32_t>(rows % extents.y),
            static_cast<std::uint32_t>(rows / extents.y)};
}
[[nodiscard]] constexpr std::uint64_t number_of(const Dim3& extents, const Dim3& index) {
    return (std::uint64_t{index.z} * extents.y + index.y) * extents.x + index.x;
}
// Whether the block was chosen for recording.
[[nodiscard]] bool is_chosen(const Trace& trace, std::uint32_t block);
// The segments of one block: [first, last).
struct SegmentRange {
    std::size_t first = 0, last = 0;
};
[[nodiscard]] SegmentRange segments_of_block(const Trace& trace, std::uint32_t block);
// Bytes of all columns.
[[nodiscard]] std::uint64_t memory_bytes(const Trace& trace);
// The number of recorded accesses, counted per thread.
[[nodiscard]] std::uint64_t access_count(const Trace& trace);

}  // namespace tilereel

#pragma once
// What the traced build writes in GPU memory, and what it needs there: the agreement between
// traced.cuh and whoever launches a traced kernel. Plain C++: the reader needs no nvcc.
//
// A warp writes its records one after another into its own segment. A launch takes two passes: with
// `records` null every warp only counts; then the segments are laid out by those counts and filled.
// What does not fit is counted and left out, never written elsewhere.
#include <cstdint>

#ifdef __CUDACC__
#define TILEREEL_HOST_AND_DEVICE __host__ __device__
#else
#define TILEREEL_HOST_AND_DEVICE
#endif

namespace tilereel::device {

enum class DeviceOperation : std::uint32_t {
    kLoad = 0,
    kStore = 1,        // followed by width / 4 records kStoredWord of the same lanes
    kMultiplyAdd = 2,  // lane words: the accumulator after it, as float bits
    kBarrier = 3,
    kWarpBarrier = 4,
    kStoredWord = 5,  // lane words: the next 4 bytes of the value that was stored
    // One asynchronous copy is two records of the same line and lanes, and its words.
    kCopyLoad = 6,       // what it reads in global memory
    kCopyStore = 7,      // what it writes in shared memory; followed by kStoredWord as a store is
    kCommitCopies = 8,   // lane words: unused
    kWaitCopies = 9,     // array: how many groups may still be under way; lane words: unused
    // Barriers in shared memory; lane words: the barrier's number in the upper 8 bits, which of its
    // phases in the lower 24.
    kMakeBarrier = 10,
    kArrive = 11,
    kWaitPhase = 12,
    // One lane asks the copy engine for a box. What the engine copies follows right behind, in
    // records of up to 32 pieces: piece i of a record has the place of lane i.
    kStartBox = 13,
    kBoxLoad = 14,   // what it reads in global memory; not there for zeros
    kBoxStore = 15,  // what it writes in shared memory; followed by width / 4 records kBoxWord
    kBoxWord = 16,   // the next 4 bytes of each piece
};
// Those that write, and have their words behind them.
constexpr bool has_stored_words(DeviceOperation operation) {
    return operation == DeviceOperation::kStore || operation == DeviceOperation::kCopyStore ||
           operation == DeviceOperation::kBoxStore;
}
// Those whose mask is of pieces, not of lanes.
constexpr bool is_of_engine(DeviceOperation operation) {
    return operation >= DeviceOperation::kBoxLoad && operation <= DeviceOperation::kBoxWord;
}
constexpr bool is_of_phase(DeviceOperation operation) {
    return operation >= DeviceOperation::kMakeBarrier && operation <= DeviceOperation::kStartBox;
}

// One warp-wide operation. Its 32 lane words lie beside it: byte offsets, from the array's first
// byte (global) or from the block's shared memory (shared), unless the operation says otherwise.
struct DeviceRecord {
    std::uint32_t site;   // pack_site(...)
    std::uint32_t mask;   // the lanes that took part
    std::uint64_t clock;  // cycles of the warp's multiprocessor
};

// Line 16 bits; array, accumulator or groups 8; width 2 (0, 1, 2, 3: 0, 4, 8, 16 bytes);
// operation 6.
TILEREEL_HOST_AND_DEVICE constexpr std::uint32_t pack_site(std::uint32_t line,
                                                           std::uint32_t array_or_accumulator,
                                                           std::uint32_t width_bytes,
                                                           DeviceOperation operation) {
    return (line & 0xffff) << 16 | (array_or_accumulator & 0xff) << 8 |
           (width_bytes == 16 ? 3u : width_bytes / 4) << 6 | static_cast<std::uint32_t>(operation);
}
constexpr std::uint32_t site_line(std::uint32_t site) { return site >> 16; }
constexpr std::uint32_t site_array(std::uint32_t site) { return site >> 8 & 0xff; }
constexpr std::uint32_t site_width_bytes(std::uint32_t site) {
    return (site >> 6 & 3) == 0 ? 0 : 2u << (site >> 6 & 3);
}
constexpr DeviceOperation site_operation(std::uint32_t site) {
    return static_cast<DeviceOperation>(site & 63);
}

// The first access that was out of bounds or misaligned, and how many there were.
struct DeviceFaults {
    std::uint32_t count;
    std::uint32_t line, array;
    std::int32_t misaligned;  // 0: out of bounds
    std::int64_t index;       // element (out of bounds) or byte offset (misaligned)
    std::int64_t limit;       // elements in the array, or bytes to be aligned to
};

inline constexpr std::uint32_t kMostSharedArrays = 16;
struct DeviceSharedArray {
    std::uint32_t offset_bytes;  // of its first byte in the block's shared memory
    std::uint32_t size_bytes;
};

// Accumulators alive and shared arrays declared, so far, by one thread: zero before the launch.
struct DeviceThread {
    std::uint16_t accumulators, shared_arrays;
};

// All pointers are to GPU memory. Warps are numbered block by block: linear blockIdx * warps of a
// block + linear threadIdx / 32; threads likewise.
struct DeviceTrace {
    // Set before the launch.
    const std::uint64_t* segment_begin;  // [warps + 1]: record where each warp's segment begins
    DeviceRecord* records;               // [segment_begin[warps]]; null: count only
    std::uint32_t* lane_words;           // [segment_begin[warps]][32]
    // Zero before the launch.
    DeviceThread* threads;              // [threads]
    std::uint32_t* record_counts;       // [warps]: all it had to record, fitting or not
    std::uint32_t* multiprocessors;     // [warps]: where it ran; clocks of different ones differ
    std::uint64_t* left_out;            // [1]: records that did not fit
    DeviceFaults* faults;               // [1]
    DeviceSharedArray* shared_arrays;   // [kMostSharedArrays], in order of declaration
    std::uint32_t* shared_array_count;  // [1]
};

}  // namespace tilereel::device

// What a recorded launch leaves behind: the records as the GPU wrote them, and what is needed to
// read them. Plain C++17: recorder.cu, the recorded program and Tilereel share it.
#pragma once
#include <cstdint>

namespace tilereel_gpu {

constexpr std::uint32_t kNotRecorded = 0xffffffff;
constexpr std::uint32_t kInSharedMemory = 0xffffffff;
// The same for the shared memory of another block of the cluster: this and the block's rank.
constexpr std::uint32_t kInCluster = 0xffffff00, kMostRanks = 16;
#ifdef __CUDACC__
__host__ __device__
#endif
    constexpr bool
    is_in_cluster(std::uint32_t high) {
    return high >= kInCluster && high < kInCluster + kMostRanks;
}
// The space of an access, in the two lowest bits of a hook's site argument: the numbers of
// tilereel::Space. The others are global memory, or constant memory by its generic address.
constexpr std::uint32_t kSpaceBits = 2, kGlobalSpace = 0, kSharedSpace = 1, kGenericSpace = 3;
// A bit of DeviceRecord::high in the record of a sum. Set: the sum is in a register, whose number
// is in the other bits. Clear: `high` is the address of the sum in the thread's local memory.
constexpr std::uint32_t kSumInRegister = 0x80000000;
constexpr std::uint32_t kMostVariables = 1024;  // shared and constant arrays of a program
// Prefix of a symbol in the table of kernels: that kernel calls malloc() or free().
constexpr char kUsesHeap[] = "!heap";
constexpr char kDumpMagic[9] = "TLRLGPU1";

// One warp-wide operation. A separate row of 32 words, one for each lane, holds the lower halves of
// the addresses. The rows of a value follow as further records; only their words are used.
struct DeviceRecord {
    std::uint32_t site, caller;  // numbers of ptx_patch.h; caller: number of a call + 1, or 0
    std::uint32_t mask;          // the active lanes
    // Upper half of the addresses, kInSharedMemory or kInCluster and a rank; kSumInRegister. Of an
    // mbarrier operation 0, or kInCluster and a rank.
    std::uint32_t high;
    std::uint64_t clock;  // cycles of the warp's multiprocessor
};

// The rows that follow the record of an mbarrier operation, whose own row has the barrier's
// address. A wait is recorded when its phase is complete.
enum PhaseRow : std::uint32_t {
    kPhaseCount,  // init: expected arrivals of a phase; arrive: arrivals; wait: the phase parity
    kPhaseBytes,  // arrive: bytes added to the tx-count
    kPhaseRows,
};
constexpr std::uint32_t kParityUnknown = 2;  // the wait has a state operand instead of a parity
// In place of the address of a barrier with a number (bar.sync a, b): this bit, the number and the
// threads that it expects.
constexpr std::uint32_t kNamedBarrier = 0x80000000, kNamedShift = 16;
// The rows that follow the record of a bulk copy, whose own row has the barrier's address. Of a
// copy from shared to global memory, which has no barrier, kBoxTo is the source in shared memory.
enum BoxRow : std::uint32_t {
    kBoxTo,       // destination address in shared memory
    kBoxFromLow,  // map_hash() of the tensor map; without one the source address
    kBoxFromHigh,
    kBoxFirst,  // coordinates, innermost first; without a tensor map the number of bytes
    kBoxRanks = kBoxFirst + 5,  // .multicast::cluster: a bit for each block of the cluster; else 0
    kBoxRows,
};

// A hash of a tensor map's 32 words, which identifies the map.
#ifdef __CUDACC__
__host__ __device__
#endif
    inline unsigned long long
    map_hash(const unsigned* words) {
    unsigned long long hash = 0xcbf29ce484222325;
    for (unsigned i = 0; i < 32; ++i) hash = (hash ^ words[i]) * 0x100000001b3;
    return hash;
}

// Where lanes of a warp wait for others they may diverge in one pass and not in another, and then
// make more records than were counted. The pass that records is then repeated, with more room.
constexpr int kMostRepeats = 4;
// The room of a warp that made `count` records in a pass which had room for `room`.
constexpr std::uint64_t larger_room(std::uint64_t count, std::uint64_t room) {
    const std::uint64_t most = count > room ? count : room;
    return most + most / 4 + 32;
}

// All pointers are to GPU memory. Each recorded block has a slot. Warps are numbered in the order
// of slots.
struct DeviceTrace {
    const std::uint32_t* slot_of_block;  // [blocks]; null: the launch is not recorded
    const std::uint64_t* segment_begin;  // [warps + 1]
    DeviceRecord* records;               // [segment_begin[warps]]; null: count only
    std::uint32_t* words;                // [segment_begin[warps]][32]
    std::uint64_t* counts;               // [warps]: lower half: records; upper half: accesses
    std::uint32_t* multiprocessors;      // [warps]
    std::uint64_t* places;               // [variables]: address + 1; 0: unknown
    std::uint32_t is_silent;             // the kernel prints nothing
    std::uint32_t shared_begin;  // bytes of shared memory that CUDA reserves before a block's own
};

// Memory of the program: an allocation, or a variable.
struct DumpRegion {
    std::uint64_t address, bytes;
    std::uint64_t first, last;  // offsets in the contents, before and after launch; 0: unknown
    std::uint32_t is_constant;
    std::uint32_t name_bytes;  // length of the variable's symbol in the file's names
};

// A tensor map that the program has encoded. `hash`: map_hash(). Dimension 0 is innermost.
struct DumpMap {
    std::uint64_t hash, first;               // address of the first element
    std::uint64_t stride_bytes[4];           // of dimensions 1, 2, ...
    std::uint32_t last[5], box[5], step[5];  // last: extents - 1
    std::uint32_t rank, element_bytes;
    std::uint32_t swizzle_bytes;  // 0: not swizzled
};

// The header of the file. The parts that it counts follow in the order of the last comment, each
// 8-byte aligned.
struct DumpHeader {
    char magic[8];  // kDumpMagic
    std::uint32_t grid[3], block[3], cluster[3], unused;
    std::uint64_t shared_bytes;                              // per block
    std::uint64_t blocks;                                    // recorded blocks: u32 numbers
    std::uint64_t records;                                   // DeviceRecord and u32[32] each
    std::uint64_t variables;                                 // places: u64
    std::uint64_t regions;                                   // DumpRegion
    std::uint64_t name_bytes;                                // names of the regions
    std::uint64_t kernel_bytes, device_bytes, driver_bytes;  // lengths of texts
    std::uint64_t parameter_count;  // the first 8 bytes of each kernel parameter, as u64
    std::uint64_t maps;             // DumpMap
    std::uint64_t content_bytes;
    // u32 blocks; u64 segment_begin[warps + 1]; u64 counts[warps]; u32 multiprocessors[warps];
    // DeviceRecord records; u32 words; u64 places; DumpRegion; names; kernel; device; driver;
    // u64 parameters; DumpMap maps; contents
};

}  // namespace tilereel_gpu

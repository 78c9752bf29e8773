// What a recorded launch leaves behind: the records as the GPU wrote them, and what is needed to
// read them. Plain C++17: recorder.cu, the recorded program and Tilereel share it.
#pragma once
#include <cstdint>

namespace tilereel_gpu {

constexpr std::uint32_t kNotRecorded = 0xffffffff;
constexpr std::uint32_t kInSharedMemory = 0xffffffff;
// In `high` of a sum that is in a register: its number is in the other bits. Without it `high` is
// where the sum lies in the thread's own memory.
constexpr std::uint32_t kSumInRegister = 0x80000000;
constexpr std::uint32_t kMostVariables = 1024;  // shared and constant arrays of a program
// Before a symbol in the table of kernels: that kernel calls malloc() or free().
constexpr char kUsesHeap[] = "!heap";
constexpr char kDumpMagic[9] = "TLRLGPU1";

// One warp-wide operation. Its 32 lane words lie beside it: the lower halves of the addresses. Rows
// of a value follow it as further records, of which only the words count.
struct DeviceRecord {
    std::uint32_t site, caller;  // as ptx_patch.h numbers them; caller: a call's number + 1, or 0
    std::uint32_t mask;          // the lanes that took part
    std::uint32_t high;          // upper half of the addresses, or kInSharedMemory; of a sum: which
    std::uint64_t clock;         // cycles of the warp's multiprocessor
};

// The rows behind the record of a barrier in shared memory (mbarrier), whose own row has the
// barrier's address. A wait is recorded when its phase is over.
enum PhaseRow : std::uint32_t {
    kPhaseCount,  // of an init: arrivals of a phase; of an arrival: arrivals; of a wait: its parity
    kPhaseBytes,  // of an arrival: bytes that it expects
    kPhaseRows,
};
constexpr std::uint32_t kParityUnknown = 2;  // the wait names a phase by its state
// The rows behind the record of a bulk copy, whose own row has the barrier's address.
enum BoxRow : std::uint32_t {
    kBoxTo,       // address in shared memory
    kBoxFromLow,  // of a tensor map: map_hash(); else the address of the bytes
    kBoxFromHigh,
    kBoxFirst,  // coordinates, innermost first; of bytes: how many
    kBoxRows = kBoxFirst + 5,
};

// Tells tensor maps apart by their content, 32 words.
#ifdef __CUDACC__
__host__ __device__
#endif
    inline unsigned long long
    map_hash(const unsigned* words) {
    unsigned long long hash = 0xcbf29ce484222325;
    for (unsigned i = 0; i < 32; ++i) hash = (hash ^ words[i]) * 0x100000001b3;
    return hash;
}

// All pointers are to GPU memory. A recorded block has a slot; warps are numbered slot by slot.
struct DeviceTrace {
    const std::uint32_t* slot_of_block;  // [blocks]; null: the launch is not recorded
    const std::uint64_t* segment_begin;  // [warps + 1]
    DeviceRecord* records;               // [segment_begin[warps]]; null: count only
    std::uint32_t* words;                // [segment_begin[warps]][32]
    std::uint64_t* counts;               // [warps]: records below, accesses in the upper half
    std::uint32_t* multiprocessors;      // [warps]
    std::uint64_t* places;               // [variables]: address + 1; 0: not seen
    std::uint32_t is_counting;
    std::uint32_t shared_begin;  // bytes of shared memory that the system keeps before a block's
};

// Memory of the program: an allocation, or a variable.
struct DumpRegion {
    std::uint64_t address, bytes;
    std::uint64_t first, last;  // where the file has its content before and after; 0: unknown
    std::uint32_t is_constant;
    std::uint32_t name_bytes;  // of a variable's symbol, in the file's names, one after another
};

// A tensor map that the program has made, with map_hash(). Dimension 0 is innermost.
struct DumpMap {
    std::uint64_t hash, first;               // address of the first element
    std::uint64_t stride_bytes[4];           // of dimensions 1, 2, ...
    std::uint32_t last[5], box[5], step[5];  // last: extents - 1
    std::uint32_t rank, element_bytes;
    std::uint32_t swizzle_bytes;  // 0: not swizzled
};

// The file: this, then what it says, each part at a multiple of 8 bytes, in this order.
struct DumpHeader {
    char magic[8];  // kDumpMagic
    std::uint32_t grid[3], block[3];
    std::uint64_t shared_bytes;                              // of a block
    std::uint64_t blocks;                                    // recorded: u32 numbers
    std::uint64_t records;                                   // DeviceRecord, then u32[32] each
    std::uint64_t variables;                                 // places: u64
    std::uint64_t regions;                                   // DumpRegion
    std::uint64_t name_bytes;                                // of regions
    std::uint64_t kernel_bytes, device_bytes, driver_bytes;  // texts
    std::uint64_t parameter_count;  // u64 each: the first 8 bytes of the kernel's parameters
    std::uint64_t maps;             // DumpMap
    std::uint64_t content_bytes;
    // u32 blocks; u64 segment_begin[warps + 1]; u64 counts[warps]; u32 multiprocessors[warps];
    // DeviceRecord records; u32 words; u64 places; DumpRegion; names; kernel; device; driver;
    // u64 parameters; DumpMap maps; contents
};

}  // namespace tilereel_gpu

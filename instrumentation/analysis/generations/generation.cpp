#include "instrumentation/analysis/generations/generation.h"

#include <algorithm>
#include <array>

namespace tilereel {
namespace {

constexpr LanesTogether kHalfWarps{.of_4_bytes = 16, .of_8_bytes = 16, .of_16_bytes = 16};
constexpr LanesTogether kByWidth{.of_4_bytes = 32, .of_8_bytes = 16, .of_16_bytes = 8};

// CUDA C Programming Guide 4.2, appendix F, "Compute Capability 1.x", "Shared Memory" (F.3.3): 16
// banks, each half-warp a request of its own; "32-Bit Broadcast Access" (F.3.3.2): in one step one
// word goes to all that want it, every other bank serves one address, and which word and which
// address is not specified; "Larger Than 32-Bit Access" (F.3.3.4): split into 32-bit requests, two
// with a stride of two for a double.
constexpr SharedRules kShared1{.banks = 16,
                               .lanes = kHalfWarps,
                               .same_address_wide_loads_merge = false,
                               .word_by_word = true,
                               .broadcasts_one_word = true};
// The same guide, "Devices of Compute Capability 1.0 and 1.1" (F.3.2.1): thread k of a half-warp
// accesses word k of a 64- or 128-byte segment (of two 128-byte ones for 16-byte words), or 16
// separate transactions of 32 bytes are issued. Best Practices Guide 4.2, "A Sequential but
// Misaligned Access Pattern": one for each requested element, so none for an inactive lane.
constexpr GlobalRules kGlobal10{.coalescing = Coalescing::kInOrder,
                                .lanes = kHalfWarps,
                                .unit = "transaction",
                                .units = "transactions"};
// The same guide, "Devices of Compute Capability 1.2 and 1.3" (F.3.2.2): one transaction for each
// segment that a half-warp addresses, reduced from 128 to 64 and from 64 to 32 bytes where only one
// half is used.
constexpr GlobalRules kGlobal12{.coalescing = Coalescing::kSegments,
                                .lanes = kHalfWarps,
                                .unit = "transaction",
                                .units = "transactions"};
// The same guide, "Compute Capability 2.x", "Shared Memory" (F.4.3): 32 banks, several words
// broadcast at once; "Larger Than 32-Bit Access" (F.4.3.2): 64-bit accesses by half-warp, 128-bit
// accesses by quarter-warp. It adds that most 128-bit accesses cost a quarter-warp one step more,
// without saying which: here none does.
//
// 3.x is counted like 2.x. Its own rule is kinder: "32-Bit Mode" (F.5.3.2) also serves words i and
// i + 32 of one aligned segment of 64 words together, so that it has as many conflicts or fewer.
constexpr SharedRules kShared2{.lanes = kByWidth, .same_address_wide_loads_merge = false};
// The same guide, "Compute Capability 2.x", "Global Memory" (F.4.2): accesses cached in L1, which
// is the default, move whole 128-byte lines, those cached in L2 only move 32 bytes; a warp's
// request for 8-byte words is split in two, for 16-byte words in four. 3.0 does the same (F.5.2).
// The Kepler Tuning Guide, "L1 Cache", says that L1 is kept for local memory there, which would
// make it 32 bytes: here 3.x follows the Programming Guide.
constexpr GlobalRules kGlobal2{
    .lanes = kByWidth, .sector_bytes = 128, .unit = "line", .units = "lines"};

constexpr int kKiB = 1024;

// CUDA C Programming Guide 4.2, "Features and Technical Specifications" (table F-2): threads,
// warps, blocks, registers and shared memory of 1.x and 2.x. CUDA Occupancy Calculator 5.1, "GPU
// Data": units in which registers and shared memory are given out, registers a thread.
constexpr DeviceLimits limits_1(bool later) {
    return {.warps = later ? 32 : 24,
            .blocks = 8,
            .threads_per_block = 512,
            .registers = later ? 16384 : 8192,
            .registers_per_block = later ? 16384 : 8192,
            .registers_per_thread = 124,
            .register_unit = later ? 512 : 256,
            .registers_to_block = true,
            .partitions = 2,
            .shared_bytes = 16 * kKiB,
            .shared_bytes_per_block = 16 * kKiB,
            .default_shared_bytes_per_block = 16 * kKiB,
            .shared_unit_bytes = 512};
}

// Sources as for 1.x. Shared memory: the larger setting of the split between it and the L1 cache.
constexpr DeviceLimits limits_2() {
    return {.warps = 48,
            .blocks = 8,
            .registers = 32768,
            .registers_per_block = 32768,
            .registers_per_thread = 63,
            .register_unit = 64,
            .partitions = 2,
            .shared_unit_bytes = 128};
}

// CUDA C++ Programming Guide 11.8, "Compute Capabilities", "Features and Technical Specifications"
// (table 15, "Technical Specifications per Compute Capability"), for 3.5 to 9.0; 3.0: the same
// table of guide 10.2. CUDA Occupancy Calculator 11.1, "GPU Data": units.
constexpr DeviceLimits limits_3(int registers_per_thread, int registers, int shared_kib) {
    return {.blocks = 16,
            .registers = registers,
            .registers_per_thread = registers_per_thread,
            .shared_bytes = shared_kib * kKiB};
}

constexpr DeviceLimits limits_5_or_6(int shared_kib) { return {.shared_bytes = shared_kib * kKiB}; }
// Two partitions instead of four. A block must also fit the four partitions of the family: CUDA
// Toolkit 13.0, cuda_occupancy.h, cudaOccMaxActiveBlocksPerMultiprocessor().
constexpr DeviceLimits limits_6_0(int shared_kib) {
    return {.partitions = 2, .family_partitions = 4, .shared_bytes = shared_kib * kKiB};
}

// From 7.0 a launch may ask for more than 48 KiB: the same table, "Maximum amount of shared memory
// per thread block", and "Compute Capability 7.x", "Shared Memory".
constexpr DeviceLimits limits_7(int warps, int blocks, int shared_kib) {
    return {.warps = warps,
            .blocks = blocks,
            .shared_bytes = shared_kib * kKiB,
            .shared_bytes_per_block = shared_kib * kKiB};
}

// From 8.0 the system reserves 1 KiB for each block: "Compute Capability 8.x", "Shared Memory".
constexpr DeviceLimits limits_8_or_9(int warps, int blocks, int shared_kib) {
    return {.warps = warps,
            .blocks = blocks,
            .shared_bytes = shared_kib * kKiB,
            .shared_bytes_per_block = (shared_kib - 1) * kKiB,
            .shared_unit_bytes = 128,
            .shared_reserved_bytes = kKiB};
}

constexpr Generation compute_1(std::string_view id, std::string_view title, int multiprocessors,
                               const GlobalRules& global, const DeviceLimits& limits) {
    return {.id = id,
            .title = title,
            .shared = kShared1,
            .global = global,
            .independent_lanes = false,
            .limits = limits,
            .multiprocessors = multiprocessors};
}

constexpr Generation cached_lines(std::string_view id, std::string_view title, int multiprocessors,
                                  const DeviceLimits& limits) {
    return {.id = id,
            .title = title,
            .shared = kShared2,
            .global = kGlobal2,
            .independent_lanes = false,
            .limits = limits,
            .multiprocessors = multiprocessors};
}

// 5.0 to 9.0 share one rule: 32 banks of 4 bytes, 32-byte sectors, 128-byte lines. CUDA C++
// Programming Guide 12, "Compute Capability 5.x", "Shared Memory": no conflict between threads that
// access one 32-bit word. CUDA C++ Best Practices Guide 12, "Coalesced Access to Global Memory": as
// many 32-byte transactions as serve all threads of the warp, from 6.0 on and on 5.x without L1
// caching. Wide accesses as measured on 9.0 (tests/hardware).
//
// Lanes advance on their own from 7.0: Programming Guide 12, "Compute Capability 7.x", "Independent
// Thread Scheduling"; Volta Tuning Guide, the section of that name.
//
// The cost of asynchronous copies is as measured on 9.0.
constexpr Generation sectors(std::string_view id, std::string_view title, int multiprocessors,
                             const DeviceLimits& limits) {
    return {.id = id,
            .title = title,
            .independent_lanes = major_version(id) >= 7,
            .asynchronous_copies = has_asynchronous_copies(id),
            .limits = limits,
            .multiprocessors = multiprocessors};
}

// The number of SMs is from the data sheet of the named GPU; for a K80, of one of its two GPUs.
constexpr std::array kGenerations = {
    sectors("9.0", "H100 (9.0)", 132, limits_8_or_9(64, 32, 228)),
    sectors("8.9", "RTX 4090 (8.9)", 128, limits_8_or_9(48, 24, 100)),
    sectors("8.6", "RTX 3090 (8.6)", 82, limits_8_or_9(48, 16, 100)),
    sectors("8.0", "A100 (8.0)", 108, limits_8_or_9(64, 32, 164)),
    sectors("7.5", "RTX 2080 (7.5)", 46, limits_7(32, 16, 64)),
    sectors("7.0", "V100 (7.0)", 80, limits_7(64, 32, 96)),
    sectors("6.1", "GTX 1080 (6.1)", 20, limits_5_or_6(96)),
    sectors("6.0", "P100 (6.0)", 56, limits_6_0(64)),
    sectors("5.2", "GTX 980 (5.2)", 16, limits_5_or_6(96)),
    sectors("5.0", "GTX 750 Ti (5.0)", 5, limits_5_or_6(64)),
    cached_lines("3.7", "K80 (3.7)", 13, limits_3(255, 131072, 112)),
    cached_lines("3.5", "K40 (3.5)", 15, limits_3(255, 65536, 48)),
    cached_lines("3.0", "GTX 680 (3.0)", 8, limits_3(63, 65536, 48)),
    cached_lines("2.1", "GTX 560 (2.1)", 7, limits_2()),
    cached_lines("2.0", "GTX 480 (2.0)", 15, limits_2()),
    compute_1("1.3", "GTX 280 (1.3)", 30, kGlobal12, limits_1(true)),
    compute_1("1.2", "GT 240 (1.2)", 12, kGlobal12, limits_1(true)),
    compute_1("1.1", "9800 GTX (1.1)", 16, kGlobal10, limits_1(false)),
    compute_1("1.0", "8800 GTX (1.0)", 16, kGlobal10, limits_1(false)),
};

}  // namespace

std::span<const Generation> generations() { return kGenerations; }

const Generation& default_generation() {
    static const Generation& measured = *find_generation("9.0");
    return measured;
}

const Generation* find_generation(std::string_view id) {
    const bool newest_of_major = id.size() > 2 && id.ends_with(".x");
    const auto found = std::ranges::find_if(kGenerations, [&](const Generation& generation) {
        return newest_of_major ? generation.id.starts_with(id.substr(0, id.size() - 1))
                               : generation.id == id;
    });
    return found == kGenerations.end() ? nullptr : &*found;
}

}  // namespace tilereel

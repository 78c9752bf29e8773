#include "instrumentation/analysis/device_limits.h"

#include <algorithm>
#include <array>

namespace tilereel {
namespace {

constexpr int kKiB = 1024;

// CUDA C Programming Guide 4.2, "Features and Technical Specifications" (table F-2): threads,
// warps, blocks, registers and shared memory of 1.x and 2.x. CUDA Occupancy Calculator 5.1, "GPU
// Data": units in which registers and shared memory are given out, registers a thread.
constexpr DeviceLimits compute_1(std::string_view id, bool later) {
    return {.generation = id,
            .warps = later ? 32 : 24,
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
            .shared_bytes_without_asking = 16 * kKiB,
            .shared_unit_bytes = 512};
}

// The same two; shared memory where an SM prefers it to cache.
constexpr DeviceLimits compute_2(std::string_view id) {
    return {.generation = id,
            .warps = 48,
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
constexpr DeviceLimits compute_3(std::string_view id, int registers_per_thread, int registers,
                                 int shared_kib) {
    return {.generation = id,
            .blocks = 16,
            .registers = registers,
            .registers_per_thread = registers_per_thread,
            .shared_bytes = shared_kib * kKiB};
}

constexpr DeviceLimits compute_5_or_6(std::string_view id, int shared_kib) {
    return {.generation = id, .shared_bytes = shared_kib * kKiB};
}
// Two partitions instead of four; what 6.1 could not run is not run here, either: CUDA
// Toolkit 13.0, cuda_occupancy.h, cudaOccMaxActiveBlocksPerMultiprocessor().
constexpr DeviceLimits compute_6_0(int shared_kib) {
    return {.generation = "6.0",
            .partitions = 2,
            .family_partitions = 4,
            .shared_bytes = shared_kib * kKiB};
}

// From 7.0 a launch may ask for more than 48 KiB: the same table, "Maximum amount of shared memory
// per thread block", and "Compute Capability 7.x", "Shared Memory".
constexpr DeviceLimits compute_7(std::string_view id, int warps, int blocks, int shared_kib) {
    return {.generation = id,
            .warps = warps,
            .blocks = blocks,
            .shared_bytes = shared_kib * kKiB,
            .shared_bytes_per_block = shared_kib * kKiB};
}

// From 8.0 the system keeps 1 KiB of each block: "Compute Capability 8.x", "Shared Memory".
constexpr DeviceLimits compute_8_or_9(std::string_view id, int warps, int blocks, int shared_kib) {
    return {.generation = id,
            .warps = warps,
            .blocks = blocks,
            .shared_bytes = shared_kib * kKiB,
            .shared_bytes_per_block = (shared_kib - 1) * kKiB,
            .shared_unit_bytes = 128,
            .shared_reserved_bytes = kKiB};
}

constexpr std::array kLimits = {
    compute_8_or_9("9.0", 64, 32, 228),
    compute_8_or_9("8.9", 48, 24, 100),
    compute_8_or_9("8.6", 48, 16, 100),
    compute_8_or_9("8.0", 64, 32, 164),
    compute_7("7.5", 32, 16, 64),
    compute_7("7.0", 64, 32, 96),
    compute_5_or_6("6.1", 96),
    compute_6_0(64),
    compute_5_or_6("5.2", 96),
    compute_5_or_6("5.0", 64),
    compute_3("3.7", 255, 131072, 112),
    compute_3("3.5", 255, 65536, 48),
    compute_3("3.0", 63, 65536, 48),
    compute_2("2.1"),
    compute_2("2.0"),
    compute_1("1.3", true),
    compute_1("1.2", true),
    compute_1("1.1", false),
    compute_1("1.0", false),
};

}  // namespace

const DeviceLimits* find_limits(const Generation& generation) {
    const auto found = std::ranges::find(kLimits, generation.id, &DeviceLimits::generation);
    return found == kLimits.end() ? nullptr : &*found;
}

}  // namespace tilereel

#pragma once
// This computer's processors: name, threads, caches, memory, and their measured roofs.
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

namespace tilereel {

[[nodiscard]] std::string processor_name();  // "AMD EPYC 9B14"
[[nodiscard]] int processor_threads();       // hardware threads that this process may use
// The bytes of all last-level caches of the processors that this process may use; 0 if unknown.
[[nodiscard]] std::uint64_t last_cache_bytes();
// The bytes that this process can allocate without swapping and within its limit.
[[nodiscard]] std::uint64_t available_memory_bytes();

// The bandwidth of a copy that is larger than the caches, in 1e9 bytes (read and written) per
// second. nullopt: cancelled.
[[nodiscard]] std::optional<double> measure_copy_gbs(int threads, const std::atomic<bool>& cancel);
// GFLOPS of chains of multiply-adds in registers, with the processor's widest vectors. nullopt:
// cancelled.
[[nodiscard]] std::optional<double> measure_fma_gflops(int threads,
                                                       const std::atomic<bool>& cancel);

}  // namespace tilereel

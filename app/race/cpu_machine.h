#pragma once
// What this computer's processors are, and what they can do at most.
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

namespace tilereel {

[[nodiscard]] std::string processor_name();  // "AMD EPYC 9B14"
[[nodiscard]] int processor_threads();       // that this process may use
// The bytes of all last-level caches of the processors that this process may use; 0 if unknown.
[[nodiscard]] std::uint64_t last_cache_bytes();
// The bytes that this process can take without swapping and within its limit.
[[nodiscard]] std::uint64_t available_memory_bytes();

// 1e9 bytes a second, read and written, by a copy of more than the caches hold, on so many threads.
// nullopt: cancelled.
[[nodiscard]] std::optional<double> measure_copy_gbs(int threads, const std::atomic<bool>& cancel);
// GFLOPS of chains of multiply-adds in registers, in the widest vectors that the processor has.
// nullopt: cancelled.
[[nodiscard]] std::optional<double> measure_fma_gflops(int threads,
                                                       const std::atomic<bool>& cancel);

}  // namespace tilereel

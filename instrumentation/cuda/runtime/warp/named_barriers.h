#pragma once
// Barriers of a part of a block: bar.sync and bar.arrive with a number and a count of threads (PTX
// ISA, "Parallel Synchronization and Communication Instructions: bar, barrier"). Each is kept as an
// mbarrier that needs no initialisation.
#include <cstddef>
#include <cstdint>

namespace tilereel::runtime {

struct NamedBarriers {
    static constexpr std::uint32_t kCount = 16;  // of a block
    // Where their operations are recorded: behind all shared memory.
    static constexpr std::uint32_t kFirstPlace = 0x80000000u;
    // The mbarrier for a number and a count of threads, which is a multiple of 32 up to 1,024.
    [[nodiscard]] static const void* key(std::uint32_t number, std::uint32_t threads);
    // Whether it is such a key, and which place it has.
    [[nodiscard]] static bool is_key(const void* address);
    [[nodiscard]] static std::uint32_t place(const void* key);
};

// The running thread arrives at the barrier; `waits`: and waits until `threads` threads have.
void arrive_at_named(std::uint32_t number, std::uint32_t threads, bool waits) noexcept;

}  // namespace tilereel::runtime

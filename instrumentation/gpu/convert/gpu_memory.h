#pragma once
// Finds the array of a recorded launch that contains an address.
#include <cstddef>
#include <cstdint>

#include "instrumentation/cuda/runtime/warp/encoded_tensor_map.h"
#include "instrumentation/trace/site.h"

namespace tilereel::gpu {

// Thread-safe.
class GpuMemory {
  public:
    // An array, or a part of one.
    struct Place {
        ArrayId number = 0;
        std::uint64_t begin = 0, end = 0;
        std::uint64_t origin = 0;  // the address of offset 0 in the trace
        bool is_left_out = false;  // accesses of it are not in the trace
    };
    virtual ~GpuMemory() = default;
    // Null if the address is in no array. An address of shared memory is an offset from the begin
    // of the block's shared memory.
    [[nodiscard]] virtual const Place* find(bool shared, std::uint64_t address) const = 0;
    // The same in the shared memory of another block of the cluster. The places of an array in the
    // blocks have one number, and follow one another by rank.
    [[nodiscard]] virtual const Place* find_in_cluster(std::uint32_t rank,
                                                       std::uint64_t address) const {
        (void)rank, (void)address;
        return nullptr;
    }
    // The content of global memory after the launch; null if unknown.
    [[nodiscard]] virtual const std::byte* last_content(std::uint64_t address,
                                                        std::uint32_t bytes) const {
        (void)address, (void)bytes;
        return nullptr;
    }
    // The content of global memory that the launch does not change; null if unknown.
    [[nodiscard]] virtual const std::byte* content(std::uint64_t address,
                                                   std::uint32_t bytes) const = 0;
    // The tensor map with this map_hash(); null if the program has none.
    [[nodiscard]] virtual const runtime::TensorMap* map(std::uint64_t hash) const = 0;
};

// Finds places for one thread. It caches the last place, because most addresses are in the same
// one.
class GpuPlaceFinder {
  public:
    explicit GpuPlaceFinder(const GpuMemory& memory) : memory_(memory) {}
    [[nodiscard]] const GpuMemory::Place* find(bool shared, std::uint64_t address) {
        const GpuMemory::Place*& last = last_[shared ? 1 : 0];
        if (last == nullptr || address < last->begin || address >= last->end)
            last = memory_.find(shared, address);
        return last;
    }

    [[nodiscard]] const GpuMemory& memory() const { return memory_; }

  private:
    const GpuMemory& memory_;
    const GpuMemory::Place* last_[2] = {};  // of global and shared memory
};

}  // namespace tilereel::gpu

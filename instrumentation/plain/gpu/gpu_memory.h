#pragma once
// Which memory of a recorded launch an address is in.
#include <cstddef>
#include <cstdint>

#include "instrumentation/plain/runtime/tensor_map.h"
#include "instrumentation/trace/site.h"

namespace tilereel::plain {

// Any number of threads may ask at once.
class GpuMemory {
  public:
    // An array, or a part of one.
    struct Place {
        ArrayId number = 0;
        std::uint64_t begin = 0, end = 0;
        std::uint64_t origin = 0;  // from where the trace counts bytes
        bool is_left_out = false;  // the trace has no accesses of it
    };
    virtual ~GpuMemory() = default;
    // Null: in none. `address` of shared memory: an offset from the block's own.
    [[nodiscard]] virtual const Place* find(bool shared, std::uint64_t address) const = 0;
    // What global memory held before the launch and holds after it, too; null: that is not known.
    [[nodiscard]] virtual const std::byte* content(std::uint64_t address,
                                                   std::uint32_t bytes) const = 0;
    // The tensor map with this map_hash(); null: the program has made none.
    [[nodiscard]] virtual const TensorMap* map(std::uint64_t hash) const = 0;
};

// Finds places for one thread: most addresses are where the last one was.
class GpuPlaceFinder {
  public:
    explicit GpuPlaceFinder(const GpuMemory& memory) : memory_(memory) {}
    [[nodiscard]] const GpuMemory::Place* find(bool shared, std::uint64_t address) {
        const GpuMemory::Place*& last = last_[shared ? 1 : 0];
        if (last == nullptr || address < last->begin || address >= last->end)
            last = memory_.find(shared, address);
        return last;
    }

  private:
    const GpuMemory& memory_;
    const GpuMemory::Place* last_[2] = {};  // of global and shared memory
};

}  // namespace tilereel::plain

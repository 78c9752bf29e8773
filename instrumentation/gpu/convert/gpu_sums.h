#pragma once
// Numbers the sums (accumulators) of a trace. Sums in elements of local arrays come first, in the
// order of the elements. Sums in registers follow, in the order of their numbers in the PTX.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "instrumentation/base/result.h"

namespace tilereel::gpu {

struct GpuConversion;

class GpuSums {
  public:
    // Finds the sums of all records.
    static Result<GpuSums> of(const GpuConversion& conversion);
    // `sum`: DeviceRecord::high of a record of a sum. Returns kNone for any other value.
    [[nodiscard]] std::uint32_t number_of(std::uint32_t sum) const {
        const std::size_t all = slots_.size() - 1;
        std::size_t at = slot_of(sum);
        while (slots_[at].sum != sum && slots_[at].number != kNone) at = (at + 1) & all;
        return slots_[at].number;
    }
    [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(sums_.size()); }

  private:
    static constexpr std::uint32_t kNone = 0xffffffff;
    struct Slot {
        std::uint32_t sum = 0, number = kNone;
    };
    explicit GpuSums(std::vector<std::uint32_t> sums);
    [[nodiscard]] std::size_t slot_of(std::uint32_t sum) const {
        return (sum * 0x9e3779b1u >> 8) & (slots_.size() - 1);
    }

    std::vector<std::uint32_t> sums_;  // ascending: those in registers have the highest bit
    // A hash table with linear probing. Its size is a power of two, and most slots are free.
    std::vector<Slot> slots_;
};

// Finds the multiply-adds that are the last ones of an epoch for their sum and a lane. last_lanes()
// must be called for the multiply-adds of an epoch in reverse order.
class LastSums {
  public:
    explicit LastSums(const GpuSums& sums) : sums_(sums) {}
    void begin_epoch() { later_.assign(sums_.count(), 0); }
    // The lanes of `mask` that do not add to the sum again in this epoch.
    [[nodiscard]] std::uint32_t last_lanes(std::uint32_t sum, std::uint32_t mask) {
        std::uint32_t& later = later_[sums_.number_of(sum)];
        const std::uint32_t last = mask & ~later;
        later |= mask;
        return last;
    }

  private:
    const GpuSums& sums_;
    std::vector<std::uint32_t> later_;  // by sum: the lanes that add to it later
};

}  // namespace tilereel::gpu

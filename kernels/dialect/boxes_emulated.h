#pragma once
// bulk_copy.cuh for the emulated build: the same names, every box and every arrival recorded.
#include "kernels/dialect/box_pieces.h"
#include "kernels/dialect/dialect.h"

#define __grid_constant__

namespace tilereel::dialect {
inline namespace TILEREEL_BUILD_NAMESPACE {

TILEREEL_INLINE int min(int a, int b) { return b < a ? b : a; }
TILEREEL_INLINE float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }

// A matrix of `rows` x `columns`, the box that a copy takes of it, and how the box lies in shared
// memory: its 16-byte pieces exchanged within `swizzle_bytes` (32, 64 or 128; 0: not), which a row
// of the box must be then (CUDA Driver API, CUtensorMapSwizzle).
struct BoxMap {
    Global<const float> matrix;
    int rows, columns;
    int box_rows, box_columns;
    int swizzle_bytes;
};

class Arrival {
  public:
    explicit Arrival(std::uint32_t number) : number_(number) {}
    TILEREEL_INLINE void init(int arrivals, std::uint32_t line = __builtin_LINE()) const {
        init_arrival(number_, static_cast<std::uint32_t>(arrivals));
        Hooks::of_phase(line, kMakeArrival, phase_under_way(number_));
    }
    TILEREEL_INLINE void arrive(std::uint32_t line = __builtin_LINE()) const {
        Hooks::of_phase(line, kArriveAtPhase, emulated::arrive(number_, 0, line));
    }
    TILEREEL_INLINE void arrive_expecting(int bytes, std::uint32_t line = __builtin_LINE()) const {
        const auto announced = static_cast<std::uint32_t>(bytes);
        Hooks::of_phase(line, kArriveAtPhase, emulated::arrive(number_, announced, line));
    }
    // A recording asks nobody whether a phase has ended: whoever needs it waits, and is seen to.
    [[nodiscard]] TILEREEL_INLINE bool ended(int) const { return false; }
    TILEREEL_INLINE void wait(int parity, std::uint32_t line = __builtin_LINE()) const {
        if (is_left_out(line)) return;
        const std::uint32_t phase =
            phase_to_wait_for(number_, static_cast<std::uint32_t>(parity));
        if (phase == kNoPhase) return;
        Hooks::of_phase(line, kWaitForPhase, phase);
        wait_for_phase(phase, line);
    }
    [[nodiscard]] std::uint32_t number() const { return number_; }

  private:
    std::uint32_t number_;
};

class MBarrier {
  public:
    explicit MBarrier(int count) : first_(declare_arrivals(static_cast<std::uint32_t>(count))) {}
    // In the other builds they lie in shared memory, behind the tiles.
    template <class T>
    MBarrier(DynamicShared<T>&, int count) : MBarrier(count) {}
    TILEREEL_INLINE Arrival operator[](int i) const {
        return Arrival(first_ + static_cast<std::uint32_t>(i));
    }

  private:
    std::uint32_t first_;
};

TILEREEL_INLINE bool rows_start_at_16_bytes(const Global<float>&, int columns) {
    return columns % 4 == 0;
}

TILEREEL_INLINE void publish_arrivals() {}
TILEREEL_INLINE void wait_for_launch_before() {}
TILEREEL_INLINE void keep_order() {}

// Starts the copy of the box whose first element is (row, column). What lies outside the matrix
// comes as 0.
inline void copy_box(SharedPointer<float> to, const BoxMap& map, int row, int column,
                     const Arrival& full, std::uint32_t line = __builtin_LINE()) {
    static_assert(PieceBatch::kMost == kLanes);
    static constexpr float kZeros[4] = {};
    const std::uint32_t phase = phase_under_way(full.number());
    Hooks::of_phase(line, kStartBoxOfPhase, phase);
    const std::uint32_t begin = Hooks::shared_offset(to.first + to.at);
    // Not inlined: g++ 12 would warn of reads of what is not set, where there are none.
    const auto start = [&](const PieceBatch& batch) __attribute__((noinline)) {
        BoxPiece pieces[kLanes];
        for (std::uint32_t i = 0; i < batch.count; ++i) {
            const std::uint32_t from = batch.from_bytes[i];
            pieces[i] = {batch.outside ? BoxPiece::kOutside : from, batch.to_bytes[i],
                         batch.outside ? kZeros : map.matrix.first + from / sizeof(float)};
        }
        start_box_pieces({phase, line, map.matrix.array, to.array, batch.width_bytes, pieces,
                          batch.count});
    };
    for_each_batch(map, begin, row, column, start);
}

}  // namespace TILEREEL_BUILD_NAMESPACE
}  // namespace tilereel::dialect

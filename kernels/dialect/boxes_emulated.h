#pragma once
// bulk_copy.cuh for the emulated build: the same names, every box and every arrival recorded.
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

class Arrivals {
  public:
    explicit Arrivals(int count) : first_(declare_arrivals(static_cast<std::uint32_t>(count))) {}
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

// Records up to kLanes pieces of one width at a time.
class BoxWriter {
  public:
    BoxWriter(BoxPieces kind) : kind_(kind) {}
    void add(const BoxPiece& piece) {
        pieces_[kind_.count++] = piece;
        if (kind_.count == kLanes) flush();
    }
    void flush() {
        if (kind_.count == 0) return;
        kind_.pieces = pieces_;
        start_box_pieces(kind_);
        kind_.count = 0;
    }

  private:
    BoxPieces kind_;
    BoxPiece pieces_[kLanes];
};

// Where the engine puts a byte of a box that begins at a multiple of 1024 bytes.
TILEREEL_INLINE std::uint32_t swizzled(std::uint32_t offset_bytes, int swizzle_bytes) {
    const std::uint32_t pieces = static_cast<std::uint32_t>(swizzle_bytes) / 16;
    return pieces == 0 ? offset_bytes : offset_bytes ^ (offset_bytes >> 7 & (pieces - 1)) << 4;
}

// Starts the copy of the box whose first element is (row, column). What lies inside the matrix goes
// by 16 bytes where its rows allow it, else by 4; what lies outside comes as 0.
inline void copy_box(SharedPointer<float> to, const BoxMap& map, int row, int column,
                     const Arrival& full, std::uint32_t line = __builtin_LINE()) {
    const std::uint32_t phase = phase_under_way(full.number());
    Hooks::of_phase(line, kStartBoxOfPhase, phase);
    static constexpr float kZeros[4] = {};
    const std::uint32_t begin = Hooks::shared_offset(to.first + to.at);
    for (const bool outside : {false, true})
        for (const int width : {4, 1}) {  // floats
            BoxWriter writer({phase, line, map.matrix.array, to.array,
                              static_cast<std::uint32_t>(width) * 4, nullptr, 0});
            for (int r = 0; r < map.box_rows; ++r)
                for (int c = 0; c < map.box_columns; c += width) {
                    const int of_four = c / 4 * 4;
                    const int at_row = row + r, at_column = column + of_four;
                    const bool in_rows = at_row < map.rows;
                    const bool whole = in_rows && at_column + 4 <= map.columns &&
                                       map.columns % 4 == 0 && at_column % 4 == 0;
                    const bool none = !in_rows || at_column >= map.columns;
                    if ((width == 4) != (whole || none)) continue;
                    const bool inside = in_rows && column + c < map.columns;
                    if (inside == outside) continue;
                    const long long from =
                        static_cast<long long>(at_row) * map.columns + column + c;
                    const auto at = static_cast<std::uint32_t>(r * map.box_columns + c) * 4;
                    writer.add({outside ? BoxPiece::kOutside : static_cast<std::uint32_t>(from * 4),
                                swizzled(begin + at, map.swizzle_bytes),
                                outside ? kZeros : map.matrix.first + from});
                }
            writer.flush();
        }
}

}  // namespace TILEREEL_BUILD_NAMESPACE
}  // namespace tilereel::dialect

#pragma once
// What the stage works out once a replay, so that a frame never walks a whole trace: when each
// flight leaves and lands in the picture, where the other blocks' parts of C lie, how many digits
// a cell must hold.
#include <cstdint>
#include <string>
#include <vector>

#include "app/replay/replay.h"
#include "app/ui/theme.h"

namespace tilereel::stage {

inline constexpr std::uint32_t kNoIndex = 0xffffffff;
inline constexpr double kFlightTicks = 5;  // at least: 800 ms at x1

// One flight as it is drawn; same index as Replay::flights().
struct Leg {
    double leave = 0;                   // of the request's first row, ticks
    double land = 0;                    // of its last row
    std::uint32_t row = 0, rows = 1;    // which of the rows that travel together, from the top
    std::uint32_t previous = kNoIndex;  // the flight into the same shared cell before this one
    std::uint32_t phase = 0;
    // When this row leaves and lands; `upward`: the rows move up, so the top one leads.
    [[nodiscard]] double leaves(bool upward) const;
    [[nodiscard]] double lands(bool upward) const;
    // 0 before it leaves, 1 once landed, at `ticks` of the picture's time.
    [[nodiscard]] double progress(double ticks, bool upward) const;
};

struct TickSpan {
    double begin = 0, end = 0;
};

// Where blocks store in C: the rectangle of block (x, y) is that of block (0, 0) moved by x and y.
struct BlockGrid {
    CellRect first;
    std::uint32_t row_by_x = 0, column_by_x = 0;
    std::uint32_t row_by_y = 0, column_by_y = 0;
    [[nodiscard]] CellRect at(std::uint32_t x, std::uint32_t y, const Launch& launch) const;
};

struct SharedUse {
    ArrayId array = kNoArray;
    Role role = Role::kNone;
    std::uint64_t wavefronts = 0;  // of all the block's requests
    std::uint64_t conflicts = 0;
    std::uint64_t records = 0;
};

class StagePlan {
  public:
    // Computes anew if `replay` is not the one computed for; true if so.
    bool refresh(const Replay& replay);

    [[nodiscard]] const Leg& leg(std::uint32_t flight) const { return legs_[flight]; }
    [[nodiscard]] double longest_ticks() const { return longest_ticks_; }
    [[nodiscard]] const std::vector<std::uint32_t>& flights_of_phase(std::uint32_t phase) const;
    // From a warp's first to its last request between two barriers.
    [[nodiscard]] TickSpan epoch_of_warp(std::uint32_t epoch, std::uint32_t warp) const;
    [[nodiscard]] const std::vector<PhaseSpan>& spans_of_phase(std::uint32_t phase) const;
    [[nodiscard]] const BlockGrid& blocks() const { return blocks_; }
    [[nodiscard]] const std::vector<SharedUse>& shared() const { return shared_; }
    [[nodiscard]] Role role(ArrayId array) const { return roles_[array]; }
    [[nodiscard]] int digits_of_inputs() const { return digits_; }
    [[nodiscard]] ArrayId find(const char* name) const;  // kNoArray if there is none

  private:
    void plan_flights(const Replay& replay);
    void plan_warps(const Replay& replay);
    void plan_shared(const Replay& replay);

    struct Key {
        const void* steps = nullptr;
        const void* trace = nullptr;
        std::uint32_t block = kNoIndex;
        Tick ticks = 0;
        // Memory may be used again for the next recording: what was launched tells them apart.
        std::string kernel;
        std::vector<std::uint64_t> launch;
        bool operator==(const Key&) const = default;
    } key_;
    std::vector<Leg> legs_;
    std::vector<std::vector<std::uint32_t>> by_phase_;
    std::vector<std::vector<PhaseSpan>> spans_;
    std::vector<TickSpan> epochs_;  // [epoch * warps + warp]
    std::uint32_t warps_ = 1;
    double longest_ticks_ = 0;
    BlockGrid blocks_;
    std::vector<SharedUse> shared_;
    std::vector<Role> roles_;
    std::vector<std::string> names_;
    int digits_ = 1;
};

}  // namespace tilereel::stage

#pragma once
// What the stage works out once a replay, so that a frame never walks a whole trace: when each
// flight leaves and lands in the picture, where the other blocks' parts of C lie, how many digits
// a cell must hold.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/replay/replay.h"
#include "app/stage/block_grid.h"
#include "app/ui/theme.h"

namespace tilereel::stage {

inline constexpr std::uint32_t kNoIndex = 0xffffffff;
// A flight takes at least so long, 800 ms at x1, unless the barrier that waits for it opens
// earlier, or its value is read or overwritten.
inline constexpr double kFlightTicks = 5;

// Rows of a matrix in the air as single cells, with their values.
inline constexpr std::size_t kMostRowsOfCells = 8;

// One flight as it is drawn; same index as Replay::flights().
struct Leg {
    double leave = 0;                 // of the request's first row, ticks
    double land = 0;                  // of its last row
    double stored_from = 0;           // when the store begins: no row lands earlier
    std::uint32_t row = 0, rows = 1;  // which of the rows that travel together, from the top
    // The flights into the same shared cell before and after this one.
    std::uint32_t previous = kNoIndex, next = kNoIndex;
    std::uint32_t phase = 0;
    // When this row leaves and lands; `upward`: the rows move up, so the top one leads.
    [[nodiscard]] double leaves(bool upward) const;
    [[nodiscard]] double lands(bool upward) const;
    // 0 before it leaves, 1 once landed, at `ticks` of the picture's time.
    [[nodiscard]] double progress(double ticks, bool upward) const;

  private:
    // Ticks from one row to the next: `ticks`, but no more than `spread` from the first row to the
    // last; less in a flight that is shorter than the usual.
    [[nodiscard]] double apart(double ticks, double spread) const;
};

struct TickSpan {
    double begin = 0, end = 0;
};

struct SharedUse {
    ArrayId array = kNoArray;
    Role role = Role::kNone;
    std::uint64_t wavefronts = 0;  // of all the block's requests
    std::uint64_t conflicts = 0;
    std::uint64_t records = 0;
};

struct FragmentShape {
    std::uint32_t rows = 0, columns = 0;
    std::uint32_t k_of_a = 1, k_of_b = 1;
    bool operator==(const FragmentShape&) const = default;
};

class StagePlan {
  public:
    // Computes anew if `replay` is not the one computed for; true if so.
    bool refresh(const Replay& replay);

    [[nodiscard]] const Leg& leg(std::uint32_t flight) const { return legs_[flight]; }
    [[nodiscard]] double longest_ticks() const { return longest_ticks_; }
    // The flights that leave in a phase; and those that left in an earlier phase with data that
    // this phase or a later one still reads.
    [[nodiscard]] const std::vector<std::uint32_t>& flights_of_phase(std::uint32_t phase) const;
    [[nodiscard]] const std::vector<std::uint32_t>& flights_held(std::uint32_t phase) const;
    // Some of what this step loads flies to shared memory; some of what it stores has flown there.
    [[nodiscard]] bool flies(std::uint32_t step) const {
        return step < flies_.size() && flies_[step];
    }
    // So many rows of a matrix are in the air at once that each flies as one bar, without values.
    [[nodiscard]] bool flies_as_bars(ArrayId from) const {
        return from < as_bars_.size() && as_bars_[from];
    }
    // The lanes of a store to shared memory whose values fly there, from what they loaded.
    [[nodiscard]] std::uint32_t flying_lanes(std::uint32_t step) const {
        return step < flying_lanes_.size() ? flying_lanes_[step] : 0;
    }
    // The flight that brought what a shared cell holds while `step` runs is one of its array's; is
    // it this one?
    [[nodiscard]] bool holds(const Replay& replay, std::uint32_t flight, std::uint32_t step) const;
    // From a warp's first to its last request between two barriers.
    [[nodiscard]] TickSpan epoch_of_warp(std::uint32_t epoch, std::uint32_t warp) const;
    [[nodiscard]] const std::vector<PhaseSpan>& spans_of_phase(std::uint32_t phase) const;
    [[nodiscard]] const BlockGrid& blocks() const { return blocks_; }
    [[nodiscard]] const BlockMap& map() const { return map_; }
    [[nodiscard]] const std::vector<SharedUse>& shared() const { return shared_; }
    [[nodiscard]] Role role(ArrayId array) const { return roles_[array]; }
    // Characters of the longest value of A and B, and of C as the kernel left it.
    [[nodiscard]] int digits_of_inputs() const { return digits_; }
    [[nodiscard]] int digits_of_sums() const { return digits_of_sums_; }
    // Lanes keep operands in registers for more than one multiply-add.
    [[nodiscard]] bool holds_operands() const { return holds_operands_; }
    // Rows and columns of a lane's sums and of its operands; no rows where lanes own no tiles.
    [[nodiscard]] const FragmentShape& fragments() const { return fragments_; }
    // Of a product "A", "B" or "C", whatever the program calls them; else by the array's name.
    // kNoArray if there is none.
    [[nodiscard]] ArrayId find(const char* name) const;

  private:
    void plan_flights(const Replay& replay);
    void choose_bars(const Replay& replay);
    void plan_warps(const Replay& replay);
    void plan_shared(const Replay& replay);

    std::uint64_t replay_ = 0;  // Replay::id() of the one computed for; 0: none yet
    std::vector<Leg> legs_;
    std::vector<std::vector<std::uint32_t>> by_phase_, held_;
    std::vector<bool> flies_;                  // per step
    std::vector<bool> as_bars_;                // per array
    std::vector<std::uint32_t> flying_lanes_;  // per step that stores to shared memory
    std::vector<std::vector<PhaseSpan>> spans_;
    std::vector<TickSpan> epochs_;  // [epoch * warps + warp]
    std::uint32_t warps_ = 1;
    double longest_ticks_ = 0;
    BlockGrid blocks_;
    BlockMap map_;
    std::vector<SharedUse> shared_;
    std::vector<Role> roles_;
    std::vector<std::string> names_;
    std::optional<MatrixProduct> product_;
    int digits_ = 1, digits_of_sums_ = 1;
    bool holds_operands_ = false;
    FragmentShape fragments_;
};

}  // namespace tilereel::stage

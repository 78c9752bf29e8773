#pragma once
// What the stage computes once for each replay, so that no frame walks a whole trace: the times of
// each flight in the picture, the blocks' parts of C, the number of digits in a cell.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/replay/replay.h"
#include "app/stage/plan/block_grid.h"
#include "app/stage/plan/drawn_flight.h"
#include "app/stage/plan/transfers.h"
#include "app/ui/theme.h"

namespace tilereel::stage {

struct TickSpan {
    double begin = 0, end = 0;
};

struct SharedUse {
    ArrayId array = kNoArray;
    std::uint64_t conflicts = 0;  // of all requests of the block
};

// See StagePlan::fragments() and LaneWork.
struct FragmentShape {
    std::uint32_t rows = 0, columns = 0;
    std::uint32_t k_of_a = 1, k_of_b = 1;
    bool operator==(const FragmentShape&) const = default;
};

class StagePlan {
  public:
    // Computes everything again, and returns true, if `replay` is another one than before.
    bool refresh(const Replay& replay);

    [[nodiscard]] const DrawnFlight& drawn_flight(std::uint32_t flight) const {
        return drawn_flights_[flight];
    }
    [[nodiscard]] const Transfers& transfers() const { return transfers_; }
    [[nodiscard]] double longest_flight_ticks() const { return longest_flight_ticks_; }
    // The flights that leave in a phase, and those that left in an earlier phase with data that
    // this or a later phase reads.
    [[nodiscard]] const std::vector<std::uint32_t>& flights_of_phase(std::uint32_t phase) const;
    [[nodiscard]] const std::vector<std::uint32_t>& flights_held(std::uint32_t phase) const;
    // Whether a flight has this step as its load or store.
    [[nodiscard]] bool flies(std::uint32_t step) const {
        return step < flies_.size() && flies_[step];
    }
    // Mask of the lanes of a store to shared memory whose values have flights.
    [[nodiscard]] std::uint32_t flying_lanes(std::uint32_t step) const {
        return step < flying_lanes_.size() ? flying_lanes_[step] : 0;
    }
    // Whether the shared cell of a flight holds the value of this flight during `step`.
    [[nodiscard]] bool holds(const Replay& replay, std::uint32_t flight, std::uint32_t step) const;
    // The time from a warp's first to its last request in an epoch.
    [[nodiscard]] TickSpan epoch_of_warp(std::uint32_t epoch, std::uint32_t warp) const;
    [[nodiscard]] const std::vector<PhaseSpan>& spans_of_phase(std::uint32_t phase) const;
    [[nodiscard]] const BlockGrid& blocks() const { return blocks_; }
    [[nodiscard]] const BlockMap& map() const { return map_; }
    [[nodiscard]] const std::vector<SharedUse>& shared() const { return shared_; }
    [[nodiscard]] ColorRole role(ArrayId array) const { return roles_[array]; }
    // Characters of the longest value of A and B, and of C after the launch.
    [[nodiscard]] int digits_of_inputs() const { return digits_; }
    [[nodiscard]] int digits_of_sums() const { return digits_of_sums_; }
    // Whether lanes keep operands in registers for more than one multiply-add.
    [[nodiscard]] bool holds_operands() const { return holds_operands_; }
    // Rows and columns of a lane's sums and operands; 0 rows if lanes do not own tiles of C.
    [[nodiscard]] const FragmentShape& fragments() const { return fragments_; }
    // The array with this name. "A", "B" and "C" are the matrices of a product, whatever their
    // names are. kNoArray if there is none.
    [[nodiscard]] ArrayId find(const char* name) const;

  private:
    void plan_flights(const Replay& replay);
    void plan_warps(const Replay& replay);
    void plan_shared(const Replay& replay);

    std::uint64_t replay_ = 0;  // Replay::id() of the last refresh(); 0: none
    std::vector<DrawnFlight> drawn_flights_;
    Transfers transfers_;
    std::vector<std::vector<std::uint32_t>> by_phase_, held_;
    std::vector<bool> flies_;                  // by step
    std::vector<std::uint32_t> flying_lanes_;  // by step
    std::vector<std::vector<PhaseSpan>> spans_;
    std::vector<TickSpan> epochs_;  // [epoch * warps + warp]
    std::uint32_t warps_ = 1;
    double longest_flight_ticks_ = 0;
    BlockGrid blocks_;
    BlockMap map_;
    std::vector<SharedUse> shared_;
    std::vector<ColorRole> roles_;
    std::vector<std::string> names_;
    std::optional<MatrixProduct> product_;
    int digits_ = 1, digits_of_sums_ = 1;
    bool holds_operands_ = false;
    FragmentShape fragments_;
};

}  // namespace tilereel::stage

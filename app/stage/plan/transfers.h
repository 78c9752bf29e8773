#pragma once
// The copies from global to shared memory as a viewer can follow them: one request of a warp is one
// object, and at most three objects move at once.
//
//   load request          registers             store request
//   ----[ kLoad ]-------> [ at rest ] --------[ kStore ]------->   the usual way
//   ----[ kDirect ]-------------------------------------------->   a store soon after the load, and
//                                                                  an asynchronous copy
//
// A loaded value rests in a slot of its warp until it is stored, however long that takes. A request
// that would be a fourth moving object does not move: it appears where it arrives.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "app/replay/replay.h"
#include "app/stage/plan/drawn_flight.h"

namespace tilereel::stage {

inline constexpr std::size_t kMostMoving = 3;
inline constexpr double kLoadTicks = 3;    // duration of a load's way to the registers
inline constexpr double kDirectTicks = 5;  // a store that begins later waits in the registers

enum class LegKind : std::uint8_t { kLoad, kStore, kDirect };

// The way of one request. Times in ticks.
struct Leg {
    LegKind kind = LegKind::kDirect;
    double begin = 0, end = 0;
    std::uint32_t step = 0;              // the load or, of a kStore, the store
    std::uint32_t slot = 0;              // in the registers; not of a kDirect
    std::vector<std::uint32_t> flights;  // indices in Replay::flights(), by lane
};

// Values of a load that rest in registers. Times in ticks.
struct Rest {
    double from = 0, until = 0;
    std::uint32_t slot = 0;
    std::uint32_t step = 0;    // the load
    ArrayId array = kNoArray;  // from which it loads
};

class Transfers {
  public:
    // Plans the legs. A copy that does not move lands in `drawn` when its store ends.
    void plan(const Replay& replay, std::vector<DrawnFlight>& drawn);
    [[nodiscard]] const std::vector<Leg>& legs() const { return legs_; }     // by begin
    [[nodiscard]] const std::vector<Rest>& rests() const { return rests_; }  // by from
    [[nodiscard]] std::uint32_t slots_of_warp() const { return slots_of_warp_; }
    [[nodiscard]] std::uint32_t slots() const { return slots_; }  // 0: no value rests
    // The legs that may be under way at a time, by index.
    struct Range {
        std::size_t begin = 0, end = 0;
    };
    [[nodiscard]] Range legs_near(double ticks) const;
    // The leg of a load or of a store, also if it does not move. nullptr: it copies nothing.
    [[nodiscard]] const Leg* leg_of(std::uint32_t step) const;
    // Calls visit(rest) for each value that rests in registers at a time.
    template <class Visit>
    void for_each_rest(double ticks, Visit&& visit) const {
        for (auto rest = std::ranges::lower_bound(rests_, ticks - longest_rest_, {}, &Rest::from);
             rest != rests_.end() && rest->from <= ticks; ++rest)
            if (ticks < rest->until) visit(*rest);
    }

  private:
    struct Group {
        std::vector<std::uint32_t> flights;
    };
    void plan_load(const Replay& replay, const Group& load, std::vector<DrawnFlight>& drawn);
    void plan_stores(const Replay& replay, const std::vector<DrawnFlight>& drawn);
    void let_three_move(std::vector<DrawnFlight>& drawn, const std::vector<Flight>& flights);
    void place_rests(const Replay& replay);

    std::vector<Leg> legs_;
    std::vector<Leg> still_;  // those that do not move, because three others do
    std::vector<std::pair<std::uint32_t, std::size_t>> by_step_;  // in `legs_`, then in `still_`
    std::vector<Rest> rests_;
    double longest_ = 0, longest_rest_ = 0;  // ticks
    std::uint32_t slots_of_warp_ = 0, slots_ = 0;
};

}  // namespace tilereel::stage

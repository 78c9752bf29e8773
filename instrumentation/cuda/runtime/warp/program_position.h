#pragma once
// The position of a lane in the kernel's code. When lanes diverge, the lane that is furthest behind
// runs first, until the lanes reconverge after the branch or the loop, as on a GPU.
#include <array>
#include <compare>
#include <cstdint>
#include <vector>

#include "instrumentation/cuda/hooks.h"

namespace tilereel::runtime {

// Follows the events of one lane in its program order.
class ProgramPosition {
  public:
    // The lane is about to execute `site`.
    void go_to(const Site* site);
    void leave();
    std::strong_ordering operator<=>(const ProgramPosition& other) const {
        return path_ <=> other.path_;
    }
    bool operator==(const ProgramPosition& other) const { return path_ == other.path_; }

  private:
    struct LoopState {
        const Loop* loop = nullptr;  // null: the function itself
        std::uint32_t trips = 0;
    };
    struct Frame {
        std::vector<LoopState> loops{{}};  // outermost first
        const Site* last = nullptr;
    };
    void put_path(const Site* site);

    std::vector<Frame> frames_{{}};
    std::uint32_t left_ = 0;  // returns from functions that were called before the time slice
    // Compared lexicographically: left_; then for each function on the call stack its trips, the
    // ordinal and the trips of each enclosing loop, and the ordinal of the site.
    std::vector<std::uint32_t> path_;
};

}  // namespace tilereel::runtime

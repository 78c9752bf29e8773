#pragma once
// Where a lane stands in the program. When the ways of lanes part, the one that is furthest behind
// goes first, until the others meet it: as on a GPU, where they meet behind the branch or the loop.
#include <array>
#include <compare>
#include <cstdint>
#include <vector>

#include "instrumentation/plain/hooks.h"

namespace tilereel::plain {

// Follows the events of one lane in its program order.
class Standing {
  public:
    // The lane is about to do what `site` says.
    void go_to(const Site* site);
    void leave();
    std::strong_ordering operator<=>(const Standing& other) const { return path_ <=> other.path_; }
    bool operator==(const Standing& other) const { return path_ == other.path_; }

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
    std::uint32_t left_ = 0;  // functions that were entered before and have been left
    // Compared word by word: per function, its trips; per loop around, where it lies and its trips;
    // then where the lane is in there.
    std::vector<std::uint32_t> path_;
};

}  // namespace tilereel::plain

#pragma once
// What the lanes of the watched replay work on, worked out once for each warp and lane.
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "app/replay/replay.h"
#include "app/replay/schedule/lane_work.h"

namespace tilereel::stage {

class LaneView {
  public:
    // If `replay` is another one: clears the caches.
    void refresh(const Replay& replay);

    [[nodiscard]] const LaneWork& work(const Replay& replay, std::uint32_t warp,
                                       std::uint32_t lane);
    // The cells of A, B and C that a warp works on in a phase.
    struct Parts {
        std::vector<CellRect> a, b, c;
    };
    [[nodiscard]] const Parts& parts(const Replay& replay, std::uint32_t warp, std::uint32_t phase);
    // For each cell of a plane of a shared array (row-major, with padding): whether the warp reads
    // it in any phase.
    [[nodiscard]] const std::vector<bool>& reads(const Replay& replay, std::uint32_t warp,
                                                 ArrayId shared);

  private:
    std::uint64_t replay_ = 0;
    std::map<std::pair<std::uint32_t, std::uint32_t>, LaneWork> work_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Parts> parts_;
    std::map<std::pair<std::uint32_t, ArrayId>, std::vector<bool>> reads_;
};

}  // namespace tilereel::stage

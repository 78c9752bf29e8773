#pragma once
// The estimated time of launches as text and as JSON.
#include <string>
#include <vector>

#include "instrumentation/analysis/time/time_estimate.h"

namespace tilereel {

// A launch and its estimate.
struct EstimatedLaunch {
    std::string title;       // "09_tiled  M 2048  N 2048  K 2048  TILE 32  PAD 0"
    std::uint64_t flop = 0;  // 0: unknown
    TimeEstimate estimate{};
    // The same launch changed: "without bank conflicts", "PAD 1".
    struct Change {
        std::string what;
        double seconds = 0;
    };
    std::vector<Change> changes{};
};

[[nodiscard]] std::string estimate_text(const std::vector<EstimatedLaunch>& launches,
                                        const GpuModel& gpu);
[[nodiscard]] std::string estimate_json(const std::vector<EstimatedLaunch>& launches,
                                        const GpuModel& gpu);

}  // namespace tilereel

#pragma once
// The estimated time of launches as text and as JSON.
#include <string>
#include <vector>

#include "app/workbench/time/launch_estimate.h"

namespace tilereel {

[[nodiscard]] std::string estimate_text(const std::vector<EstimatedLaunch>& launches,
                                        const GpuModel& gpu);
[[nodiscard]] std::string estimate_json(const std::vector<EstimatedLaunch>& launches,
                                        const GpuModel& gpu);

}  // namespace tilereel

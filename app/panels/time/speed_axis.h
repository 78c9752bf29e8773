#pragma once
// What the page "Where the time goes" calls fast: FLOPS of a matrix product, bytes a second of any
// other launch. And the one axis on which all its speeds lie, so that to the right is a gain.
#include <string>

#include "app/ui/draw/plot_axis.h"
#include "app/ui/rect.h"
#include "app/workbench/time/launch_estimate.h"

namespace tilereel {

struct TimedSpeed {
    double amount = 0;      // of the launch: FLOP, or bytes that it has to move
    double unit = 1;        // basic units in the shown unit
    std::string unit_name;  // "TFLOPS"
    double peak = 0;        // of the GPU, in the shown unit
    std::string peak_name;  // "FMA peak"
    [[nodiscard]] double of(double seconds) const {
        return seconds > 0 ? amount / seconds / unit : 0;
    }
};
[[nodiscard]] TimedSpeed speed_of(const EstimatedLaunch& launch, const GpuModel& gpu);

// From a little less than the slowest of the launch and its changes to the peak.
[[nodiscard]] Axis speed_axis(const EstimatedLaunch& launch, const TimedSpeed& speed,
                              double slowest_raced_seconds);

}  // namespace tilereel

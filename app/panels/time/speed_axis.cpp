#include "app/panels/time/speed_axis.h"

#include <algorithm>

namespace tilereel {
namespace {

constexpr double kFlopOfMultiplyAdd = 2, kLanes = 32;

// The multiply-adds of one SM in a clock: of its FP32 lanes, or of its tensor cores.
double flop_a_clock(const EstimatedLaunch& launch, const GpuModel& gpu) {
    const bool tensor = launch.estimate.busy[static_cast<std::size_t>(Pipe::kTensor)] > 0;
    return kFlopOfMultiplyAdd * (tensor ? gpu.sm.tensor_a_clock : gpu.sm.fma_a_clock * kLanes);
}

void choose_unit(TimedSpeed& speed, double now, const char* giga, const char* tera) {
    speed.unit = now >= 1e12 ? 1e12 : 1e9;
    speed.unit_name = speed.unit == 1e12 ? tera : giga;
}

}  // namespace

TimedSpeed speed_of(const EstimatedLaunch& launch, const GpuModel& gpu) {
    TimedSpeed speed;
    const double seconds = launch.estimate.seconds;
    if (launch.is_product) {
        const bool tensor = launch.estimate.busy[static_cast<std::size_t>(Pipe::kTensor)] > 0;
        speed.amount = static_cast<double>(launch.flop);
        choose_unit(speed, seconds > 0 ? speed.amount / seconds : 0, "GFLOPS", "TFLOPS");
        speed.peak = gpu.multiprocessors * gpu.clock_ghz * 1e9 * flop_a_clock(launch, gpu);
        speed.peak_name = tensor ? "tensor peak" : "FMA peak";
    } else {
        speed.amount = launch.estimate.dram_bytes;
        choose_unit(speed, seconds > 0 ? speed.amount / seconds : 0, "GB/s", "TB/s");
        speed.peak = gpu.dram_gbs * 1e9;
        speed.peak_name = "DRAM";
    }
    speed.peak /= speed.unit;
    return speed;
}

Axis speed_axis(const EstimatedLaunch& launch, const TimedSpeed& speed,
                double slowest_raced_seconds) {
    constexpr double kMargin = 1.15;
    double slowest = std::max(launch.estimate.high, slowest_raced_seconds), fastest = 1e300;
    const double band = launch.estimate.high / launch.estimate.seconds;
    for (const TimeChange& change : launch.changes) {
        slowest = std::max(slowest, change.seconds * band);
        fastest = std::min(fastest, change.seconds / band);
    }
    fastest = std::min(fastest, launch.estimate.low);
    const double low = speed.of(slowest * kMargin);
    const double high = std::max(speed.peak, speed.of(fastest)) * kMargin;
    return {AxisScale::kLog10, std::max(low, 1e-12), std::max(high, 2 * std::max(low, 1e-12))};
}

}  // namespace tilereel

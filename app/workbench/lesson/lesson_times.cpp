#include "app/workbench/lesson/lesson_times.h"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "app/workbench/time/launch_estimate.h"

namespace tilereel {
namespace {

constexpr const char* kGpu = "9.0";  // an H100

Result<LessonTime> estimated(const LessonTimed& timed) {
    const auto& [contender, size] = timed;
    const RecordRequest request{.kernel = contender.kernel,
                                .parameters = {size, size, size, contender.tile, contender.pad},
                                .inputs = {}};
    const TimeQuestion question{
        .gpu = find_gpu_model(kGpu), .with_changes = false, .request = request};
    const EstimatedLaunch launch = TRY(estimate_launch(question));
    const TimeEstimate& found = launch.estimate;
    const auto gflops = [&](double seconds) {
        return seconds > 0 ? static_cast<double>(launch.flop) / seconds / 1e9 : 0;
    };
    const auto busy = [&](Pipe pipe) { return found.busy[static_cast<std::size_t>(pipe)]; };
    const bool is_bound = found.kind == EstimateKind::kAtLeast;
    return LessonTime{.gflops = gflops(found.seconds),
                      .low = is_bound ? 0 : gflops(found.high),
                      .high = is_bound ? 0 : gflops(found.low),
                      .is_bound = is_bound,
                      .limiter = std::string(name_of(found.limiter)),
                      .waits = found.latency,
                      .busy = busy(found.limiter),
                      .fma = busy(Pipe::kMultiplyAdd),
                      .line = found.lines.empty() ? 0 : found.lines.front().line,
                      .size = size};
}

}  // namespace

Result<LessonTime> lesson_time(const LessonTimed& timed) {
    static std::mutex mutex;
    static std::vector<std::pair<LessonTimed, LessonTime>> kept;
    const std::lock_guard lock(mutex);
    const auto known = std::ranges::find(kept, timed, &std::pair<LessonTimed, LessonTime>::first);
    if (known != kept.end()) return known->second;
    LessonTime time = TRY(estimated(timed));
    kept.emplace_back(timed, time);
    return time;
}

LessonTools with_estimates(LessonTools tools) {
    if (!tools.estimate) tools.estimate = lesson_time;
    return tools;
}

}  // namespace tilereel

#pragma once
// What every recorder does around the launch itself: checks of the request before it, the inputs,
// and the comparison of C after it.
#include <cstdint>

#include "instrumentation/base/result.h"
#include "instrumentation/record/record.h"

namespace tilereel {

// What a request launches, once it has passed every check.
struct RequestedLaunch {
    const KernelInfo* kernel = nullptr;
    LaunchShape shape;
};
Result<RequestedLaunch> launch_of(const RecordRequest& request);
// The launch as the trace has it; shared_bytes is found by running.
[[nodiscard]] Launch traced_launch(const RequestedLaunch& requested, const RecordRequest& request);

[[nodiscard]] Inputs inputs_of(const RecordRequest& request);
// RecordRequest::accumulator_interval, or what 0 stands for.
[[nodiscard]] std::uint32_t interval_of(const RecordRequest& request);

}  // namespace tilereel

#pragma once
// What all recorders of the ladder do before a launch: they check the request and make the inputs.
#include <cstdint>

#include "app/ladder/record_request.h"
#include "instrumentation/base/result.h"

namespace tilereel {

// The launch of a request that has passed all checks.
struct RequestedLaunch {
    const KernelInfo* kernel = nullptr;
    LaunchShape shape;
};
Result<RequestedLaunch> launch_of(const RecordRequest& request);
// The launch for the trace, without shared_bytes, which only the run shows.
[[nodiscard]] Launch traced_launch(const RequestedLaunch& requested, const RecordRequest& request);

// A and B as the kernel reads them: rounded to its type.
[[nodiscard]] Inputs inputs_of(const RecordRequest& request);
// RecordRequest::accumulator_interval, with 0 replaced by the default.
[[nodiscard]] std::uint32_t interval_of(const RecordRequest& request);

}  // namespace tilereel

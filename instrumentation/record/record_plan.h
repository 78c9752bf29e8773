#pragma once
// What every recorder does around the launch itself: checks of the request before it, the inputs,
// and the comparison of C after it.
#include <cstdint>

#include "instrumentation/base/result.h"
#include "instrumentation/record/emulator.h"
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

// A request that the emulator can record: its TILE and PAD are built in.
struct RecordPlan {
    const KernelInfo* kernel = nullptr;
    KernelParameters parameters;
    LaunchShape shape;
    EmulatedLaunch emulated;
};
Result<RecordPlan> plan_of(const RecordRequest& request);

// Refuses, with the estimate, what would not fit in request.memory_limit_bytes when each record
// takes `extra_record_bytes` more than the emulator's.
Status check_fits(const RecordPlan& plan, const RecordRequest& request,
                  std::uint32_t extra_record_bytes = 0);
// The sentence for a recording that would take `bytes`.
[[nodiscard]] Error too_large(std::uint64_t bytes, std::uint64_t limit_bytes);

[[nodiscard]] Inputs inputs_of(const RecordRequest& request);
// RecordRequest::accumulator_interval, or what 0 stands for.
[[nodiscard]] std::uint32_t interval_of(const RecordRequest& request);

// Adds the kernel's source, and how many elements of C are wrong.
void finish_trace(const RecordPlan& plan, const RecordRequest& request, Trace& trace);

// The trace of one emulated block of the same launch, but with K = `k` and no more of C than one
// block needs, or than tells what a lone thread does: what a block of this kernel declares and
// does.
Result<Trace> sample_one_block(const RecordPlan& plan, const RecordRequest& request, int k);

}  // namespace tilereel

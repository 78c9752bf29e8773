#pragma once
// What a recording of the ladder will take, before it is made: one block of a smaller product is
// recorded at two values of K and scaled. A kernel's work is a straight line over K.
#include <cstdint>
#include <functional>

#include "instrumentation/base/result.h"
#include "instrumentation/record/record_plan.h"

namespace tilereel {

struct SizeEstimate {
    double trace_bytes = 0;  // finished, at most
    double work_bytes = 0;   // besides, while recording
};

// Records the first block of sample_of(..., k).
using SampleBlock = std::function<Result<Trace>(int k)>;

// The request of a sample: K = `k`, and no more of C than one block needs, or than tells what a
// lone thread does. It keeps no sums but the last of each epoch.
[[nodiscard]] RecordRequest sample_of(const RequestedLaunch& launch, const RecordRequest& request,
                                      int k);

// `extra_record_bytes`: that each record takes besides site, pattern and base.
Result<SizeEstimate> estimate_size(const RequestedLaunch& launch, const RecordRequest& request,
                                   const SampleBlock& record, std::uint32_t extra_record_bytes);

// Refuses (kFailed), with the estimate, what would not fit in request.memory_limit_bytes. Small
// recordings are not sampled.
Status check_fits(const RequestedLaunch& launch, const RecordRequest& request,
                  const SampleBlock& record, std::uint32_t extra_record_bytes = 0);

// The sentence for a recording that would take `bytes`.
[[nodiscard]] Error too_large(std::uint64_t bytes, std::uint64_t limit_bytes);

}  // namespace tilereel

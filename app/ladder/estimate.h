#pragma once
// Estimates how much memory the recording of a ladder kernel needs. One block of a smaller product
// is recorded at two values of K. The result is extrapolated, because the work is linear in K.
#include <cstdint>
#include <functional>
#include <vector>

#include "app/ladder/record_plan.h"
#include "instrumentation/base/result.h"

namespace tilereel {

struct SizeEstimate {
    double trace_bytes = 0;  // of the finished trace: an upper bound
    double work_bytes = 0;   // needed in addition while recording
    double block_bytes = 0;  // of trace_bytes: of each block
    double event_bytes = 0;  // of work_bytes: before the events of a block become records
    // Some blocks need what other blocks compute: blocks_need_others().
    bool needs_others = false;
};

// Records the first block of the request sample_of(..., k).
using SampleBlock = std::function<Result<Trace>(int k)>;

// The request for a sample with K = `k`. C is as small as one block allows, or a small part of C if
// each block is one thread. Only the last sum of each epoch is kept.
[[nodiscard]] RecordRequest sample_of(const RequestedLaunch& launch, const RecordRequest& request,
                                      int k);

// `extra_record_bytes`: bytes of each record besides site, pattern and base.
Result<SizeEstimate> estimate_size(const RequestedLaunch& launch, const RecordRequest& request,
                                   const SampleBlock& record, std::uint32_t extra_record_bytes);

// Which blocks of a launch are recorded, and whether the others run.
struct BlockPlan {
    std::vector<std::uint32_t> blocks{};  // ascending; empty: all
    bool others_run = true;
};

// All blocks, if their recording fits into request.memory_limit_bytes. If it does not, some blocks
// that are spread over the grid, and request.block; the others run only if these blocks need them.
// kFailed with the estimate if that is not possible: not even three blocks fit, a barrier is
// removed, or the others would run for long. Recordings that are certainly small enough are not
// sampled.
Result<BlockPlan> blocks_that_fit(const RequestedLaunch& launch, const RecordRequest& request,
                                  const SampleBlock& record, std::uint32_t extra_record_bytes = 0);

// Whether the blocks of a launch of the ladder cannot run without the others: they add to C by
// atomics, or they load what is in C.
[[nodiscard]] bool blocks_need_others(const Trace& trace);

// The error for a recording that would take `bytes`.
[[nodiscard]] Error too_large(std::uint64_t bytes, std::uint64_t limit_bytes);

}  // namespace tilereel

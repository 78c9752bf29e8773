#pragma once
// Records a kernel of the ladder on a GPU, in this process: patched PTX (ladder_ptx.h), loaded by
// the driver, whose records are converted straight into the ladder's trace.
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <tuple>
#include <utility>

#include "instrumentation/base/result.h"
#include "instrumentation/plain/gpu/gpu_passes.h"
#include "instrumentation/plain/gpu/ladder_ptx.h"
#include "instrumentation/record/record_plan.h"
#include "kernels/cuda/gpu.h"

namespace tilereel::plain {

class GpuLadder {
  public:
    explicit GpuLadder(std::unique_ptr<Gpu> gpu) : gpu_(std::move(gpu)) {}
    [[nodiscard]] Gpu& gpu() { return *gpu_; }
    // The trace has what the CPU's recording of the same request has, with clocks and
    // multiprocessors besides. What was compiled is kept.
    //
    // kFailed, with the estimate, where the trace would not fit in memory_limit_bytes. What does
    // not fit in the GPU's own memory is left out, whole blocks from the end, and the trace is not
    // complete: a launch cannot be run block by block without changing what its threads see.
    // kFailed also for every fault of the GPU or the kernel; kWrongCall for what the GPU cannot
    // run; kCancelled. One recording at a time.
    Result<Trace> record(const RecordRequest& request, RecordProgress* progress = nullptr,
                         GpuTimes* times = nullptr);

  private:
    struct Variant {
        LadderPtx ptx;
        std::unique_ptr<GpuModule> module;
    };
    Result<const Variant*> variant_of(const KernelInfo& kernel, const KernelParameters& p,
                                      RecordProgress* progress);
    Result<Trace> run(const RequestedLaunch& requested, const RecordRequest& request,
                      const Variant& variant, RecordProgress* progress, GpuTimes* times);
    Status describe(const GpuPasses& passes, const RequestedLaunch& requested,
                    const Variant& variant, Trace& trace) const;

    std::unique_ptr<Gpu> gpu_;
    std::mutex mutex_;
    HostCopies copies_;
    std::map<std::tuple<std::string_view, int, int>, Variant> variants_;  // kernel, TILE, PAD
};

// On this computer's first GPU, which stays open. Fails where there is none that works.
Result<Trace> record_ladder_on_gpu(const RecordRequest& request,
                                   RecordProgress* progress = nullptr);

}  // namespace tilereel::plain

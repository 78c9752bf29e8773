#pragma once
// Records a kernel of the ladder on a GPU, in this process: the driver loads patched PTX
// (ladder_ptx.h), and its records are converted to the ladder's trace without a file.
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <tuple>
#include <utility>

#include "app/ladder/gpu_passes.h"
#include "app/ladder/ladder_ptx.h"
#include "app/ladder/record_plan.h"
#include "instrumentation/base/result.h"
#include "kernels/cuda/gpu.h"

namespace tilereel {

class GpuLadder {
  public:
    explicit GpuLadder(std::unique_ptr<Gpu> gpu) : gpu_(std::move(gpu)) {}
    [[nodiscard]] Gpu& gpu() { return *gpu_; }
    // The trace equals the CPU's for the same request, plus clocks and multiprocessors. Compiled
    // kernels are kept. One recording at a time.
    //
    // If the records do not fit into the GPU's memory, the last blocks are left out, and the trace
    // is incomplete. Running the launch in parts would change what its threads see.
    // kFailed: the trace would exceed memory_limit_bytes (the message has the estimate), or the GPU
    // or the kernel failed. kWrongCall: the GPU cannot run the kernel. kCancelled.
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

// Records on this computer's first GPU, which stays open. Fails if there is no working GPU.
Result<Trace> record_ladder_on_gpu(const RecordRequest& request,
                                   RecordProgress* progress = nullptr);

}  // namespace tilereel

#pragma once
// The two passes of a traced launch on a GPU, and what they leave in its memory.
#include <span>
#include <vector>

#include "instrumentation/record/device/gpu_recorder.h"
#include "instrumentation/record/device/record_source.h"
#include "instrumentation/record/device/segment_plan.h"
#include "instrumentation/record/record_plan.h"

namespace tilereel {

class TracedRun {
  public:
    // The GPU, plan and trace must outlive it.
    TracedRun(Gpu& gpu, const RecordPlan& plan, const Trace& trace);
    // The matrices go to the GPU, and a pass counts.
    Status count();
    // Another fills, again with more room should the lanes have parted elsewhere. The buffer takes
    // what memory the GPU has left.
    Status fill();

    Status read_product(std::vector<float>& c);
    [[nodiscard]] const SegmentPlan& segments() const { return segments_; }
    [[nodiscard]] std::span<const std::uint32_t> record_counts() const { return counts_; }
    [[nodiscard]] bool complete() const { return complete_; }
    [[nodiscard]] const GpuTimes& times() const { return times_; }
    // As the first thread of the launch declared them.
    Result<std::vector<device::DeviceSharedArray>> shared_arrays();
    // By block, kNotRecorded where nothing was.
    Result<std::vector<std::uint16_t>> multiprocessors();
    // For one thread to read the filled buffer with.
    [[nodiscard]] std::unique_ptr<RecordSource> source();

  private:
    Status allocate();
    Status run(double& milliseconds);
    Status check_faults();
    Status make_room(std::span<const std::uint32_t> wanted);
    [[nodiscard]] bool cut_off() const;

    Gpu& gpu_;
    const RecordPlan& plan_;
    const Trace& trace_;
    std::uint64_t warps_, threads_;
    DeviceMemory a_, b_, c_, segment_begin_, records_, lane_words_, thread_state_, record_counts_,
        multiprocessors_, left_out_, faults_, shared_arrays_, shared_array_count_;
    std::vector<std::uint32_t> counts_;  // by warp, of the last pass
    SegmentPlan segments_;
    bool complete_ = true;
    GpuTimes times_;
};

}  // namespace tilereel

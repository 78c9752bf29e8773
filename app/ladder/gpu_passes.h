#pragma once
// A launch of patched PTX that runs twice on the GPU: the first pass counts the records of each
// warp, the second fills a buffer that is laid out by those counts; it may be repeated (dump.h).
#include <cstdint>
#include <memory>
#include <vector>

#include "instrumentation/base/result.h"
#include "instrumentation/gpu/convert/gpu_blocks.h"
#include "instrumentation/gpu/dump.h"
#include "kernels/cuda/gpu.h"

namespace tilereel {

struct GpuTimes {               // durations of the parts of a recording
    double count_ms = 0;        // kernel, counting pass
    double fill_ms = 0;         // kernel, filling pass
    double convert_ms = 0;      // copy to the CPU and conversion, by all workers
    std::uint64_t records = 0;  // on the GPU, including rows of values
    std::uint64_t buffer_bytes = 0;
};

class GpuPasses {
  public:
    struct Launched {
        ModuleLaunch launch;
        std::uint32_t blocks = 0, warps = 0;         // warps: per block
        void* c = nullptr;                           // C in GPU memory, which a pass changes
        const std::vector<float>* before = nullptr;  // content of C before each pass
    };
    // The arguments must outlive this object.
    GpuPasses(Gpu& gpu, GpuModule& module, HostCopies& copies, Launched launched);
    Status count();
    // If the records of all blocks do not fit into the GPU's memory, the last blocks are left out.
    Status fill();

    [[nodiscard]] bool complete() const { return blocks_.size() == launched_.blocks && !cut_off_; }
    [[nodiscard]] const std::vector<std::uint32_t>& blocks() const { return blocks_; }
    [[nodiscard]] const std::vector<std::uint64_t>& segment_begin() const { return begin_; }
    [[nodiscard]] const std::vector<std::uint64_t>& counts() const { return counts_; }
    [[nodiscard]] std::unique_ptr<gpu::GpuRecords> records() const;
    // DeviceTrace::places.
    [[nodiscard]] Result<std::vector<std::uint64_t>> places() const;
    // The multiprocessor of each block, or Trace::kNotRecorded.
    [[nodiscard]] Result<std::vector<std::uint16_t>> multiprocessors() const;
    [[nodiscard]] const GpuTimes& times() const { return times_; }

  private:
    Status lay_out();
    Status fill_once();
    // Whether the last pass had too little room for the records of a warp.
    [[nodiscard]] bool is_cut_off() const;
    Status run(bool counts_only, double& milliseconds);

    Gpu& gpu_;
    GpuModule& module_;
    HostCopies& copies_;
    Launched launched_;
    std::uint64_t warps_;                // of all blocks
    std::vector<std::uint32_t> blocks_;  // the blocks whose records fit
    std::vector<std::uint64_t> begin_, counts_;
    bool cut_off_ = false;
    DeviceMemory slots_, segments_, counters_, multiprocessors_, places_, records_, words_;
    GpuTimes times_;
};

}  // namespace tilereel

#pragma once
// A launch of patched PTX that runs twice on the GPU: the first pass counts what each warp has to
// record, the second fills a buffer that is laid out by those counts.
#include <cstdint>
#include <memory>
#include <vector>

#include "instrumentation/base/result.h"
#include "instrumentation/plain/gpu/dump.h"
#include "instrumentation/plain/gpu/gpu_blocks.h"
#include "kernels/cuda/gpu.h"

namespace tilereel::plain {

struct GpuTimes {               // where the time of a recording went
    double count_ms = 0;        // kernel, counting pass
    double fill_ms = 0;         // kernel, filling pass
    double convert_ms = 0;      // copying to the CPU and conversion, by all workers
    std::uint64_t records = 0;  // on the GPU, rows of values among them
    std::uint64_t buffer_bytes = 0;
};

class GpuPasses {
  public:
    struct Launched {
        ModuleLaunch launch;
        std::uint32_t blocks = 0, warps = 0;         // warps: of a block
        void* c = nullptr;                           // GPU memory, which a pass changes
        const std::vector<float>* before = nullptr;  // what it holds before each
    };
    // All must outlive it.
    GpuPasses(Gpu& gpu, GpuModule& module, HostCopies& copies, Launched launched);
    Status count();
    // Where the GPU's memory does not hold the records of all blocks, the last ones are left out.
    Status fill();

    [[nodiscard]] bool complete() const { return blocks_.size() == launched_.blocks && !cut_off_; }
    [[nodiscard]] const std::vector<std::uint32_t>& blocks() const { return blocks_; }
    [[nodiscard]] const std::vector<std::uint64_t>& segment_begin() const { return begin_; }
    [[nodiscard]] const std::vector<std::uint64_t>& counts() const { return counts_; }
    [[nodiscard]] std::unique_ptr<GpuRecords> records() const;
    // By variable: address + 1, or 0. DeviceTrace::places.
    [[nodiscard]] Result<std::vector<std::uint64_t>> places() const;
    // Of each block, or Trace::kNotRecorded.
    [[nodiscard]] Result<std::vector<std::uint16_t>> multiprocessors() const;
    [[nodiscard]] const GpuTimes& times() const { return times_; }

  private:
    Status lay_out();
    Status run(bool counts_only, double& milliseconds);

    Gpu& gpu_;
    GpuModule& module_;
    HostCopies& copies_;
    Launched launched_;
    std::uint64_t warps_;                // of all blocks
    std::vector<std::uint32_t> blocks_;  // with room
    std::vector<std::uint64_t> begin_, counts_;
    bool cut_off_ = false;
    DeviceMemory slots_, segments_, counters_, multiprocessors_, places_, records_, words_;
    GpuTimes times_;
};

}  // namespace tilereel::plain

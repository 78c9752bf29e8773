#pragma once
// The records of a GPU, and the input of their conversion (gpu_blocks.h).
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

#include "instrumentation/base/result.h"
#include "instrumentation/gpu/convert/gpu_facts.h"
#include "instrumentation/gpu/convert/gpu_memory.h"
#include "instrumentation/gpu/dump.h"
#include "instrumentation/record/record_progress.h"
#include "instrumentation/trace/site.h"
#include "instrumentation/trace/trace.h"

namespace tilereel::gpu {

// Reads records for one worker. The returned memory is valid until the next call.
class GpuRecords {
  public:
    struct Part {
        const tilereel_gpu::DeviceRecord* records = nullptr;
        const std::uint32_t* words = nullptr;  // 32 a record
    };
    virtual ~GpuRecords() = default;
    virtual Result<Part> read(std::uint64_t begin, std::uint64_t count) = 0;
    // The records without their words. A record that was not written has a mask of 0.
    virtual Result<const tilereel_gpu::DeviceRecord*> read_heads(std::uint64_t begin,
                                                                 std::uint64_t count) = 0;
};

// Counts accesses outside of all arrays, by site and by the caller of the function of the site.
class GpuOutOfBounds {
  public:
    using Key = std::pair<std::uint32_t, std::uint32_t>;  // site, caller
    void add(std::uint32_t site, std::uint32_t caller) {
        const std::lock_guard lock(mutex_);
        ++counts_[{site, caller}];
    }
    [[nodiscard]] const std::map<Key, std::uint64_t>& counts() const { return counts_; }

  private:
    std::mutex mutex_;
    std::map<Key, std::uint64_t> counts_;
};

struct GpuConversion {
    const GpuFacts* facts = nullptr;
    const GpuMemory* memory = nullptr;
    std::uint32_t warps = 0;                // of a block
    Dim3 grid, cluster;                     // in blocks; the grid is a multiple of the cluster
    std::span<const std::uint32_t> blocks;  // recorded, ascending, whole clusters
    std::span<const std::uint64_t> segment_begin;          // [warps of all blocks + 1]
    std::span<const std::uint64_t> counts;                 // [warps]: records in the lower half
    std::function<std::unique_ptr<GpuRecords>()> records;  // one for each worker
    // A site as the trace has it. Its array is a Place's number, its file an index of facts->files.
    std::function<Site(const Site&)> finish_site;
    std::uint32_t accumulator_interval = 1;  // one of so many values of a sum is kept
    unsigned workers = 0;                    // 0: one a core
    RecordProgress* progress = nullptr;
    GpuOutOfBounds* out_of_bounds = nullptr;
};

}  // namespace tilereel::gpu

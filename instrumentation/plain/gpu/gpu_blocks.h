#pragma once
// Converts the records of a GPU to those of a trace: all cores convert blocks, which are merged in
// order.
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

#include "instrumentation/base/result.h"
#include "instrumentation/plain/gpu/dump.h"
#include "instrumentation/plain/gpu/gpu_facts.h"
#include "instrumentation/plain/gpu/gpu_memory.h"
#include "instrumentation/record/record.h"
#include "instrumentation/trace/trace.h"

namespace tilereel::plain {

// Provides records to one worker. A result is valid until the next call.
class GpuRecords {
  public:
    struct Part {
        const tilereel_gpu::DeviceRecord* records = nullptr;
        const std::uint32_t* words = nullptr;  // 32 per record
    };
    virtual ~GpuRecords() = default;
    virtual Result<Part> read(std::uint64_t begin, std::uint64_t count) = 0;
    // The records without their words. Records that were not written have a mask of 0.
    virtual Result<const tilereel_gpu::DeviceRecord*> read_heads(std::uint64_t begin,
                                                                 std::uint64_t count) = 0;
};

// Counts accesses of memory that is in no array, by site and caller.
class GpuStrays {
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
    std::uint32_t warps = 0;                               // per block
    std::span<const std::uint32_t> blocks;                 // recorded blocks, ascending
    std::span<const std::uint64_t> segment_begin;          // [warps of all blocks + 1]
    std::span<const std::uint64_t> counts;                 // [warps]: records in the lower half
    std::function<std::unique_ptr<GpuRecords>()> records;  // one for each worker
    // Returns the site for the trace. The argument's array is the number of a Place, its file an
    // index of facts->files.
    std::function<tilereel::Site(const tilereel::Site&)> finish_site;
    std::uint32_t accumulator_interval = 1;  // Trace::accumulator_interval
    unsigned workers = 0;                    // 0: one for each core
    RecordProgress* progress = nullptr;
    GpuStrays* strays = nullptr;
};
// Fills the trace's columns, sites and patterns. If records of a warp did not fit into the buffer,
// the warp ends with its last record there.
Status convert_gpu_records(const GpuConversion& conversion, Trace& trace);

// The place of a site in the source. In a function of CUDA's headers it is the place of the call.
[[nodiscard]] PtxPlace place_of(const GpuFacts& facts, const PtxSite& site, std::uint32_t caller);

}  // namespace tilereel::plain

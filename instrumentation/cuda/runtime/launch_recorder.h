#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "instrumentation/cuda/runtime/block_sink.h"
#include "instrumentation/cuda/runtime/fault.h"
#include "instrumentation/trace/recorded_finding.h"
#include "instrumentation/trace/warp_stop.h"

namespace tilereel {
class Batch;
}

namespace tilereel::runtime {

class BatchSink;
class Worker;

// kGoesOn: the blocks to record have ended, others still run.
enum class LaunchEnd : std::uint8_t { kEnded, kCutShort, kGoesOn };

// Makes a trace of the recorded blocks of a launch.
class LaunchRecorder : public BlockSink {
  public:
    // Sets the number of blocks that will be recorded.
    virtual void expect_blocks(std::size_t count) = 0;
    // A sink for another CPU thread. merge_batch() takes its batches, of `blocks` blocks each, in
    // the order of the blocks.
    virtual std::unique_ptr<BatchSink> make_sink() = 0;
    virtual void merge_batch(Batch& batch, std::size_t blocks) = 0;
    // The block is recorded up to the budget only.
    virtual void add_cut_block(std::uint32_t block) = 0;
    // Where the warps of a block were that was not recorded to its end. Of blocks without this, all
    // warps have returned.
    virtual void add_stops(const std::vector<WarpStop>& stops) = 0;
    virtual void forget_stops() = 0;  // it is not known where the warps were
    virtual void add_fault(const FaultPlace& place) = 0;
    virtual void add_finding(const RecordedFinding& finding) = 0;
    // Writes the trace and sends a message to the parent. `unhooked_blocks`: number of blocks that
    // ran without hooks.
    virtual void finish(const Worker& worker, const std::vector<std::uint32_t>& chosen,
                        std::uint64_t unhooked_blocks, LaunchEnd end) = 0;
};

}  // namespace tilereel::runtime

#pragma once
// Records consecutive blocks with several workers. Each worker takes the next batch of blocks, and
// batches are merged in block order, so the trace does not depend on the number of workers.
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "instrumentation/base/result.h"
#include "instrumentation/record/batch.h"
#include "instrumentation/record/record_progress.h"

namespace tilereel {

// Records blocks for one worker.
class BlockRecorder {
  public:
    virtual ~BlockRecorder() = default;
    // The next blocks are first .. last - 1. Their records go into `batch`.
    virtual Status begin_batch(Batch& batch, std::uint32_t first, std::uint32_t last) = 0;
    // Records one block of the batch. An error ends the recording.
    virtual Status run(std::uint32_t block) = 0;
};
using MakeBlockRecorder = std::function<std::unique_ptr<BlockRecorder>()>;

struct BlockRange {
    std::uint32_t first = 0, blocks = 0;
    std::uint32_t batch_blocks = 1;
    unsigned workers = 1;                      // at least 1; the calling thread is one
    std::span<const std::uint32_t> numbers{};  // of the blocks in the trace; empty: from `first` on
};

// Threads to record with: as many as asked for (0: one a core), but not more than there are blocks.
[[nodiscard]] unsigned workers_for(unsigned asked, std::uint32_t blocks);

// Blocks that a worker records at a time, before they are added to the trace.
[[nodiscard]] std::uint32_t blocks_of_a_batch(std::uint32_t blocks, unsigned workers);

// Fills the trace (see Merger), or returns the error of the first batch that failed. Adds to
// progress->blocks_done; the caller sets progress->blocks.
Status record_blocks(const BlockRange& range, const MakeBlockRecorder& make_recorder, Trace& trace,
                     RecordProgress* progress);

}  // namespace tilereel

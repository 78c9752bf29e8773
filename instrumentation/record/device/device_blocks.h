#pragma once
// The blocks of a traced launch, converted by one worker.
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "instrumentation/record/block_runner.h"
#include "instrumentation/record/device/record_source.h"
#include "instrumentation/record/device/warp_stream.h"
#include "instrumentation/record/recording.h"
#include "instrumentation/record/warp_writer.h"

namespace tilereel {

// What all workers read.
struct DeviceRecording {
    const Launch* launch = nullptr;
    std::span<const std::uint64_t> segment_begin;  // [warps + 1]
    std::span<const std::uint32_t> record_counts;  // [warps]: fitting or not
    std::span<const Array> shared_arrays;
    std::uint32_t shared_bytes = 0;
    std::uint32_t accumulator_interval = 1;
    MemoryBudget* budget = nullptr;
    const std::atomic<bool>* cancel = nullptr;  // may be null
};

class DeviceBlocks final : public BlockRecorder {
  public:
    DeviceBlocks(const DeviceRecording& recording, std::unique_ptr<RecordSource> source);
    Status begin_batch(Batch& batch, std::uint32_t first, std::uint32_t last) override;
    Status run(std::uint32_t block) override;

  private:
    void begin_block(std::uint32_t block);
    Status write_epoch(WarpStream& stream, std::uint32_t warp);
    Status charge();

    DeviceRecording recording_;
    std::unique_ptr<RecordSource> source_;
    std::uint32_t warps_;
    std::vector<WarpStream> streams_;  // by warp of the block
    SiteKeys sites_;
    WarpEvents events_;
    WarpWriter writer_;
    Batch* batch_ = nullptr;
    const device::DeviceRecord* records_ = nullptr;  // of the batch
    std::uint64_t first_record_ = 0;                 // of the batch
    std::uint64_t charged_bytes_ = 0;
};

}  // namespace tilereel

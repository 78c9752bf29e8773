#include "instrumentation/record/device/device_blocks.h"

#include <algorithm>

namespace tilereel {

DeviceBlocks::DeviceBlocks(const DeviceRecording& recording, std::unique_ptr<RecordSource> source)
    : recording_(recording),
      source_(std::move(source)),
      warps_(recording.launch->warps()),
      streams_(warps_),
      writer_(recording.accumulator_interval) {}

Status DeviceBlocks::begin_batch(Batch& batch, std::uint32_t first, std::uint32_t last) {
    batch_ = &batch;
    charged_bytes_ = 0;
    batch.shared_arrays.assign(recording_.shared_arrays.begin(), recording_.shared_arrays.end());
    batch.shared_bytes = recording_.shared_bytes;
    sites_.begin_batch(batch);
    events_.begin_batch(batch);
    first_record_ = recording_.segment_begin[std::size_t{first} * warps_];
    const std::uint64_t end = recording_.segment_begin[std::size_t{last} * warps_];
    const auto records = source_->records(first_record_, end - first_record_);
    if (!records) return records.error();
    records_ = *records;
    return Done{};
}

void DeviceBlocks::begin_block(std::uint32_t block) {
    const std::uint32_t threads = recording_.launch->threads();
    for (std::uint32_t warp = 0; warp < warps_; ++warp) {
        const std::size_t at = std::size_t{block} * warps_ + warp;
        const std::uint64_t begin = recording_.segment_begin[at];
        const std::uint64_t room = recording_.segment_begin[at + 1] - begin;
        const std::uint64_t count = std::min<std::uint64_t>(recording_.record_counts[at], room);
        const std::uint32_t lanes = std::min<std::uint32_t>(threads - warp * kWarpSize, kWarpSize);
        streams_[warp].begin({records_ + (begin - first_record_), count}, begin,
                             lanes == kWarpSize ? 0xffffffff : (1u << lanes) - 1);
    }
    writer_.begin_block(warps_);
}

Status DeviceBlocks::run(std::uint32_t block) {
    begin_block(block);
    bool more = true;
    for (std::uint32_t epoch = 0; more; ++epoch) {
        if (recording_.cancel != nullptr && recording_.cancel->load(std::memory_order_relaxed))
            return cancelled();
        more = false;
        for (std::uint32_t warp = 0; warp < warps_; ++warp) {
            WarpStream& stream = streams_[warp];
            if (stream.done()) continue;
            batch_->begin_segment(block, epoch, static_cast<std::uint16_t>(warp));
            if (const Status written = write_epoch(stream, warp); !written) return written;
            batch_->end_segment();
            more = more || !stream.done();
            batch_->accumulators = std::max(batch_->accumulators, stream.accumulators());
        }
        if (const Status charged = charge(); !charged) return charged;
    }
    return Done{};
}

Status DeviceBlocks::write_epoch(WarpStream& stream, std::uint32_t warp) {
    stream.begin_epoch();
    const auto keep_clock = [&](std::uint32_t lanes) {
        batch_->keep_clock(stream.barrier_clock(lanes));
    };
    for (bool last = false; !last;) {
        if (const Status read = stream.next_turn(*source_, sites_, events_); !read) return read;
        WarpLanes& lanes = stream.lanes();
        last = lanes.at_warp_barrier == 0;
        writer_.write(stream.rows(), warp, last, *batch_);
        if (!last) {
            release_warp_barriers(lanes, [&](EventKey key, std::uint32_t met) {
                batch_->add_plain(batch_->site_of_event(key), 0, met);
                keep_clock(met);
            });
        } else if (lanes.at_block_barrier != 0) {
            write_block_barrier(lanes, *batch_);
            keep_clock(lanes.at_block_barrier);
        }
    }
    return Done{};
}

Status DeviceBlocks::charge() {
    const std::uint64_t bytes = batch_->bytes();
    if (bytes <= charged_bytes_) return Done{};
    const bool fits = recording_.budget->take(bytes - charged_bytes_);
    charged_bytes_ = bytes;
    if (fits) return Done{};
    return failed("the recording needs more memory than allowed; record a smaller product");
}

}  // namespace tilereel

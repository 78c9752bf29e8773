#include "instrumentation/gpu/convert/gpu_blocks.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "instrumentation/base/check.h"
#include "instrumentation/contract/cluster_layout.h"
#include "instrumentation/gpu/convert/gpu_events.h"
#include "instrumentation/gpu/convert/gpu_lanes.h"
#include "instrumentation/gpu/convert/gpu_phases.h"
#include "instrumentation/gpu/convert/gpu_sums.h"
#include "instrumentation/gpu/convert/gpu_writer.h"
#include "instrumentation/record/record_blocks.h"

namespace tilereel::gpu {
namespace {

using tilereel_gpu::DeviceRecord;

constexpr std::uint64_t kRecordsOfBatch = std::uint64_t{1} << 15;

// Converts blocks into batches. Each worker has a converter.
class BlockConverter final : public BlockRecorder {
  public:
    BlockConverter(const GpuConversion& all, const GpuSums& sums)
        : all_(all),
          facts_(*all.facts),
          sums_(sums),
          records_of_gpu_(all.records()),
          lanes_(facts_),
          phases_(facts_, *all.memory),
          has_phases_(phases_.has_any()),
          events_(facts_, *all.memory, phases_, all.out_of_bounds),
          writer_(all, sums, events_),
          last_sums_(sums) {}

    Status begin_batch(Batch& batch, std::uint32_t first, std::uint32_t last) override {
        batch_ = &batch;
        cluster_.clear();
        batch.accumulators = std::max(batch.accumulators, sums_.count());
        writer_.begin_batch(batch);
        first_ = all_.segment_begin[std::size_t{first} * all_.warps];
        const std::uint64_t end = all_.segment_begin[std::size_t{last} * all_.warps];
        if (end == first_) return Done{};
        const auto part = TRY(records_of_gpu_->read(first_, end - first_));
        events_.begin(part);
        return Done{};
    }
    Status run(std::uint32_t slot) override {
        if (all_.progress != nullptr && all_.progress->cancel.load(std::memory_order_relaxed))
            return cancelled();
        add_block(slot);
        return Done{};
    }

  private:
    // The records of a warp that are not converted yet.
    struct Stream {
        std::size_t next = 0, end = 0;
    };

    [[nodiscard]] Stream stream_of(std::size_t warp) const {
        const std::uint64_t begin = all_.segment_begin[warp];
        const std::uint64_t room = all_.segment_begin[warp + 1] - begin;
        const std::size_t first = begin - first_;
        return {first, first + std::min(all_.counts[warp] & 0xffffffff, room)};
    }
    // Whether the record was written, is sound and has all its rows of values. Otherwise the stream
    // ends there.
    [[nodiscard]] bool is_whole(std::size_t i, std::size_t end) const {
        return events_.at(i).mask != 0 && events_.at(i).site < facts_.sites.size() &&
               events_.after(i) <= end;
    }

    void add_block(std::uint32_t slot) {
        const std::uint32_t block = all_.blocks[slot], warps = all_.warps;
        streams_.resize(warps);
        for (std::uint32_t warp = 0; warp < warps; ++warp)
            streams_[warp] = stream_of(std::size_t{slot} * warps + warp);
        before_.assign(warps, std::nullopt);
        const std::uint32_t rank = begin_cluster_of(slot);
        std::vector<GpuPhases::Landing> landings;
        for (const GpuPhases::Landing& landing : phases_.landings())
            if (landing.rank == rank) landings.push_back(landing);
        writer_.begin_block(warps, rank, std::move(landings));
        bool more = true;
        for (std::uint32_t epoch = 0; more; ++epoch) {
            more = false;
            for (std::uint32_t warp = 0; warp < warps; ++warp) {
                if (streams_[warp].next >= streams_[warp].end) continue;
                writer_.begin_warp(warp);
                batch_->begin_segment(block, epoch, static_cast<std::uint16_t>(warp));
                add_epoch(streams_[warp], before_[warp]);
                batch_->end_segment();
                more = more || streams_[warp].next < streams_[warp].end;
            }
        }
    }

    // Finds the phases of the block's cluster, unless they are those of the block before: its
    // blocks have their phases together. Returns the block's rank.
    std::uint32_t begin_cluster_of(std::uint32_t slot) {
        auto found = std::ranges::find(cluster_, slot);
        if (found == cluster_.end()) {
            cluster_ = slots_of_cluster(all_.blocks[slot]);
            if (has_phases_) find_phases();
            found = std::ranges::find(cluster_, slot);
        }
        dcheck(found != cluster_.end());
        return static_cast<std::uint32_t>(found - cluster_.begin());
    }
    // By rank.
    [[nodiscard]] std::vector<std::uint32_t> slots_of_cluster(std::uint32_t block) const {
        std::vector<std::uint32_t> slots = contract::blocks_of_cluster(
            all_.grid, all_.cluster, contract::cluster_of(all_.grid, all_.cluster, block));
        for (std::uint32_t& each : slots)
            each = static_cast<std::uint32_t>(std::ranges::lower_bound(all_.blocks, each) -
                                              all_.blocks.begin());
        return slots;
    }

    void find_phases() {
        phases_.begin_block();
        for (std::uint32_t rank = 0; rank < cluster_.size(); ++rank)
            for (std::uint32_t warp = 0; warp < all_.warps; ++warp) {
                const Stream stream = stream_of(std::size_t{cluster_[rank]} * all_.warps + warp);
                for (std::size_t i = stream.next; i < stream.end && is_whole(i, stream.end);
                     i = events_.after(i))
                    if (events_.site(i).is_of_phases())
                        phases_.add(static_cast<std::uint32_t>(i), warp, events_.at(i),
                                    events_.words(i), rank);
            }
        phases_.find();
    }

    // Lanes of a warp can reach a barrier one after another. None continues before all have
    // arrived, so the epoch ends before the first record of a lane that waits. `before`: the
    // barrier at which all lanes waited before, if that is known; then the one at which they wait
    // now.
    void add_epoch(Stream& stream, std::optional<GpuEvent>& before) {
        const std::size_t begin = stream.next;
        std::uint32_t waiting = 0, all = 0;  // lanes at the barrier; lanes with other records
        bool diverged = false;
        barriers_.clear();
        sum_records_.clear();
        for (; stream.next < stream.end; stream.next = events_.after(stream.next)) {
            if (!is_whole(stream.next, stream.end)) {
                stream.end = stream.next;
                break;
            }
            const DeviceRecord& record = events_.at(stream.next);
            if ((record.mask & waiting) != 0) break;
            const Operation operation = events_.site(stream.next).operation;
            if (operation == Operation::kMultiplyAdd)
                sum_records_.push_back(static_cast<std::uint32_t>(stream.next));
            else
                events_.prefetch(stream.next);
            if (operation == Operation::kBarrier) {
                waiting |= record.mask;
                add_barrier(record);
            } else {
                diverged = diverged || (all != 0 && record.mask != all);
                all |= record.mask;
            }
        }
        last_sums_of_.clear();
        if (all_.accumulator_interval > 1) find_last_sums();
        if (diverged) {
            add_diverged(begin, stream.next, all, before);
        } else {
            events_.for_each_event(
                begin, stream.next, last_sums_of_,
                [this](const GpuEvent& event) { writer_.write(event); },
                [this](const DeviceRecord& record, const std::uint32_t* words,
                       const GpuMemory::Place& place) {
                    return writer_.write_like_last(record, words, place);
                });
        }
        writer_.flush_copy();
        for (const GpuEvent& barrier : barriers_) writer_.write(barrier);
        before.reset();
        if (barriers_.size() == 1) before = barriers_.front();
    }

    // The compiler may make several instructions of one barrier of the source.
    void add_barrier(const DeviceRecord& record) {
        const auto of_record = [&](const GpuEvent& barrier) {
            return is_same_place(facts_, {barrier.site, barrier.caller},
                                 {record.site, record.caller});
        };
        const auto known = std::ranges::find_if(barriers_, of_record);
        if (known != barriers_.end()) {
            known->mask |= record.mask;
            return;
        }
        GpuEvent& event = barriers_.emplace_back();
        event.site = record.site;
        event.caller = record.caller;
        event.array = GpuEvent::kNoArray;
        event.mask = record.mask;
        event.clock = record.clock;
    }

    // `all`: the lanes of the records. While they are converged, most accesses are written at once.
    void add_diverged(std::size_t begin, std::size_t end, std::uint32_t all,
                      const std::optional<GpuEvent>& before) {
        const auto put = [this](const GpuEvent& event) { writer_.write(event); };
        const DeviceRecord* written = nullptr;  // the latest record, if it was written at once
        lanes_.begin_epoch(all);
        if (before && (all & ~before->mask) == 0) {
            GpuEvent of_all = *before;
            of_all.mask = all;
            lanes_.set_before(of_all);
        }
        events_.for_each_event(
            begin, end, last_sums_of_,
            [&](const GpuEvent& event) {
                if (written != nullptr && event.mask != all) remember_written(*written);
                written = nullptr;
                lanes_.add(event, put);
            },
            [&](const DeviceRecord& record, const std::uint32_t* words,
                const GpuMemory::Place& place) {
                if (lanes_.is_diverged() || record.mask != all ||
                    !writer_.write_like_last(record, words, place))
                    return false;
                written = &record;
                return true;
            });
        lanes_.end_epoch(put);
    }
    // Calls lanes_.set_before() for a record that was written at once.
    void remember_written(const DeviceRecord& record) {
        const std::size_t i = events_.index_of(record);
        events_.for_each_event(
            i, i + 1, {}, [this](const GpuEvent& event) { lanes_.set_before(event); },
            [](const auto&...) { return false; });
    }

    // Sets last_sums_of_ for the multiply-adds of an epoch.
    void find_last_sums() {
        last_sums_.begin_epoch();
        last_sums_of_.resize(sum_records_.size());
        for (std::size_t i = sum_records_.size(); i-- > 0;) {
            const DeviceRecord& record = events_.at(sum_records_[i]);
            last_sums_of_[i] = last_sums_.last_lanes(record.high, record.mask);
            if (last_sums_of_[i] != 0) events_.prefetch(sum_records_[i]);
        }
    }

    const GpuConversion& all_;
    const GpuFacts& facts_;
    const GpuSums& sums_;
    std::unique_ptr<GpuRecords> records_of_gpu_;
    GpuLanes lanes_;
    GpuPhases phases_;
    bool has_phases_;
    GpuEvents events_;
    GpuWriter writer_;
    LastSums last_sums_;
    Batch* batch_ = nullptr;
    std::uint64_t first_ = 0;             // the batch's first record, among all
    std::vector<std::uint32_t> cluster_;  // slots, by rank, of the cluster whose phases are found
    std::vector<Stream> streams_;
    std::vector<std::optional<GpuEvent>> before_;  // by warp: the latest barrier of all its lanes
    std::vector<GpuEvent> barriers_;               // at which lanes wait at the end of an epoch
    std::vector<std::uint32_t> sum_records_;       // multiply-adds of an epoch
    std::vector<std::uint32_t> last_sums_of_;      // GpuEvent::last_lanes of each of these
};

}  // namespace

Status convert_gpu_records(const GpuConversion& conversion, Trace& trace) {
    const auto blocks = static_cast<std::uint32_t>(conversion.blocks.size());
    if (blocks == 0) return Done{};
    const unsigned workers = workers_for(conversion.workers, blocks);
    const std::uint64_t of_block =
        std::max<std::uint64_t>(conversion.segment_begin.back() / blocks, 1);
    const Dim3& cluster = conversion.cluster;
    dcheck(blocks % cluster.count() == 0);
    const std::uint64_t wanted = std::max<std::uint64_t>(kRecordsOfBatch / of_block, 1);
    const std::uint64_t batch = std::min<std::uint64_t>(wanted, (blocks + workers - 1) / workers);
    const std::uint64_t clusters = (batch + cluster.count() - 1) / cluster.count();
    // A batch has whole clusters. The blocks of those with several rows do not follow each other.
    const bool in_one = cluster.y * cluster.z != 1;
    const BlockRange range{
        .first = 0,
        .blocks = blocks,
        .batch_blocks = in_one ? blocks : static_cast<std::uint32_t>(clusters * cluster.count()),
        .workers = workers,
        .numbers = conversion.blocks};
    GpuSums sums = TRY(GpuSums::of(conversion));
    return record_blocks(
        range, [&] { return std::make_unique<BlockConverter>(conversion, sums); }, trace,
        conversion.progress);
}

}  // namespace tilereel::gpu

#include "instrumentation/plain/gpu/gpu_blocks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <deque>
#include <optional>
#include <tuple>
#include <vector>

#include "instrumentation/plain/gpu/gpu_box.h"
#include "instrumentation/plain/gpu/gpu_lanes.h"
#include "instrumentation/plain/gpu/gpu_phases.h"
#include "instrumentation/plain/gpu/gpu_sums.h"
#include "instrumentation/record/kept_sums.h"
#include "instrumentation/record/recording.h"

namespace tilereel::plain {
namespace {

using tilereel_gpu::DeviceRecord;

constexpr std::uint64_t kRecordsOfBatch = std::uint64_t{1} << 15;

// Sites and array places that were found last: most records are like one shortly before.
template <class Value>
struct Cache {
    struct Entry {
        bool known = false;
        std::uint64_t first = 0, second = 0;
        Value value{};
    };
    std::array<Entry, 256> entries{};
    Entry& at(std::uint64_t first, std::uint64_t second) {
        return entries[(first * 31 + second * 7) % entries.size()];
    }
};

// Converts blocks into batches: one for each worker.
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
          place_of_site_(facts_.sites.size(), nullptr),
          kept_(all.accumulator_interval) {}

    Status begin_batch(Batch& batch, std::uint32_t first, std::uint32_t last) override {
        batch_ = &batch;
        batch.known_arrays = kNoArray;
        batch.accumulators = std::max(batch.accumulators, sums_.count());
        known_.clear();
        cache_ = {};
        first_ = all_.segment_begin[std::size_t{first} * all_.warps];
        const std::uint64_t end = all_.segment_begin[std::size_t{last} * all_.warps];
        if (end == first_) return Done{};
        const auto part = records_of_gpu_->read(first_, end - first_);
        if (!part) return part.error();
        part_ = *part;
        return Done{};
    }
    Status run(std::uint32_t slot) override {
        if (all_.progress != nullptr && all_.progress->cancel.load(std::memory_order_relaxed))
            return cancelled();
        add_block(slot);
        return Done{};
    }

  private:
    // A warp's records, from the next on.
    struct Stream {
        std::size_t next = 0, end = 0;
    };

    [[nodiscard]] const DeviceRecord& record_at(std::size_t i) const { return part_.records[i]; }
    [[nodiscard]] const std::uint32_t* words_at(std::size_t i) const {
        return part_.words + i * kWarpSize;
    }
    [[nodiscard]] const PtxSite& site_at(std::size_t i) const {
        return facts_.sites[record_at(i).site];
    }

    // Up to a record that is damaged, or whose rows have been cut off.
    [[nodiscard]] Stream stream_of(std::size_t warp) const {
        const std::uint64_t begin = all_.segment_begin[warp];
        const std::uint64_t room = all_.segment_begin[warp + 1] - begin;
        const std::size_t first = begin - first_;
        const std::size_t end = first + std::min(all_.counts[warp] & 0xffffffff, room);
        Stream stream{first, first};
        while (stream.end < end && record_at(stream.end).site < facts_.sites.size() &&
               stream.end + site_at(stream.end).rows_behind() < end)
            stream.end += 1 + site_at(stream.end).rows_behind();
        return stream;
    }

    void add_block(std::uint32_t slot) {
        const std::uint32_t block = all_.blocks[slot], warps = all_.warps;
        streams_.resize(warps);
        for (std::uint32_t warp = 0; warp < warps; ++warp)
            streams_[warp] = stream_of(std::size_t{slot} * warps + warp);
        if (has_phases_) find_phases();
        kept_.begin_block(warps);
        bool more = true;
        for (std::uint32_t epoch = 0; more; ++epoch) {
            more = false;
            for (std::uint32_t warp = 0; warp < warps; ++warp) {
                if (streams_[warp].next >= streams_[warp].end) continue;
                warp_ = warp;
                batch_->begin_segment(block, epoch, static_cast<std::uint16_t>(warp));
                add_epoch(streams_[warp]);
                batch_->end_segment();
                more = more || streams_[warp].next < streams_[warp].end;
            }
        }
    }

    void find_phases() {
        phases_.begin_block();
        for (std::uint32_t warp = 0; warp < streams_.size(); ++warp)
            for (std::size_t i = streams_[warp].next; i < streams_[warp].end;
                 i += 1 + site_at(i).rows_behind())
                if (is_of_phase(site_at(i).operation))
                    phases_.add(static_cast<std::uint32_t>(i), warp, record_at(i), words_at(i));
        phases_.find();
    }

    // Lanes of a warp may come to a barrier one after another. None goes on before all have come:
    // the epoch ends where a lane that waits does something.
    void add_epoch(Stream& stream) {
        const std::size_t begin = stream.next;
        std::uint32_t waiting = 0, mask = 0;
        bool apart = false;
        const DeviceRecord* barrier = nullptr;
        for (; stream.next < stream.end; stream.next += 1 + site_at(stream.next).rows_behind()) {
            const DeviceRecord& record = record_at(stream.next);
            if ((record.mask & waiting) != 0) break;
            if (site_at(stream.next).operation == Operation::kBarrier) {
                barrier = barrier == nullptr ? &record : barrier;
                waiting |= record.mask;
            } else {
                apart = apart || (mask != 0 && record.mask != mask);
                mask = record.mask;
            }
        }
        const bool thins = all_.accumulator_interval > 1;
        if (apart) {
            add_apart(begin, stream.next);
        } else {
            if (thins) find_last_sums(begin, stream.next);
            each_event(begin, stream.next, [this](const GpuEvent& event) { write(event); });
        }
        flush_copy();
        if (barrier == nullptr) return;
        GpuEvent event;
        event.site = barrier->site;
        event.caller = barrier->caller;
        event.array = GpuEvent::kNoArray;
        event.mask = waiting;
        event.clock = barrier->clock;
        write(event);
    }

    void add_apart(std::size_t begin, std::size_t end) {
        std::vector<GpuEvent> events;
        std::deque<std::array<std::uint32_t, kWarpSize>> offsets;
        each_event(begin, end, [&](GpuEvent event) {
            if (event.offsets != nullptr) {
                std::copy_n(event.offsets, kWarpSize, offsets.emplace_back().begin());
                event.offsets = offsets.back().data();
            }
            events.push_back(event);
        });
        const std::vector<GpuEvent>& together = lanes_.together(events);
        if (all_.accumulator_interval == 1) {
            for (const GpuEvent& event : together) write(event);
            return;
        }
        std::vector<GpuEvent> marked = together;
        begin_last_sums();
        for (std::size_t i = marked.size(); i-- > 0;)
            if (operation_of(marked[i]) == Operation::kMultiplyAdd)
                marked[i].is_last_sum = is_last_sum(marked[i].sum, marked[i].mask);
        for (const GpuEvent& event : marked) write(event);
    }

    [[nodiscard]] Operation operation_of(const GpuEvent& event) const {
        return facts_.sites[event.site].operation;
    }

    // Of the multiply-adds of an epoch, which are the last into their sum for any lane.
    void begin_last_sums() { later_.assign(sums_.count(), 0); }
    bool is_last_sum(std::uint32_t sum, std::uint32_t mask) {
        std::uint32_t& later = later_[sums_.number_of(sum)];
        const bool is_last = (mask & ~later) != 0;
        later |= mask;
        return is_last;
    }
    void find_last_sums(std::size_t begin, std::size_t end) {
        begin_last_sums();
        sum_records_.clear();
        for (std::size_t i = begin; i < end; i += 1 + site_at(i).rows_behind())
            if (site_at(i).operation == Operation::kMultiplyAdd)
                sum_records_.push_back(static_cast<std::uint32_t>(i));
        last_sums_.assign(sum_records_.size(), false);
        for (std::size_t i = sum_records_.size(); i-- > 0;)
            last_sums_[i] =
                is_last_sum(record_at(sum_records_[i]).high, record_at(sum_records_[i]).mask);
        next_sum_ = 0;
    }

    // The records but the barriers, with offsets in their arrays. The lanes of a record may be in
    // several arrays: an event for each.
    template <class Work>
    void each_event(std::size_t begin, std::size_t end, Work&& work) {
        std::size_t next = 0;
        for (std::size_t i = begin; i < end; i += next) {
            const DeviceRecord& record = record_at(i);
            const PtxSite& site = facts_.sites[record.site];
            next = 1 + site.rows_behind();
            if (site.operation == Operation::kBarrier) continue;
            GpuEvent event;
            event.site = record.site;
            event.caller = record.caller;
            event.array = GpuEvent::kNoArray;
            event.mask = record.mask;
            event.clock = record.clock;
            event.values = words_at(i + 1 - site.own_words());
            if (is_of_phase(site.operation)) {
                event.values = phases_.rows_of(static_cast<std::uint32_t>(i));
            } else if (site.operation == Operation::kMultiplyAdd) {
                event.sum = record.high;
                event.is_last_sum = next_sum_ < last_sums_.size() && last_sums_[next_sum_];
                ++next_sum_;
            }
            if (is_access(site.operation))
                each_array(record, site, words_at(i), event, work);
            else
                work(event);
        }
        last_sums_.clear();
    }
    template <class Work>
    void each_array(const DeviceRecord& record, const PtxSite& site, const std::uint32_t* words,
                    GpuEvent& event, Work&& work) {
        const bool shared = record.high == tilereel_gpu::kInSharedMemory;
        const std::uint64_t upper = shared ? 0 : std::uint64_t{record.high} << 32;
        const GpuMemory::Place*& place = place_of_site_[record.site];
        const std::uint64_t first = upper | words[std::countr_zero(record.mask)];
        if (place == nullptr || first < place->begin || first >= place->end)
            place = find(shared, first);
        std::uint32_t offsets[kWarpSize];
        if (place == nullptr ||
            !take_offsets(record.mask, words, site.width_bytes, *place, offsets)) {
            each_of_several(record, site, words, event, work);
            return;
        }
        if (place->is_left_out) return;
        event.array = place->number;
        event.offsets = offsets;
        work(event);
    }
    // Whether all lanes are in the place that one of them is in. Without a branch, because nearly
    // all records are so.
    bool take_offsets(std::uint32_t mask, const std::uint32_t* words, std::uint32_t width_bytes,
                      const GpuMemory::Place& place, std::uint32_t* offsets) {
        const std::uint64_t bytes = place.end - place.begin;
        if (bytes >= std::uint64_t{1} << 31 || bytes < width_bytes) return false;
        if (mask != active_mask_) {
            active_mask_ = mask;
            for (unsigned lane = 0; lane < kWarpSize; ++lane)
                active_[lane] = 0u - (mask >> lane & 1);
        }
        const auto begin = static_cast<std::uint32_t>(place.begin);
        const auto shift = static_cast<std::uint32_t>(place.begin - place.origin);
        const auto last = static_cast<std::uint32_t>(bytes) - width_bytes;
        std::uint32_t beyond = 0;  // its highest bit
        for (unsigned lane = 0; lane < kWarpSize; ++lane) {
            const std::uint32_t in_place = words[lane] - begin;
            beyond |= (in_place | (last - in_place)) & active_[lane];
            offsets[lane] = in_place + shift;
        }
        return beyond >> 31 == 0;
    }
    template <class Work>
    void each_of_several(const DeviceRecord& record, const PtxSite& site,
                         const std::uint32_t* words, GpuEvent& event, Work&& work) {
        const bool shared = record.high == tilereel_gpu::kInSharedMemory;
        const std::uint64_t upper = shared ? 0 : std::uint64_t{record.high} << 32;
        for (std::uint32_t left = record.mask; left != 0;) {
            const auto first = static_cast<unsigned>(std::countr_zero(left));
            const GpuMemory::Place* const place = find(shared, upper | words[first]);
            std::uint32_t mask = 0, offsets[kWarpSize] = {};
            for (std::uint32_t lanes = place == nullptr ? 0 : left; lanes != 0;
                 lanes &= lanes - 1) {
                const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
                const std::uint64_t address = upper | words[lane];
                if (address < place->begin || address + site.width_bytes > place->end) continue;
                mask |= 1u << lane;
                offsets[lane] = static_cast<std::uint32_t>(address - place->origin);
            }
            if (mask == 0) {  // in no array, or beyond the end of one
                if (all_.strays != nullptr) all_.strays->add(record.site, record.caller);
                left &= left - 1;
                continue;
            }
            left &= ~mask;
            if (place->is_left_out) continue;
            event.array = place->number;
            event.mask = mask;
            event.offsets = offsets;
            work(event);
        }
    }
    const GpuMemory::Place* find(bool shared, std::uint64_t address) {
        const GpuMemory::Place*& last = last_place_[shared ? 1 : 0];
        if (last == nullptr || address < last->begin || address >= last->end)
            last = all_.memory->find(shared, address);
        return last;
    }

    // Of an asynchronous copy a trace has two records, one behind the other, of the same lanes. A
    // copy of fewer bytes than it writes may have others; then it is shown as a load and a store.
    void write(const GpuEvent& event) {
        const Operation operation = operation_of(event);
        const bool is_whole = copy_ && operation == Operation::kCopyStore &&
                              copy_->site + 1 == event.site && copy_->mask == event.mask &&
                              copy_->caller == event.caller;
        if (is_whole) {
            write_as(*copy_, Operation::kCopyLoad);
            write_as(event, Operation::kCopyStore);
            copy_.reset();
            return;
        }
        flush_copy();
        if (operation == Operation::kCopyLoad) {
            copy_ = event;
            std::copy_n(event.offsets, kWarpSize, copy_offsets_);
            copy_->offsets = copy_offsets_;
        } else if (is_of_phase(operation)) {
            write_phase(event);
        } else {
            write_as(event, operation == Operation::kCopyStore ? Operation::kStore : operation);
        }
    }
    void flush_copy() {
        if (copy_) write_as(*copy_, Operation::kLoad);
        copy_.reset();
    }
    void write_as(const GpuEvent& event, Operation operation) {
        const PtxSite& site = facts_.sites[event.site];
        const SiteId id = site_of(event, operation, site.width_bytes);
        if (operation == Operation::kMultiplyAdd) {
            const std::uint32_t number = sums_.number_of(event.sum);
            batch_->add_plain(id, number, event.mask);
            batch_->keep_clock(event.clock);
            if (kept_.is_due(warp_, number, event.mask) || event.is_last_sum)
                batch_->add_values(event.values, event.mask, site.value_words);
            return;
        }
        if (event.offsets == nullptr)
            batch_->add_plain(id, site.groups, event.mask);
        else
            batch_->add_access(id, event.offsets, event.mask);
        batch_->keep_clock(event.clock);
        if (site.value_words == 0) return;
        if (site.width_bytes >= 4) {
            batch_->add_values(event.values, event.mask, site.value_words);
            return;
        }
        std::uint32_t narrow[kWarpSize];
        for (unsigned lane = 0; lane < kWarpSize; ++lane)
            narrow[lane] = event.values[lane] & ((1u << 8 * site.width_bytes) - 1);
        batch_->add_values(narrow, event.mask, 1);
    }
    // A record for each phase that the lanes speak of.
    void write_phase(const GpuEvent& event) {
        const SiteId id = site_of(event, operation_of(event), 4);
        for (std::uint32_t left = event.mask; left != 0;) {
            const std::uint32_t phase = event.values[std::countr_zero(left)];
            std::uint32_t lanes = 0;
            for (std::uint32_t rest = left; rest != 0; rest &= rest - 1)
                if (event.values[std::countr_zero(rest)] == phase) lanes |= rest & (0u - rest);
            left &= ~lanes;
            if (phase == GpuPhases::kNone) continue;
            batch_->add_plain(id, phase, lanes);
            batch_->keep_clock(event.clock);
        }
        if (operation_of(event) != Operation::kStartBox) return;
        for (std::uint32_t left = event.mask; left != 0; left &= left - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(left));
            add_box(event, GpuBox(facts_.sites[event.site],
                                  words_at(event.values[kWarpSize + lane]), lane));
        }
    }
    // The pieces take the places of lanes: Operation::kStartBox.
    void add_box(const GpuEvent& start, const GpuBox& box) {
        const BoxCopy copy = box.pieces(*all_.memory);
        for (const BoxBatch& pieces : copy.batches) {
            const std::span<const BoxPiece> of_batch(copy.pieces.data() + pieces.first,
                                                     pieces.count);
            if (!pieces.outside) add_pieces(start, pieces, of_batch, Operation::kCopyLoad);
            add_pieces(start, pieces, of_batch, Operation::kCopyStore);
        }
    }
    void add_pieces(const GpuEvent& start, const BoxBatch& batch, std::span<const BoxPiece> pieces,
                    Operation operation) {
        const bool stores = operation == Operation::kCopyStore;
        std::uint32_t offsets[kWarpSize] = {}, values[4][kWarpSize] = {};
        const GpuMemory::Place* place = nullptr;
        bool has_values = true;
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            place = find(stores, stores ? pieces[i].to : pieces[i].from);
            if (place == nullptr) return;
            offsets[i] = static_cast<std::uint32_t>((stores ? pieces[i].to : pieces[i].from) -
                                                    place->origin);
            if (!stores || batch.outside) continue;
            const std::byte* const content =
                all_.memory->content(pieces[i].from, batch.width_bytes);
            has_values = has_values && content != nullptr;
            for (std::uint32_t at = 0; has_values && at < batch.width_bytes; at += 4)
                std::memcpy(&values[at / 4][i], content + at, std::min(batch.width_bytes - at, 4u));
        }
        GpuEvent event = start;
        event.array = place->number;
        const SiteId id = site_of(event, operation, batch.width_bytes);
        const std::uint32_t mask = 0xffffffff >> (kWarpSize - pieces.size());
        batch_->add_access(id, offsets, mask);
        batch_->keep_clock(start.clock);
        if (stores && has_values)
            batch_->add_values(values[0], mask, std::max(1u, batch.width_bytes / 4));
    }

    SiteId site_of(const GpuEvent& event, Operation operation, std::uint32_t width_bytes) {
        const std::uint64_t first = std::uint64_t{event.site} << 32 | event.caller;
        const std::uint64_t second = std::uint64_t{event.array} << 16 |
                                     static_cast<std::uint64_t>(operation) << 8 | width_bytes;
        auto& cached = cache_.at(first, second);
        if (cached.known && cached.first == first && cached.second == second) return cached.value;
        const auto [entry, fresh] = known_.try_emplace({first, second});
        if (fresh) {
            const PtxSite& site = facts_.sites[event.site];
            const PtxPlace place = place_of(facts_, site, event.caller);
            tilereel::Site made;
            made.line = std::max(place.line, 1u);
            made.column = static_cast<std::uint16_t>(std::min(place.column, 0xffffu));
            made.file = static_cast<std::uint16_t>(place.file);
            made.operation = operation;
            if (event.array != GpuEvent::kNoArray) made.array = static_cast<ArrayId>(event.array);
            if (event.array != GpuEvent::kNoArray || operation == Operation::kMultiplyAdd)
                made.width_bytes = static_cast<std::uint8_t>(width_bytes);
            made.variety = site.variety;
            entry->second = batch_->add_site(all_.finish_site(made));
        }
        cached = {true, first, second, entry->second};
        return entry->second;
    }

    const GpuConversion& all_;
    const GpuFacts& facts_;
    const GpuSums& sums_;
    std::unique_ptr<GpuRecords> records_of_gpu_;
    GpuLanes lanes_;
    GpuPhases phases_;
    bool has_phases_;
    Batch* batch_ = nullptr;
    GpuRecords::Part part_;
    std::uint64_t first_ = 0;  // of part_, among all records
    std::vector<Stream> streams_;
    std::uint32_t warp_ = 0;
    std::vector<const GpuMemory::Place*> place_of_site_;  // of its last record
    const GpuMemory::Place* last_place_[2] = {};          // of global and shared memory
    std::uint32_t active_mask_ = 0;
    alignas(64) std::uint32_t active_[kWarpSize] = {};  // all ones for the lanes of active_mask_
    std::optional<GpuEvent> copy_;                      // a copy's load that waits for its store
    std::uint32_t copy_offsets_[kWarpSize] = {};
    std::map<std::pair<std::uint64_t, std::uint64_t>, SiteId> known_;
    Cache<SiteId> cache_;
    // Of the epoch: by sum, the lanes that add to it later; its sums; which of them are the last.
    std::vector<std::uint32_t> later_, sum_records_;
    std::vector<bool> last_sums_;
    std::size_t next_sum_ = 0;
    KeptSums kept_;
};

}  // namespace

PtxPlace place_of(const GpuFacts& facts, const PtxSite& site, std::uint32_t caller) {
    const bool called = site.place.in_library && caller != 0 && caller <= facts.sites.size();
    return called ? facts.sites[caller - 1].place : site.place;
}

Status convert_gpu_records(const GpuConversion& conversion, Trace& trace) {
    const auto blocks = static_cast<std::uint32_t>(conversion.blocks.size());
    if (blocks == 0) return Done{};
    const unsigned workers = workers_for(conversion.workers, blocks);
    const std::uint64_t of_block =
        std::max<std::uint64_t>(conversion.segment_begin.back() / blocks, 1);
    const std::uint64_t wanted = std::max<std::uint64_t>(kRecordsOfBatch / of_block, 1);
    const BlockRange range{.first = 0,
                           .blocks = blocks,
                           .batch_blocks = static_cast<std::uint32_t>(
                               std::min<std::uint64_t>(wanted, (blocks + workers - 1) / workers)),
                           .workers = workers,
                           .numbers = conversion.blocks};
    Result<GpuSums> sums = GpuSums::of(conversion);
    if (!sums) return sums.error();
    return record_blocks(
        range, [&] { return std::make_unique<BlockConverter>(conversion, *sums); }, trace,
        conversion.progress);
}

}  // namespace tilereel::plain

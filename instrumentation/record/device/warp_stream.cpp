#include "instrumentation/record/device/warp_stream.h"

#include <algorithm>
#include <limits>

#include "instrumentation/record/device/device_records.h"

namespace tilereel {
namespace {

using device::DeviceOperation;
using device::DeviceRecord;
using device::site_line;
using device::site_operation;

bool is_barrier(const DeviceRecord& record) {
    const DeviceOperation operation = operation_of(record);
    return operation == DeviceOperation::kBarrier || operation == DeviceOperation::kWarpBarrier;
}

Error damaged() {
    return failed("the GPU's recording makes no sense; record again, or use the emulator");
}

// As the emulated build's own record(), for the lane that WarpEvents has begun.
void record_event(WarpEvents& events, EventKey key, const std::uint32_t* words) {
    using dialect::running;
    if (*running.key != key) {
        events.add_unexpected(key, words);
        return;
    }
    const std::uint32_t count = dialect::words_of(key);
    std::uint32_t* slot = running.slot();
    for (std::uint32_t i = 0; i < count; ++i) slot[i * kWarpSize] = words[i];
    running.key += count;
}

}  // namespace

void WarpStream::begin(std::span<const DeviceRecord> records, std::uint64_t first_record,
                       std::uint32_t lanes) {
    records_ = records;
    first_record_ = first_record;
    next_ = 0;
    lanes_ = {};
    lanes_.ready = lanes;
    in_step_ = true;
    last_is_known_ = false;
    accumulators_ = 0;
}

void WarpStream::begin_epoch() {
    if (lanes_.at_block_barrier == 0) return;  // the first epoch
    lanes_.ready = lanes_.at_block_barrier;
    lanes_.at_block_barrier = 0;
}

std::uint64_t WarpStream::barrier_clock(std::uint32_t lanes) const {
    std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
    for_each_lane(lanes, [&](unsigned lane) { first = std::min(first, barrier_clock_[lane]); });
    return first;
}

Status WarpStream::next_turn(RecordSource& source, SiteKeys& sites, WarpEvents& events) {
    rows_ = {};
    row_clocks_.clear();
    if (!in_step_) try_to_step_together();
    std::size_t end = 0;
    if (in_step_ && turn_is_together(end)) return rows_together(end, source, sites);
    if (in_step_) fall_out_of_step();
    return rows_apart(source, sites, events);
}

// Whether the records from next_ up to `end` are of the same lanes, all that do anything in this
// turn, and none is the copy engine's; `end` is the barrier's record, or one past the last.
bool WarpStream::turn_is_together(std::size_t& end) {
    for (end = next_; end < records_.size() && !is_barrier(records_[end]); ++end)
        if (records_[end].mask != records_[next_].mask || is_of_engine(records_[end])) return false;
    if (end == records_.size()) return true;
    const std::uint32_t absent = lanes_.ready & ~records_[end].mask;
    if (absent == 0) return true;
    find_last_records();
    bool returned = true;  // those that do not come to the barrier
    for_each_lane(absent, [&](unsigned lane) { returned = returned && after_last_[lane] <= end; });
    return returned;
}

Status WarpStream::rows_together(std::size_t end, RecordSource& source, SiteKeys& sites) {
    row_keys_.clear();
    row_sites_.clear();
    const std::uint32_t mask = next_ < end ? records_[next_].mask : lanes_.ready;
    if ((mask & lanes_.ready) != mask || (mask == 0 && next_ < end)) return damaged();
    for (std::size_t i = next_; i < end;) {
        const std::uint32_t site = records_[i].site;
        const SiteKeys::Known& known = sites(site);
        if (known.key == dialect::kNoEvent) return damaged();
        const bool stores = device::has_stored_words(site_operation(site));
        const std::uint32_t words = stores ? words_stored(site) : 0;
        if (end - i <= words) {
            if (end < records_.size()) return damaged();
            break;  // cut off within a store
        }
        if (site_operation(site) == DeviceOperation::kMultiplyAdd)
            accumulators_ = std::max(accumulators_, device::site_array(site) + 1);
        row_keys_.push_back(known.key);
        row_sites_.push_back(known.id);
        row_clocks_.push_back(records_[i].clock);
        for (std::uint32_t word = 1; word <= words; ++word) {
            if (operation_of(records_[i + word]) != DeviceOperation::kStoredWord) return damaged();
            row_keys_.push_back(dialect::kValueWord);
            row_sites_.push_back(known.id);
        }
        i += 1 + words;
    }
    if (!row_keys_.empty()) {
        const auto lane_words = source.lane_words(first_record_ + next_, row_keys_.size());
        if (!lane_words) return lane_words.error();
        rows_ = {.keys = row_keys_,
                 .sites = row_sites_,
                 .masks = {},
                 .mask = mask,
                 .words = *lane_words,
                 .clocks = row_clocks_};
    }
    lanes_.ready = 0;
    next_ = end;
    if (end < records_.size()) stop_at_barrier(next_++, records_[end].mask);
    return Done{};
}

void WarpStream::stop_at_barrier(std::size_t record, std::uint32_t lanes) {
    const DeviceRecord& barrier = records_[record];
    const bool of_block = operation_of(barrier) == DeviceOperation::kBarrier;
    (of_block ? lanes_.at_block_barrier : lanes_.at_warp_barrier) |= lanes;
    for_each_lane(lanes, [&](unsigned lane) {
        lanes_.line[lane] = site_line(barrier.site);
        barrier_clock_[lane] = barrier.clock;
        resume_[lane] = record + 1;
    });
}

void WarpStream::find_last_records() {
    if (last_is_known_) return;
    last_is_known_ = true;
    after_last_.fill(0);
    std::uint32_t unseen = lanes_.ready | lanes_.at_block_barrier | lanes_.at_warp_barrier;
    for (std::size_t i = records_.size(); i-- > 0 && unseen != 0;) {
        const std::uint32_t lanes = lanes_of(records_[i]) & unseen;
        for_each_lane(lanes, [&](unsigned lane) { after_last_[lane] = i + 1; });
        unseen &= ~lanes;
    }
}

void WarpStream::fall_out_of_step() {
    find_last_records();
    in_step_ = false;
    for_each_lane(lanes_.ready, [&](unsigned lane) { resume_[lane] = next_; });
}

// Possible again once nobody waits, and all that still do something go on at one record with none
// of the others' behind it.
void WarpStream::try_to_step_together() {
    if (lanes_.at_block_barrier != 0) return;
    std::uint32_t going_on = 0;
    std::size_t first = records_.size(), last = 0, others_end = 0;
    for_each_lane(lanes_.ready, [&](unsigned lane) {
        if (resume_[lane] >= after_last_[lane]) {
            others_end = std::max(others_end, after_last_[lane]);
            return;
        }
        going_on |= 1u << lane;
        first = std::min(first, resume_[lane]);
        last = std::max(last, resume_[lane]);
    });
    if (first != last) return;
    while (first < others_end && (lanes_of(records_[first]) & going_on) == 0) ++first;
    if (first < others_end) return;
    in_step_ = true;
    lanes_.ready = going_on;
    next_ = first;
}

// The steps of the ready lanes, each up to its next barrier or its end. Returns one past the last
// record looked at.
std::size_t WarpStream::collect_steps() {
    steps_.clear();
    std::size_t i = records_.size();
    std::uint32_t running = 0;
    for_each_lane(lanes_.ready, [&](unsigned lane) {
        if (resume_[lane] >= after_last_[lane]) return;
        running |= 1u << lane;
        i = std::min(i, resume_[lane]);
    });
    for (; running != 0; ++i) {
        std::uint32_t lanes = 0;
        for_each_lane(lanes_of(records_[i]) & running, [&](unsigned lane) {
            if (resume_[lane] <= i) lanes |= 1u << lane;
        });
        if (lanes == 0) continue;
        for_each_lane(lanes, [&](unsigned lane) {
            resume_[lane] = i + 1;
            if (after_last_[lane] == i + 1) running &= ~(1u << lane);
        });
        if (is_barrier(records_[i])) {
            stop_at_barrier(i, lanes);
            running &= ~lanes;
        } else {
            steps_.push_back({i, lanes});
        }
    }
    lanes_.ready = 0;
    while (i < records_.size() && is_of_engine(records_[i])) ++i;
    return i;
}

Status WarpStream::rows_apart(RecordSource& source, SiteKeys& sites, WarpEvents& events) {
    const std::size_t begin = next_, end = collect_steps();
    if (!boxes_are_asked_for(begin, end)) return damaged();
    if (!steps_.empty()) {
        const std::size_t first = steps_.front().record;
        const auto words = source.lane_words(first_record_ + first, end - first);
        if (!words) return words.error();
        std::uint32_t lanes = 0;
        for (const Step& step : steps_) lanes |= step.lanes;
        events.begin_turn();
        for (unsigned lane = 0; lane < kWarpSize; ++lane) {
            lane_clocks_[lane].clear();
            lane_boxes_[lane].clear();
            if ((lanes >> lane & 1u) == 0) continue;
            events.begin_lane(lane);
            const bool sound = replay_lane(lane, *words, sites, events);
            events.end_lane();
            if (!sound) return damaged();
        }
        rows_ = events.rows();
        find_clocks_apart();
        if (!add_boxes(*words, sites)) return damaged();
        rows_.clocks = row_clocks_;
    }
    next_ = records_.size();
    for_each_lane(lanes_.at_block_barrier | lanes_.at_warp_barrier, [&](unsigned lane) {
        if (resume_[lane] < after_last_[lane]) next_ = std::min(next_, resume_[lane]);
    });
    return Done{};
}

// `words` begin with those of the first step's record. A store that is cut off is left out.
bool WarpStream::replay_lane(unsigned lane, const std::uint32_t* words, SiteKeys& sites,
                             WarpEvents& events) {
    const std::size_t first = steps_.front().record;
    std::array<std::uint32_t, 5> event{};  // an offset and up to four words stored
    std::uint32_t had = 0, wanted = 0;     // words of it
    EventKey key = dialect::kNoEvent;
    for (const Step& step : steps_) {
        if ((step.lanes >> lane & 1u) == 0) continue;
        const DeviceRecord& record = records_[step.record];
        const bool goes_on = had < wanted;
        if (goes_on != (operation_of(record) == DeviceOperation::kStoredWord)) return false;
        if (!goes_on) {
            key = sites(record.site).key;
            if (key == dialect::kNoEvent) return false;
            if (operation_of(record) == DeviceOperation::kMultiplyAdd)
                accumulators_ = std::max(accumulators_, device::site_array(record.site) + 1);
            wanted = dialect::words_of(key);
            had = 0;
            lane_clocks_[lane].push_back(record.clock);
            if (operation_of(record) == DeviceOperation::kStartBox)
                lane_boxes_[lane].push_back(step.record);
        }
        event[had++] = words[(step.record - first) * kWarpSize + lane];
        if (had == wanted) record_event(events, key, event.data());
    }
    return true;
}

void WarpStream::find_clocks_apart() {
    std::array<std::size_t, kWarpSize> next{};
    for (std::size_t row = 0; row < rows_.keys.size(); ++row) {
        if (rows_.keys[row] == dialect::kValueWord) continue;
        std::uint64_t clock = std::numeric_limits<std::uint64_t>::max();
        for_each_lane(rows_.mask_of(row), [&](unsigned lane) {
            clock = std::min(clock, lane_clocks_[lane][next[lane]++]);
        });
        row_clocks_.push_back(clock);
    }
}

}  // namespace tilereel

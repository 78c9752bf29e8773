#include "instrumentation/record/warp_writer.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace tilereel {

using dialect::EventKind;
using dialect::kind_of;
using dialect::kValueWord;

void WarpWriter::begin_block(std::uint32_t warps) {
    sums_.begin_block(warps);
    pending_.clear();
}

void WarpWriter::write(const EventRows& rows, std::uint32_t warp, bool last, Batch& batch) {
    if (sums_.interval() > 1) find_last_sums(rows);
    std::size_t event = 0;
    for (std::size_t row = 0; row < rows.keys.size(); ++row) {
        if (rows.keys[row] == kValueWord) continue;
        write_row(rows, row, warp, last, batch);
        if (!rows.clocks.empty()) batch.keep_clock(rows.clocks[event++]);
    }
    if (!last) return;
    std::ranges::sort(pending_, std::greater{}, &Pending::record);  // so that none moves another
    for (const Pending& sum : pending_)
        batch.insert_values(sum.record, sum.value_at, sum.values, sum.mask);
    pending_.clear();
}

void WarpWriter::write_row(const EventRows& rows, std::size_t row, std::uint32_t warp, bool last,
                           Batch& batch) {
    const EventKey key = rows.keys[row];
    const std::uint32_t* words = rows.words + row * kWarpSize;
    const std::uint32_t mask = rows.mask_of(row);
    if (kind_of(key) == EventKind::kMultiplyAdd) {
        write_sum(rows, row, warp, last, batch);
    } else if (dialect::is_of_phase(key)) {
        write_phases(rows.sites[row], words, mask, batch);
    } else if (kind_of(key) == EventKind::kBarrier) {  // what is said of copies
        const std::uint32_t code = dialect::array_of(key);
        const bool waits = code >= dialect::kWaitCopies;
        batch.add_plain(rows.sites[row], waits ? code - dialect::kWaitCopies : 0, mask);
    } else {
        batch.add_access(rows.sites[row], words, mask);
        if (kind_of(key) == EventKind::kStore)
            batch.add_values(words + kWarpSize, mask, dialect::words_of(key) - 1);
    }
}

void WarpWriter::find_last_sums(const EventRows& rows) {
    std::ranges::fill(later_lanes_, 0u);
    last_lanes_.resize(std::max(last_lanes_.size(), rows.keys.size()));
    for (std::size_t row = rows.keys.size(); row-- > 0;) {
        const EventKey key = rows.keys[row];
        if (key == kValueWord || kind_of(key) != EventKind::kMultiplyAdd) continue;
        const std::uint32_t accumulator = dialect::array_of(key);
        if (accumulator >= later_lanes_.size()) later_lanes_.resize(accumulator + 1);
        last_lanes_[row] = rows.mask_of(row) & ~later_lanes_[accumulator];
        later_lanes_[accumulator] |= rows.mask_of(row);
    }
    for (Pending& sum : pending_)
        if (sum.accumulator < later_lanes_.size()) sum.lanes &= ~later_lanes_[sum.accumulator];
    std::erase_if(pending_, [](const Pending& sum) { return sum.lanes == 0; });
}

// A record for each phase that the lanes speak of.
void WarpWriter::write_phases(SiteId site, const std::uint32_t* words, std::uint32_t mask,
                              Batch& batch) {
    while (mask != 0) {
        const std::uint32_t phase = words[std::countr_zero(mask)];
        std::uint32_t lanes = 0;
        for (std::uint32_t left = mask; left != 0; left &= left - 1)
            if (words[std::countr_zero(left)] == phase) lanes |= left & (0u - left);
        batch.add_plain(site, phase, lanes);
        mask &= ~lanes;
    }
}

void WarpWriter::write_sum(const EventRows& rows, std::size_t row, std::uint32_t warp, bool last,
                           Batch& batch) {
    const std::uint32_t accumulator = dialect::array_of(rows.keys[row]);
    const std::uint32_t* words = rows.words + row * kWarpSize;
    const std::uint32_t mask = rows.mask_of(row);
    batch.add_plain(rows.sites[row], accumulator, mask);
    if (sums_.is_due(warp, accumulator, mask) || (last && last_lanes_[row] != 0)) {
        batch.add_values(words, mask, 1);
    } else if (last_lanes_[row] != 0) {
        pending_.push_back({.record = batch.records() - 1,
                            .value_at = batch.values(),
                            .accumulator = accumulator,
                            .lanes = last_lanes_[row],
                            .mask = mask,
                            .values = {}});
        std::memcpy(pending_.back().values.data(), words, sizeof(LaneWords));
    }
}

}  // namespace tilereel

// The part of WarpStream that puts what the copy engine did behind the lanes that asked for it.
#include <algorithm>

#include "instrumentation/record/device/device_records.h"
#include "instrumentation/record/device/warp_stream.h"

namespace tilereel {

using device::DeviceOperation;

// Nothing of the copy engine comes without a lane that starts a box.
bool WarpStream::boxes_are_asked_for(std::size_t begin, std::size_t end) const {
    bool asked = false;
    for (std::size_t i = begin; i < end; ++i) {
        if (!is_of_engine(records_[i]))
            asked = operation_of(records_[i]) == DeviceOperation::kStartBox;
        else if (!asked)
            return false;
    }
    return true;
}

// Behind each start of a box, the pieces that the engine copies. `words` begin with those of the
// first step's record.
bool WarpStream::add_boxes(const std::uint32_t* words, SiteKeys& sites) {
    const bool any =
        std::ranges::any_of(lane_boxes_, [](const auto& boxes) { return !boxes.empty(); });
    if (!any) return true;
    const EventRows rows = rows_;
    const std::vector<std::uint64_t> clocks = std::move(row_clocks_);
    row_keys_.clear();
    row_sites_.clear();
    row_masks_.clear();
    row_words_.clear();
    row_clocks_.clear();
    std::array<std::size_t, kWarpSize> next{};  // of lane_boxes_
    for (std::size_t row = 0, event = 0; row < rows.keys.size(); ++row) {
        const EventKey key = rows.keys[row];
        if (key != dialect::kValueWord) row_clocks_.push_back(clocks[event++]);
        add_row(key, rows.sites[row], rows.mask_of(row), rows.words + row * kWarpSize);
        if (key == dialect::kValueWord || !dialect::is_of_phase(key) ||
            dialect::array_of(key) != dialect::kStartBoxOfPhase)
            continue;
        bool sound = true;
        for_each_lane(rows.mask_of(row), [&](unsigned lane) {
            const std::size_t box = lane_boxes_[lane][next[lane]++];
            sound = sound && add_pieces(box, words, sites);
        });
        if (!sound) return false;
    }
    rows_ = {.keys = row_keys_,
             .sites = row_sites_,
             .masks = row_masks_,
             .mask = rows.mask,
             .words = row_words_.data()};
    return true;
}

// Those of the box whose start is that record. What is cut off within a piece is left out.
bool WarpStream::add_pieces(std::size_t box, const std::uint32_t* words, SiteKeys& sites) {
    const std::size_t first = steps_.front().record;
    const auto operation_at = [&](std::size_t i) { return operation_of(records_[i]); };
    for (std::size_t i = box + 1; i < records_.size() && is_of_engine(records_[i]);) {
        const bool loads = operation_at(i) == DeviceOperation::kBoxLoad;
        const std::size_t store = i + (loads ? 1 : 0);
        const std::size_t end = store + 1 + words_stored(records_[i].site);
        if (end > records_.size()) return true;
        if (operation_at(store) != DeviceOperation::kBoxStore) return false;
        for (; i < end; ++i) {
            const bool is_word = i > store;
            if (is_word != (operation_at(i) == DeviceOperation::kBoxWord)) return false;
            const SiteKeys::Known& known = sites(records_[is_word ? store : i].site);
            if (known.key == dialect::kNoEvent || records_[i].mask == 0 ||
                records_[i].mask != records_[store].mask)
                return false;
            if (!is_word) row_clocks_.push_back(records_[i].clock);
            add_row(is_word ? dialect::kValueWord : known.key, known.id, records_[i].mask,
                    words + (i - first) * kWarpSize);
        }
    }
    return true;
}

void WarpStream::add_row(EventKey key, SiteId site, std::uint32_t mask,
                         const std::uint32_t* words) {
    row_keys_.push_back(key);
    row_sites_.push_back(site);
    row_masks_.push_back(mask);
    row_words_.insert(row_words_.end(), words, words + kWarpSize);
}

}  // namespace tilereel

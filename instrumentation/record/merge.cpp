#include "instrumentation/record/merge.h"

#include <algorithm>

#include "instrumentation/base/reserve_column.h"

namespace tilereel {
namespace {

constexpr std::uint32_t kUnnumbered = 0xffffffff;

template <class T>
void append(std::vector<T>& to, const Column<T>& from, bool populates) {
    if (populates) populate_column(to, from.size());
    to.insert(to.end(), from.data(), from.data() + from.size());
}

}  // namespace

void Merger::add(Batch& batch, std::size_t step) {
    switch (step) {
        case 0:
            return number(batch);
        case 1:
            return add_records(batch);
        case 2:
            return add_clocks(batch);
        default:
            return add_values(batch);
    }
}

void Merger::number(Batch& batch) {
    trace_.accumulators = std::max(trace_.accumulators, batch.accumulators);
    renumber(batch);
}

void Merger::add_records(const Batch& batch) {
    Records& records = trace_.records;
    if (records.site.empty()) {
        const std::size_t expected = batch.records() * batches_;
        reserve_column(records.site, expected);
        reserve_column(records.pattern, expected);
        reserve_column(records.base, expected);
    }
    append(records.site, batch.site_, populates_);
    append(records.pattern, batch.pattern_, populates_);
    append(records.base, batch.base_, populates_);
}

void Merger::add_clocks(const Batch& batch) {
    std::vector<std::uint64_t>& clocks = trace_.records.clock;
    if (clocks.empty()) reserve_column(clocks, batch.clocks.size() * batches_);
    append(clocks, batch.clocks, populates_);
}

void Merger::add_values(const Batch& batch) {
    Segments& segments = trace_.segments;
    if (trace_.words.empty()) reserve_column(trace_.words, batch.values() * batches_);
    if (segments.block.empty()) {
        const std::size_t expected = batch.segment_block_.size() * batches_;
        segments.block.reserve(expected);
        segments.epoch.reserve(expected);
        segments.warp.reserve(expected);
        segments.record_begin.reserve(expected + 1);
        segments.value_begin.reserve(expected + 1);
    }
    append(trace_.words, batch.values_, populates_);
    append(segments.block, batch.segment_block_, populates_);
    append(segments.epoch, batch.segment_epoch_, populates_);
    append(segments.warp, batch.segment_warp_, populates_);
    for (const std::uint64_t begin : batch.segment_record_.view())
        segments.record_begin.push_back(records_ + begin);
    for (const std::uint64_t begin : batch.segment_value_.view())
        segments.value_begin.push_back(values_ + begin);
    records_ += batch.records();
    values_ += batch.values();
}

void Merger::finish() {
    trace_.segments.record_begin.push_back(records_);
    trace_.segments.value_begin.push_back(values_);
}

void Merger::renumber(Batch& batch) {
    site_of_.assign(batch.sites_.size(), kUnnumbered);
    pattern_of_.assign(batch.patterns_.size(), kUnnumbered);
    for (std::size_t i = 0; i < batch.records(); ++i) {
        std::uint16_t& site = batch.site_[i];
        std::uint32_t& pattern = batch.pattern_[i];
        const std::uint16_t flag = site & Records::kHasValues;
        const auto local = static_cast<std::uint16_t>(site ^ flag);
        if (site_of_[local] == kUnnumbered) [[unlikely]]
            site_of_[local] = site_number(batch.sites_[local]);
        site = static_cast<std::uint16_t>(site_of_[local] | flag);
        if (pattern_of_[pattern] == kUnnumbered) [[unlikely]]
            pattern_of_[pattern] = pattern_number(batch, batch.patterns_[pattern]);
        pattern = pattern_of_[pattern];
    }
}

std::uint32_t Merger::site_number(const Site& site) {
    const auto found = std::ranges::find(trace_.sites, site);
    const auto number = static_cast<std::uint32_t>(found - trace_.sites.begin());
    if (found == trace_.sites.end()) trace_.sites.push_back(site);
    return number;
}

std::uint32_t Merger::pattern_number(const Batch& batch, Pattern pattern) {
    if (pattern.irregular != Pattern::kRegular) {
        const IrregularOffsets& offsets = batch.irregular_[pattern.irregular];
        const auto next = static_cast<std::uint32_t>(trace_.irregular_offsets.size());
        const auto [entry, fresh] = irregular_numbers_.try_emplace(offsets, next);
        if (fresh) trace_.irregular_offsets.push_back(offsets);
        pattern.irregular = entry->second;
    }
    const auto next = static_cast<std::uint32_t>(trace_.patterns.size());
    const auto [entry, fresh] = pattern_numbers_.try_emplace(pattern, next);
    if (fresh) trace_.patterns.push_back(pattern);
    return entry->second;
}

}  // namespace tilereel

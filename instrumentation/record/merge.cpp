#include "instrumentation/record/merge.h"

#include <algorithm>

namespace tilereel {
namespace {

constexpr std::uint32_t kUnnumbered = 0xffffffff;

template <class T>
void append_rows(std::vector<T>& to, const Column<T>& from) {
    to.insert(to.end(), from.data(), from.data() + from.size());
}

}  // namespace

void Merger::add(Batch& batch, std::size_t step) {
    switch (step) {
        case 0:
            return add_tables(batch);
        case 1:
            return add_records(batch);
        case 2:
            return add_clocks(batch);
        default:
            return add_values(batch);
    }
}

RecordColumns Merger::number(Batch& batch) {
    add_tables(batch);
    for (std::size_t i = 0; i < batch.segment_record_.size(); ++i) {
        batch.segment_record_[i] += records_;
        batch.segment_value_[i] += values_;
    }
    records_ += batch.records();
    values_ += batch.values();
    return {.site = batch.site_.view(),
            .pattern = batch.pattern_.view(),
            .base = batch.base_.view(),
            .clock = batch.clocks.view(),
            .block = batch.segment_block_.view(),
            .epoch = batch.segment_epoch_.view(),
            .warp = batch.segment_warp_.view(),
            .record_begin = batch.segment_record_.view(),
            .value_begin = batch.segment_value_.view(),
            .words = batch.values_.view()};
}

void Merger::populate(std::size_t batch) const {
#ifdef MADV_POPULATE_WRITE
    for (const Reserved& each : reserved_)
        if (const std::byte* const begin = each.begin.load(std::memory_order_acquire);
            begin != nullptr)
            advise_pages(begin + batch * each.batch_bytes, each.batch_bytes,
                         std::uintptr_t{4} << 10, MADV_POPULATE_WRITE);
#endif
}

void Merger::add_tables(Batch& batch) {
    trace_.accumulators = std::max(trace_.accumulators, batch.accumulators);
    renumber(batch);
}

void Merger::add_records(const Batch& batch) {
    Records& records = trace_.records;
    if (records.site.empty()) {
        reserve(records.site, batch.records(), reserved_[0]);
        reserve(records.pattern, batch.records(), reserved_[1]);
        reserve(records.base, batch.records(), reserved_[2]);
    }
    append(records.site, batch.site_, reserved_[0]);
    append(records.pattern, batch.pattern_, reserved_[1]);
    append(records.base, batch.base_, reserved_[2]);
}

void Merger::add_clocks(const Batch& batch) {
    std::vector<std::uint64_t>& clocks = trace_.records.clock;
    if (clocks.empty()) reserve(clocks, batch.clocks.size(), reserved_[3]);
    append(clocks, batch.clocks, reserved_[3]);
}

void Merger::add_values(const Batch& batch) {
    Segments& segments = trace_.segments;
    if (trace_.words.empty()) reserve(trace_.words, batch.values(), reserved_[4]);
    if (segments.block.empty()) {
        const std::size_t expected = batch.segment_block_.size() * batches_;
        segments.block.reserve(expected);
        segments.epoch.reserve(expected);
        segments.warp.reserve(expected);
        segments.record_begin.reserve(expected + 1);
        segments.value_begin.reserve(expected + 1);
    }
    append(trace_.words, batch.values_, reserved_[4]);
    append_rows(segments.block, batch.segment_block_);
    append_rows(segments.epoch, batch.segment_epoch_);
    append_rows(segments.warp, batch.segment_warp_);
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

// Whether each site and pattern of the batch is in the trace with the same number, as after most
// batches: then no record changes.
bool Merger::has_numbers_of_trace(const Batch& batch) const {
    if (batch.sites_.size() > trace_.sites.size() ||
        batch.patterns_.size() > trace_.patterns.size() ||
        !std::equal(batch.sites_.begin(), batch.sites_.end(), trace_.sites.begin()))
        return false;
    for (std::size_t i = 0; i < batch.patterns_.size(); ++i) {
        Pattern ours = batch.patterns_[i], theirs = trace_.patterns[i];
        const bool is_regular = ours.irregular == Pattern::kRegular;
        if (is_regular != (theirs.irregular == Pattern::kRegular)) return false;
        if (!is_regular &&
            batch.irregular_[ours.irregular] != trace_.irregular_offsets[theirs.irregular])
            return false;
        ours.irregular = theirs.irregular;
        if (!(ours == theirs)) return false;
    }
    return true;
}

void Merger::renumber(Batch& batch) {
    if (has_numbers_of_trace(batch)) return;
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

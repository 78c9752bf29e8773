#include "instrumentation/record/merge.h"

#include <sys/mman.h>

#include <algorithm>

namespace tilereel {
namespace {

constexpr std::uint32_t kUnnumbered = 0xffffffff;

template <class T>
void append(std::vector<T>& to, const Column<T>& from) {
    to.insert(to.end(), from.data(), from.data() + from.size());
}

// Room for `count` elements, in large pages where the system has them: touching a long column page
// by page costs more than writing it.
template <class T>
void reserve_column(std::vector<T>& column, std::size_t count) {
    column.reserve(count);
    constexpr std::uintptr_t kLargePage = std::uintptr_t{2} << 20;
    const auto begin = reinterpret_cast<std::uintptr_t>(column.data());
    const std::uintptr_t first = (begin + kLargePage - 1) / kLargePage * kLargePage;
    const std::uintptr_t last = (begin + count * sizeof(T)) / kLargePage * kLargePage;
    if (first < last)  // advice: nothing depends on whether it is taken
        static_cast<void>(madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE));
}

}  // namespace

void Merger::reserve(const Batch& batch) {
    const std::size_t records = batch.records() * batches_;
    reserve_column(trace_.records.site, records);
    reserve_column(trace_.records.pattern, records);
    reserve_column(trace_.records.base, records);
    reserve_column(trace_.records.clock, batch.clocks.size() * batches_);
    reserve_column(trace_.words, batch.values() * batches_);
    const std::size_t segments = batch.segment_block_.size() * batches_;
    trace_.segments.block.reserve(segments);
    trace_.segments.epoch.reserve(segments);
    trace_.segments.warp.reserve(segments);
    trace_.segments.record_begin.reserve(segments + 1);
    trace_.segments.value_begin.reserve(segments + 1);
}

void Merger::add(Batch& batch) {
    if (trace_.records.size() == 0) reserve(batch);
    array_of_.clear();
    for (const Array& array : batch.shared_arrays) array_of_.push_back(array_number(array));
    trace_.launch.shared_bytes = std::max(trace_.launch.shared_bytes, batch.shared_bytes);
    trace_.accumulators = std::max(trace_.accumulators, batch.accumulators);
    const std::uint64_t first_record = trace_.records.size();
    const std::uint64_t first_value = trace_.words.size();
    renumber(batch);
    append(trace_.records.site, batch.site_);
    append(trace_.records.pattern, batch.pattern_);
    append(trace_.records.base, batch.base_);
    append(trace_.records.clock, batch.clocks);
    append(trace_.words, batch.values_);
    append(trace_.segments.block, batch.segment_block_);
    append(trace_.segments.epoch, batch.segment_epoch_);
    append(trace_.segments.warp, batch.segment_warp_);
    for (const std::uint64_t begin : batch.segment_record_.view())
        trace_.segments.record_begin.push_back(first_record + begin);
    for (const std::uint64_t begin : batch.segment_value_.view())
        trace_.segments.value_begin.push_back(first_value + begin);
}

void Merger::finish() {
    trace_.segments.record_begin.push_back(trace_.records.size());
    trace_.segments.value_begin.push_back(trace_.words.size());
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
            site_of_[local] = site_number(batch, batch.sites_[local]);
        site = static_cast<std::uint16_t>(site_of_[local] | flag);
        if (pattern_of_[pattern] == kUnnumbered) [[unlikely]]
            pattern_of_[pattern] = pattern_number(batch, batch.patterns_[pattern]);
        pattern = pattern_of_[pattern];
    }
}

ArrayId Merger::array_number(const Array& array) {
    const auto same = [&](const Array& other) {
        return other.space == array.space && other.name == array.name &&
               other.base_bytes == array.base_bytes;
    };
    const auto found = std::ranges::find_if(trace_.arrays, same);
    const auto number = static_cast<ArrayId>(found - trace_.arrays.begin());
    if (found == trace_.arrays.end()) trace_.arrays.push_back(array);
    return number;
}

std::uint32_t Merger::site_number(const Batch& batch, Site site) {
    if (site.array != kNoArray && site.array >= batch.known_arrays)
        site.array = array_of_[site.array - batch.known_arrays];
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

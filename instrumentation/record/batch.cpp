#include "instrumentation/record/batch.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "instrumentation/base/check.h"
#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

std::size_t mix(std::size_t hash, std::uint32_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15;
    return hash ^ (hash >> 29);
}

// A regular pattern from a few of the lanes; it need not fit the others. The delta of a bit of the
// lane number is the difference between two active lanes that differ in that bit only. If there are
// none, a lane for which only this delta is missing gives it: the part of its offset that the other
// deltas do not explain. Otherwise it is 0.
Pattern regular_pattern(const std::uint32_t* offsets, std::uint32_t mask) {
    Pattern pattern{.mask = mask, .delta_bytes = {}, .irregular = Pattern::kRegular};
    const auto first = static_cast<unsigned>(std::countr_zero(mask));
    unsigned known = 0;
    const auto lanes_without = [](unsigned bit) {  // lanes whose number has that bit clear
        constexpr std::array<std::uint32_t, 5> kClear = {0x55555555, 0x33333333, 0x0f0f0f0f,
                                                         0x00ff00ff, 0x0000ffff};
        return kClear[bit];
    };
    for (unsigned bit = 0; bit < 5; ++bit) {
        const std::uint32_t lower = mask & (mask >> (1u << bit)) & lanes_without(bit);
        if (lower == 0) continue;
        const auto lane = static_cast<unsigned>(std::countr_zero(lower));
        pattern.delta_bytes[bit] =
            static_cast<std::int32_t>(offsets[lane + (1u << bit)] - offsets[lane]);
        known |= 1u << bit;
    }
    for (const std::uint32_t lane : lanes_in(mask)) {
        const unsigned unknown = (lane ^ first) & ~known;
        if (std::popcount(unknown) != 1) continue;
        std::uint32_t rest = offsets[lane] - offsets[first];
        for (unsigned bit = 0; bit < 5; ++bit) {
            const auto delta = static_cast<std::uint32_t>(pattern.delta_bytes[bit]);
            rest -= (lane >> bit & 1u) * delta - (first >> bit & 1u) * delta;
        }
        const auto bit = static_cast<unsigned>(std::countr_zero(unknown));
        pattern.delta_bytes[bit] =
            static_cast<std::int32_t>((lane >> bit & 1u) != 0 ? rest : 0u - rest);
        known |= unknown;
    }
    return pattern;
}

}  // namespace

std::size_t PatternHash::operator()(const Pattern& pattern) const {
    std::size_t hash = mix(pattern.irregular, pattern.mask);
    for (const std::int32_t delta : pattern.delta_bytes)
        hash = mix(hash, static_cast<std::uint32_t>(delta));
    return hash;
}

std::size_t OffsetsHash::operator()(const IrregularOffsets& offsets) const {
    std::size_t hash = 0;
    for (const std::int32_t offset : offsets) hash = mix(hash, static_cast<std::uint32_t>(offset));
    return hash;
}

Batch::Batch() = default;

SiteId Batch::add_site(const Site& site) {
    check(sites_.size() < Records::kHasValues);
    sites_.push_back(site);
    last_.emplace_back();
    return static_cast<SiteId>(sites_.size() - 1);
}

void Batch::begin_segment(std::uint32_t block, std::uint32_t epoch, std::uint16_t warp) {
    segment_block_.push(block);
    segment_epoch_.push(epoch);
    segment_warp_.push(warp);
    segment_record_.push(records());
    segment_value_.push(values());
}

void Batch::end_segment() {
    const std::size_t last = segment_record_.size() - 1;
    if (segment_record_[last] != records()) return;
    segment_block_.truncate(last);
    segment_epoch_.truncate(last);
    segment_warp_.truncate(last);
    segment_record_.truncate(last);
    segment_value_.truncate(last);
}

Batch::Mark Batch::mark() const {
    return {.records = records(),
            .values = values(),
            .segments = segment_block_.size(),
            .clocks = clocks.size()};
}

void Batch::roll_back(const Mark& mark) {
    site_.truncate(mark.records);
    pattern_.truncate(mark.records);
    base_.truncate(mark.records);
    values_.truncate(mark.values);
    segment_block_.truncate(mark.segments);
    segment_epoch_.truncate(mark.segments);
    segment_warp_.truncate(mark.segments);
    segment_record_.truncate(mark.segments);
    segment_value_.truncate(mark.segments);
    clocks.truncate(mark.clocks);
}

void Batch::end_block(std::uint32_t block) {
    const std::size_t segments = segment_block_.size();
    if (segments == 0 || segment_block_[segments - 1] != block) begin_segment(block, 0, 0);
}

void Batch::add_access(SiteId site, const std::uint32_t* offsets, std::uint32_t mask,
                       std::uint32_t shift) {
    LastPattern& last = last_[site];
    const std::uint32_t base = offsets[std::countr_zero(mask)];
    if (!is_like(last, offsets, base, mask)) [[unlikely]]
        learn_pattern(last, offsets, mask);
    site_.push(site);
    pattern_.push(last.pattern);
    base_.push(base + shift);
}

bool Batch::add_access_like_last(SiteId site, const std::uint32_t* offsets, std::uint32_t mask,
                                 std::uint32_t shift, std::uint32_t begin, std::uint32_t last) {
    const LastPattern& pattern = last_[site];
    const std::uint32_t base = offsets[std::countr_zero(mask)];
    const std::int64_t first = base - begin;
    if (first + pattern.lowest < 0 || first + pattern.highest > last ||
        !is_like(pattern, offsets, base, mask)) [[unlikely]]
        return false;
    site_.push(site);
    pattern_.push(pattern.pattern);
    base_.push(base + shift);
    return true;
}

bool Batch::is_like(const LastPattern& last, const std::uint32_t* offsets, std::uint32_t base,
                    std::uint32_t mask) {
    std::uint32_t differs = mask ^ last.mask;
    if (mask == 0xffffffff)  // nearly always
        for (std::size_t lane = 0; lane < kWarpSize; ++lane)
            differs |= offsets[lane] - base - last.relative[lane];
    else
        for (std::size_t lane = 0; lane < kWarpSize; ++lane)
            differs |= (offsets[lane] - base - last.relative[lane]) & last.active[lane];
    return differs == 0;
}

void Batch::learn_pattern(LastPattern& last, const std::uint32_t* offsets, std::uint32_t mask) {
    const std::uint32_t base = offsets[std::countr_zero(mask)];
    IrregularOffsets relative{};
    last.lowest = last.highest = 0;
    for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
        const bool active = (mask >> lane & 1u) != 0;
        last.active[lane] = active ? 0xffffffff : 0;
        last.relative[lane] = active ? offsets[lane] - base : 0;
        relative[lane] = static_cast<std::int32_t>(last.relative[lane]);
        last.lowest = std::min(last.lowest, relative[lane]);
        last.highest = std::max(last.highest, relative[lane]);
    }
    last.mask = mask;
    Pattern pattern = regular_pattern(offsets, mask);
    const LaneOffsets lanes = expand(pattern, base, {});
    bool regular = true;
    for (std::size_t lane = 0; lane < kWarpSize; ++lane)
        regular = regular && ((lanes.bytes[lane] ^ offsets[lane]) & last.active[lane]) == 0;
    if (!regular) {
        const auto next = static_cast<std::uint32_t>(irregular_.size());
        const auto [entry, fresh] = irregular_numbers_.try_emplace(relative, next);
        if (fresh) irregular_.push_back(relative);
        pattern.delta_bytes = {};
        pattern.irregular = entry->second;
    }
    last.pattern = pattern_number(pattern);
}

std::uint32_t Batch::pattern_number(const Pattern& pattern) {
    const auto next = static_cast<std::uint32_t>(patterns_.size());
    const auto [entry, fresh] = pattern_numbers_.try_emplace(pattern, next);
    if (fresh) patterns_.push_back(pattern);
    return entry->second;
}

std::uint32_t Batch::plain_pattern(std::uint32_t mask) {
    plain_mask_ = mask;
    plain_pattern_ =
        pattern_number({.mask = mask, .delta_bytes = {}, .irregular = Pattern::kRegular});
    return plain_pattern_;
}

void Batch::add_values(const std::uint32_t* rows, std::uint32_t mask, std::uint32_t words) {
    site_[site_.size() - 1] |= Records::kHasValues;
    if (words == 1 && mask == 0xffffffff) {  // nearly always
        std::memcpy(values_.extend(kWarpSize), rows, sizeof(LaneWords));
        return;
    }
    std::uint32_t* out = values_.extend(static_cast<std::size_t>(std::popcount(mask)) * words);
    for (; mask != 0; mask &= mask - 1)
        for (std::uint32_t word = 0; word < words; ++word)
            *out++ = rows[word * kWarpSize + std::countr_zero(mask)];
}

void Batch::clear_records() { roll_back({}); }

void Batch::clear() {
    clear_records();
    accumulators = 0;
    sites_.clear();
    last_.clear();
    patterns_.clear();
    pattern_numbers_.clear();
    irregular_.clear();
    irregular_numbers_.clear();
    plain_mask_ = 0;
}

}  // namespace tilereel

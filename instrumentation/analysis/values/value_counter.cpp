#include "instrumentation/analysis/values/value_counter.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>

#include "instrumentation/analysis/hazards/hazards.h"
#include "instrumentation/base/check.h"
#include "instrumentation/trace/launch_names.h"

namespace tilereel {
namespace {

template <class Visit>
void for_each_lane(std::uint32_t mask, Visit&& visit) {
    for (; mask != 0; mask &= mask - 1) visit(static_cast<std::uint32_t>(std::countr_zero(mask)));
}

}  // namespace

std::string nine_digits(float value) {
    if (std::isnan(value)) return "NaN";
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", double(value));
    return text;
}

ValueCounter::ValueCounter(const Trace& trace)
    : trace_(trace),
      is_of_clusters_(std::ranges::any_of(
          trace.arrays, [](const Array& array) { return array.space == Space::kSharedCluster; })),
      shared_(trace),
      product_(trace),
      warps_(trace.launch.warps()),
      sums_(std::size_t{trace.launch.warps()} * kWarpSize * trace.accumulators) {}

void ValueCounter::run() {
    const Segments& segments = trace_.segments;
    for (std::size_t first = 0, last = 0; first < segments.size(); first = last) {
        while (last < segments.size() && segments.block[last] == segments.block[first] &&
               segments.epoch[last] == segments.epoch[first])
            ++last;
        if (segments.epoch[first] == 0) begin_block();
        shared_.begin_epoch(first, last);
        for (std::size_t segment = first; segment < last; ++segment) add_segment(segment);
        shared_.end_epoch();
    }
}

void ValueCounter::begin_block() {
    ++block_;
    shared_.begin_block();
    for (WarpRegisters& warp : warps_) warp.clear();
    loads_c_.assign(loads_c_.size(), false);
}

void ValueCounter::add_segment(std::size_t segment) {
    dcheck(segment < trace_.segments.size());
    segment_ = segment;
    warp_ = trace_.segments.warp[segment];
    value_ = trace_.segments.value_begin[segment];
    const std::uint64_t end = trace_.segments.record_begin[segment + 1];
    for (std::uint64_t record = trace_.segments.record_begin[segment]; record < end; ++record) {
        const Site& site = site_at(trace_, record);
        const std::uint32_t* values = trace_.words.data() + value_;
        if (has_values(trace_, record)) value_ += value_count(trace_, record);
        if (site.operation == Operation::kLoad) load(record, site);
        if (site.operation == Operation::kCopyLoad) copy_load(record);
        if (site.operation == Operation::kCopyStore) copy_store(record, values);
        if (site.operation == Operation::kStore) store(record, site, values);
        if (site.operation == Operation::kMultiplyAdd) multiply_add(record, values);
    }
}

SharedState::Content ValueCounter::content(const Site& site, std::uint32_t lane,
                                           std::uint32_t offset) const {
    if (trace_.arrays[site.array].space == Space::kShared)
        return trace_.launch.removed_barrier == 0 && !is_of_clusters_
                   ? shared_.load(offset / 4, warp_)
                   : SharedState::Content{};
    const std::optional<std::size_t> element = element_at(site.array, offset);
    if (!element) return {};
    if (site.array == matrices_.a) return {a_[*element], true};
    if (site.array == matrices_.b) return {b_[*element], true};
    return product_.load(thread_of_launch(trace_, segment_, lane), *element);
}

std::optional<std::size_t> ValueCounter::element_at(ArrayId id, std::uint32_t offset) const {
    if (id != matrices_.a && id != matrices_.b && id != matrices_.c) return std::nullopt;
    const Array& array = trace_.arrays[id];
    if (array.type != ElementType::kFloat32) return std::nullopt;
    const ElementPlace place = array.place_of(offset / std::uint32_t{sizeof(float)});
    if (place.row >= array.rows || place.column >= array.columns) return std::nullopt;
    return std::size_t{place.row} * array.columns + place.column;
}

void ValueCounter::load(std::uint64_t record, const Site& site) {
    dcheck(record < trace_.records.size());
    LoadedWord words[4];
    for_each_moved_word(trace_, record,
                        [&](std::uint32_t lane, std::uint32_t at, std::uint32_t offset) {
                            const SharedState::Content found = content(site, lane, offset);
                            LoadedWord& word = words[at];
                            word.mask |= 1u << lane;
                            word.values[lane] = found.value;
                            if (!found.known) word.unknown |= 1u << lane;
                        });
    const bool global = trace_.arrays[site.array].space == Space::kGlobal;
    if (site.array == matrices_.c) loads_c_[warp_] = true;
    for (std::uint32_t at = 0; at < site.words(); ++at) warps_[warp_].load(words[at], global);
}

void ValueCounter::copy_load(std::uint64_t record) {
    dcheck(record < trace_.records.size());
    const Site& site = site_at(trace_, record);
    copied_.clear();
    for_each_moved_word(trace_, record,
                        [&](std::uint32_t lane, std::uint32_t, std::uint32_t offset) {
                            copied_.push_back(content(site, lane, offset));
                        });
}

void ValueCounter::copy_store(std::uint64_t record, const std::uint32_t* values) {
    dcheck(record < trace_.records.size());
    const bool zeros = brings_zeros(trace_, record);
    std::size_t next = 0;
    for_each_moved_word(trace_, record, [&](std::uint32_t, std::uint32_t, std::uint32_t offset) {
        const auto value = std::bit_cast<float>(values[next]);
        const SharedState::Content source =
            zeros ? SharedState::Content{0.0f, true} : copied_[next];
        ++next;
        shared_.store(offset / 4, value);
        if (!source.known || same_value(source.value, value) || !false_copy_.empty()) return;
        false_copy_ = "copies " + nine_digits(value) + " on line " +
                      std::to_string(site_at(trace_, record).line) + ", where the matrix has " +
                      nine_digits(source.value);
    });
}

void ValueCounter::store(std::uint64_t record, const Site& site, const std::uint32_t* values) {
    dcheck(record < trace_.records.size());
    const bool shared = trace_.arrays[site.array].space == Space::kShared;
    WarpRegisters::Verdict verdict = WarpRegisters::Verdict::kExplained;
    std::size_t next = 0;
    std::uint32_t odd_lane = 0;
    float odd_value = 0;
    for_each_moved_word(trace_, record,
                        [&](std::uint32_t lane, std::uint32_t, std::uint32_t offset) {
                            const auto value = std::bit_cast<float>(values[next++]);
                            const auto found = explain(lane, value);
                            if (found != WarpRegisters::Verdict::kExplained &&
                                verdict != WarpRegisters::Verdict::kUnexplained) {
                                verdict = found;
                                odd_lane = lane;
                                odd_value = value;
                            }
                            if (shared) shared_.store(offset / 4, value);
                            if (site.array == matrices_.c) {
                                if (const auto element = element_at(site.array, offset))
                                    product_.store(*element, value);
                                for (std::uint32_t i = 0; i < accumulators_used_; ++i)
                                    sum_of(lane, i).stored = true;
                            }
                        });
    count(record, verdict, odd_lane, " stores ", odd_value);
}

WarpRegisters::Verdict ValueCounter::explain(std::uint32_t lane, float value) {
    if (value == 0) return WarpRegisters::Verdict::kExplained;
    bool unknown_sum = false;
    for (std::uint32_t i = 0; i < accumulators_used_; ++i) {
        const Sum& sum = sum_of(lane, i);
        if (sum.block != block_) continue;
        unknown_sum = unknown_sum || !sum.known;
        if (sum.known && (same_value(sum.unfused, value) || same_value(sum.fused, value)))
            return WarpRegisters::Verdict::kExplained;
    }
    const WarpRegisters::Verdict loaded = warps_[warp_].has_loaded(lane, value);
    return loaded == WarpRegisters::Verdict::kUnexplained && unknown_sum
               ? WarpRegisters::Verdict::kUndecided
               : loaded;
}

ValueCounter::Sum& ValueCounter::sum_of(std::uint32_t lane, std::uint32_t accumulator) {
    const std::size_t thread = std::size_t{warp_} * kWarpSize + lane;
    return sums_[thread * trace_.accumulators + accumulator];
}

ValueCounter::Sum& ValueCounter::current_sum(std::uint32_t lane, std::uint32_t accumulator) {
    Sum& sum = sum_of(lane, accumulator);
    if (sum.block != block_) sum = {.block = block_, .known = true};
    return sum;
}

void ValueCounter::multiply_add(std::uint64_t record, const std::uint32_t* values) {
    dcheck(record < trace_.records.size());
    const std::uint32_t mask = trace_.patterns[trace_.records.pattern[record]].mask;
    const std::uint32_t accumulator = trace_.records.base[record];
    accumulators_used_ = std::max(accumulators_used_, accumulator + 1);
    if (!has_values(trace_, record)) return compute_sum(mask, accumulator);
    std::array<float, kWarpSize> unfused{}, fused{}, after{};
    const std::array<float, kWarpSize> zero{};
    bool known = true;
    std::size_t next = 0;
    for_each_lane(mask, [&](std::uint32_t lane) {
        const Sum& sum = current_sum(lane, accumulator);
        known = known && sum.known;
        unfused[lane] = sum.unfused;
        fused[lane] = sum.fused;
        after[lane] = std::bit_cast<float>(values[next++]);
    });
    const SiteId site = site_of(trace_, record);
    WarpRegisters& warp = warps_[warp_];
    using Verdict = WarpRegisters::Verdict;
    Verdict verdict = Verdict::kUndecided;
    if (loads_c_[warp_]) {  // a sum may begin with a value loaded from C
        warp.skip_multiply_add();
    } else if (known) {
        verdict = warp.multiply_add(site, mask, unfused, after);
        // A product may have been rounded together with the sum, or the sum may have begun
        // again.
        if (verdict == Verdict::kUnexplained && fused != unfused)
            verdict = warp.check_again(mask, fused, after);
        if (verdict == Verdict::kUnexplained) verdict = warp.check_again(mask, zero, after);
    } else {
        warp.skip_multiply_add();
    }
    for_each_lane(mask, [&](std::uint32_t lane) {
        current_sum(lane, accumulator) = {
            .block = block_, .unfused = after[lane], .fused = after[lane], .known = true};
    });
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
    count(record, verdict, lane, " has a sum of ", after[lane]);
}

void ValueCounter::compute_sum(std::uint32_t mask, std::uint32_t accumulator) {
    const auto operands = warps_[warp_].only_operands(mask);
    for_each_lane(mask, [&](std::uint32_t lane) {
        Sum& sum = current_sum(lane, accumulator);
        sum.known = sum.known && !sum.stored && operands.has_value();
        sum.stored = false;
        if (!sum.known) return;
        const float x = operands->first->values[lane], y = operands->second->values[lane];
        const float product = x * y;
        sum.unfused += product;
        sum.fused = std::fma(x, y, sum.fused);
    });
    warps_[warp_].skip_multiply_add();
}

void ValueCounter::count(std::uint64_t record, WarpRegisters::Verdict verdict, std::uint32_t lane,
                         const char* does, float value) {
    dcheck(record < trace_.records.size());
    SiteCount& counted = counts_[site_of(trace_, record)];
    if (verdict == WarpRegisters::Verdict::kExplained) ++counted.explained;
    if (verdict != WarpRegisters::Verdict::kUnexplained) return;
    if (counted.unexplained++ != 0) return;
    counted.first_record = record;
    counted.first = name_of_thread(trace_, std::uint32_t{warp_} * kWarpSize + lane) + " of block " +
                    block_name(trace_.launch.grid, trace_.segments.block[segment_]) + does +
                    nine_digits(value) + " on line " + std::to_string(site_at(trace_, record).line);
}

}  // namespace tilereel

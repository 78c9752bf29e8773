#include "tests/replay/hand_trace.h"

#include <algorithm>

namespace tilereel {

HandTrace::HandTrace(std::uint32_t m, std::uint32_t n, std::uint32_t k, Dim3 grid, Dim3 block) {
    trace.launch.kernel = "by_hand";
    trace.launch.m = m;
    trace.launch.n = n;
    trace.launch.k = k;
    trace.launch.grid = grid;
    trace.launch.block = block;
    trace.arrays = {{"A", Space::kGlobal, m, k, k, 4, 0},
                    {"B", Space::kGlobal, k, n, n, 4, 0},
                    {"C", Space::kGlobal, m, n, n, 4, 0}};
    trace.product = MatrixProduct{};
    a.resize(std::size_t{m} * k);
    b.resize(std::size_t{k} * n);
}

ArrayId HandTrace::shared_array(std::string name, std::uint32_t rows, std::uint32_t columns,
                                std::uint32_t leading_dimension, std::uint32_t element_bytes) {
    Array array{std::move(name), Space::kShared,           rows, columns, leading_dimension,
                element_bytes,   trace.launch.shared_bytes};
    trace.launch.shared_bytes += static_cast<std::uint32_t>(array.size_bytes());
    trace.arrays.push_back(array);
    return static_cast<ArrayId>(trace.arrays.size() - 1);
}

void HandTrace::access(std::uint32_t block, std::uint16_t warp, std::uint32_t line, ArrayId array,
                       Operation operation, const HandLanes& lanes,
                       const std::vector<float>& values, std::uint8_t width_bytes) {
    Entry entry{site({line, array, operation, width_bytes}), 0, 0, values};
    entry.pattern = pattern(lanes, entry.base);
    add(block, warp, std::move(entry));
}

void HandTrace::multiply_add(std::uint32_t block, std::uint16_t warp, std::uint32_t line,
                             std::uint32_t mask, std::uint32_t accumulator,
                             const std::vector<float>& values) {
    HandLanes lanes;
    for (int lane = 0; lane < kWarpSize; ++lane)
        if (mask >> lane & 1u) lanes[lane] = accumulator;
    Entry entry{site({line, kNoArray, Operation::kMultiplyAdd, 4}), 0, 0, values};
    entry.pattern = pattern(lanes, entry.base);
    add(block, warp, std::move(entry));
    trace.accumulators = std::max(trace.accumulators, accumulator + 1);
}

void HandTrace::barrier(std::uint32_t block, std::uint16_t warp, std::uint32_t line) {
    Entry entry{site({line, kNoArray, Operation::kBarrier, 4}), 0, 0, {}};
    entry.pattern = pattern(strided(0, 0), entry.base);
    add(block, warp, std::move(entry));
    ++epoch_[{block, warp}];
}

SiteId HandTrace::site(const Site& wanted) {
    const auto found = std::ranges::find(trace.sites, wanted);
    if (found != trace.sites.end()) return static_cast<SiteId>(found - trace.sites.begin());
    trace.sites.push_back(wanted);
    return static_cast<SiteId>(trace.sites.size() - 1);
}

// Always 32 explicit offsets: the simplest form, which recorders use for irregular accesses.
std::uint32_t HandTrace::pattern(const HandLanes& lanes, std::uint32_t& base) {
    Pattern result;
    IrregularOffsets offsets{};
    bool first = true;
    for (int lane = 0; lane < kWarpSize; ++lane) {
        if (!lanes[lane]) continue;
        if (first) base = *lanes[lane];
        first = false;
        result.mask |= 1u << lane;
        offsets[lane] = static_cast<std::int32_t>(*lanes[lane] - base);
    }
    const auto known = std::ranges::find(trace.irregular_offsets, offsets);
    result.irregular = static_cast<std::uint32_t>(known - trace.irregular_offsets.begin());
    if (known == trace.irregular_offsets.end()) trace.irregular_offsets.push_back(offsets);
    const auto found = std::ranges::find(trace.patterns, result);
    if (found != trace.patterns.end())
        return static_cast<std::uint32_t>(found - trace.patterns.begin());
    trace.patterns.push_back(result);
    return static_cast<std::uint32_t>(trace.patterns.size() - 1);
}

void HandTrace::add(std::uint32_t block, std::uint16_t warp, Entry entry) {
    entries_[{block, epoch_[{block, warp}], warp}].push_back(std::move(entry));
}

void HandTrace::keep_inputs() {
    if (!trace.product) return;
    set_matrix(trace, MatrixRole::kA, a);
    set_matrix(trace, MatrixRole::kB, b);
}

Trace HandTrace::finish() {
    keep_inputs();
    for (auto& [key, entries] : entries_) {
        trace.segments.block.push_back(std::get<0>(key));
        trace.segments.epoch.push_back(std::get<1>(key));
        trace.segments.warp.push_back(std::get<2>(key));
        trace.segments.record_begin.push_back(trace.records.size());
        trace.segments.value_begin.push_back(trace.words.size());
        for (const Entry& entry : entries) {
            const SiteId flag = entry.values.empty() ? 0 : Records::kHasValues;
            trace.records.site.push_back(entry.site | flag);
            trace.records.pattern.push_back(entry.pattern);
            trace.records.base.push_back(entry.base);
            for (const float value : entry.values)
                trace.words.push_back(std::bit_cast<std::uint32_t>(value));
        }
    }
    trace.segments.record_begin.push_back(trace.records.size());
    trace.segments.value_begin.push_back(trace.words.size());
    return std::move(trace);
}

HandLanes strided(std::uint32_t base, std::uint32_t step, int count) {
    HandLanes lanes;
    for (int lane = 0; lane < count; ++lane)
        lanes[lane] = base + static_cast<std::uint32_t>(lane) * step;
    return lanes;
}

}  // namespace tilereel

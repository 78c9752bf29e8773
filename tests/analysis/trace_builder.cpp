#include "tests/analysis/trace_builder.h"

#include <algorithm>

#include "instrumentation/base/check.h"

namespace tilereel {

ArrayId TraceBuilder::add_array(const std::string& name, Space space, std::uint32_t rows,
                                std::uint32_t columns) {
    trace_.arrays.push_back({.name = name,
                             .space = space,
                             .rows = rows,
                             .columns = columns,
                             .leading_dimension = columns});
    return static_cast<ArrayId>(trace_.arrays.size() - 1);
}

void TraceBuilder::begin_segment(std::uint32_t block, std::uint32_t epoch, std::uint16_t warp) {
    Segments& segments = trace_.segments;
    check(segments.size() == 0 ||
          std::tuple(segments.block.back(), segments.epoch.back(), segments.warp.back()) <
              std::tuple(block, epoch, warp));
    segments.block.push_back(block);
    segments.epoch.push_back(epoch);
    segments.warp.push_back(warp);
    segments.record_begin.push_back(trace_.records.size());
    segments.value_begin.push_back(trace_.words.size());
}

void TraceBuilder::access(Operation operation, ArrayId array, const OffsetOfLane& offset,
                          std::uint32_t mask, std::uint8_t width_bytes) {
    const std::uint32_t base = offset(std::countr_zero(mask));
    IrregularOffsets offsets{};
    for (int lane = 0; lane < kWarpSize; ++lane) {
        if ((mask >> lane & 1u) != 0)
            offsets[lane] = static_cast<std::int32_t>(offset(lane) - base);
    }
    trace_.patterns.push_back(
        {.mask = mask, .irregular = static_cast<std::uint32_t>(trace_.irregular_offsets.size())});
    trace_.irregular_offsets.push_back(offsets);
    add_record({.array = array, .operation = operation, .width_bytes = width_bytes},
               static_cast<std::uint32_t>(trace_.patterns.size() - 1), base);
}

void TraceBuilder::multiply_add(std::uint32_t accumulator, std::uint32_t mask) {
    add_record({.operation = Operation::kMultiplyAdd}, mask_pattern(mask), accumulator);
}

void TraceBuilder::barrier(Operation operation, std::uint32_t base, std::uint32_t mask) {
    add_record({.operation = operation}, mask_pattern(mask), base);
}

void TraceBuilder::product(const WarpgroupProduct& product, const WarpgroupOperands& operands) {
    add_record({.operation = Operation::kMatrixProduct,
                .width_bytes = 4 * WarpgroupOperands::kWords,
                .variety = operands.variety()},
               mask_pattern(kAllLanes), product.code());
    trace_.records.site.back() |= Records::kHasValues;
    for (int lane = 0; lane < kWarpSize; ++lane)
        for (const std::uint64_t descriptor : {operands.a_descriptor, operands.b_descriptor}) {
            trace_.words.push_back(static_cast<std::uint32_t>(descriptor));
            trace_.words.push_back(static_cast<std::uint32_t>(descriptor >> 32));
        }
}

void TraceBuilder::fence(FenceKind kind) {
    add_record({.operation = Operation::kFence, .variety = static_cast<std::uint8_t>(kind)},
               mask_pattern(kAllLanes), 0);
}

Trace TraceBuilder::take() {
    trace_.segments.record_begin.push_back(trace_.records.size());
    trace_.segments.value_begin.push_back(trace_.words.size());
    return std::move(trace_);
}

void TraceBuilder::add_record(Site site, std::uint32_t pattern, std::uint32_t base) {
    site.line = line_;
    auto found = std::ranges::find(trace_.sites, site);
    if (found == trace_.sites.end()) found = trace_.sites.insert(found, site);
    trace_.records.site.push_back(static_cast<std::uint16_t>(found - trace_.sites.begin()));
    trace_.records.pattern.push_back(pattern);
    trace_.records.base.push_back(base);
}

std::uint32_t TraceBuilder::mask_pattern(std::uint32_t mask) {
    const auto [found, fresh] =
        mask_patterns_.try_emplace(mask, static_cast<std::uint32_t>(trace_.patterns.size()));
    if (fresh) trace_.patterns.push_back({.mask = mask});
    return found->second;
}

void write_patterns_once(Trace& trace) {
    for (Pattern& pattern : trace.patterns)
        if (pattern.irregular != Pattern::kRegular)
            pattern.irregular = static_cast<std::uint32_t>(
                std::ranges::find(trace.irregular_offsets,
                                  trace.irregular_offsets[pattern.irregular]) -
                trace.irregular_offsets.begin());
    for (std::uint32_t& pattern : trace.records.pattern)
        pattern = static_cast<std::uint32_t>(
            std::ranges::find(trace.patterns, trace.patterns[pattern]) - trace.patterns.begin());
}

}  // namespace tilereel

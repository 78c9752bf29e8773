#pragma once
// A small trace written by hand that uses all features of the model: two blocks of two warps (the
// second with 8 lanes), two epochs, an irregular pattern, 8-byte accesses, recorded values.
#include <bit>
#include <limits>

#include "instrumentation/trace/trace.h"

namespace tilereel::tests {

inline constexpr std::uint32_t kAllLanes = 0xffffffff;
inline constexpr std::uint32_t kEightLanes = 0xff;

inline void add_record(Trace& trace, SiteId site, std::uint32_t pattern, std::uint32_t base,
                       float value) {
    const Site& used = trace.sites[site];
    const bool keeps =
        used.operation == Operation::kStore || used.operation == Operation::kMultiplyAdd;
    trace.records.site.push_back(
        static_cast<std::uint16_t>(site | (keeps ? Records::kHasValues : 0)));
    trace.records.pattern.push_back(pattern);
    trace.records.base.push_back(base);
    if (!keeps) return;
    const std::size_t count = value_count(trace, trace.records.size() - 1);
    for (std::size_t i = 0; i < count; ++i)
        trace.words.push_back(std::bit_cast<std::uint32_t>(value + static_cast<float>(i)));
}

inline void begin_segment(Trace& trace, std::uint32_t block, std::uint32_t epoch,
                          std::uint16_t warp) {
    trace.segments.block.push_back(block);
    trace.segments.epoch.push_back(epoch);
    trace.segments.warp.push_back(warp);
    trace.segments.record_begin.push_back(trace.records.size());
    trace.segments.value_begin.push_back(trace.words.size());
}

inline Trace sample_trace() {
    Trace trace;
    trace.launch = {"09_tiled", 4, 64, 8, 16, 1, {2, 1, 1}, {40, 1, 1}, 2048, 7};
    trace.recorded_by = {"gpu", "NVIDIA H100", "580"};
    trace.source_name = "sample.cuh";
    trace.source = "line one\nline two\nline three\n";
    trace.arrays = {{"A", Space::kGlobal, 4, 8, 8, 4, 0},
                    {"B", Space::kGlobal, 8, 64, 64, 4, 0},
                    {"C", Space::kGlobal, 4, 64, 64, 4, 0},
                    {"As", Space::kShared, 8, 16, 17, 4, 128, {2}}};  // As[2][4][17]
    trace.sites = {{1, 1, Operation::kLoad, 4},
                   {2, 3, Operation::kStore, 8},
                   {2, kNoArray, Operation::kBarrier, 4},
                   {3, kNoArray, Operation::kMultiplyAdd, 4},
                   {3, 2, Operation::kStore, 4}};
    IrregularOffsets shuffled{};
    for (int lane = 0; lane < kWarpSize; ++lane)
        shuffled[static_cast<std::size_t>(lane)] = 8 * ((lane * 7) % 32);
    trace.irregular_offsets = {shuffled};
    trace.patterns = {{kAllLanes, {4, 8, 16, 32, 64}, Pattern::kRegular},
                      {kEightLanes, {4, 8, 16, 0, 0}, Pattern::kRegular},
                      {kAllLanes, {}, 0},
                      {kEightLanes, {-8, -16, -32, 0, 0}, Pattern::kRegular}};
    for (std::uint32_t block = 0; block < 2; ++block) {
        for (std::uint16_t warp = 0; warp < 2; ++warp) {
            begin_segment(trace, block, 0, warp);
            add_record(trace, 0, warp, 256 * block, 0);
            add_record(trace, 1, warp == 0 ? 2 : 3, warp == 0 ? 128 : 200, 1);
            add_record(trace, 2, warp, 0, 0);
        }
        for (std::uint16_t warp = 0; warp < 2; ++warp) {
            begin_segment(trace, block, 1, warp);
            add_record(trace, 3, warp, 0, 2);
            add_record(trace, 4, warp, 128 * warp + 256 * block, 3);
        }
    }
    trace.segments.record_begin.push_back(trace.records.size());
    trace.segments.value_begin.push_back(trace.words.size());
    for (std::size_t i = 0; i < trace.records.size(); ++i) trace.records.clock.push_back(1000 + i);
    trace.multiprocessors = {131, 7};
    trace.accumulator_interval = 3;
    trace.product = MatrixProduct{};
    std::vector<float> a, b, c(4 * 64, std::numeric_limits<float>::quiet_NaN());
    for (int i = 0; i < 4 * 8; ++i) a.push_back(static_cast<float>(i % 6));
    for (int i = 0; i < 8 * 64; ++i) b.push_back(static_cast<float>(i % 5));
    c[5] = 11.0f;
    set_matrix(trace, MatrixRole::kA, a);
    set_matrix(trace, MatrixRole::kB, b);
    set_matrix(trace, MatrixRole::kC, c);
    return trace;
}

}  // namespace tilereel::tests

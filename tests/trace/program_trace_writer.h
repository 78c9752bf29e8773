#pragma once
// Writes the trace of a small program as a recorder would.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "instrumentation/trace/trace.h"

namespace tilereel::tests {

using OffsetOfLane = std::function<std::uint32_t(std::uint32_t lane)>;
using WordsOfLane = std::function<std::vector<std::uint32_t>(std::uint32_t lane)>;
inline constexpr std::uint32_t kAll = 0xffffffff;

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
    const auto bytes = std::as_bytes(std::span(values));
    return {bytes.begin(), bytes.end()};
}
inline std::vector<std::uint32_t> words_of(float value) {
    return {std::bit_cast<std::uint32_t>(value)};
}
inline std::vector<std::uint32_t> words_of(int value) {
    return {static_cast<std::uint32_t>(value)};
}
inline std::vector<std::uint32_t> words_of(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    return {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32)};
}

// Writes a trace record by record.
class ProgramTraceWriter {
  public:
    ProgramTraceWriter(std::string kernel, std::string source, Dim3 grid, Dim3 block) {
        trace.launch.kernel = std::move(kernel);
        trace.launch.grid = grid;
        trace.launch.block = block;
        trace.source_name = trace.launch.kernel + ".cu";
        trace.source = std::move(source);
        trace.recorded_by = {"cpu", "", "", "g++ 12.2.0", true};
    }
    ArrayId array(const char* name, Space space, ElementType type, std::uint32_t element_bytes,
                  const Array::Shape& shape) {
        Array made = Array::of(name, space, type, element_bytes, shape);
        if (space == Space::kShared) {
            made.base_bytes = trace.launch.shared_bytes;
            trace.launch.shared_bytes += static_cast<std::uint32_t>(made.size_bytes());
        }
        trace.arrays.push_back(std::move(made));
        return static_cast<ArrayId>(trace.arrays.size() - 1);
    }
    void segment(std::uint32_t block, std::uint32_t epoch, std::uint16_t warp) {
        trace.segments.block.push_back(block);
        trace.segments.epoch.push_back(epoch);
        trace.segments.warp.push_back(warp);
        trace.segments.record_begin.push_back(trace.records.size());
        trace.segments.value_begin.push_back(trace.words.size());
    }
    void access(const Site& wanted, const OffsetOfLane& offset, const WordsOfLane& words = nullptr,
                std::uint32_t mask = kAll) {
        Pattern pattern{.mask = mask};
        const std::uint32_t base = offset(static_cast<std::uint32_t>(std::countr_zero(mask)));
        IrregularOffsets offsets{};
        for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
            if (mask >> lane & 1u) offsets[lane] = static_cast<std::int32_t>(offset(lane) - base);
        pattern.irregular = index_of_row(trace.irregular_offsets, offsets);
        record(wanted, pattern, base, words);
    }
    void plain(const Site& wanted, std::uint32_t base = 0, const WordsOfLane& words = nullptr,
               std::uint32_t mask = kAll) {
        record(wanted, {.mask = mask}, base, words);
    }
    Trace finish() {
        trace.segments.record_begin.push_back(trace.records.size());
        trace.segments.value_begin.push_back(trace.words.size());
        return std::move(trace);
    }

    Trace trace;

  private:
    template <class Row>
    static std::uint32_t index_of_row(std::vector<Row>& rows, const Row& wanted) {
        const auto found = std::ranges::find(rows, wanted);
        const auto index = static_cast<std::uint32_t>(found - rows.begin());
        if (found == rows.end()) rows.push_back(wanted);
        return index;
    }
    void record(const Site& wanted, const Pattern& pattern, std::uint32_t base,
                const WordsOfLane& words) {
        const auto site = static_cast<SiteId>(index_of_row(trace.sites, wanted));
        trace.records.site.push_back(site | (words ? Records::kHasValues : SiteId{0}));
        trace.records.pattern.push_back(index_of_row(trace.patterns, pattern));
        trace.records.base.push_back(base);
        if (!words) return;
        for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
            if ((pattern.mask >> lane & 1u) == 0) continue;
            const std::vector<std::uint32_t> of_lane = words(lane);
            trace.words.insert(trace.words.end(), of_lane.begin(), of_lane.end());
        }
    }
};

inline Site site(std::uint32_t line, Operation operation, ArrayId array = kNoArray,
                 std::uint8_t width_bytes = 4) {
    return {.line = line, .array = array, .operation = operation, .width_bytes = width_bytes};
}

}  // namespace tilereel::tests

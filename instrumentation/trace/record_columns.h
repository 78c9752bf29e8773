#pragma once
#include <cstdint>
#include <span>

#include "instrumentation/trace/trace.h"

namespace tilereel {

// The columns of a trace that grow with each block, wherever they lie: in a Trace, or in a batch of
// its records. Their order is their number in a handed trace (handed_trace.h).
struct RecordColumns {
    std::span<const std::uint16_t> site;
    std::span<const std::uint32_t> pattern, base;
    std::span<const std::uint64_t> clock;
    std::span<const std::uint32_t> block, epoch;
    std::span<const std::uint16_t> warp;
    std::span<const std::uint64_t> record_begin, value_begin;
    std::span<const std::uint32_t> words;

    [[nodiscard]] static RecordColumns of(const Trace& trace) {
        const Records& records = trace.records;
        const Segments& segments = trace.segments;
        return {.site = records.site,
                .pattern = records.pattern,
                .base = records.base,
                .clock = records.clock,
                .block = segments.block,
                .epoch = segments.epoch,
                .warp = segments.warp,
                .record_begin = segments.record_begin,
                .value_begin = segments.value_begin,
                .words = trace.words};
    }
};

}  // namespace tilereel

#pragma once
// Views over a trace: the records of a segment. lanes.h has the lanes of a mask.
#include <cstddef>
#include <cstdint>
#include <ranges>

#include "instrumentation/trace/lanes.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// The numbers of the records of one segment, or of segments [first, last), in the order of their
// execution by the warp.
[[nodiscard]] inline auto records_of(const Segments& segments, std::size_t segment) {
    return std::views::iota(segments.record_begin[segment], segments.record_begin[segment + 1]);
}
[[nodiscard]] inline auto records_of(const Segments& segments, SegmentRange range) {
    return std::views::iota(segments.record_begin[range.first], segments.record_begin[range.last]);
}

}  // namespace tilereel

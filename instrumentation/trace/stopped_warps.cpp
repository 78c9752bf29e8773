#include "instrumentation/trace/stopped_warps.h"

#include <algorithm>
#include <tuple>

namespace tilereel {
namespace {

// As Trace::warp_stops is sorted.
constexpr auto order_of = [](const WarpStop& stop) { return std::tuple(stop.block, stop.warp); };

// The line of the warp's last record; 0: it has none.
std::uint32_t last_line_of(const Trace& trace, std::uint32_t block, std::uint16_t warp) {
    const SegmentRange range = segments_of_block(trace, block);
    for (std::size_t segment = range.last; segment-- > range.first;) {
        const std::uint64_t end = trace.segments.record_begin[segment + 1];
        if (trace.segments.warp[segment] == warp && end > trace.segments.record_begin[segment])
            return site_at(trace, end - 1).line;
    }
    return 0;
}

// The stops of a block; they are sorted by block and warp.
std::vector<WarpStop> stops_of(const Trace& trace, std::uint32_t block) {
    if (trace.complete || !trace.warp_stops) return {};
    const auto [first, last] =
        std::ranges::equal_range(*trace.warp_stops, block, {}, &WarpStop::block);
    return {first, last};
}

std::string warps_text(std::uint32_t first, std::uint32_t last) {
    if (first == last) return "warp " + std::to_string(first) + ": ";
    return "warps " + std::to_string(first) + (last == first + 1 ? " and " : " to ") +
           std::to_string(last) + ": ";
}

}  // namespace

WarpStop stop_of_warp(const Trace& trace, std::uint32_t block, std::uint16_t warp) {
    WarpStop stop{.block = block, .warp = warp};
    if (trace.complete) return stop;
    if (!trace.warp_stops) {
        stop.kind = WarpStopKind::kRecordedUpTo;
    } else {
        const auto known =
            std::ranges::lower_bound(*trace.warp_stops, order_of(stop), {}, order_of);
        if (known == trace.warp_stops->end() || order_of(*known) != order_of(stop)) return stop;
        stop = *known;
    }
    if (stop.kind == WarpStopKind::kRecordedUpTo && stop.line == 0)
        stop.line = last_line_of(trace, block, warp);
    return stop;
}

bool is_block_complete(const Trace& trace, std::uint32_t block) {
    if (trace.complete || !trace.warp_stops) return trace.complete;
    return !std::ranges::binary_search(*trace.warp_stops, block, {}, &WarpStop::block);
}

std::string stops_text(const Trace& trace, std::uint32_t block) {
    const std::vector<WarpStop> stops = stops_of(trace, block);
    std::string text;
    for (std::size_t first = 0, next = 0; first < stops.size(); first = next) {
        const std::string words = words_of(stop_of_warp(trace, block, stops[first].warp));
        for (next = first + 1; next < stops.size(); ++next)
            if (words_of(stop_of_warp(trace, block, stops[next].warp)) != words) break;
        text += (text.empty() ? "" : "; ") + warps_text(stops[first].warp, stops[next - 1].warp) +
                words;
    }
    return text;
}

std::vector<std::uint32_t> stopped_blocks(const Trace& trace) {
    std::vector<std::uint32_t> blocks;
    if (trace.complete || !trace.warp_stops) return blocks;
    for (const WarpStop& stop : *trace.warp_stops)
        if (blocks.empty() || blocks.back() != stop.block) blocks.push_back(stop.block);
    return blocks;
}

}  // namespace tilereel

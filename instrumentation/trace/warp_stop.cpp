#include "instrumentation/trace/warp_stop.h"

#include <algorithm>
#include <tuple>

#include "instrumentation/trace/trace.h"

namespace tilereel {
namespace {

constexpr std::size_t kMostStops = std::size_t{1} << 16;  // of a file

constexpr auto place_of = [](const WarpStop& stop) { return std::tuple(stop.block, stop.warp); };

// The line of the warp's last record; 0: it has none.
std::uint32_t last_line_of(const Trace& trace, std::uint32_t block, std::uint16_t warp) {
    const SegmentRange range = segments_of_block(trace, block);
    for (std::size_t segment = range.last; segment-- > range.first;) {
        const std::uint64_t end = trace.segments.record_begin[segment + 1];
        if (trace.segments.warp[segment] == warp && end > trace.segments.record_begin[segment])
            return trace.sites[site_of(trace, end - 1)].line;
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

std::string on_line(const char* words, const char* before_line, std::uint32_t line) {
    return line == 0 ? words : std::string(words) + before_line + std::to_string(line);
}

std::string warps_text(std::uint32_t first, std::uint32_t last) {
    if (first == last) return "warp " + std::to_string(first) + ": ";
    return "warps " + std::to_string(first) + (last == first + 1 ? " and " : " to ") +
           std::to_string(last) + ": ";
}

}  // namespace

void add_stops(const std::vector<WarpStop>& later, std::vector<WarpStop>& stops) {
    for (const WarpStop& stop : later) {
        const auto known = std::ranges::find(stops, place_of(stop), place_of);
        if (known == stops.end())
            stops.push_back(stop);
        else if (known->kind != WarpStopKind::kReturned && stop.kind != WarpStopKind::kReturned)
            *known = stop;
    }
}

void sort_stops(std::vector<WarpStop>& stops) {
    std::ranges::sort(stops, {}, place_of);
    if (stops.size() <= kMostStops) return;
    const std::uint32_t block = stops[kMostStops].block;
    std::erase_if(stops, [block](const WarpStop& stop) { return stop.block >= block; });
}

WarpStop stop_of_warp(const Trace& trace, std::uint32_t block, std::uint16_t warp) {
    WarpStop stop{.block = block, .warp = warp};
    if (trace.complete) return stop;
    if (!trace.warp_stops) {
        stop.kind = WarpStopKind::kRecordedUpTo;
    } else {
        const auto known =
            std::ranges::lower_bound(*trace.warp_stops, place_of(stop), {}, place_of);
        if (known == trace.warp_stops->end() || place_of(*known) != place_of(stop)) return stop;
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

std::string words_of(const WarpStop& stop) {
    switch (stop.kind) {
        case WarpStopKind::kReturned:
            return "done";
        case WarpStopKind::kRecordedUpTo:
            return stop.line == 0 ? "not recorded" : on_line("up to", " line ", stop.line);
        case WarpStopKind::kInLoop:
            return stop.line == 0 ? "in a loop" : on_line("in the loop", ", line ", stop.line);
        case WarpStopKind::kOnLine:
            return stop.line == 0 ? "cut off" : on_line("on", " line ", stop.line);
        case WarpStopKind::kAtBarrier:
            return on_line("waits at the barrier", " on line ", stop.line);
        case WarpStopKind::kAtLanes:
            return on_line("waits for its other lanes", " on line ", stop.line);
        case WarpStopKind::kAtPhase:
            return on_line("waits for a phase", " on line ", stop.line);
        case WarpStopKind::kNotBegun:
            break;
    }
    return "not begun";
}

std::string short_words_of(const WarpStop& stop) {
    switch (stop.kind) {
        case WarpStopKind::kInLoop:
            return on_line("loop", ", line ", stop.line);
        case WarpStopKind::kAtBarrier:
        case WarpStopKind::kAtLanes:
        case WarpStopKind::kAtPhase:
            return on_line("waits", ", line ", stop.line);
        default:
            return words_of(stop);
    }
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

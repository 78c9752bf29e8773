#include "instrumentation/trace/warp_stop.h"

#include <algorithm>
#include <tuple>

namespace tilereel {
namespace {

constexpr std::size_t kMostStops = std::size_t{1} << 16;  // of a file

constexpr auto place_of = [](const WarpStop& stop) { return std::tuple(stop.block, stop.warp); };

std::string on_line(const char* words, const char* before_line, std::uint32_t line) {
    return line == 0 ? words : std::string(words) + before_line + std::to_string(line);
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
        case WarpStopKind::kFaulted:
            return on_line("stopped", " on line ", stop.line);
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
        case WarpStopKind::kFaulted:
            return on_line("stopped", ", line ", stop.line);
        default:
            return words_of(stop);
    }
}

}  // namespace tilereel

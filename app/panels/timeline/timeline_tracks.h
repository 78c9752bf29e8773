#pragma once
// The timeline's blocks, computed once for a replay and a width, so that a frame draws at most a
// few rectangles a pixel however long the replay is.
#include <cstdint>
#include <string>
#include <vector>

#include "app/replay/replay.h"
#include "app/ui/theme.h"

namespace tilereel {

struct TrackBlock {  // positions in pixels from the track's left edge
    float begin = 0, end = 0;
    float fill = 1;                  // share of its width in which the pipe is busy: its height
    float share_a = 0, share_b = 0;  // of the busy time by role; the rest is C's
};
[[nodiscard]] ImU32 color_of_block(const Palette& colors, const TrackBlock& block);
struct TrackMark {
    float at = 0;
    std::uint32_t index = 0;  // of Schedule::barriers
};
struct TrackLabel {
    float begin = 0, end = 0;
    std::uint32_t span = 0;  // first of Schedule::spans under it
    // "load 1"; of asynchronous copies what is copied where, and what arrives: the longest first.
    std::vector<std::string> texts{};
};
// What is done with one plane of a shared array of several: it is filled, or its copies are under
// way; and later it is read.
struct TrackUse {
    float begin = 0, end = 0;
    std::uint32_t plane = 0;
    Role role = Role::kNone;
    bool read = false;
};
struct TimelineTracks {
    bool merged = false;  // blocks are pixel columns, not requests
    bool any_conflict = false;
    std::vector<TrackBlock> global, shared;
    std::vector<TrackBlock> conflicts;  // fill: conflicts of the busiest request under it / 31
    std::vector<TrackMark> barriers;    // at most one a pixel
    std::vector<TrackUse> uses;         // at least a pixel each
    std::uint32_t planes = 0;           // of the array that has the most; 0: none has several
    std::vector<TrackLabel> labels;     // those of at least `label_px` pixels
};
// `width_px`: of the track; `gap_px`: between neighbouring blocks; `label_px`: a label's least
// room.
[[nodiscard]] TimelineTracks make_tracks(const Replay& replay, float width_px, float gap_px,
                                         float label_px);

// The step running at `tick` (the last one at the end); kNoStep if there are none.
[[nodiscard]] std::uint32_t step_at(const Replay& replay, double tick);

}  // namespace tilereel

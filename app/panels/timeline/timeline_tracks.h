#pragma once
// The rectangles of the timeline, computed once for a replay and a width. A frame then draws at
// most a few rectangles for each pixel of width, however long the replay is.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/replay/replay.h"
#include "app/ui/theme.h"

namespace tilereel {

struct TrackInterval {  // positions in pixels from the track's left edge
    float begin = 0, end = 0;
    float fill = 1;  // interval height: share of its width in which the memory pipe is busy
    float share_a = 0, share_b = 0;  // share of A and of B in the busy time; the rest is C's
};
// Share of the panel's colour in an interval before and after the play head.
inline constexpr float kPastShare = 0.38f, kFutureShare = 0.73f;
[[nodiscard]] ImU32 color_of_interval(const Palette& colors, const TrackInterval& interval);
struct TrackMark {
    float at = 0;
    std::uint32_t index = 0;  // index into Schedule::barriers
};
struct TrackLabel {
    float begin = 0, end = 0;
    std::uint32_t span = 0;  // index into Schedule::spans of the first span below the label
    // "load 1"; for asynchronous copies what is copied to where, or what arrives; in a program that
    // is no product what its steps do: "store shared 2". Longest text first.
    std::vector<std::string> texts{};
};
// The use of one plane of a shared array with several planes: it is filled (or copied to), or later
// read.
struct TrackUse {
    float begin = 0, end = 0;
    std::uint32_t plane = 0;
    ColorRole role = ColorRole::kNone;
    bool read = false;
};
// A wait of the warps of a role for a phase of an mbarrier.
struct RoleWait {
    float begin = 0, end = 0;
    std::string barrier;  // "empty[1]"
    std::string words;    // "warp 8 waits for empty[1]: warps 0 to 3 still read it"
};
// The warps of a role: timeline_roles.h.
struct RoleTrack {
    bool producer = false;
    std::vector<std::string> names;        // "consumers 0-3", longest first
    std::vector<TrackInterval> intervals;  // requests
    std::vector<TrackInterval> conflicts;  // requests with bank conflicts
    std::vector<RoleWait> waits;
};
struct TimelineTracks {
    bool merged = false;  // intervals are columns of one pixel instead of requests
    bool any_conflict = false;
    std::vector<TrackInterval> global, shared;
    std::vector<TrackInterval> tensor;  // where products of tensor cores are computed; empty: none
    std::vector<TrackInterval> conflicts;  // fill: conflicts of the worst request in it / 31
    std::vector<TrackMark> barriers;       // at most one for each pixel
    std::vector<TrackUse> uses;            // at least a pixel wide
    std::uint32_t planes = 0;      // largest number of planes of an array; 0: no array has several
    std::vector<RoleTrack> roles;  // in place of the other rows; empty: warps have no roles
    std::vector<TrackLabel> labels;  // only labels at least `label_px` wide
};
// In pixels: `width_px`: width of the track; `gap_px`: gap between neighbouring intervals;
// `label_px`: smallest width of a label.
[[nodiscard]] TimelineTracks make_tracks(const Replay& replay, float width_px, float gap_px,
                                         float label_px);
// The label of the span at this tick, however narrow the span is; nullopt: there is none.
[[nodiscard]] std::optional<TrackLabel> label_at(const Replay& replay, float width_px, double tick);

// The step that runs at `tick`, or at the end the last step. kNoStep if there are no steps.
[[nodiscard]] std::uint32_t step_at(const Replay& replay, double tick);

}  // namespace tilereel

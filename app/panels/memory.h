#pragma once
// What the panels keep from frame to frame. Everything computed over a whole trace or source is
// computed here once, when the recording, the block or the width changes, never in a frame.
#include <string>
#include <vector>

#include "app/panels/panels.h"
#include "app/panels/source_text.h"
#include "app/panels/timeline_tracks.h"
#include "instrumentation/analysis/counters.h"

namespace tilereel {

struct PanelMemory::State {
    std::uint64_t counted_replay = 0;   // Replay::id(); 0: none
    std::vector<AccessCounts> by_line;  // watched block; index = line

    SourceText source;
    std::string source_given;  // what `source` was prepared from
    SourceWidth source_width;
    std::uint32_t source_needs = 0;  // columns_needed()
    float source_scroll = 0;         // rows
    double source_free_until = -1;   // seconds: scrolled by hand, so do not follow yet

    std::uint64_t tracks_replay = 0;  // Replay::id(); 0: none
    float tracks_width = 0, tracks_scale = 0;
    TimelineTracks tracks;
    bool scrubbing = false;

    float inspector_scroll = 0, lanes_scroll = 0;  // pixels
    bool introduction = false;
    std::string notice;
    double notice_since = -1;  // seconds; negative: not shown yet
    double recording_since = -1;
};

// Counts of the watched block by source line; computed anew when the replay changed.
const std::vector<AccessCounts>& counts_by_line(PanelMemory::State& state, const Replay& replay);

}  // namespace tilereel

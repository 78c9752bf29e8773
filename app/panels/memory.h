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

// What a cached value was computed from. A trace may be freed and another put at its address, so
// the launch and the sizes are part of it.
struct ReplayKey {
    const Trace* trace = nullptr;
    Launch launch;
    std::uint64_t records = 0;
    std::uint32_t block = 0;
    Tick ticks = 0;
    bool operator==(const ReplayKey& other) const;
};
[[nodiscard]] ReplayKey key_of(const Replay& replay);

struct PanelMemory::State {
    ReplayKey counted_key;
    std::vector<AccessCounts> by_line;  // watched block; index = line

    SourceText source;
    std::string source_given;  // what `source` was prepared from
    SourceWidth source_width;
    std::uint32_t source_needs = 0;  // columns_needed()
    float source_scroll = 0;         // rows
    double source_free_until = -1;   // seconds: scrolled by hand, so do not follow yet

    ReplayKey tracks_key;
    float tracks_width = 0, tracks_scale = 0;
    TimelineTracks tracks;
    bool scrubbing = false;

    float race_table_scroll = 0, race_setup_scroll = 0;  // pixels
    float inspector_scroll = 0, lanes_scroll = 0;  // pixels
    bool introduction = false;
    std::string notice;
    double notice_since = -1;  // seconds; negative: not shown yet
    double recording_since = -1;
};

// Counts of the watched block by source line; computed anew when the replay changed.
const std::vector<AccessCounts>& counts_by_line(PanelMemory::State& state, const Replay& replay);

}  // namespace tilereel

#pragma once
// The 32 lanes of the current request: element and sector, or element and bank.
#include "app/replay/replay.h"
#include "app/ui/draw.h"

namespace tilereel {

struct LaneTablePlace {
    // Two columns of 16 lanes, or one of 32 if their font would be too small. If `rect` is too low,
    // the rows scroll.
    Rect rect;
    float offset = 0;  // scroll position, pixels
    float head = 0;    // height of the captions' row
    float row = 0;     // height of a lane's row
    float px = 0;      // largest font size, pixels; reduced for long names
    float caption_px = 0;
};
// The number of rows: 16 or 32.
[[nodiscard]] std::size_t lane_table_rows(const Look& look, const LaneTablePlace& place,
                                          const Replay& replay, const RequestState& request,
                                          const Step& step);
void draw_lane_table(const Look& look, const LaneTablePlace& place, const Replay& replay,
                     const RequestState& request, const Step& step);

}  // namespace tilereel

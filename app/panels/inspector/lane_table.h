#pragma once
// The 32 lanes of the request in flight: element and sector, or word and bank.
#include "app/replay/replay.h"
#include "app/ui/draw.h"

namespace tilereel {

struct LaneTablePlace {
    // Two halves of 16 lanes side by side, or where their type would be too small 32 lanes below
    // each other; where it is lower than they, they scroll.
    Rect rect;
    float offset = 0;  // scrolled by this much
    float head = 0;    // height of the captions' row
    float row = 0;     // height of a lane's row
    float px = 0;      // type, at most; smaller where names are long
    float caption_px = 0;
};
// Rows of lanes: 16 or 32.
[[nodiscard]] std::size_t lane_table_rows(const Look& look, const LaneTablePlace& place,
                                          const Replay& replay, const RequestState& request,
                                          const Step& step);
void draw_lane_table(const Look& look, const LaneTablePlace& place, const Replay& replay,
                     const RequestState& request, const Step& step);

}  // namespace tilereel

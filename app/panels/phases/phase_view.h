#pragma once
// The phase table on the screen: where its cells lie, and how they are drawn.
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "app/panels/phases/phase_table_memory.h"
#include "app/replay/replay.h"
#include "app/ui/draw.h"

namespace tilereel {

inline constexpr std::uint32_t kPhaseRows = kWarpSize;  // threads shown at a time: a warp

// Everything a frame needs to place and draw the table.
struct PhaseView {
    const Look& look;
    const Replay& replay;
    const PhaseTable& table;
    const PhaseLayout& layout;
    PhaseTableMemory& memory;
    float px = 0, advance = 0, line = 0, pad = 0;  // type, a character, a line, a cell's padding
    float names = 0, row = 0, phase = 0;           // widths of names and a phase, height of a row
    std::vector<float> columns{};                  // left edges in a phase, and its right edge
    Rect head{}, body{}, foot{};                   // body: the cells; head: above them
    std::uint32_t first = 0, threads = 0;          // rows shown

    [[nodiscard]] const Trace& trace() const { return replay.trace(); }
    [[nodiscard]] float left_of(std::uint32_t at) const {
        return body.x - memory.x + static_cast<float>(at) * phase;
    }
    [[nodiscard]] float whole_phases() const {  // how many fit into `body`
        return std::max(1.0f, std::floor(body.w / phase));
    }
    [[nodiscard]] float most_x() const {  // so that a phase begins at the left edge
        return std::max(0.0f, (static_cast<float>(table.phases) - whole_phases()) * phase);
    }
    [[nodiscard]] float bottom() const {  // of the last row in sight
        return std::min(body.bottom(), top_of(threads));
    }
    [[nodiscard]] float top_of(std::uint32_t index) const {
        return body.y - memory.y + static_cast<float>(index) * row;
    }
};

// Places the parts of the table. Type is as large as the user's text, or smaller if not even one
// phase would fit. `top`: below the title.
void place_phases(PhaseView& view, const Rect& rect, float top);
// Keeps the phase that runs in sight, unless the table was scrolled by hand just now.
void follow_phase(PhaseView& view);
// The row under the mouse, from 0.
[[nodiscard]] std::optional<std::uint32_t> thread_under_mouse(const PhaseView& view);
// The head of a phase's column; the phase that runs stands out down to the last row.
void draw_phase_head(const PhaseView& view, std::uint32_t phase, bool hovered);
void draw_phase_cells(const PhaseView& view, std::uint32_t phase);
void draw_thread_names(const PhaseView& view, std::optional<std::uint32_t> marked);

}  // namespace tilereel

#pragma once
// The layout and the drawing of the phase table.
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "app/panels/phases/phase_table_memory.h"
#include "app/replay/replay.h"
#include "app/ui/draw/draw.h"

namespace tilereel {

inline constexpr std::uint32_t kPhaseRows = kWarpSize;  // threads shown at a time: a warp

// The values that a frame needs to lay out and draw the table.
struct PhaseView {
    const Look& look;
    const Replay& replay;
    const PhaseTable& table;
    const PhaseLayout& layout;
    PhaseTableMemory& memory;
    float px = 0, advance = 0, line = 0, pad = 0;  // font, character, line height, cell padding
    float names = 0, row = 0, phase = 0;  // widths of the names and of a phase, height of a row
    std::vector<float> columns{};  // left edges of the columns in a phase, and the right edge
    float read = 0;                // height of a text in the foot, which may cover rows
    Rect head{}, body{}, foot{};   // body: the cells; head: the captions above them
    std::uint32_t first = 0, threads = 0;  // first thread, and number of rows

    [[nodiscard]] const Trace& trace() const { return replay.trace(); }
    [[nodiscard]] float left_of(std::uint32_t at) const {
        return body.x - memory.x + static_cast<float>(at) * phase;
    }
    [[nodiscard]] float whole_phases() const {  // number of whole phases in `body`
        return std::max(1.0f, std::floor(body.w / phase));
    }
    [[nodiscard]] float most_x() const {  // largest scroll position: a phase at the left edge
        return std::max(0.0f, (static_cast<float>(table.phases) - whole_phases()) * phase);
    }
    [[nodiscard]] float bottom() const {  // bottom of the last visible row
        return std::min(body.bottom(), top_of(threads));
    }
    [[nodiscard]] float top_of(std::uint32_t index) const {
        return body.y - memory.y + static_cast<float>(index) * row;
    }
};

// Lays out the table. The font has the user's size, or is smaller if otherwise not even one phase
// would fit. `top`: y position below the title.
void place_phases(PhaseView& view, const Rect& rect, float top);
// Scrolls to the current phase, unless the user scrolled the table less than 4 s ago.
void follow_phase(PhaseView& view);
// The row under the mouse, counted from 0. nullopt if there is none.
[[nodiscard]] std::optional<std::uint32_t> thread_under_mouse(const PhaseView& view);
// The head of a phase's column. The current phase is highlighted down to the last row.
void draw_phase_head(const PhaseView& view, std::uint32_t phase, bool hovered);
void draw_phase_cells(const PhaseView& view, std::uint32_t phase);
void draw_thread_names(const PhaseView& view, std::optional<std::uint32_t> marked);

}  // namespace tilereel

#pragma once
// Plain data: the looks of a cell, a grid of cells, and cells that move.
#include <imgui.h>

#include <cstdint>
#include <vector>

#include "app/ui/rect.h"
#include "app/ui/theme.h"

namespace tilereel {

// Each look differs in shape as well as in colour: app/README.md, "The look".
enum class CellLook : std::uint8_t {
    kNothing = 0,           // not drawn
    kIdle = 1,              // cell fill
    kNeverWritten = 2,      // cell fill, 2 px dot
    kStale = 3,             // no fill, dashed ink3 border
    kValid = 4,             // tint fill, role border
    kBeingCopied = 5,       // dashed role border
    kCopied = 6,            // tint fill, role corner triangle (0.36 of the cell)
    kInFlight = 7,          // solid role, panel-coloured gap around it
    kOff = 8,               // hatched: lane off, padding word
    kConflictCurrent = 9,   // solid conflict, ink border; drawn 4 px larger than the cell
    kConflictWaiting = 10,  // conflict tint, conflict border
    kBand = 11,             // tint fill, no border: inside the band along which the tile moves
    kPartial = 12,          // tint fill; `level` / 255 of it filled from below in the role's colour
    kSolid = 13,            // solid role
    kPartialBar = 14,  // tint fill, and a 3 px bar at the bottom, `level` / 255 of the cell's width
    kNotLoaded = 15,   // cell fill with broad stripes of the tint, role border
    kStaleNotLoaded = 16,  // broad stripes of the cell fill, dashed ink3 border
};

struct Cell {  // one texel, RGBA8UI
    CellLook look = CellLook::kNothing;
    ColorRole role = ColorRole::kNone;
    std::uint8_t level = 0;  // kPartial, kPartialBar: 0..255; unused by the other looks
    std::uint8_t dim = 0;    // 0: full strength; 255: invisible
};

struct CellGrid {
    ImVec2 at{};  // top left corner, pixels
    float pitch_x = 0, pitch_y = 0;
    std::uint32_t rows = 0, columns = 0;
    float gap = 2;  // pixels between cells; drawn as 0 if a pitch is under 6
    float radius = 3;
    std::vector<Cell> cells{};  // rows x columns
};

struct MovingCell {
    Rect rect;  // kConflictCurrent is drawn 2 px larger on each side
    CellLook look = CellLook::kInFlight;
    ColorRole role = ColorRole::kA;
    std::uint8_t alpha = 255;
    float radius = 4;
};

// The rectangle in which a cell is drawn, without the gap. Its edges are whole pixels at any pitch.
[[nodiscard]] Rect cell_rect(const CellGrid& grid, std::uint32_t row, std::uint32_t column);

}  // namespace tilereel

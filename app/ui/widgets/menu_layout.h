#pragma once
// The layout of an open menu: the rectangle of its popup and the height of each row.
#include <span>
#include <vector>

#include "app/ui/draw/draw.h"
#include "app/ui/rect.h"
#include "app/ui/widgets/menu_row.h"

namespace tilereel {

inline constexpr float kMenuDetailLeading = 1.4f;  // line height / font size of a row's detail

// All lengths are in pixels.
struct MenuLayout {
    // The popup opens below `chip`, or above it if there is not enough room below.
    MenuLayout(const Look& look, const Rect& chip, std::span<const MenuRow> rows);

    [[nodiscard]] float line_height() const;  // of a row without details
    [[nodiscard]] float height_of(const MenuRow& row) const;
    [[nodiscard]] float action_width(const MenuAction& action) const;
    [[nodiscard]] float sample_width(const MenuRow& row) const;  // 0 without a sample

    const Look& look;
    float px, detail_px;      // font sizes of title and detail
    float pad;                // between the edge and the text of a row
    float actions = 0;        // width of the column of actions; 0 without actions
    float detail_width = 0;   // width of a row's detail
    float length = 0;         // height of all rows together
    Rect rect, body;          // the popup, and the part of it that shows rows
    std::vector<float> tops;  // distance from the first row to each row
};

}  // namespace tilereel

// Draws rows of cells. Each cell is a bank, or a word of a cache line.
#include <algorithm>

#include "app/panels/patterns/pattern_views.h"
#include "app/ui/scroll_bar.h"

namespace tilereel {
namespace {

constexpr std::size_t kWordsOfSector = 8;

void draw_grid_cell(const PatternContext& lab, const Rect& cell, const PatternCell& content) {
    const float radius = lab.look.hair();
    if (content.fill != 0) fill_rect(cell, content.fill, radius);
    if (content.edge != 0) stroke_rect(cell, content.edge, lab.look.line(), radius);
    // A number is drawn where a readable size fits.
    const float px = lab.type(12);
    const float width = std::max(text_width(content.text, Face::kMonoBold, px), 1.0f);
    const float fits = std::min({px, 0.8f * cell.h, 0.92f * px * cell.w / width});
    if (fits >= lab.look.px(9) - 0.5f)
        draw_text(cell.center(), content.text,
                  {Face::kMonoBold, fits, content.ink, Align::kCenter});
}

}  // namespace

void draw_pattern_grid(const PatternContext& lab, const Rect& place,
                       const std::vector<PatternCells>& rows) {
    if (rows.empty()) return;
    const float px = lab.type(12);
    const float left = widest(rows, Face::kMono, px, &PatternCells::label) + lab.look.gap();
    const float gap = lab.look.tight();  // between two sectors
    const auto count = static_cast<float>(rows.front().cells.size());
    const float pitch = (place.w - lab.look.gap() - left - gap * count / kWordsOfSector) / count;
    const float height =
        std::clamp(place.h / static_cast<float>(rows.size()), 1.25f * px, 2.6f * px);
    scrolled(lab.look, place, lab.memory.picture_scroll, [&](const Rect& room) {
        float y = room.y;
        for (const PatternCells& row : rows) {
            draw_text({room.x + left - lab.look.gap(), y + height / 2}, row.label,
                      {Face::kMono, px, lab.colors().ink2, Align::kRight});
            for (std::size_t i = 0; i < row.cells.size() && !measures(); ++i) {
                const float x = room.x + left + static_cast<float>(i) * pitch +
                                static_cast<float>(i / kWordsOfSector) * gap;
                draw_grid_cell(lab, {x, y, pitch - lab.look.frame(), height - lab.look.hair()},
                               row.cells[i]);
            }
            y += height;
        }
        return y - room.y;
    });
}

}  // namespace tilereel

#include "app/panels/patterns/pattern_grid.h"

#include <algorithm>
#include <utility>

#include "app/panels/patterns/pattern_glide.h"
#include "app/ui/widgets/scroll_bar.h"

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

// The layout of the grid: its labels at the left, then the cells, each a bank or a word of a cache
// line.
struct GridLayout {
    float px, left, pitch, height;  // px: of the labels; height: of a row
};

GridLayout grid_layout(const PatternContext& lab, const Rect& place,
                       const std::vector<PatternCells>& rows) {
    const float px = lab.type(12);
    const float left = widest(rows, Face::kMono, px, &PatternCells::label) + lab.look.gap();
    const auto count = static_cast<float>(rows.front().cells.size());
    const float gaps = lab.look.tight() * count / kWordsOfSector;
    return {px, left, (place.w - lab.look.gap() - left - gaps) / count,
            std::clamp(place.h / static_cast<float>(rows.size()), 1.25f * px, 2.6f * px)};
}

using MovingCells = std::vector<std::pair<Rect, PatternCell>>;

// `moving`: takes the cells that are drawn later, as they slide over others.
void draw_grid_row(const PatternContext& lab, const GridLayout& grid, ImVec2 at,
                   const PatternCells& row, MovingCells& moving) {
    if (measures()) return;
    draw_text({at.x + grid.left - lab.look.gap(), at.y + grid.height / 2}, row.label,
              {Face::kMono, grid.px, lab.colors().ink2, Align::kRight});
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
        const float x = at.x + grid.left + static_cast<float>(i) * grid.pitch +
                        static_cast<float>(i / kWordsOfSector) * lab.look.tight();
        const Rect place{x, at.y, grid.pitch - lab.look.frame(), grid.height - lab.look.hair()};
        const PatternCell& cell = row.cells[i];
        const Rect now = cell.word ? gliding_pattern_cell(lab, *cell.word, place) : place;
        if (!cell.word || !pattern_glides(lab)) {
            draw_grid_cell(lab, place, cell);
            continue;
        }
        draw_grid_cell(lab, place, {"", 0, mix(lab.colors().panel, lab.colors().line, 0.5f), 0});
        moving.emplace_back(now, cell);
    }
}

}  // namespace

PatternCells names_of_banks(const PatternContext& lab, std::string label,
                            std::uint32_t banks_each) {
    const Palette& colors = lab.colors();
    const PatternAnswer& answer = lab.answer();
    const auto banks = static_cast<std::uint32_t>(answer.generation->shared.banks);
    PatternCells names{std::move(label), {}};
    for (std::uint32_t number = 0; number < banks / banks_each; ++number) {
        const std::size_t bank = std::size_t{number} * banks_each;
        const bool used = answer.banks.words_in_bank[bank] > 0;
        const bool crowded = answer.banks.worst_group_wavefronts[bank] > 1;
        names.cells.push_back({std::to_string(number),
                               crowded ? colors.conflict
                               : used  ? colors.b
                                       : colors.cell,
                               crowded ? colors.ink : 0, used ? colors.on : colors.ink3});
    }
    return names;
}

bool is_served_late(const WordService& service, const ServedWord& word) {
    const auto group = std::ranges::find_if(service.groups, [&](const LaneGroup& each) {
        return word.wavefront >= each.first_wavefront &&
               word.wavefront < each.first_wavefront + each.wavefronts;
    });
    return group != service.groups.end() && word.wavefront > group->first_wavefront;
}

void draw_pattern_grid(const PatternContext& lab, const Rect& place,
                       const std::vector<PatternCells>& rows, bool names_below,
                       float& kept_scroll) {
    if (rows.empty() || place.h < 1) return;
    const GridLayout grid = grid_layout(lab, place, rows);
    const std::size_t kept = names_below ? 1 : 0, scrolled = rows.size() - kept;
    const float length = static_cast<float>(scrolled) * grid.height;
    const Rect room{place.x, place.y, place.w,
                    std::clamp(place.h - static_cast<float>(kept) * grid.height, 0.0f, length)};
    const float most = std::max(length - room.h, 0.0f);
    float offset = names_below ? most - kept_scroll : kept_scroll;
    MovingCells moving;
    {
        const ScrollArea area(lab.look, room, length, offset);
        for (std::size_t i = 0; i < scrolled; ++i)
            draw_grid_row(lab, grid, {room.x, area.top() + static_cast<float>(i) * grid.height},
                          rows[i], moving);
        for (const auto& [rect, cell] : moving) {
            register_widget("patterns.gliding." + std::to_string(cell.word->first) + "." +
                                std::to_string(cell.word->second),
                            rect);
            draw_grid_cell(lab, rect, cell);
        }
    }
    kept_scroll = names_below ? most - offset : offset;
    if (kept == 0) return;
    register_widget("patterns.banks", {room.x, room.bottom(), room.w, grid.height});
    draw_grid_row(lab, grid, {room.x, room.bottom()}, rows.back(), moving);
}

}  // namespace tilereel

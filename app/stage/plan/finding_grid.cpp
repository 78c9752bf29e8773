#include "app/stage/plan/finding_grid.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>

#include "app/replay/sentence/wording.h"
#include "app/ui/draw/draw.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel::stage {
namespace {

constexpr std::uint32_t kFoldedRow = 32;
constexpr float kLeastGridCell = 7, kLargestGridCell = 22;  // units

// [begin, begin + length) with `middle` near its middle, inside [0, all).
std::pair<std::uint32_t, std::uint32_t> range_around(std::uint32_t middle, std::uint32_t length,
                                                     std::uint32_t all) {
    length = std::min(length, all);
    const std::uint32_t before = std::min(middle, length / 2);
    const std::uint32_t begin = std::min(middle - before, all - length);
    return {begin, begin + length};
}

// "16 x 16, 256 elements race".
std::string words_of_grid(const Array& array, const Finding& finding, bool cut) {
    const std::string extents =
        array.one_extent ? with_commas(array.columns)
                         : with_commas(array.rows) + " \xc3\x97 " + with_commas(array.columns);
    return extents + (cut ? ", a part" : "") +
           (finding.cells == 0
                ? std::string()
                : ": " + counted(finding.cells, "element", "elements") +
                      (finding.hazard == Hazard::kRace ? (finding.cells == 1 ? " races" : " race")
                                                       : ""));
}

}  // namespace

GridPart part_of_grid(const Array& array, Element cell, Element most) {
    GridPart part;
    const bool folds = array.rows <= 1 && array.columns > kFoldedRow;
    part.fold = folds ? kFoldedRow : 0;
    part.rows = folds ? (array.columns + kFoldedRow - 1) / kFoldedRow : std::max(array.rows, 1u);
    part.columns = folds ? kFoldedRow : std::max(array.columns, 1u);
    part.cell = folds ? Element{cell.column / kFoldedRow, cell.column % kFoldedRow} : cell;
    part.cell.row = std::min(part.cell.row, part.rows - 1);
    part.cell.column = std::min(part.cell.column, part.columns - 1);
    std::tie(part.shown.row0, part.shown.row1) =
        range_around(part.cell.row, std::max(most.row, 1u), part.rows);
    std::tie(part.shown.column0, part.shown.column1) =
        range_around(part.cell.column, std::max(most.column, 1u), part.columns);
    return part;
}

void draw_finding_grid(const Look& look, const Rect& area, const Array& array,
                       const Finding& finding, std::span<const HazardPlan::Place> affected,
                       ColorRole role) {
    const Palette& colors = look.colors();
    const float px = std::min(look.font_px(14), area.h / 6), head = 1.9f * px;
    const float least = look.px(kLeastGridCell);
    const auto fits = [&](float length) {
        return static_cast<std::uint32_t>(std::max(1.0f, std::floor(length / least)));
    };
    const GridPart part =
        part_of_grid(array, {finding.row, finding.column}, {fits(area.h - head), fits(area.w)});
    const std::uint32_t rows = part.shown.row1 - part.shown.row0;
    const std::uint32_t columns = part.shown.column1 - part.shown.column0;
    const float pitch = std::floor(
        std::min({area.w / static_cast<float>(columns), (area.h - head) / static_cast<float>(rows),
                  look.px(kLargestGridCell)}));
    if (pitch < 3) return;
    const bool cut = rows < part.rows || columns < part.columns;
    const float y = area.y + px / 2 + 1;
    const float name =
        draw_text({area.x, y}, array.name, {Face::kMonoBold, px, colors.solid(role)}) + look.gap();
    const std::string words = words_of_grid(array, finding, cut);
    draw_text_fit({area.x + name, y}, area.w - name, words,
                  shrunk({Face::kRegular, px, colors.ink2}, words, area.w - name,
                         std::min(px, look.font_px(10))));
    const Rect grid{area.x, area.y + head, pitch * static_cast<float>(columns),
                    pitch * static_cast<float>(rows)};
    register_widget("stage.finding.grid", grid);
    const float gap = pitch >= 5 ? std::max(1.0f, std::round(0.12f * pitch)) : 0;
    const auto cell_at = [&](Element at) {
        return Rect{grid.x + pitch * static_cast<float>(at.column - part.shown.column0),
                    grid.y + pitch * static_cast<float>(at.row - part.shown.row0), pitch - gap,
                    pitch - gap};
    };
    const std::uint32_t last = array.rows <= 1 ? array.columns : 0;  // of a folded array
    for (std::uint32_t row = part.shown.row0; row < part.shown.row1; ++row)
        for (std::uint32_t column = part.shown.column0; column < part.shown.column1; ++column)
            if (part.fold == 0 || row * part.fold + column < last)
                fill_rect(cell_at({row, column}), mix(colors.panel, colors.tint(role), 0.6f),
                          0.15f * pitch);
    for (const HazardPlan::Place& place : affected) {
        if (place.array != finding.array) continue;
        const Element at = part.fold == 0
                               ? place.at
                               : Element{place.at.column / part.fold, place.at.column % part.fold};
        if (!contains(part.shown, at) || at == part.cell) continue;
        const Rect cell = cell_at(at);
        fill_rect(cell.inset(0.36f * cell.w), mix(colors.panel, colors.accent, 0.6f));
    }
    const Rect cell = cell_at(part.cell);
    fill_rect(cell, colors.solid(role), 0.15f * pitch);
    const float line = std::clamp(std::round(0.14f * pitch), 1.0f, look.px(3));
    stroke_rect({cell.x - line, cell.y - line, cell.w + 2 * line, cell.h + 2 * line}, colors.accent,
                line, 0.2f * pitch);
    register_widget("stage.finding.grid.cell", cell);
}

}  // namespace tilereel::stage

// Marks cells that a hazard affects, and wrong elements of C.
#include <algorithm>
#include <cmath>

#include "app/stage/matrix_parts.h"
#include "app/ui/marks.h"
#include "instrumentation/base/decimal_text.h"

namespace tilereel::stage {
namespace {

// Units of pitch. Below kMarksFrom a cell has no room for a shape; below kFramesFrom it has no room
// for a frame and a value.
constexpr float kMarksFrom = 9, kFramesFrom = 20;

std::uint32_t epoch_now(const Scene& scene) {
    const std::uint32_t step = scene.state.request.step;
    return step < scene.replay.schedule().steps.size() ? scene.replay.schedule().steps[step].epoch
                                                       : 0;
}

// Draws a diamond on the cell's corner: larger if the finding is in this epoch, and with a frame if
// it is an error.
void mark_cell(Scene& scene, const Rect& cell, bool error, bool now) {
    const Palette& colors = scene.colors();
    const float pitch = std::min(cell.w, cell.h);
    if (pitch < scene.look.px(kMarksFrom)) {  // only a bar at the right edge fits
        const float bar = now && error ? std::max(2.0f, 0.25f * cell.w) : 1.0f;
        const float gap = pitch >= scene.look.snug() ? scene.u(2) : 0;
        fill_rect({cell.right() - gap - bar, cell.y, bar, cell.h - gap}, colors.accent);
        return;
    }
    const float line = std::clamp(std::round(pitch * 0.08f), 1.0f, scene.look.px(3));
    if (now && error && pitch >= scene.look.px(kFramesFrom)) {
        const float in = line / 2 + scene.look.px(1);
        draw_list()->AddRect({cell.x + in - 1, cell.y + in - 1},
                             {cell.right() - in - 1, cell.bottom() - in - 1}, colors.accent,
                             scene.look.px(3), 0, line);
    }
    const float size = std::min(scene.look.px(14), pitch * (now ? 0.4f : 0.3f));
    const float reach = 0.5f * size;
    draw_hazard_mark(colors, {cell.right() - reach - 1, cell.y + reach}, size, error);
}

// "thread (3,1) of warp 0 writes it, line 24"
std::string access_words(const Scene& scene, const HazardParty& party) {
    const bool writes = tilereel::writes(scene.trace.sites[party.site].operation);
    return name_of_thread(scene.trace, party.thread) + (writes ? " writes" : " reads") +
           " it on line " + std::to_string(scene.trace.sites[party.site].line);
}

void say_hazards(Scene& scene, ArrayId array, Element at, std::uint32_t epoch) {
    const Recording& recording = *scene.workbench.recording();
    const auto cells = scene.view.hazards.nearest(array, at, epoch);
    if (!cells.empty() && cells.front().epoch != epoch)
        scene.hover.add(cells.front().epoch > epoch ? "later in this block:"
                                                    : "earlier in this block:");
    for (const AffectedCell& cell : cells) {
        const Finding& finding = recording.findings[cell.finding];
        const char* severity = finding.severity == Severity::kError ? "error: " : "warning: ";
        if (finding.hazard == Hazard::kNeverWritten) {
            scene.hover.add(severity + access_words(scene, cell.first) +
                            ", but no thread has written it");
            continue;
        }
        scene.hover.add(severity + access_words(scene, cell.first));
        scene.hover.add("and " + access_words(scene, cell.second) + ": no barrier between them");
    }
}

// Wrong elements of the watched block are marked once the block has stored them. All others are
// marked at the end of the replay, when the whole launch counts as done.
class StoredElements {
  public:
    explicit StoredElements(const Scene& scene)
        : scene_(scene),
          all_(scene.state.tick >= scene.replay.schedule().ticks || scene.all_stored()) {}
    [[nodiscard]] bool has(Element at) const {
        const PartialSum* const sum = all_ ? nullptr : scene_.sum_of(at);
        return all_ || (sum != nullptr && sum->stored);
    }

  private:
    const Scene& scene_;
    bool all_;
};

}  // namespace

void draw_hazard_marks(Scene& scene) {
    if (scene.view.hazards.places().empty()) return;
    const std::uint32_t epoch = epoch_now(scene);
    for (const SharedView& view : scene.layout.arrays) {
        const Clip clip(view.window.inset(-scene.u(3)));
        for (const HazardPlan::Place& place : scene.view.hazards.places()) {
            if (place.array != view.array) continue;
            const Rect cell = view.cell_of(place.at);
            if (!cell.overlaps(view.window)) continue;
            mark_cell(scene, cell, place.error,
                      !scene.view.hazards.at(place.array, place.at, epoch).empty());
            scene.shows_hazards = true;
        }
        if (const auto here = view.element_at(scene.mouse); here && scene.mouse_here)
            say_hazards(scene, view.array, *here, epoch);
    }
}

void draw_wrong_marks(Scene& scene) {
    const Recording& recording = *scene.workbench.recording();
    if (recording.wrong.empty()) return;
    const MatrixView& m = scene.layout.c;
    const StoredElements stored(scene);
    const CellRect visible = m.visible();
    const float pitch = std::min(m.pitch_x, m.pitch_y);
    const Clip clip(m.window);
    Patch filled(scene.look, m, pitch < scene.look.px(kMarksFrom) ? visible : CellRect{}, {});
    for (const WrongElement& element : recording.wrong) {
        const Element at{element.row, element.column};
        if (at.row >= visible.row1) break;
        if (!contains(visible, at) || !stored.has(at)) continue;
        scene.shows_wrong = true;
        if (Cell* cell = filled.at(at)) {
            *cell = {CellLook::kSolid, ColorRole::kAccent, 0, 0};
            continue;
        }
        const Rect cell = m.cell(at);
        const float side = std::min(0.44f * pitch, scene.look.wide());
        const float in = std::max(2.0f, 0.1f * pitch);
        draw_wrong_mark(scene.colors(), {cell.right() - in - side, cell.y + in, side, side},
                        std::max(1.5f, 0.2f * side));
    }
    if (!filled.grid.cells.empty()) add_cell_grid(scene.look, std::move(filled.grid));
}

void say_wrong(Scene& scene, Element at) {
    const WrongElement* wrong = wrong_at(*scene.workbench.recording(), at);
    if (wrong != nullptr && StoredElements(scene).has(at))
        scene.hover.add("wrong: found " + decimal_text(wrong->found) + ", expected " +
                        decimal_text(wrong->expected));
}

}  // namespace tilereel::stage

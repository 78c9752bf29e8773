// Marks cells that a hazard affects, and wrong elements of C.
#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "app/stage/matrices/matrix_parts.h"
#include "instrumentation/base/format/decimal_text.h"

namespace tilereel::stage {
namespace {

// Units of pitch. Below kMarksFrom a cell has no room for a shape; below kFramesFrom it has no room
// for a frame and a value.
constexpr float kMarksFrom = 9, kFramesFrom = 20;

// Draws a diamond on the cell's corner: larger if the finding is in this epoch, and with a frame
// around the cell if it is also an error.
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
        Rect inner = cell.inset(scene.look.line());
        inner.x -= 1, inner.y -= 1;
        stroke_rect(inner, colors.accent, line, scene.look.px(3));
    }
    const float size = std::min(scene.look.px(14), pitch * (now ? 0.4f : 0.3f));
    const float reach = 0.5f * size;
    draw_hazard_mark(colors, {cell.right() - reach - 1, cell.y + reach}, size, error);
}

// "thread (3,1) of warp 0 writes it on line 24"
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

// A wrong element of the watched block is marked once the block has stored it. Those of other
// blocks are marked when the watched block has stored all of its elements, or at the end of the
// replay.
auto stored_elements(const Scene& scene) {
    const bool all = scene.state.tick >= scene.replay.schedule().ticks || scene.all_stored();
    return [&scene, all](Element at) {
        const PartialSum* const sum = all ? nullptr : scene.sum_of(at);
        return all || (sum != nullptr && sum->stored);
    };
}

}  // namespace

void draw_hazard_marks(Scene& scene) {
    if (scene.view.hazards.places().empty()) return;
    const std::uint32_t step = scene.state.request.step;
    const std::uint32_t epoch = step < scene.steps().size() ? scene.steps()[step].epoch : 0;
    // While a finding is shown, only its cell is marked as one of this moment.
    const FindingScene* const shown = scene.workbench.finding_scene();
    const Finding* const finding = shown == nullptr || shown->recorded
                                       ? nullptr
                                       : &scene.workbench.recording()->findings[shown->finding];
    const auto is_now = [&](const HazardPlan::Place& place) {
        if (finding != nullptr && finding->array != kNoArray)
            return place.array == finding->array &&
                   place.at == Element{finding->row, finding->column};
        return static_cast<double>(place.from) <= scene.workbench.position() &&
               !scene.view.hazards.at(place.array, place.at, epoch).empty();
    };
    for (const SharedView& view : scene.layout.arrays) {
        const Clip clip(view.window.inset(-scene.u(3)));
        for (const HazardPlan::Place& place : scene.view.hazards.places()) {
            const bool has_begun = static_cast<double>(place.from) <= scene.workbench.position();
            if (place.array != view.array || !(has_begun || is_now(place))) continue;
            const Rect cell = view.cell_of(place.at);
            if (!cell.overlaps(view.window)) continue;
            mark_cell(scene, cell, place.error, is_now(place));
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
    const auto stored = stored_elements(scene);
    const CellRect visible = m.visible();
    const float pitch = std::min(m.pitch_x, m.pitch_y);
    const Clip clip(m.window);
    Patch filled(scene.look, m, pitch < scene.look.px(kMarksFrom) ? visible : CellRect{}, {});
    for (const WrongElement& element : recording.wrong) {
        const Element at{element.row, element.column};
        if (at.row >= visible.row1) break;
        if (!contains(visible, at) || !stored(at)) continue;
        scene.shows_wrong = true;
        if (Cell* cell = filled.at(at)) {
            *cell = {CellLook::kSolid, ColorRole::kAccent};
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
    if (wrong != nullptr && stored_elements(scene)(at))
        scene.hover.add("wrong: found " + decimal_text(wrong->found) + ", expected " +
                        decimal_text(wrong->expected));
}

namespace {

// When the conflict at a cell begins: with the earlier of its two accesses or, where they are not
// known, with its epoch.
class ConflictTimes {
  public:
    explicit ConflictTimes(const Replay& replay) {
        for (const Step& step : replay.schedule().steps) {
            begins_.emplace(replay.recorded(step.record), step.begin);
            epochs_.emplace(step.epoch, step.begin);
        }
    }
    [[nodiscard]] Tick of(const AffectedCell& cell) const {
        std::optional<Tick> first;
        for (const HazardParty& party : {cell.first, cell.second})
            if (const auto at = begins_.find(party.record); at != begins_.end())
                first = std::min(first.value_or(at->second), at->second);
        if (first) return *first;
        const auto epoch = epochs_.find(cell.epoch);
        return epoch == epochs_.end() ? 0 : epoch->second;
    }

  private:
    std::unordered_map<std::uint64_t, Tick> begins_;
    std::unordered_map<std::uint32_t, Tick> epochs_;
};

}  // namespace

void HazardPlan::refresh(const Workbench& workbench, bool replaced) {
    const Recording& recording = *workbench.recording();
    if (!replaced && generation_ == recording.generation) return;
    generation_ = recording.generation;
    cells_ = affected_cells(*recording.trace, recording.findings, workbench.replay()->block(),
                            *generation_);
    places_.clear();
    if (cells_.empty()) return;
    const ConflictTimes times(*workbench.replay());
    std::vector<Place> all;
    for (const AffectedCell& cell : cells_)
        all.push_back({cell.array,
                       {cell.row, cell.column},
                       recording.findings[cell.finding].severity == Severity::kError,
                       times.of(cell)});
    std::ranges::sort(all, {}, [](const Place& place) {
        return std::tuple(place.array, place.at.row, place.at.column);
    });
    for (const Place& place : all) {
        const bool is_new = places_.empty() || places_.back().array != place.array ||
                            !(places_.back().at == place.at);
        if (is_new) places_.push_back(place);
        places_.back().error = places_.back().error || place.error;
        places_.back().from = std::min(places_.back().from, place.from);
    }
}

std::span<const AffectedCell> HazardPlan::at(ArrayId array, Element element,
                                             std::uint32_t epoch) const {
    return std::ranges::equal_range(cells_, std::tuple(epoch, array, element.row, element.column),
                                    {}, [](const AffectedCell& cell) {
                                        return std::tuple(cell.epoch, cell.array, cell.row,
                                                          cell.column);
                                    });
}

std::span<const AffectedCell> HazardPlan::nearest(ArrayId array, Element element,
                                                  std::uint32_t epoch) const {
    const std::uint32_t epochs = cells_.empty() ? 0 : cells_.back().epoch + 1;
    for (std::uint32_t later = epoch; later < epochs; ++later)
        if (const auto here = at(array, element, later); !here.empty()) return here;
    for (std::uint32_t earlier = std::min(epoch, epochs); earlier-- > 0;)
        if (const auto here = at(array, element, earlier); !here.empty()) return here;
    return {};
}

const WrongElement* wrong_at(const Recording& recording, Element at) {
    const auto found =
        std::ranges::lower_bound(recording.wrong, std::tuple(at.row, at.column), {},
                                 [](const WrongElement& e) { return std::tuple(e.row, e.column); });
    const bool here = found != recording.wrong.end() && Element{found->row, found->column} == at;
    return here ? &*found : nullptr;
}

}  // namespace tilereel::stage

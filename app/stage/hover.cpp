// The text for the cell under the pointer.
#include <algorithm>
#include <optional>

#include "app/replay/elements.h"
#include "app/replay/state/element_text.h"
#include "app/replay/state/provenance.h"
#include "app/stage/matrices/block_map.h"
#include "app/stage/scene.h"
#include "app/stage/shared/bank_use.h"
#include "app/ui/widgets/tip.h"
#include "app/ui/widgets/widgets.h"
#include "instrumentation/base/format/decimal_text.h"
#include "instrumentation/trace/launch_names.h"

namespace tilereel::stage {
namespace {

std::string with_value(const std::string& name, float value) {
    return name + " = " + printed("%.7g", static_cast<double>(value));
}

// "lanes 0 to 15 of warp 3 read it now"
void say_lanes(Scene& scene, ArrayId array, Element element) {
    const Site* site = scene.running_on(array);
    if (site == nullptr) return;
    std::vector<std::uint16_t> lanes;
    for_each_element(scene.state.request, scene.trace.arrays[array],
                     [&](std::uint32_t lane, std::uint32_t, Element at) {
                         if (at == element && (lanes.empty() || lanes.back() != lane))
                             lanes.push_back(static_cast<std::uint16_t>(lane));
                     });
    if (lanes.empty()) return;
    const std::string warp =
        " of warp " + std::to_string(scene.steps()[scene.state.request.step].warp);
    const char* const verb = reads(site->operation) ? " read" : " write";
    scene.hover.add(lanes_listed(lanes) + warp + verb +
                    (lanes.size() == 1 ? "s it now" : " it now"));
}

// The bits that the current request leaves in an element of shared memory.
std::optional<std::uint64_t> bits_written(const Scene& scene, ArrayId id, Element at) {
    const Site* site = scene.running_on(id);
    if (site == nullptr || !writes(site->operation)) return std::nullopt;
    return bits_stored(scene.trace.arrays[id], at, site->width_bytes, scene.state.request);
}

// "copied to As[2][3] in this phase": the copy of a global element in shared memory that this phase
// makes or reads. Empty if there is none.
std::string copy_of(const Scene& scene, ArrayId array, Element at) {
    for (const auto* flights : {&scene.plan.flights_of_phase(scene.state.phase),
                                &scene.plan.flights_held(scene.state.phase)}) {
        for (const std::uint32_t index : *flights) {
            const Flight& f = scene.replay.flights()[index];
            if (f.from != array || f.source() != at) continue;
            const std::string to = element_name(scene.trace.arrays[f.to], f.target());
            const std::uint32_t phase = scene.plan.drawn_flight(index).phase;
            const std::string when = phase == scene.state.phase
                                         ? " in this phase"
                                         : " in phase " + with_commas(phase + 1);
            if (flight_progress(scene, index) >= 1) return "copied to " + to + when;
            if (scene.workbench.position() >= static_cast<double>(f.depart))
                return "being copied to " + to;
            return "to be copied to " + to + when;
        }
    }
    return {};
}

// "byte 132, sector 4, line 1", with the units of the GPU generation.
std::string place_in_memory(const Scene& scene, std::uint64_t byte) {
    const GlobalRules& rules = scene.replay.generation().global;
    const auto in = [byte](const char* unit, int bytes) {
        return unit + with_commas(byte / static_cast<std::uint64_t>(bytes));
    };
    std::string words = "byte " + with_commas(byte);
    if (rules.coalescing != Coalescing::kSectors)
        return words + in(", 128-byte segment ", rules.line_bytes);
    if (rules.sector_bytes < rules.line_bytes) words += in(", sector ", rules.sector_bytes);
    return words + in(", line ", rules.line_bytes);
}

void say_product(Scene& scene, Element at) {
    if (!contains(scene.replay.regions().c, at)) {
        const Launch& launch = scene.trace.launch;
        if (const auto block = scene.plan.blocks().storing(at, launch))
            scene.hover.add("computed by block " + block_name(launch.grid, *block) + "; " +
                            click_text(scene, *block));
        return;
    }
    const PartialSum* const sum = scene.sum_of(at);
    if (sum == nullptr) return;
    scene.hover.title = with_value(scene.hover.title, sum->value);
    scene.hover.add((sum->stored ? "stored after " : "partial sum of ") +
                    counted(sum->multiply_adds, "multiply-add", "multiply-adds") + " of " +
                    with_commas(scene.trace.launch.k));
}

const char* cell_state_text(CellState state) {
    switch (state) {
        case CellState::kValid:
            return "valid: of this phase, or still to be read";
        case CellState::kStale:
            return "stale: from an earlier phase, and never read again";
        case CellState::kUnderWay:
            return "a copy into it is under way: wait for the copy before using it";
        case CellState::kNeverWritten:
            break;
    }
    return "never written";
}

constexpr double kRestSeconds = 0.15;

// Places the box beside the cell under the pointer, inside the stage and not over the cell. It is
// at the right and below if there is room, otherwise at the left or above.
Rect place_box(const Scene& scene, Rect box) {
    const ImVec2 tip = scene.mouse;
    const Rect pointer{tip.x - scene.u(4), tip.y - scene.u(4), scene.u(16), scene.u(20)};
    const Rect& cell = scene.hover.over;
    const Rect avoided = cell.w > 0 ? pointer.joined(cell) : pointer;
    const Rect room = scene.layout.all.inset(scene.u(4));
    const float gap = scene.u(6);
    box.x = avoided.right() + gap;
    box.y = avoided.bottom() + gap;
    if (box.right() > room.right()) box.x = avoided.x - gap - box.w;
    if (box.bottom() > room.bottom()) box.y = avoided.y - gap - box.h;
    // If the box is too large for that, it only avoids the cell in one direction.
    box.x = std::clamp(box.x, room.x, std::max(room.x, room.right() - box.w));
    box.y = std::clamp(box.y, room.y, std::max(room.y, room.bottom() - box.h));
    return box;
}

}  // namespace

void say_uses(Scene& scene, ArrayId array, std::uint64_t byte, std::uint32_t bytes, bool goes) {
    StageView::PointedElement& element = scene.view.pointed_element;
    if (element.replay != scene.replay.id() || element.array != array || element.byte != byte)
        element = {
            scene.replay.id(), array, byte, uses_of_element(scene.replay, array, byte, bytes), {}};
    element.title = scene.hover.title;
    element.now = true;
    const auto next = next_use(scene.replay, element.uses, scene.state.tick);
    if (!next) return;
    scene.hover.add(uses_text(element.uses));
    const bool later = scene.steps()[next->step].begin > scene.state.tick;
    scene.hover.add((later ? "next: " : "first: ") + use_text(scene.replay, *next));
    scene.hover.add(goes ? "click: go there" : "click: its thread; again: go there");
    if (goes && scene.clicked) go_to_next_use(scene);
}

void go_to_next_use(Scene& scene) {
    const auto next = next_use(scene.replay, scene.view.pointed_element.uses, scene.state.tick);
    if (!next) return;
    if (scene.workbench.playing()) scene.commands.push_back(PlayPause{});
    const Step& step = scene.steps()[next->step];
    scene.commands.push_back(SeekTo{static_cast<double>(step.begin), false});
}

void hover_global(Scene& scene, ArrayId id, Element at) {
    if (id == kNoArray) return;
    const Array& array = scene.trace.arrays[id];
    Hover& hover = scene.hover;
    hover.role = scene.plan.role(id);
    hover.title = element_name(array, at);
    if (const MatrixView* view = matrix_of_array(scene, id)) hover.over = view->cell(at);
    const std::size_t index = std::size_t{at.row} * array.columns + at.column;
    const MatrixProduct matrices = matrices_of(scene.trace);
    const bool is_input = id == matrices.a || id == matrices.b;
    const MatrixElements values =
        is_input ? matrix_of(scene.trace, id == matrices.a ? MatrixRole::kA : MatrixRole::kB)
                 : MatrixElements();
    if (index < values.size()) hover.title = with_value(hover.title, values[index]);
    const std::uint64_t byte = array.index_of(at) * array.element_bytes;
    hover.add(place_in_memory(scene, byte));
    if (!is_input) {
        say_product(scene, at);
        say_wrong(scene, at);
    } else if (const std::string copy = copy_of(scene, id, at); !copy.empty()) {
        hover.add(copy);
    } else if (!contains(scene.replay.regions().band(id), at)) {
        hover.add("not used by this block");
    }
    say_uses(scene, id, array.base_bytes + byte, array.element_bytes, is_input);
    say_heat(scene, id, array.index_of(at));
    say_lanes(scene, id, at);
}

void hover_shared(Scene& scene, ArrayId id, Element at) {
    const Array& array = scene.trace.arrays[id];
    Hover& hover = scene.hover;
    hover.role = scene.plan.role(id);
    hover.title = element_name(array, at);
    if (const SharedView* view = view_of_row(scene, id, at.row)) hover.over = view->cell_of(at);
    const std::size_t index = std::size_t{at.row} * array.leading_dimension + at.column;
    const std::uint64_t byte = array.base_bytes + index * array.element_bytes;
    const std::string place = "byte " + with_commas(byte) + ", word " + with_commas(byte / 4) +
                              ", bank " + std::to_string(byte / 4 % scene.banks());
    if (at.column >= array.columns) {
        hover.lines = {place, "padding: moves the rows below to other banks"};
        return;
    }
    for (const SharedArrayState& model : scene.state.shared) {
        if (model.array != id || index >= model.cells.size()) continue;
        const SharedCell& cell = model.cells[index];
        const bool has_value =
            cell.state != CellState::kNeverWritten && cell.state != CellState::kUnderWay;
        if (has_value) hover.title += " = " + text_of_element(array, cell.bits);
        hover.add(place);
        if (const auto now = bits_written(scene, id, at))
            hover.add((has_value ? "before " + text_of_element(array, cell.bits) + ", "
                                 : "never written before, ") +
                      "now " + text_of_element(array, *now));
        hover.add(cell_state_text(cell.state));
        if (cell.state != CellState::kNeverWritten && !cell.loaded)
            hover.add("not loaded: the lane that stored it had loaded nothing");
    }
    if (const std::uint32_t flight =
            scene.replay.provenance().flight_into(id, at, scene.state.tick);
        flight != kNoStep) {
        const Flight& f = scene.replay.flights()[flight];
        hover.add("a copy of " + element_name(scene.trace.arrays[f.from], f.source()));
    }
    say_uses(scene, id, byte, array.element_bytes, true);
    say_lanes(scene, id, at);
}

void hover_bank(Scene& scene, std::uint32_t bank) {
    const RequestBanks now = banks_of_request(scene);
    const BankUse& use = now.bank[bank];
    Hover& hover = scene.hover;
    hover.role = use.conflicted() ? ColorRole::kConflict : scene.role_of_request();
    hover.title = "bank " + std::to_string(bank);
    hover.add("words " + std::to_string(bank) + ", " + std::to_string(bank + scene.banks()) + ", " +
              std::to_string(bank + 2 * scene.banks()) + " and so on");
    if (now.idle) return hover.add("idle: the request is not to shared memory");
    if (use.words == 0) return hover.add("not used by this request");
    if (use.conflicted() && use.words > 1)
        hover.add(std::to_string(use.words) + " different words, " +
                  std::to_string(use.wavefronts) + " wavefronts");
    else if (use.conflicted())
        hover.add("one word at a time is broadcast: " + std::to_string(use.wavefronts) +
                  " wavefronts");
    if (use.now.size() == 1)
        hover.add("serves lane " + std::to_string(use.now.front()) + " now");
    else if (use.now.size() > 1)
        hover.add("serves " + std::to_string(use.now.size()) + " lanes with one word");
    if (!use.waiting.empty()) hover.add(counted(use.waiting.size(), "lane waits", "lanes wait"));
}

// Draws a box beside the pointer.
void draw_hover(Scene& scene) {
    const Hover& hover = scene.hover;
    scene.view.hover_lines.clear();
    const bool rests = scene.look.now_seconds - scene.view.pointer_moved >= kRestSeconds;
    if (hover.title.empty() || scene.view.dragging || !rests || tips_rest(scene.look)) return;
    scene.view.hover_lines = hover.lines;
    const HoverCard card{scene.look,
                         hover.title,
                         {Face::kMonoBold, tip_type(scene.f(15)), scene.colors().solid(hover.role)},
                         hover.lines,
                         tip_type(scene.f(13))};
    const Rect box = place_box(scene, {0, 0, card.size().x, card.size().y});
    register_widget("stage.hover", box);
    card.draw(box);
}

}  // namespace tilereel::stage

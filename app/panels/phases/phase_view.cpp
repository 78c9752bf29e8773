#include "app/panels/phases/phase_view.h"

#include <algorithm>
#include <cmath>

#include "app/panels/array_role.h"
#include "app/panels/measure.h"
#include "app/ui/widgets/scroll_bar.h"

namespace tilereel {
namespace {

constexpr double kTableHeldSeconds = 4;  // the table follows the phases again after this time
constexpr float kTableLeading = 1.35f;   // line height, as a multiple of the font size

void measure_cells(PhaseView& view, float px) {
    view.px = px;
    view.advance = text_width("0", Face::kMono, px);
    view.line = std::round(kTableLeading * px);
    view.pad = std::round(0.7f * px);
    view.columns.assign(1, view.pad / 2);
    for (const PhaseColumn& column : view.layout.columns)
        view.columns.push_back(view.columns.back() +
                               static_cast<float>(std::max<std::size_t>(column.characters, 8)) *
                                   view.advance +
                               2 * view.pad);
    view.phase = std::ceil(view.columns.back() + view.pad / 2);
    std::size_t longest = 6;  // "Thread"
    for (std::uint32_t i = 0; i < view.threads; ++i)
        longest = std::max(longest, name_of(view.table.threads[view.first + i]).size());
    view.names = std::ceil(static_cast<float>(longest) * view.advance + 2 * view.pad);
    view.row = static_cast<float>(view.layout.lines) * view.line + view.pad;
}

}  // namespace

void place_phases(PhaseView& view, const Rect& rect, float top) {
    const Look& look = view.look;
    const float room = rect.w - look.margin();
    measure_cells(view, std::floor(type_px(look, 13)));
    const float least = std::ceil(look.px(11));
    while (view.px > least && view.names + view.phase > room) measure_cells(view, view.px - 1);
    constexpr float kLeastRows = 4;  // with fewer, the foot is a line until a thread is pointed at
    const float head = 2 * 1.6f * view.px;
    view.read = std::round(3 * view.line + look.px(14));
    float foot = view.read;
    if (rect.bottom() - foot - top - head < kLeastRows * view.row)
        foot = std::round(1.4f * view.line + look.snug());
    view.body = {rect.x + look.wide() + view.names, top + head, room - view.names,
                 std::max(0.0f, rect.bottom() - foot - top - head)};
    view.head = {view.body.x, top, view.body.w, head};
    view.foot = {rect.x + look.pad(), view.body.bottom(), rect.w - look.px(32),
                 rect.bottom() - view.body.bottom()};
    if (view.most_x() > 0) view.body.h = std::max(0.0f, view.body.h - look.gap());  // above the bar
}

void follow_phase(PhaseView& view) {
    PhaseTableMemory& memory = view.memory;
    const ImGuiIO& io = ImGui::GetIO();
    const float visible = view.whole_phases(), most = view.most_x();
    const bool over = ImGui::IsWindowHovered() && view.body.contains(io.MousePos);
    const float sideways = io.MouseWheelH + (io.KeyShift ? io.MouseWheel : 0);
    if (over && sideways != 0) {
        memory.x -= sideways * view.look.px(80);
        memory.free_until_seconds = view.look.now_seconds + kTableHeldSeconds;
    }
    const Rect above_foot{view.body.x, view.body.y, view.body.w, view.foot.y - view.body.y};
    if (scroll_bar(view.look, above_foot, view.body.w + most, memory.x, true))
        memory.free_until_seconds = view.look.now_seconds + kTableHeldSeconds;
    if (view.look.now_seconds >= memory.free_until_seconds) {
        const std::uint32_t running = view.replay.state().phase;
        const float left = static_cast<float>(running) * view.phase;
        float target = std::round(memory.x / view.phase) * view.phase;
        target = std::clamp(target, left - (visible - 1) * view.phase, left);
        target = std::clamp(target, 0.0f, most);
        memory.x = view.look.glide(memory.x, target);
        memory.moving = memory.x != target;
    }
    memory.x = std::clamp(memory.x, 0.0f, most);
}

namespace {

// Whether the current request makes this entry of a thread: its load, its store, or the reads of
// shared memory for its multiply-adds.
bool runs_now(const PhaseView& view, const PhaseCell& cell, const PhaseColumn& column,
              const LaneState& lane, const Site& site) {
    const bool shared = view.trace().arrays[site.array].space == Space::kShared;
    const auto is = [&](const std::optional<ElementName>& element) {
        return element && element->array == site.array && element->row == lane.row &&
               element->column == lane.column;
    };
    if (column.sums) return shared && reads(site.operation) && !cell.sums.empty();
    return std::ranges::any_of(cell.loads, [&](const PhaseLoad& load) {
        return belongs(column, load) && is(reads(site.operation) ? load.from : load.to);
    });
}

// The current request if its warp is shown; otherwise nullptr. `step` receives its step.
const RequestState* request_shown(const PhaseView& view, const Step*& step) {
    const ReplayState& state = view.replay.state();
    if (state.step == kNoStep || state.step >= view.replay.schedule().steps.size()) return nullptr;
    step = &view.replay.schedule().steps[state.step];
    return step->warp == view.first / kPhaseRows ? &state.request : nullptr;
}

ColorRole role_of(const PhaseView& view, const PhaseColumn& column) {
    if (column.sums) return ColorRole::kC;
    const ArrayId array = column.array != kNoArray ? column.array : column.targets.front();
    return role_of_array(view.replay, array);
}

std::string title_of(const PhaseView& view, const PhaseColumn& column) {
    if (column.sums) return "multiply-add";
    if (column.array != kNoArray) return "load " + view.trace().arrays[column.array].name;
    return "store " + view.trace().arrays[column.targets.front()].name;
}

void draw_cell(const PhaseView& view, const Rect& rect, const PhaseCellText& text, ColorRole role,
               bool running) {
    const Palette& colors = view.look.colors();
    const Rect inner = rect.inset(view.look.hair());
    if (text.not_loaded) dashed_rect(inner, colors.ink3, view.look.px(1.25f), view.look.px(4));
    if (running)
        draw_box(inner, colors.tint(role), colors.solid(role), view.look.frame(), view.look.px(4));
    float y = rect.y + view.pad / 2 + view.line / 2;
    for (const std::string& line : text.lines) {
        draw_text({rect.x + view.pad, y}, line,
                  {Face::kMono, view.px, text.not_loaded ? colors.ink2 : colors.ink});
        y += view.line;
    }
}

}  // namespace

void draw_phase_cells(const PhaseView& view, std::uint32_t phase) {
    const Step* step = nullptr;
    const RequestState* request =
        phase == view.replay.state().phase ? request_shown(view, step) : nullptr;
    for (std::uint32_t i = 0; i < view.threads; ++i) {
        const float top = view.top_of(i);
        if (top > view.body.bottom() || top + view.row < view.body.y) continue;
        const PhaseThread& thread = view.table.threads[view.first + i];
        if (phase >= thread.phases.size()) continue;
        const PhaseCell& cell = thread.phases[phase];
        for (std::size_t c = 0; c < view.layout.columns.size(); ++c) {
            const PhaseColumn& column = view.layout.columns[c];
            const PhaseCellText text = text_of(view.trace(), cell, column);
            if (text.lines.empty()) continue;
            const bool running =
                request != nullptr && request->lanes[i].active &&
                runs_now(view, cell, column, request->lanes[i], view.trace().sites[step->site]);
            draw_cell(view,
                      {view.left_of(phase) + view.columns[c], top,
                       view.columns[c + 1] - view.columns[c], view.row},
                      text, role_of(view, column), running);
        }
    }
}

void draw_phase_head(const PhaseView& view, std::uint32_t phase, bool hovered) {
    const Palette& colors = view.look.colors();
    const bool running = phase == view.replay.state().phase;
    const float left = view.left_of(phase), unit = view.head.h / 2;
    const Rect whole{left, view.head.y, view.phase, view.bottom() - view.head.y};
    if (running || hovered)
        fill_rect(whole, running ? colors.accent_tint : mix(colors.panel, colors.ink, 0.05f),
                  view.look.corner());
    if (running)
        fill_rect({left, view.head.y, view.phase, view.look.tight()}, colors.accent,
                  view.look.px(2));
    draw_list()->AddRectFilled({left + view.phase - 1, view.head.y},
                               {left + view.phase, view.bottom()}, colors.line);
    draw_text({left + view.columns[0] + view.pad, view.head.y + 0.56f * unit},
              "Phase " + with_commas(phase + 1),
              {Face::kSemiBold, view.px + view.look.px(1), running ? colors.ink : colors.ink2});
    for (std::size_t c = 0; c < view.layout.columns.size(); ++c) {
        const PhaseColumn& column = view.layout.columns[c];
        draw_text({left + view.columns[c] + view.pad, view.head.y + 1.5f * unit},
                  title_of(view, column),
                  {Face::kRegular, view.px, colors.solid(role_of(view, column))});
    }
}

std::optional<std::uint32_t> thread_under_mouse(const PhaseView& view) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const Rect rows{view.body.x - view.names, view.body.y, view.names + view.body.w, view.body.h};
    if (!ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) ||
        !rows.contains(mouse))
        return std::nullopt;
    const auto row = static_cast<std::int64_t>((mouse.y - view.body.y + view.memory.y) / view.row);
    if (row < 0 || row >= view.threads) return std::nullopt;
    return static_cast<std::uint32_t>(row);
}

void draw_thread_names(const PhaseView& view, std::optional<std::uint32_t> marked) {
    const Palette& colors = view.look.colors();
    const float left = view.body.x - view.names;
    draw_text({left + view.pad, view.head.y + 0.75f * view.head.h}, "Thread",
              {Face::kRegular, view.px, colors.ink3});
    draw_list()->AddRectFilled({view.body.x - 1, view.head.y}, {view.body.x, view.bottom()},
                               colors.line);
    const Clip clip({left, view.body.y, view.body.right() - left, view.body.h});
    for (std::uint32_t i = 0; i < view.threads; ++i) {
        const float top = view.top_of(i);
        if (top > view.body.bottom() || top + view.row < view.body.y) continue;
        draw_list()->AddRectFilled({left, top}, {view.body.right(), top + 1}, colors.line);
        if (marked == i)
            stroke_rect(Rect{left, top, view.names + view.body.w, view.row}.inset(1), colors.accent,
                        view.look.frame(), view.look.px(4));
        draw_text({left + view.pad, top + view.row / 2},
                  name_of(view.table.threads[view.first + i]),
                  {Face::kMonoBold, view.px, marked == i ? colors.ink : colors.ink2});
    }
}

}  // namespace tilereel

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>
#include <system_error>

#include "app/panels/measure.h"
#include "app/panels/panel_memory.h"
#include "app/panels/paragraph.h"
#include "app/panels/phases/phase_table_memory.h"
#include "app/panels/phases/phase_view.h"
#include "app/panels/wrap_row.h"
#include "app/ui/widgets/menu.h"
#include "app/ui/widgets/scroll_bar.h"
#include "app/ui/widgets/widgets.h"
#include "instrumentation/trace/launch_names.h"

namespace tilereel {
namespace {

MadePhaseTable make_table(const Trace& trace, std::uint32_t block) {
    try {
        MadePhaseTable made{.table = phase_table(trace, block), .layout = {}};
        if (made.table) made.layout = lay_out(trace, *made.table);
        return made;
    } catch (const std::bad_alloc&) {
        return {.table = failed("There is not enough memory for this table; choose smaller sizes"),
                .layout = {}};
    }
}

// Makes the table on another thread, or in this call if the system cannot start a thread.
std::future<MadePhaseTable> ask_for_table(std::shared_ptr<const Trace> trace, std::uint32_t block) {
    try {
        return std::async(std::launch::async, [trace, block] { return make_table(*trace, block); });
    } catch (const std::system_error&) {
        std::promise<MadePhaseTable> made;
        made.set_value(make_table(*trace, block));
        return made.get_future();
    }
}

// The table of the watched block. nullptr while it is being made. A new block starts a new
// computation.
const MadePhaseTable* table_of(PhaseTableMemory& memory, const Workbench& workbench) {
    const Replay& replay = *workbench.replay();
    if (memory.coming.valid() &&
        memory.coming.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
        memory.made = memory.coming.get();
        memory.replay = memory.coming_replay;
        memory.x = memory.y = 0;
        memory.free_until_seconds = -1;
    }
    if (memory.made && memory.replay == replay.id()) return &*memory.made;
    if (!memory.coming.valid()) {
        memory.coming_replay = replay.id();
        memory.coming = ask_for_table(workbench.recording()->trace, replay.block());
    }
    return nullptr;
}

Tick begin_of_phase(const Replay& replay, std::uint32_t phase) {
    for (const PhaseSpan& span : replay.schedule().spans)
        if (span.phase == phase) return span.begin;
    return 0;
}

// The beginning of a text that is too long for legible type in the foot.
std::string cut_to_foot(const PhaseView& view, float height, std::string text) {
    constexpr float kLeast = 0.75f, kWord = 16;  // of the font size; characters lost in a line
    const float lines = std::floor(height / (kParagraphLeading * kLeast * view.px));
    const float columns = std::floor(view.foot.w / (kLeast * view.advance)) - kWord;
    const auto most = static_cast<std::size_t>(std::max(kWord, lines * columns));
    if (text.size() <= most) return text;
    return text.substr(0, text.rfind(' ', most)) + " \xe2\x80\xa6";
}

// Writes what the marked thread does: in the phase under the mouse, or else in the current
// phase.
void draw_foot(const PhaseView& view, std::optional<std::uint32_t> row,
               std::optional<std::uint32_t> phase) {
    const Palette& colors = view.look.colors();
    const float px = view.px;
    Rect foot = view.foot;
    if (row && view.read > foot.h) {  // over the rows that are far from the mouse
        const bool low = ImGui::GetIO().MousePos.y > view.body.center().y;
        foot = {view.body.x - view.names, low ? view.body.y : view.foot.bottom() - view.read,
                view.body.w + view.names, view.read};
        fill_rect(foot, colors.raised, view.look.snug());
        foot = {foot.x + view.pad, foot.y, foot.w - 2 * view.pad, foot.h};
    } else {
        draw_rule(view.look, foot.min(), foot.w);
    }
    const float top = foot.y + view.look.snug();
    if (!row) {
        const float middle = std::min(top + 0.9f * view.line, foot.center().y);
        draw_text_fit({foot.x, middle}, foot.w,
                      "Point at a thread to read its phase in full; click a phase to go there",
                      {Face::kRegular, px, colors.ink3});
        return;
    }
    const PhaseThread& thread = view.table.threads[view.first + *row];
    const float height = foot.bottom() - top;
    const std::string text = cut_to_foot(
        view, height, whole_text(view.trace(), thread, phase.value_or(view.replay.state().phase)));
    const auto write = [&](float size) {
        return draw_paragraph({foot.x, top}, foot.w, text, {Face::kMono, size, colors.ink});
    };
    write(fitting_px(px, height, write));
}

// The choice of the warp whose threads are shown.
void choose_warp(const Look& look, const Rect& chip, std::uint32_t warps,
                 PhaseTableMemory& memory) {
    std::vector<std::string> names;
    for (std::uint32_t warp = 0; warp < warps; ++warp)
        names.push_back("warp " + std::to_string(warp));
    const int chosen =
        choice_chip(look, "phases.warp", chip, "", names, static_cast<int>(memory.warp),
                    "The warp whose threads are shown");
    if (chosen < 0 || chosen == static_cast<int>(memory.warp)) return;
    memory.warp = static_cast<std::uint32_t>(chosen);
    memory.y = 0;
}

// Draws the title, the choice of the warp, and the close button. Returns the y position of the
// table.
float draw_title(const Look& look, const Rect& rect, const Workbench& workbench,
                 PhaseTableMemory& memory, Commands& commands) {
    const Palette& colors = look.colors();
    const Replay& replay = *workbench.replay();
    const Launch& launch = replay.trace().launch;
    const ReplayState& state = replay.state();
    const float px = type_px(look, 15), control = std::round(1.9f * px), gap = look.gap();
    const Rect close{rect.right() - gap - control, rect.y + gap, control, control};
    if (icon_button(look, "phases.close", close, Icon::kClose, false, "Back to the picture (H)"))
        commands.push_back(TogglePhaseTable{});
    WrapRow row({rect.x + look.pad(), rect.y + gap, close.x - rect.x - look.pad(), 0}, control, gap,
                look.wide());
    const auto words = [&](const std::string& text, Face face, ImU32 color) {
        const Rect place = row.next(text_width(text, face, px));
        draw_text({place.x, place.center().y}, text, {face, px, color});
    };
    words("Phase table", Face::kSemiBold, colors.ink);
    words("block " + block_name(launch.grid, replay.block()), Face::kMono, colors.ink2);
    memory.warp = std::min(memory.warp, launch.warps() - 1);
    if (launch.warps() > 1)
        choose_warp(look, row.next(button_width(look, "warp 00", 36)), launch.warps(), memory);
    if (state.step < replay.schedule().steps.size() &&
        replay.schedule().steps[state.step].warp != memory.warp)
        words("warp " + std::to_string(replay.schedule().steps[state.step].warp) + " is running",
              Face::kRegular, colors.ink3);
    return row.bottom() + gap;
}

void draw_sentence_instead(const Look& look, const Rect& rect, const std::string& text) {
    const float px = type_px(look, 16), width = std::min(rect.w - look.px(64), look.px(640));
    draw_paragraph({rect.center().x - width / 2, rect.center().y - px}, width, text,
                   {Face::kRegular, px, look.colors().ink2});
}

Commands draw_table(PhaseView& view, const Rect& rect, float top) {
    Commands commands;
    PhaseTableMemory& memory = view.memory;
    place_phases(view, rect, top);
    const float height = static_cast<float>(view.threads) * view.row;
    // The scroll bars are submitted before the phases, so that they get the mouse, but are drawn on
    // top.
    draw_list()->ChannelsSplit(2);
    draw_list()->ChannelsSetCurrent(1);
    follow_phase(view);
    scroll_in(view.look, view.body, height, memory.y);
    draw_list()->ChannelsSetCurrent(0);
    const std::optional<std::uint32_t> row = thread_under_mouse(view);
    std::optional<std::uint32_t> hovered;
    draw_list()->PushClipRect(view.head.min(), view.body.max(), true);
    for (std::uint32_t phase = 0; phase < view.table.phases; ++phase) {
        const float left = std::max(view.left_of(phase), view.body.x);
        const float right = std::min(view.left_of(phase) + view.phase, view.body.right());
        if (right - left < 2) continue;
        const Interaction touch =
            interact(view.look, "phases.phase." + std::to_string(phase),
                     {left, view.head.y, right - left, view.head.h + view.body.h}, "");
        if (touch.hovered) hovered = phase;
        if (touch.clicked)
            commands.push_back(
                SeekTo{.tick = static_cast<double>(begin_of_phase(view.replay, phase))});
        draw_phase_head(view, phase, touch.hovered);
        draw_list()->PushClipRect({left, view.body.y}, view.body.max(), true);
        draw_phase_cells(view, phase);
        draw_list()->PopClipRect();
    }
    draw_list()->PopClipRect();
    draw_list()->ChannelsMerge();
    draw_thread_names(view, row);
    draw_foot(view, row, hovered);
    return commands;
}

}  // namespace

Commands draw_phase_table(const Look& look, const Rect& rect, const Workbench& workbench,
                          PanelMemory& panels) {
    draw_card(look, rect);
    register_widget("phases", rect);
    PhaseTableMemory& memory = panels.parts().phases;
    Commands commands;
    const bool replays = workbench.replay() != nullptr;
    const float top = replays ? draw_title(look, rect, workbench, memory, commands) : rect.y;
    const MadePhaseTable* made = replays ? table_of(memory, workbench) : nullptr;
    if (made == nullptr || !made->table) {
        draw_sentence_instead(look, rect,
                              !replays          ? "Recording the first replay."
                              : made == nullptr ? "Reading the phases of this block."
                                                : made->table.error().message + ".");
        return commands;
    }
    const auto all = static_cast<std::uint32_t>(made->table->threads.size());
    const std::uint32_t first =
        std::min(memory.warp * kPhaseRows, all - 1) / kPhaseRows * kPhaseRows;
    PhaseView view{.look = look,
                   .replay = *workbench.replay(),
                   .table = *made->table,
                   .layout = made->layout,
                   .memory = memory,
                   .first = first,
                   .threads = std::min(kPhaseRows, all - first)};
    append(commands, draw_table(view, rect, top));
    return commands;
}

}  // namespace tilereel

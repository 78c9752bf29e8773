#include "app/panels/source/program_panel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/panels/inspector/hazards_section.h"
#include "app/panels/measure.h"
#include "app/panels/panel_column.h"
#include "app/panels/panel_memory.h"
#include "app/panels/paragraph.h"
#include "app/panels/source/launch_list.h"
#include "app/panels/source/program_errors.h"
#include "app/panels/source/run_state.h"
#include "app/panels/source/trust_offer.h"
#include "app/panels/tab_row.h"
#include "app/ui/draw/kept_shapes.h"
#include "app/ui/draw/wrap_text.h"
#include "app/ui/fonts/utf8.h"
#include "app/ui/widgets/scroll_bar.h"
#include "app/ui/widgets/widgets.h"
#include "instrumentation/base/format/with_commas.h"

namespace tilereel {
namespace {

constexpr float kPanelHeight = 252;  // units; less if there is not enough room

// Draws a rotating three-quarter circle.
void draw_spinner(const Look& look, ImVec2 center, float radius) {
    const auto turn = static_cast<float>(std::fmod(look.now_seconds * 5, 6.28318530718));
    draw_list()->PathClear();
    draw_list()->PathArcTo(center, radius, turn, turn + 4.5f, 24);
    stroke_path(look.colors().accent, std::max(look.hair(), radius * 0.3f));
}

// What the blocks that were left out would need; 0: none were left out.
std::uint64_t left_out_seconds(const OpenedProgram& program) {
    std::uint64_t seconds = 0;
    if (program.running || !program.run) return 0;
    for (const program::LaunchSummary& launch : program.run->launches)
        if (launch.left_out_blocks > 0)
            seconds += std::max<std::uint64_t>(launch.left_out_seconds, 1);
    return seconds;
}

// Whether a panel of this height has no room for a launch below its tabs.
bool is_low(const Look& look, float height) {
    return height <
           look.px(16 + 8 + 6) + row_px(look, 30 + 22) + row_px(look, 26) + launch_height(look);
}

constexpr const char *kOpen = "launches", *kAgain = "run again";

// In a low column: whether the state has room beside the buttons, in the place of the name.
bool state_fits(const ProgramScope& panel, float width) {
    if (panel.program.running || left_out_seconds(panel.program) > 0 ||
        !trust_offer_text(panel.program).empty())
        return false;
    const float buttons =
        button_width(panel.look, kOpen) + button_width(panel.look, kAgain) + 2 * panel.look.gap();
    return text_width(state_of(panel.program, panel.colors()).words, Face::kSemiBold,
                      type_px(panel.look, 14)) <= width - buttons;
}

// Draws the file's name and buttons, and below them the state or result of the run. Returns the y
// position of the bottom. `low`: the tabs are shown only when they are opened.
float draw_head(ProgramScope& panel, const Rect& rect, bool low) {
    const Look& look = panel.look;
    const Palette& colors = look.colors();
    const float small = type_px(look, 14);
    const OpenedProgram& program = panel.program;
    const RunState state = state_of(program, colors);
    const Rect row{rect.x, rect.y, rect.w, row_px(look, 30)};
    ButtonRow buttons(look, row);
    if (program.running) {
        if (buttons.from_right("program.cancel", "cancel", false,
                               program.ending ? "Do not wait for what it has recorded (Esc)"
                                              : "Stop compiling or running (Esc); what has been "
                                                "recorded is shown"))
            panel.commands.push_back(CancelRecording{});
    } else if (buttons.from_right("program.again", kAgain, false,
                                  "Compile and run the program again (Ctrl+R)")) {
        panel.commands.push_back(RunProgramAgain{});
    }
    const float others = low ? button_width(look, kOpen) + look.gap() : 0;
    if (const std::uint64_t seconds = left_out_seconds(program);
        seconds > 0 && buttons.room().w >= button_width(look, "run all blocks") + others &&
        buttons.from_right("program.all_blocks", "run all blocks", false,
                           "Run it again with the blocks that were left out; they need about " +
                               with_commas(seconds) + " s"))
        panel.commands.push_back(RunProgramAgain{.all_blocks = true});
    if (low && !has_errors(program) &&
        buttons.from_right("program.open", kOpen, panel.memory.opened,
                           "The program's launches and what it printed"))
        panel.memory.opened = !panel.memory.opened;
    const Rect& left = buttons.room();
    interact(look, "program.name", left, program.name());
    if (low && !panel.memory.opened && !has_errors(program) && state_fits(panel, rect.w)) {
        draw_text({left.x, left.center().y}, state.words, {Face::kSemiBold, small, state.color});
        return row.bottom();
    }
    // In a low column a name that does not fit stands in the bar only.
    const TextStyle name{Face::kMono, small, colors.ink};
    if (!low || text_width(program.name(), name.face, name.px) <= left.w)
        draw_text_fit({left.x, left.center().y}, left.w, program.name(), name);
    const float spinner = program.running ? 1.5f * small : 0, top = row.bottom();
    if (program.running)
        draw_spinner(look, {rect.x + small * 0.5f, top + 0.72f * small}, small * 0.42f);
    const float bottom = top + draw_paragraph({rect.x + spinner, top}, rect.w - spinner,
                                              state.words, {Face::kSemiBold, small, state.color});
    if (program.running) {
        const float share = static_cast<float>(std::clamp(program.stage.share, 0.0, 1.0));
        draw_share({rect.x, bottom, rect.w, look.px(3)}, share, colors.raised, colors.accent,
                   look.line());
    }
    const float offer = trust_offer_height(look, program, rect.w);
    draw_trust_offer(panel, {rect.x, bottom}, rect.w);
    return bottom + offer + look.gap();
}

// Draws how the program ended, and the last part of its output.
void draw_output(ProgramScope& panel, const Rect& area) {
    constexpr std::size_t kMostCharacters = 8000;
    const Look& look = panel.look;
    const program::ProgramRun& run = *panel.program.run;
    const float px = type_px(look, 13);
    scrolled(look, area, panel.memory.scroll, [&](const Rect& place) {
        Column column(look, place);
        const ImU32 color = run.exit_code == 0 ? look.colors().ink3 : look.colors().conflict;
        column.paragraph(run.end_sentence, {Face::kRegular, px, color});
        std::string_view rest = run.output;
        rest.remove_prefix(rest.size() - std::min(rest.size(), kMostCharacters));
        for (const std::string_view line : split(rest, "\n"))
            column.paragraph(line, {Face::kMono, px, look.colors().ink});
        return column.height();
    });
}

// Draws the tabs, in the order of ProgramMemory::Tab. Returns the room below them.
Rect draw_program_tabs(ProgramScope& panel, const Rect& rect) {
    constexpr std::array<TabWord, 3> kTabs = {
        {{"Errors", "errors", "Why the program does not run"},
         {"Launches", "launches", "The program's kernel launches"},
         {"Output", "output", "What the program printed"}}};
    const Look& look = panel.look;
    const float h = row_px(look, 26);
    const int first = has_errors(panel.program) ? 0 : 1;
    const int clicked =
        draw_tabs(look, "program", {rect.x, rect.y, rect.w, h},
                  std::span(kTabs).subspan(static_cast<std::size_t>(first)),
                  static_cast<std::size_t>(static_cast<int>(panel.memory.tab) - first),
                  {type_px(look, 14), look.px(20)});
    if (clicked >= 0) {
        panel.memory.tab = static_cast<ProgramMemory::Tab>(first + clicked);
        panel.memory.scroll = 0;
    }
    const float top = rect.y + h + look.snug();
    return {rect.x, top, rect.w, rect.bottom() - top};
}

// A run with errors switches to the errors once; a run without errors switches back to the
// launches.
void choose_tab(ProgramScope& panel) {
    using Tab = ProgramMemory::Tab;
    ProgramMemory& memory = panel.memory;
    if (panel.program.running) {  // the errors belong to the former text
        if (memory.tab == Tab::kErrors) memory.tab = Tab::kLaunches;
        return;
    }
    const std::string run = panel.program.started + (has_errors(panel.program) ? " errors" : "");
    if (memory.started != run) {
        memory.started = run;
        memory.scroll = 0;
        if (has_errors(panel.program)) memory.tab = Tab::kErrors;
    }
    if (memory.tab == Tab::kErrors && !has_errors(panel.program)) memory.tab = Tab::kLaunches;
}

}  // namespace

float program_height(const Look& look, float width, float height, const Workbench& workbench,
                     PanelMemory& memory) {
    constexpr float kOpened = 0.75f;  // share of a low column
    if (workbench.program() == nullptr) return 0;
    const OpenedProgram& program = *workbench.program();
    const float offer = trust_offer_height(look, program, width - look.px(28));
    const float most = std::min(look.px(kPanelHeight) + 6 * extra_px(look), height * 0.42f) + offer;
    ProgramMemory& own = memory.parts().program;
    const float head = look.px(16 + 8 + 6) + row_px(look, 30 + 22) + row_px(look, 26);
    own.low = is_low(look, most - offer);
    if (own.low) {
        if (own.opened || has_errors(program)) return std::round(kOpened * height);
        const ProgramScope panel{look, program, own, memory.parts().inspector.hazards};
        // The state stands beside the buttons, or on as many lines below them as it needs.
        const float room = width - look.px(28);
        const auto lines = static_cast<float>(
            state_fits(panel, room)
                ? 0
                : wrap_text(state_of(program, look.colors()).words, room - look.px(20),
                            Face::kSemiBold, type_px(look, 14))
                      .size());
        return std::round(head - row_px(look, 26) + (lines - 1) * row_px(look, 22) + offer);
    }
    own.opened = false;
    if (!program.run || has_errors(program)) return std::round(most);
    // With few launches the panel is lower, which leaves more room for the source below.
    const auto launches = static_cast<float>(program.run->launches.size());
    const float rows =
        std::max(launches * (launch_height(look) + look.tight()), 3 * row_px(look, 20));
    return std::round(std::min(most, head + rows + look.snug() + offer));
}

Commands draw_program(const Look& look, const Rect& rect, const Workbench& workbench,
                      PanelMemory& memory) {
    const OpenedProgram* const program = workbench.program();
    if (program == nullptr || rect.h <= 0) return {};
    draw_card(look, rect);
    using Tab = ProgramMemory::Tab;
    PanelMemory::Parts& parts = memory.parts();
    ProgramScope panel{look, *program, parts.program, parts.inspector.hazards};
    if (workbench.shows_program() && workbench.replay() != nullptr) {
        panel.block = workbench.replay()->block();
        const Trace& trace = workbench.replay()->trace();
        note_program_text(parts.source, trace.source_name, trace.source);
        static_cast<void>(hazard_texts(parts.inspector, workbench));
    }
    const Rect inner{rect.x + look.px(14), rect.y + look.gap(), rect.w - look.px(28),
                     rect.h - look.pad()};
    const float top = draw_head(panel, inner, panel.memory.low);
    choose_tab(panel);
    if (panel.memory.low && !panel.memory.opened && !has_errors(*program))
        return std::move(panel.commands);
    const Rect room = draw_program_tabs(panel, {inner.x, top, inner.w, inner.bottom() - top});
    const Tab tab = panel.memory.tab;
    if (tab == Tab::kErrors)
        draw_program_errors(look, room, *program, panel.memory.scroll);
    else if (tab == Tab::kOutput && program->run)
        draw_output(panel, room);
    else if (tab == Tab::kLaunches && (program->run || program->running))
        draw_launches(panel, room);
    return std::move(panel.commands);
}

}  // namespace tilereel

#include "app/panels/source/program_panel.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/panels/inspector/hazards_section.h"
#include "app/panels/measure.h"
#include "app/panels/memory.h"
#include "app/panels/paragraph.h"
#include "app/panels/source/launch_list.h"
#include "app/panels/source/program_errors.h"
#include "app/replay/block_name.h"
#include "app/replay/wording.h"
#include "app/ui/kept_shapes.h"
#include "app/ui/widgets.h"

namespace tilereel {
namespace {

constexpr float kPanelHeight = 252;  // units; less if there is not enough room

// "Recording block 5,3: ". Empty unless the program runs in order to record a block.
std::string asked_text(const OpenedProgram& program) {
    if (!program.asked || !program.run) return {};
    for (const plain::LaunchSummary& launch : program.run->launches)
        if (launch.number == program.asked->launch)
            return "Recording block " + block_name(launch.grid, program.asked->block) + ": ";
    return {};
}

// "Running launch 3 of 5, 40 %". The number of launches comes from the previous run.
std::string stage_text(const OpenedProgram& program) {
    const plain::ProgramStage& stage = program.stage;
    if (stage.kind == plain::ProgramStage::Kind::kCompiling) return "Compiling";
    std::string words = "Running launch " + std::to_string(stage.launch + 1);
    if (program.run && program.run->launches.size() > stage.launch)
        words += " of " + std::to_string(program.run->launches.size());
    if (stage.share > 0)
        words += ", " + std::to_string(static_cast<int>(100 * std::min(stage.share, 1.0))) + " %";
    return words;
}

std::string seconds_words(double seconds) {
    char text[32];
    std::snprintf(text, sizeof text, seconds < 9.95 ? "%.1f s" : "%.0f s", seconds);
    return text;
}

// Draws a rotating three-quarter circle.
void draw_spinner(const Look& look, ImVec2 center, float radius) {
    const auto turn = static_cast<float>(std::fmod(look.now_seconds * 5, 6.28318530718));
    draw_list()->PathClear();
    draw_list()->PathArcTo(center, radius, turn, turn + 4.5f, 24);
    stroke_path(look.colors().accent, std::max(look.px(2), radius * 0.3f));
}

struct RunState {
    std::string words;
    std::string before{};  // the block that is being recorded; shown if there is room
    ImU32 color = 0;
};
RunState state_of(const ProgramScope& panel) {
    const Palette& colors = panel.colors();
    const OpenedProgram& program = panel.program;
    if (program.running) return {stage_text(program), asked_text(program), colors.accent};
    const std::string when = program.saved ? "saved " + program.started + ": " : std::string();
    if (!program.error.empty()) return {when + "cannot be run", {}, colors.conflict};
    if (!program.compile_errors.empty()) return {when + "does not compile", {}, colors.conflict};
    if (!program.run) return {"cancelled", {}, colors.ink2};
    return {
        when + "ran in " + seconds_words(program.run->compile_seconds + program.run->run_seconds),
        {},
        colors.c};
}

// Draws the file's name and a button, and the state or result of the run beside the name or below
// it. Returns the y position of the bottom.
float draw_head(ProgramScope& panel, const Rect& rect) {
    const Look& look = panel.look;
    const Palette& colors = look.colors();
    const float small = type_px(look, 14), h = row_px(look, 30);
    const OpenedProgram& program = panel.program;
    RunState state = state_of(panel);
    const char* const label = program.running ? "cancel" : "run again";
    const float button = text_width(label, Face::kSemiBold, look.font_px(15)) + look.px(22);
    const Rect place{rect.right() - button, rect.y + look.hair(), button, h - look.tight()};
    if (text_button(look, program.running ? "program.cancel" : "program.again", place, label, false,
                    program.running ? "Stop compiling or running (Esc)"
                                    : "Compile and run the program again (Ctrl+R)")) {
        if (program.running)
            panel.commands.push_back(CancelRecording{});
        else
            panel.commands.push_back(RunProgramAgain{});
    }
    const float right = place.x - look.px(10), spinner = program.running ? small * 1.5f : 0;
    const float name_w = text_width(program.name(), Face::kMono, small);
    if (text_width(state.before + state.words, Face::kSemiBold, small) + spinner <= rect.w)
        state.words.insert(0, state.before);
    const float state_w = text_width(state.words, Face::kSemiBold, small) + spinner;
    const bool beside = name_w + look.px(14) + state_w <= right - rect.x;
    float y = rect.y + h / 2;
    draw_text_fit({rect.x, y}, right - rect.x - (beside ? state_w + look.px(14) : 0),
                  program.name(), {Face::kMono, small, colors.ink});
    float x = right - state_w, lower = rect.y + h;
    if (!beside) {
        y = lower + row_px(look, 22) / 2;
        lower += row_px(look, 22);
        x = rect.x;
    }
    if (program.running) draw_spinner(look, {x + small * 0.5f, y}, small * 0.42f);
    draw_text_fit({x + spinner, y}, rect.right() - x - spinner, state.words,
                  {Face::kSemiBold, small, state.color});
    if (program.running) {
        const float share = static_cast<float>(std::clamp(program.stage.share, 0.0, 1.0));
        draw_share({rect.x, lower, rect.w, look.px(3)}, share, colors.raised, colors.accent,
                   look.line());
    }
    return lower + look.gap();
}

std::vector<std::string> last_lines(const std::string& text, std::size_t most) {
    std::vector<std::string> lines;
    std::size_t end = text.size();
    while (end > 0 && text[end - 1] == '\n') --end;
    while (lines.size() < most && end > 0) {
        const std::size_t begin = text.rfind('\n', end - 1);
        const std::size_t from = begin == std::string::npos ? 0 : begin + 1;
        lines.insert(lines.begin(), text.substr(from, end - from));
        end = begin == std::string::npos ? 0 : begin;
    }
    return lines;
}

// Draws the last lines of the program's output, and how it ended.
void draw_output(ProgramScope& panel, const Rect& area) {
    const Look& look = panel.look;
    const Palette& colors = panel.colors();
    const plain::ProgramRun& run = *panel.program.run;
    const float row = row_px(look, 20);
    const auto rows = static_cast<std::size_t>(std::max(1.0f, area.h / row - 1));
    float y = area.y + row / 2;
    for (const std::string& line : last_lines(run.output, rows)) {
        draw_text_fit({area.x, y}, area.w, line, {Face::kMono, type_px(look, 13), colors.ink});
        y += row;
    }
    draw_text_fit(
        {area.x, area.bottom() - row / 2}, area.w, run.end_sentence,
        {Face::kRegular, type_px(look, 13), run.exit_code == 0 ? colors.ink3 : colors.conflict});
}

bool has_errors(const OpenedProgram& program) {
    return !program.running && (!program.error.empty() || !program.compile_errors.empty());
}

// Draws the tabs "errors | launches | output". Returns the room below them.
Rect draw_tabs(ProgramScope& panel, const Rect& rect) {
    using Tab = ProgramMemory::Tab;
    struct Choice {
        Tab tab;
        const char *name, *label, *tip;
    };
    constexpr Choice kChoices[] = {
        {Tab::kErrors, "program.errors", "errors", "Why the program does not run"},
        {Tab::kLaunches, "program.launches", "launches", "The program's kernel launches"},
        {Tab::kOutput, "program.output", "output", "What the program printed"}};
    const Look& look = panel.look;
    const float h = row_px(look, 26);
    float x = rect.x;
    for (const Choice& choice : kChoices) {
        if (choice.tab == Tab::kErrors && !has_errors(panel.program)) continue;
        const float w = text_width(choice.label, Face::kSemiBold, look.font_px(15)) + look.px(22);
        if (text_button(look, choice.name, {x, rect.y, w, h}, choice.label,
                        panel.memory.tab == choice.tab, choice.tip)) {
            panel.memory.tab = choice.tab;
            panel.memory.scroll = 0;
        }
        x += w + look.snug();
    }
    const float top = rect.y + h + look.snug();
    return {rect.x, top, rect.w, rect.bottom() - top};
}

// A run with errors switches to the errors once; a run without errors switches back to the
// launches.
void choose_tab(ProgramScope& panel) {
    using Tab = ProgramMemory::Tab;
    ProgramMemory& memory = panel.memory;
    if (panel.program.running) return;
    const std::string run = panel.program.started + (has_errors(panel.program) ? " errors" : "");
    if (memory.started != run) {
        memory.started = run;
        memory.scroll = 0;
        if (has_errors(panel.program)) memory.tab = Tab::kErrors;
    }
    if (memory.tab == Tab::kErrors && !has_errors(panel.program)) memory.tab = Tab::kLaunches;
}

}  // namespace

float program_height(const Look& look, float height, const Workbench& workbench) {
    if (workbench.program() == nullptr) return 0;
    const float most = std::min(look.px(kPanelHeight) + 6 * extra_px(look), height * 0.42f);
    const OpenedProgram& program = *workbench.program();
    if (!program.run || has_errors(program)) return std::round(most);
    // With few launches the panel is lower, which leaves more room for the source below.
    const auto launches = static_cast<float>(program.run->launches.size());
    const float head = look.px(16 + 8 + 6) + row_px(look, 30) + row_px(look, 26);
    const float rows =
        std::max(launches * (launch_height(look) + look.tight()), 3 * row_px(look, 20));
    return std::round(std::min(most, head + rows + look.snug()));
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
    const float top = draw_head(panel, inner);
    const Rect body{inner.x, top, inner.w, inner.bottom() - top};
    choose_tab(panel);
    const Rect room = draw_tabs(panel, body);
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

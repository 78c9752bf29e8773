#include "app/panels/source/program_panel.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/panels/inspector/hazards_section.h"
#include "app/panels/measure.h"
#include "app/panels/memory.h"
#include "app/panels/paragraph.h"
#include "app/panels/source/program_errors.h"
#include "app/replay/block_name.h"
#include "app/replay/wording.h"
#include "app/ui/kept_shapes.h"
#include "app/ui/widgets.h"

namespace tilereel {
namespace {

constexpr float kPanelHeight = 252;  // units; where there is room for it

// "4 x 4" or "8", as many extents as are used.
std::string extents_of(const Dim3& extents) {
    std::string words = with_commas(extents.x);
    if (extents.y > 1 || extents.z > 1) words += " \xc3\x97 " + with_commas(extents.y);
    if (extents.z > 1) words += " \xc3\x97 " + with_commas(extents.z);
    return words;
}

std::string words_of_launch(const plain::LaunchSummary& launch) {
    const std::uint64_t blocks = launch.grid.count();
    return extents_of(launch.grid) + (blocks == 1 ? " block of " : " blocks of ") +
           extents_of(launch.block);
}

std::string words_of_recording(const plain::LaunchSummary& launch) {
    if (launch.trace.empty())
        return launch.reason.empty() ? std::string("not recorded") : launch.reason;
    const std::uint64_t blocks = launch.grid.count();
    if (launch.recorded_blocks >= blocks) return blocks == 1 ? "recorded" : "all blocks recorded";
    return with_commas(launch.recorded_blocks) + " of " + with_commas(blocks) + " blocks recorded";
}

// "512 sectors, 896 conflicts"; empty: not counted.
std::string words_of_counts(const OpenedProgram& program, std::uint32_t launch) {
    if (program.running || launch >= program.counts.size() || !program.counts[launch]) return {};
    const LaunchCounts& counts = *program.counts[launch];
    std::string words =
        with_commas(counts.sectors) + (counts.sectors == 1 ? " sector" : " sectors");
    if (counts.wavefronts > 0)
        words += ", " + with_commas(counts.conflicts) +
                 (counts.conflicts == 1 ? " bank conflict" : " bank conflicts");
    return words;
}

// "3 findings", "1 new finding"; empty: there is none.
std::string words_of_findings(const plain::LaunchSummary& launch, std::uint32_t index, bool shown,
                              const HazardWords& words, bool running) {
    if (launch.findings.empty()) return {};
    const auto fresh = std::ranges::count_if(words.findings, [&](const ListedFinding& one) {
        return one.is_new && (shown ? one.recorded.has_value() : one.launch == index);
    });
    if (fresh > 0 && !running)
        return counted(static_cast<std::uint64_t>(fresh), "new finding", "new findings");
    return counted(launch.findings.size(), "finding", "findings");
}

// "Recording block 5,3: "; empty where it does not run for the sake of a block.
std::string words_of_asked(const OpenedProgram& program) {
    if (!program.asked || !program.run) return {};
    for (const plain::LaunchSummary& launch : program.run->launches)
        if (launch.number == program.asked->launch)
            return "Recording block " + block_name(launch.grid, program.asked->block) + ": ";
    return {};
}

// "Running launch 3 of 5, 40 %". How many there are is known from the run before.
std::string words_of_stage(const OpenedProgram& program) {
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

struct Panel {
    const Look& look;
    const OpenedProgram& program;
    ProgramMemory& memory;
    const HazardWords& hazards;
    std::optional<std::uint32_t> block{};  // that is watched
    Commands commands{};
    [[nodiscard]] const Palette& colors() const { return look.colors(); }
};

// Three quarters of a ring, going round.
void draw_spinner(const Look& look, ImVec2 center, float radius) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const auto turn = static_cast<float>(std::fmod(look.now_seconds * 5, 6.28318530718));
    list->PathClear();
    list->PathArcTo(center, radius, turn, turn + 4.5f, 24);
    stroke_path(list, look.colors().accent, std::max(look.px(2), radius * 0.3f));
}

struct RunState {
    std::string words;
    std::string before{};  // what it runs for, where there is room
    ImU32 color = 0;
};
RunState state_of(const Panel& panel) {
    const Palette& colors = panel.colors();
    const OpenedProgram& program = panel.program;
    if (program.running) return {words_of_stage(program), words_of_asked(program), colors.accent};
    const std::string when = program.saved ? "saved " + program.started + ": " : std::string();
    if (!program.error.empty()) return {when + "cannot be run", {}, colors.conflict};
    if (!program.compile_errors.empty()) return {when + "does not compile", {}, colors.conflict};
    if (!program.run) return {"cancelled", {}, colors.ink2};
    return {
        when + "ran in " + seconds_words(program.run->compile_seconds + program.run->run_seconds),
        {},
        colors.c};
}

// The file's name and a button; what is happening, or how the run went, beside the name or below
// it. Returns the lower edge.
float draw_head(Panel& panel, const Rect& rect) {
    const Look& look = panel.look;
    const Palette& colors = look.colors();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float small = type_px(look, 14), h = row_px(look, 30);
    const OpenedProgram& program = panel.program;
    RunState state = state_of(panel);
    const char* const label = program.running ? "cancel" : "run again";
    const float button = text_width(label, Face::kSemiBold, look.font_px(15)) + look.px(22);
    const Rect place{rect.right() - button, rect.y + look.px(2), button, h - look.px(4)};
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
    draw_text_fit(list, {rect.x, y}, right - rect.x - (beside ? state_w + look.px(14) : 0),
                  program.name(), {Face::kMono, small, colors.ink});
    float x = right - state_w, lower = rect.y + h;
    if (!beside) {
        y = lower + row_px(look, 22) / 2;
        lower += row_px(look, 22);
        x = rect.x;
    }
    if (program.running) draw_spinner(look, {x + small * 0.5f, y}, small * 0.42f);
    draw_text_fit(list, {x + spinner, y}, rect.right() - x - spinner, state.words,
                  {Face::kSemiBold, small, state.color});
    if (program.running) {
        const float share = static_cast<float>(std::clamp(program.stage.share, 0.0, 1.0));
        fill_rect(list, {rect.x, lower, rect.w, look.px(3)}, colors.raised, look.px(1));
        fill_rect(list, {rect.x, lower, rect.w * share, look.px(3)}, colors.accent, look.px(1));
    }
    return lower + look.px(8);
}

// One cell a block: filled where it was recorded; the watched one solid. Nothing of a large grid.
float draw_grid(Panel& panel, const plain::LaunchSummary& launch, bool shown, const Rect& room) {
    constexpr std::uint64_t kMostCells = 256;
    const Dim3& grid = launch.grid;
    const std::uint64_t columns = grid.x, rows = std::uint64_t{grid.y} * grid.z;
    if (grid.count() > kMostCells || launch.trace.empty()) return 0;
    const float pitch = std::floor(std::min({room.w / static_cast<float>(columns),
                                             room.h / static_cast<float>(rows), panel.look.px(8)}));
    if (pitch < 3) return 0;
    const Palette& colors = panel.colors();
    const float width = pitch * static_cast<float>(columns);
    for (std::uint32_t block = 0; block < grid.count(); ++block) {
        const bool recorded =
            launch.chosen_blocks.empty() || std::ranges::binary_search(launch.chosen_blocks, block);
        const Rect cell{room.right() - width + static_cast<float>(block % columns) * pitch,
                        room.y + (room.h - pitch * static_cast<float>(rows)) / 2 +
                            static_cast<float>(block / columns) * pitch,
                        pitch - 1, pitch - 1};
        const bool watched = shown && panel.block == block;
        ImDrawList* list = ImGui::GetWindowDrawList();
        if (recorded)
            fill_rect(list, cell, watched ? colors.c : colors.ink3, 1);
        else
            stroke_rect(list, cell, colors.ink3, 1, 1);
    }
    return width + panel.look.px(12);
}

void draw_launch(Panel& panel, const plain::LaunchSummary& launch, const Rect& row,
                 std::uint32_t index) {
    const Look& look = panel.look;
    const Palette& colors = look.colors();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const bool shown = !panel.program.running && panel.program.launch == index;
    const Touch touch = touch_area(look, "program.launch." + std::to_string(index), row,
                                   panel.program.running ? "" : "Watch this launch (, and .)");
    if (shown || touch.hovered)
        fill_rect(list, row, shown ? colors.accent_tint : colors.raised, look.px(6));
    if (shown) stroke_rect(list, row, colors.accent, look.px(2), look.px(6));
    if (touch.clicked && !panel.program.running) panel.commands.push_back(ChooseLaunch{index});
    const float px = type_px(look, 14), small = type_px(look, 13);
    const float first = row.y + row.h * 0.31f, second = row.y + row.h * 0.71f;
    float x = row.x + look.px(10);
    x += draw_text(list, {x, first}, std::to_string(launch.number + 1),
                   {Face::kMono, small, colors.ink3});
    x += look.px(12);
    const Rect map{row.right() - look.px(10) - row.w * 0.22f, row.y + look.px(4), row.w * 0.22f,
                   row.h - look.px(8)};
    const float map_w = draw_grid(panel, launch, shown, map);
    const float right = row.right() - look.px(10) - map_w;
    const std::string findings =
        words_of_findings(launch, index, shown, panel.hazards, panel.program.running);
    const float findings_w =
        findings.empty() ? 0 : text_width(findings, Face::kSemiBold, small) + look.px(10);
    // Below the kernel's name where they would cut it.
    const bool beside = x + text_width(launch.kernel, Face::kSemiBold, px) + findings_w <= right;
    if (!findings.empty())
        draw_text(list, {right, beside ? first : second}, findings,
                  {Face::kSemiBold, small, colors.conflict, Align::kRight});
    const float end = beside ? right - findings_w : right;
    const float room_below = right - x - (beside ? 0 : findings_w);
    const std::string extents = words_of_launch(launch);
    const float extents_w = text_width(extents, Face::kRegular, small) + look.px(10);
    const bool fits = text_width(launch.kernel, Face::kSemiBold, px) + extents_w <= end - x;
    const float name = draw_text_fit(list, {x, first}, fits ? end - extents_w - x : end - x,
                                     launch.kernel, {Face::kSemiBold, px, colors.ink});
    if (fits)
        draw_text(list, {x + name + look.px(10), first}, extents,
                  {Face::kRegular, small, colors.ink2});
    const std::string counts = words_of_counts(panel.program, index);
    const std::string recorded = words_of_recording(launch);
    const std::string accesses = with_commas(launch.accesses) + " accesses";
    // As much as has room, the counters first: the map says how much was recorded.
    const bool in_part = launch.recorded_blocks < launch.grid.count();
    std::vector<std::string> choices = {recorded + ", " + accesses + "; " + counts,
                                        recorded + "; " + counts, counts, recorded, accesses};
    if (in_part && map_w <= 0) std::swap(choices[2], choices[3]);
    if (!fits) choices = {extents + "; " + counts, extents};
    if (launch.trace.empty() || counts.empty())
        choices =
            fits || launch.trace.empty() ? std::vector{recorded, accesses} : std::vector{extents};
    std::string below = launch.trace.empty() ? recorded : choices.back();
    for (auto choice = choices.rbegin(); choice != choices.rend(); ++choice)
        if (text_width(*choice, Face::kRegular, small) <= room_below) below = *choice;
    draw_text_fit(list, {x, second}, room_below, below,
                  {Face::kRegular, small, launch.trace.empty() ? colors.wait_text : colors.ink3});
}

float launch_height(const Look& look) {
    const float two_lines = 1.3f * (type_px(look, 14) + type_px(look, 13));
    return std::round(std::max(row_px(look, 46), two_lines));
}

void draw_launches(Panel& panel, const Rect& area) {
    if (area.h <= 0) return;  // large text in a low window leaves no room
    const Look& look = panel.look;
    ImDrawList* list = ImGui::GetWindowDrawList();
    // While it runs: those that have finished.
    const std::vector<plain::LaunchSummary>& launches = panel.program.running || !panel.program.run
                                                            ? panel.program.stage.launches
                                                            : panel.program.run->launches;
    const std::size_t count = launches.size();
    const float h = launch_height(look), pitch = h + look.px(4);
    const float most = std::max(0.0f, static_cast<float>(count) * pitch - area.h);
    float& scroll = panel.memory.scroll;
    const ImGuiIO& io = ImGui::GetIO();
    if (io.MouseWheel != 0 && ImGui::IsWindowHovered() && area.contains(io.MousePos))
        scroll -= io.MouseWheel * pitch;
    scroll = std::clamp(scroll, 0.0f, most);
    list->PushClipRect(area.min(), area.max(), true);
    for (std::uint32_t i = 0; i < count; ++i) {
        const float y = area.y + static_cast<float>(i) * pitch - scroll;
        if (y + h < area.y || y > area.bottom()) continue;
        draw_launch(panel, launches[i], {area.x, std::round(y), area.w, h}, i);
    }
    list->PopClipRect();
    if (most > 0) {  // how much lies below
        const float bar = std::max(area.h * area.h / (area.h + most), look.px(16));
        fill_rect(
            list,
            {area.right() - look.px(4), area.y + (area.h - bar) * scroll / most, look.px(4), bar},
            panel.colors().line, look.px(2));
    }
    if (count == 0 && !panel.program.running)
        draw_text_fit(list, {area.x, area.y + h / 2}, area.w, "The program launched no kernel",
                      {Face::kRegular, type_px(look, 14), panel.colors().ink2});
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

// What the program printed, its last lines, and how it ended.
void draw_output(Panel& panel, const Rect& area) {
    const Look& look = panel.look;
    const Palette& colors = panel.colors();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const plain::ProgramRun& run = *panel.program.run;
    const float row = row_px(look, 20);
    const auto rows = static_cast<std::size_t>(std::max(1.0f, area.h / row - 1));
    float y = area.y + row / 2;
    for (const std::string& line : last_lines(run.output, rows)) {
        draw_text_fit(list, {area.x, y}, area.w, line,
                      {Face::kMono, type_px(look, 13), colors.ink});
        y += row;
    }
    draw_text_fit(
        list, {area.x, area.bottom() - row / 2}, area.w, run.end_sentence,
        {Face::kRegular, type_px(look, 13), run.exit_code == 0 ? colors.ink3 : colors.conflict});
}

bool has_errors(const OpenedProgram& program) {
    return !program.running && (!program.error.empty() || !program.compile_errors.empty());
}

// "errors | launches | output"; returns the room below.
Rect draw_tabs(Panel& panel, const Rect& rect) {
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
        x += w + look.px(6);
    }
    const float top = rect.y + h + look.px(6);
    return {rect.x, top, rect.w, rect.bottom() - top};
}

// A run with errors shows them once; a run without goes back to the launches.
void choose_tab(Panel& panel) {
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
    // Few launches leave the room to what stands below.
    const auto launches = static_cast<float>(program.run->launches.size());
    const float head = look.px(16 + 8 + 6) + row_px(look, 30) + row_px(look, 26);
    const float rows =
        std::max(launches * (launch_height(look) + look.px(4)), 3 * row_px(look, 20));
    return std::round(std::min(most, head + rows + look.px(6)));
}

Commands draw_program(const Look& look, const Rect& rect, const Workbench& workbench,
                      PanelMemory& memory) {
    const OpenedProgram* const program = workbench.program();
    if (program == nullptr || rect.h <= 0) return {};
    fill_rect(ImGui::GetWindowDrawList(), rect, look.colors().panel, look.px(10));
    using Tab = ProgramMemory::Tab;
    PanelMemory::Parts& parts = memory.parts();
    Panel panel{look, *program, parts.program, parts.inspector.hazards};
    if (workbench.shows_program() && workbench.replay() != nullptr) {
        panel.block = workbench.replay()->block();
        const Trace& trace = workbench.replay()->trace();
        note_program_text(parts.source, trace.source_name, trace.source);
        static_cast<void>(hazard_words(parts.inspector, workbench));
    }
    const Rect inner{rect.x + look.px(14), rect.y + look.px(8), rect.w - look.px(28),
                     rect.h - look.px(16)};
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

#include "app/panels/program_panel.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/panels/measure.h"
#include "app/panels/memory.h"
#include "app/panels/paragraph.h"
#include "app/ui/widgets.h"

namespace tilereel {
namespace {

constexpr float kPanelHeight = 252;  // units: of the design

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
    const std::string accesses = ", " + with_commas(launch.accesses) + " accesses";
    if (launch.recorded_blocks >= blocks)
        return (blocks == 1 ? "recorded" : "all blocks recorded") + accesses;
    return with_commas(launch.recorded_blocks) + " of " + with_commas(blocks) + " blocks recorded" +
           accesses;
}

std::string words_of_findings(std::size_t findings) {
    if (findings == 0) return {};
    return std::to_string(findings) + (findings == 1 ? " finding" : " findings");
}

std::string words_of_stage(const plain::ProgramStage& stage) {
    if (stage.kind == plain::ProgramStage::Kind::kCompiling) return "Compiling";
    std::string words = "Running launch " + std::to_string(stage.launch + 1);
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
    PanelMemory::State& memory;
    Commands commands{};
    [[nodiscard]] const Palette& colors() const { return look.colors(); }
};

// The file's name; beside it what is happening, or how the run went. Returns the lower edge.
float draw_head(Panel& panel, const Rect& rect) {
    const Look& look = panel.look;
    const Palette& colors = look.colors();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float small = type_px(look, 14), h = row_px(look, 30), y = rect.y + h / 2;
    const OpenedProgram& program = panel.program;
    const bool failed_run =
        !program.error.empty() || (program.run && !program.run->compile_errors.empty());
    std::string state;
    ImU32 color = colors.c;
    if (program.running)
        state = words_of_stage(program.stage), color = colors.accent;
    else if (failed_run)
        state = program.error.empty() ? "does not compile" : "cannot be run",
        color = colors.conflict;
    else if (program.run)
        state = "ran in " + seconds_words(program.run->compile_seconds + program.run->run_seconds);
    float right = rect.right();
    const char* const label = program.running ? "cancel" : "run again";
    const float button = text_width(label, Face::kSemiBold, look.font_px(15)) + look.px(22);
    const Rect place{right - button, rect.y + look.px(2), button, h - look.px(4)};
    if (text_button(look, program.running ? "program.cancel" : "program.again", place, label, false,
                    program.running ? "Stop compiling or running (Esc)"
                                    : "Compile and run the program again")) {
        if (program.running)
            panel.commands.push_back(CancelRecording{});
        else
            panel.commands.push_back(RunProgramAgain{});
    }
    right = place.x - look.px(10);
    const float state_w = std::min(text_width(state, Face::kSemiBold, small), (right - rect.x) / 2);
    draw_text_fit(list, {right - state_w, y}, state_w, state, {Face::kSemiBold, small, color});
    draw_text_fit(list, {rect.x, y}, right - state_w - look.px(12) - rect.x, program.name(),
                  {Face::kMono, small, colors.ink});
    if (program.running) {
        const float share = static_cast<float>(std::clamp(program.stage.share, 0.0, 1.0));
        fill_rect(list, {rect.x, rect.y + h, rect.w, look.px(3)}, colors.raised, look.px(1));
        fill_rect(list, {rect.x, rect.y + h, rect.w * share, look.px(3)}, colors.accent,
                  look.px(1));
    }
    return rect.y + h + look.px(8);
}

void draw_launch(Panel& panel, const Rect& row, std::uint32_t index) {
    const Look& look = panel.look;
    const Palette& colors = look.colors();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const plain::LaunchSummary& launch = panel.program.run->launches[index];
    const bool shown = panel.program.launch == index;
    const Touch touch =
        touch_area(look, "program.launch." + std::to_string(index), row, "Watch this launch");
    if (shown || touch.hovered)
        fill_rect(list, row, shown ? colors.accent_tint : colors.raised, look.px(6));
    if (shown) stroke_rect(list, row, colors.accent, look.px(2), look.px(6));
    if (touch.clicked) panel.commands.push_back(ChooseLaunch{index});
    const float px = type_px(look, 14), small = type_px(look, 13);
    const float first = row.y + row.h * 0.31f, second = row.y + row.h * 0.71f;
    float x = row.x + look.px(10);
    x += draw_text(list, {x, first}, std::to_string(index + 1), {Face::kMono, small, colors.ink3});
    x += look.px(12);
    const float right = row.right() - look.px(10);
    const std::string findings = words_of_findings(launch.findings.size());
    const float findings_w =
        findings.empty() ? 0 : text_width(findings, Face::kSemiBold, small) + look.px(10);
    if (!findings.empty())
        draw_text(list, {right, first}, findings,
                  {Face::kSemiBold, small, colors.conflict, Align::kRight});
    const float name = draw_text_fit(list, {x, first}, (right - findings_w - x) * 0.62f,
                                     launch.kernel, {Face::kSemiBold, px, colors.ink});
    draw_text_fit(list, {x + name + look.px(10), first},
                  right - findings_w - x - name - look.px(10), words_of_launch(launch),
                  {Face::kRegular, small, colors.ink2});
    draw_text_fit(list, {x, second}, right - x, words_of_recording(launch),
                  {Face::kRegular, small, launch.trace.empty() ? colors.wait_text : colors.ink3});
}

void draw_launches(Panel& panel, const Rect& area) {
    const Look& look = panel.look;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const std::size_t count = panel.program.run->launches.size();
    const float h = row_px(look, 46), pitch = h + look.px(4);
    const float most = std::max(0.0f, static_cast<float>(count) * pitch - area.h);
    float& scroll = panel.memory.program_scroll;
    const ImGuiIO& io = ImGui::GetIO();
    if (io.MouseWheel != 0 && ImGui::IsWindowHovered() && area.contains(io.MousePos))
        scroll -= io.MouseWheel * pitch;
    scroll = std::clamp(scroll, 0.0f, most);
    list->PushClipRect(area.min(), area.max(), true);
    for (std::uint32_t i = 0; i < count; ++i) {
        const float y = area.y + static_cast<float>(i) * pitch - scroll;
        if (y + h < area.y || y > area.bottom()) continue;
        draw_launch(panel, {area.x, std::round(y), area.w, h}, i);
    }
    list->PopClipRect();
    if (most > 0) {  // how much lies below
        const float bar = std::max(area.h * area.h / (area.h + most), look.px(16));
        fill_rect(
            list,
            {area.right() - look.px(4), area.y + (area.h - bar) * scroll / most, look.px(4), bar},
            panel.colors().line, look.px(2));
    }
    if (count == 0)
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

void draw_errors(Panel& panel, const Rect& area) {
    const Look& look = panel.look;
    const Palette& colors = panel.colors();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float px = type_px(look, 14);
    float y = area.y;
    list->PushClipRect(area.min(), area.max(), true);
    if (!panel.program.error.empty())
        draw_paragraph(list, {area.x, y}, area.w, panel.program.error,
                       {Face::kRegular, px, colors.ink});
    else
        for (const plain::CompileError& error : panel.program.run->compile_errors) {
            if (y > area.bottom()) break;
            const std::string where =
                error.line == 0 ? error.file : "Line " + std::to_string(error.line) + ": ";
            y += draw_paragraph(list, {area.x, y}, area.w, where + error.words,
                                {Face::kRegular, px, colors.ink}) +
                 look.px(6);
        }
    list->PopClipRect();
}

// "launches | output"; returns the room below.
Rect draw_tabs(Panel& panel, const Rect& rect) {
    const Look& look = panel.look;
    const float h = row_px(look, 26);
    float x = rect.x;
    for (const bool output : {false, true}) {
        const char* const label = output ? "output" : "launches";
        const float w = text_width(label, Face::kSemiBold, look.font_px(15)) + look.px(22);
        if (text_button(look, output ? "program.output" : "program.launches", {x, rect.y, w, h},
                        label, panel.memory.program_output == output,
                        output ? "What the program printed" : "The program's kernel launches"))
            panel.memory.program_output = output;
        x += w + look.px(6);
    }
    const float top = rect.y + h + look.px(6);
    return {rect.x, top, rect.w, rect.bottom() - top};
}

}  // namespace

float program_height(const Look& look, float height, const Workbench& workbench) {
    if (workbench.program() == nullptr) return 0;
    return std::round(std::min(look.px(kPanelHeight) + 6 * extra_px(look), height * 0.42f));
}

Commands draw_program(const Look& look, const Rect& rect, const Workbench& workbench,
                      PanelMemory& memory) {
    const OpenedProgram* const program = workbench.program();
    if (program == nullptr || rect.h <= 0) return {};
    fill_rect(ImGui::GetWindowDrawList(), rect, look.colors().panel, look.px(10));
    Panel panel{look, *program, memory.state()};
    const Rect inner{rect.x + look.px(14), rect.y + look.px(8), rect.w - look.px(28),
                     rect.h - look.px(16)};
    const float top = draw_head(panel, inner);
    const Rect body{inner.x, top, inner.w, inner.bottom() - top};
    const bool errors =
        !program->error.empty() || (program->run && !program->run->compile_errors.empty());
    if (errors && !program->running) {
        draw_errors(panel, body);
    } else if (program->run && program->run->compile_errors.empty()) {
        const Rect room = draw_tabs(panel, body);
        if (memory.state().program_output)
            draw_output(panel, room);
        else
            draw_launches(panel, room);
    }
    return std::move(panel.commands);
}

}  // namespace tilereel

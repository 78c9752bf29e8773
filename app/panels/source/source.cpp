// The kernel's source with the running line and the cost of each line.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "app/panels/array_role.h"
#include "app/panels/measure.h"
#include "app/panels/panel_column.h"
#include "app/panels/panel_memory.h"
#include "app/panels/source/line_figures.h"
#include "app/panels/source/source_barriers.h"
#include "app/panels/source/source_finding.h"
#include "app/panels/source/source_place.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel {
namespace {

constexpr float kLeastCodeColumns = 32;  // of code, with a smaller font if need be
constexpr float kLeastCodeRows = 6;      // with fewer the panel has no head
constexpr float kSmallestCode = 10;      // units at the default text size; then columns are lost
constexpr float kMostFoot = 0.35f;       // the figures of a line take no larger share of the height
constexpr float kWholeShare = 4;         // least length of the bar of a share of 1, in characters
constexpr double kSourceHeldSeconds = 4;  // after this the panel follows the running line again

SourceMeasures measures_with(const Look& look, const Rect& code, float code_px, float digits) {
    SourceMeasures m;
    m.code_px = code_px;
    m.advance = text_width("0", Face::kMono, m.code_px);
    m.row = std::round((look.narrow ? 1.4f : 1.5f) * m.code_px);
    m.marks = std::max(look.px(18), m.code_px);
    m.gutter_right = code.x + m.marks + digits * m.advance;
    m.code_left = m.gutter_right + look.px(10);
    m.cost_right = code.right() - look.px(13);
    m.code = code;
    return m;
}

// A line that wraps into three rows can hardly be followed. On a projector the panel is narrow, and
// code gets a smaller font than sentences.
SourceMeasures measures_of(const Look& look, const Rect& code, std::string_view source) {
    const float digits = std::ranges::count(source, '\n') >= 100 ? 3 : 2;
    float px = std::floor(type_px(look, look.narrow ? 12 : 13));
    const float least = std::min(px, std::floor(look.font_px(kSmallestCode)));
    SourceMeasures m = measures_with(look, code, px, digits);
    while (px > least && m.cost_right - m.code_left < kLeastCodeColumns * m.advance)
        m = measures_with(look, code, --px, digits);
    return m;
}

// The line of the current request, or of the last one. 0 before the first.
std::uint32_t running_line(const Replay* replay) {
    if (replay == nullptr || replay->schedule().steps.empty()) return 0;
    const ReplayState& state = replay->state();
    const std::uint32_t step = state.step != kNoStep ? state.step : state.request.step;
    if (step == kNoStep) return 0;
    return replay->trace().sites[replay->schedule().steps[step].site].line;
}

ImU32 color_of(const Palette& colors, CodeColor color, bool running) {
    if (color == CodeColor::kPlain)
        return running ? colors.ink : mix(colors.ink, colors.ink2, 0.65f);
    if (color == CodeColor::kComment || color == CodeColor::kKeyword)
        return running ? colors.ink2 : colors.ink3;
    if (color == CodeColor::kBarrier) return colors.wait_text;
    return color == CodeColor::kA ? colors.a : color == CodeColor::kB ? colors.b : colors.c;
}

Face face_of(CodeColor color) {
    const bool name = color == CodeColor::kA || color == CodeColor::kB || color == CodeColor::kC;
    return name ? Face::kMonoBold : Face::kMono;
}

// The names of a trace's arrays, with the colours that they have on the stage. Empty if the GPU
// recorded the trace: then prepare_source() knows the names of the ladder's arrays.
CodeNames names_of(const Replay* replay) {
    CodeNames names;
    if (replay == nullptr || replay->trace().recorded_by.recorder != kCpuRecorder) return names;
    const Trace& trace = replay->trace();
    for (ArrayId id = 0; id < trace.arrays.size(); ++id) {
        constexpr std::array<CodeColor, 4> kByRole = {CodeColor::kPlain, CodeColor::kA,
                                                      CodeColor::kB, CodeColor::kC};
        const auto role = static_cast<std::size_t>(role_of_array(*replay, id));
        names.emplace_back(trace.arrays[id].name,
                           role < kByRole.size() ? kByRole[role] : CodeColor::kPlain);
    }
    return names;
}

// Prepares the source again when it, its costs or the room changed.
void prepare(SourceMemory& memory, const SourceMeasures& m, const Replay* replay,
             const LineCosts& costs, std::string_view given) {
    SourceWidth width;
    for (std::uint32_t line = 0; line < costs.by_line.size(); ++line)
        width.cost_characters.push_back(static_cast<std::uint32_t>(costs.text(line).size()));
    const float room = m.cost_right + m.advance / 4 - m.code_left;
    width.columns = static_cast<std::uint32_t>(std::max(0.0f, room / m.advance));
    CodeNames names = names_of(replay);
    if (given == memory.given && width == memory.width && names == memory.names) return;
    memory.text = prepare_source(given, width, names);
    memory.names = std::move(names);
    memory.width = std::move(width);
    memory.given = given;
    memory.scroll = -1;  // jump to the running line without scrolling
}

// Scrolls smoothly towards `line`, or so far that a barrier that is missing is seen, and by the
// mouse wheel.
void follow(SourceMemory& memory, const Look& look, const SourceMeasures& m, std::uint32_t line,
            const FindingLines& finding) {
    const bool extra_row = finding.place.has_value();
    const SourceText& source = memory.text;
    const float visible = m.code.h / m.row;
    const float most =
        std::max(0.0f, static_cast<float>(source.rows.size() + (extra_row ? 1 : 0)) - visible);
    const ImGuiIO& io = ImGui::GetIO();
    if (io.MouseWheel != 0 && ImGui::IsWindowHovered() && m.code.contains(io.MousePos)) {
        memory.scroll = std::clamp(std::max(memory.scroll, 0.0f) - 3 * io.MouseWheel, 0.0f, most);
        memory.free_until = look.now_seconds + kSourceHeldSeconds;
    }
    float target = memory.scroll;
    if (look.now_seconds >= memory.free_until && line > 0 && line < source.first_row.size()) {
        const auto row = static_cast<float>(source.first_row[line]);
        constexpr float kMargin = 3;  // rows kept visible above and below the running line
        const bool out = row < target + kMargin || row > target + visible - 1 - kMargin;
        if (out || target < 0) target = row - 0.55f * visible;
        if (extra_row)
            target = std::max(target, static_cast<float>(finding.last_row) + 2 - visible);
    }
    target = std::clamp(target, 0.0f, most);
    if (memory.scroll < 0) memory.scroll = target;
    const float step = static_cast<float>(std::min(1.0, look.frame_seconds / 0.06));
    memory.scroll += step * (target - memory.scroll);
    if (std::abs(target - memory.scroll) < 0.02f) memory.scroll = target;
}

// Draws "was tile[16][16]" between the code and its cost, or only "~" if there is no room or the
// edit only added text.
void draw_change(const Look& look, const SourceMeasures& m, const ChangedLine& change, float middle,
                 float code_end, float cost_begin) {
    const Palette& colors = look.colors();
    draw_text({m.code.x + look.px(7), middle}, "~", {Face::kMonoBold, m.code_px, colors.accent});
    const std::string words = change.fresh ? "new" : "was " + change.was;
    if (!change.fresh && change.was.empty()) return;
    const float px = m.code_px - look.px(1), pad = 0.5f * px;
    const float w = text_width(words, Face::kMono, px) + 2 * pad, h = std::min(1.5f * px, m.row);
    const float right = cost_begin - look.snug();
    if (right - w < code_end + look.snug()) return;
    const Rect tag{right - w, middle - h / 2, w, h};
    stroke_rect(tag, colors.accent, std::max(1.0f, look.line()), h / 2);
    draw_text({tag.x + pad, middle}, words, {Face::kMono, px, colors.ink2});
}

// Draws a bar below the line's figure; below the code it would look like an underline. Length and
// strength show the share of the block's costs. `whole`: characters of a share of 1.
void draw_share(const Look& look, const SourceMeasures& m, float top, float share, float whole,
                const std::vector<RoleShare>& parts) {
    const float height = std::max(2.0f, std::round(0.13f * m.row));
    const float length = whole * m.advance * share;
    if (length < m.advance / 2) return;  // it would look like a comma
    if (!parts.empty()) {
        float left = m.cost_right - length;
        for (const RoleShare& part : parts) {
            const float width = whole * m.advance * part.share;
            fill_rect(
                {left, top + m.row - height, width, height},
                part.role == ColorRole::kNone ? look.colors().ink3 : look.colors().solid(part.role),
                height / 2);
            left += width;
        }
        return;
    }
    const auto step =
        std::min(static_cast<std::size_t>(share * kMostHeatSteps), kMostHeatSteps - 1);
    fill_rect({m.cost_right - length, top + m.row - height, length, height},
              heat_color(look.colors(), ColorRole::kNone, heat_share(step, kMostHeatSteps)),
              height / 2);
}

// The length of the bar of a share of 1, in characters. Shares of time are compared over the whole
// width.
float whole_bar(const SourceMeasures& m, const LineCosts& costs) {
    if (costs.estimated) return (m.cost_right - m.code_left) / m.advance;
    return std::max(kWholeShare, static_cast<float>(with_commas(costs.all).size()));
}

void draw_code_row(const Look& look, const SourceMeasures& m, const SourceText& source,
                   const CodeRow& row, float top, bool last, bool running, bool left_out,
                   const LineCosts& costs, const ChangedLine* change, const FindingLines& finding) {
    const Palette& colors = look.colors();
    const float middle = top + m.row / 2;
    if (running || finding.marks(row.line)) {
        const float left = m.code.x + look.tight();
        fill_rect({left, top, m.code.w - look.gap(), m.row}, colors.accent_tint, look.px(3));
        fill_rect({left, top, look.tight(), m.row}, colors.accent, look.px(2));
    }
    if (row.first)
        draw_share(look, m, top, costs.share(row.line), whole_bar(m, costs),
                   costs.parts_of(row.line));
    if (row.first)
        draw_text({m.gutter_right, middle}, std::to_string(row.line),
                  {Face::kMono, m.code_px - look.px(1), running ? colors.ink : colors.ink3,
                   Align::kRight});
    float end = m.code_left, begin = m.cost_right;
    for (const CodeRun& run : row.runs) {
        if (left_out && run.color == CodeColor::kComment) continue;  // "left out" replaces it
        const float left = m.code_left + static_cast<float>(run.column) * m.advance;
        draw_text({left, middle}, source.text_of(run),
                  {face_of(run.color), m.code_px, color_of(colors, run.color, running)});
        const std::size_t indent = source.text_of(run).find_first_not_of(' ');
        if (indent == std::string_view::npos) continue;
        begin = std::min(begin, left + static_cast<float>(indent) * m.advance);
        end = left + static_cast<float>(run.size) * m.advance;
    }
    if (left_out && row.first) {
        draw_left_out(look, {begin, middle}, end, m.cost_right, m.code_px);
        return;
    }
    float cost_begin = m.cost_right;
    if (const std::string cost = costs.text(row.line); row.first && !cost.empty())
        cost_begin -= draw_text({m.cost_right, middle}, cost,
                                {Face::kMono, m.code_px, colors.ink, Align::kRight});
    // A line that is wrapped has more room in its last row.
    if (last && finding.marks(row.line))
        draw_finding_line(look, m, finding.word_of(row.line), middle, end, cost_begin);
    else if (row.first && change != nullptr)
        draw_change(look, m, *change, middle, end, cost_begin);
}

// Draws the visible rows, and beside each barrier the control that leaves it out.
void draw_code(const Look& look, const SourceMeasures& m, const SourceMemory& memory,
               const Workbench& workbench, const LineCosts& costs, std::uint32_t line,
               const FindingLines& finding, Commands& commands) {
    const Replay* const replay = workbench.replay();
    const std::uint32_t removed = replay == nullptr ? 0 : replay->trace().launch.removed_barrier;
    const KernelInfo* const kernel = kernel_with_lines(workbench, memory.given);
    const Clip clip(m.code);
    const SourceText& source = memory.text;
    const bool edited = memory.program_text == memory.given;
    const auto first = static_cast<std::size_t>(std::max(0.0f, memory.scroll));
    for (std::size_t i = first; i < source.rows.size(); ++i) {
        const CodeRow& row = source.rows[i];
        const auto shown = static_cast<float>(i + finding.rows_above(i));
        const float top = std::round(m.code.y + (shown - std::max(0.0f, memory.scroll)) * m.row);
        if (top > m.code.bottom()) break;
        if (finding.place && i == finding.last_row)
            draw_missing_barrier(look, m, finding, top + m.row);
        const auto change = edited ? memory.changes.find(row.line) : memory.changes.end();
        const bool last = i + 1 == source.rows.size() || source.rows[i + 1].line != row.line;
        draw_code_row(look, m, source, row, top, last, row.line == line,
                      removed != 0 && row.line == removed, costs,
                      change == memory.changes.end() ? nullptr : &change->second, finding);
        if (!row.first || !is_barrier(kernel, row.line)) continue;
        const float left = m.code.x + look.hair();
        append(commands, draw_barrier_control(look, {left, top, m.gutter_right - left, m.row},
                                              m.marks, row.line, workbench));
    }
}

// Draws "Line 20 in this block" with moved data, share of bytes used, wavefronts and conflicts.
// Returns the height in pixels.
float draw_line_figures(const Look& look, const Rect& rect, SourceMemory& memory,
                        const Replay& replay, std::uint32_t line) {
    const std::vector<AccessCounts>& by_line = counts_by_line(memory, replay);
    const AccessCounts counts = line < by_line.size() ? by_line[line] : AccessCounts{};
    std::string used = "-";
    if (counts.bytes_moved > 0)
        used = std::to_string((200 * counts.bytes_used / counts.bytes_moved + 1) / 2) + "%";
    const std::array<Figure, 4> figures = {
        {{with_commas(counts.transactions), std::string(replay.generation().global.units)},
         {used, "of bytes used"},
         {with_commas(counts.wavefronts), "wavefronts"},
         {with_commas(counts.bank_conflicts), "conflicts", counts.bank_conflicts > 0}}};
    Column column(look, rect);
    column.rule();
    column.space(look.gap());
    column.paragraph("Line " + std::to_string(line) + " in this block" +
                         (memory.modelled_lines.contains(line) ? ", modelled" : ""),
                     {Face::kRegular, type_px(look, 14), look.colors().ink3});
    column.space(look.tight());
    column.figures(figures);
    column.space(look.wide());
    return column.height();
}

// Draws the file's name, the button of the introduction and the button that chooses the counter of
// the numbers at the right.
void draw_head(const Look& look, const Rect& head, std::string_view name, LineFigure figure,
               std::string_view unit, const std::optional<SourcePlace>& own, PanelMemory& panels,
               Commands& commands) {
    const float px = type_px(look, 14), height = std::round(1.7f * px);
    float right = head.right();
    const auto button = [&](std::string_view widget, std::string_view label, std::string_view tip) {
        const float width = text_width(label, Face::kSemiBold, px) + look.pad();
        right -= width + look.gap();
        const float top = std::round(head.center().y - height / 2);
        return toggle_button(look, widget, {right + look.gap(), top, width, height}, label, px,
                             false, tip);
    };
    if (button("source.figure", unit,
               "What the numbers below count; the bars show shares. Click: count something else "
               "(Shift+U)"))
        commands.push_back(
            SetLineFigure{static_cast<LineFigure>((static_cast<int>(figure) + 1) % kLineFigures)});
    if (own.has_value() && button("source.begin_edit", "edit",
                                  "Edit the file here (F2); Ctrl+E: in your own editor")) {
        if (const Status begun = panels.begin_edit(own->file, own->line); !begun)
            panels.show_error(begun.error().message);
    }
    if (button("source.introduction", "about",
               "The kernel's idea, what to watch, what comes next, and facts (I)"))
        commands.push_back(ToggleIntroduction{});
    const Rect place{head.x, head.y, right - head.x, head.h};
    interact(look, "source.name", place, name);
    draw_text_fit({place.x, place.center().y}, place.w, name,
                  {Face::kMono, px, look.colors().ink2});
}

// The tooltip of the line under the mouse: its former text if it was edited, otherwise its share of
// the costs.
// Also notes the line under the pointer.
std::string tip_of(SourceMemory& memory, const SourceMeasures& m, const LineCosts& costs,
                   const FindingLines& finding) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    auto row =
        static_cast<std::size_t>(std::max(0.0f, memory.scroll + (mouse.y - m.code.y) / m.row));
    if (finding.place && row == finding.last_row + 1) return "The barrier that is missing";
    if (row > 0) row -= finding.rows_above(row - 1);
    if (!m.code.contains(mouse) || row >= memory.text.rows.size()) return {};
    const std::uint32_t line = memory.text.rows[row].line;
    memory.pointed_line = line;
    const auto change = memory.changes.find(line);
    const bool edited = memory.program_text == memory.given && change != memory.changes.end();
    if (edited && !change->second.was.empty()) return "Before it was saved: " + change->second.was;
    return share_text(costs, line);
}

// On the page "Where the time goes": the file's name and what the lines have shares of.
void draw_time_head(const Look& look, const Rect& head, std::string_view name,
                    const Workbench& workbench) {
    const TextStyle style{Face::kRegular, type_px(look, 14), look.colors().ink3, Align::kRight};
    const TimeAnswer* const answer = workbench.time_answer();
    std::string words;
    if (answer != nullptr && answer->launch && !answer->launch->estimate.lines.empty()) {
        const std::string of = shared_by_lines(answer->launch->estimate);
        words = longest_that_fits({"share of " + of, of, "est. time"}, 0.6f * head.w, style);
    }
    const float width = draw_text({head.right() - look.gap(), head.center().y}, words, style);
    draw_text_fit({head.x, head.center().y}, head.w - width - look.pad(), name,
                  {Face::kMono, style.px, look.colors().ink2});
}

LineCosts costs_shown(const Workbench& workbench, SourceMemory& memory, LineFigure figure) {
    const Replay* const replay = workbench.replay();
    if (replay == nullptr) return {};
    if (figure != LineFigure::kTime)
        return line_costs(*replay, counts_by_line(memory, *replay), figure);
    const TimeAnswer* const answer = workbench.time_answer();
    return answer != nullptr && answer->launch ? time_costs(*answer->launch, *replay)
                                               : LineCosts{.unit = "est. time", .by_line = {}};
}

}  // namespace

Commands draw_source(const Look& look, const Rect& rect, const Workbench& workbench,
                     PanelMemory& panels, SourceShows shows) {
    draw_card(look, rect);
    const Replay* replay = workbench.replay();
    const KernelInfo* asked = find_kernel(workbench.request().kernel);
    const std::string_view given = replay != nullptr  ? std::string_view(replay->trace().source)
                                   : asked != nullptr ? asked->source
                                                      : std::string_view();
    const std::string_view path = replay != nullptr  ? std::string_view(replay->trace().source_name)
                                  : asked != nullptr ? asked->file_name
                                                     : std::string_view();
    const std::string_view name = path.substr(path.rfind('/') + 1);  // without folders
    SourceMemory& memory = panels.parts().source;
    const LineFigure figure = workbench.view().line_figure;
    const bool of_time = shows == SourceShows::kTime;
    const LineCosts costs = costs_shown(workbench, memory, of_time ? LineFigure::kTime : figure);
    const std::uint32_t line = of_time ? costs.largest() : running_line(replay);
    Rect head{rect.x + look.pad(), rect.y, rect.w - look.margin(),
              row_px(look, look.narrow ? 38 : 46)};
    Rect code{rect.x, rect.y, rect.w, rect.h - look.gap()};
    // Below a program that was run, on a projector, the code has all of the room.
    const bool has_head = code.h - head.h >= kLeastCodeRows * measures_of(look, code, given).row;
    if (!has_head) head.h = 0;
    code.y += head.h, code.h -= head.h;
    Rect foot{rect.x + look.pad(), rect.bottom(), rect.w - 2 * look.pad(), 0};
    if (replay != nullptr && line > 0) {
        const float height =
            measured([&] { return draw_line_figures(look, foot, memory, *replay, line); });
        if (height < kMostFoot * code.h) {
            foot.y -= height;
            code.h -= height;
            draw_line_figures(look, foot, memory, *replay, line);
        }
    }
    const SourceMeasures m = measures_of(look, code, given);
    prepare(memory, m, replay, costs, given);
    const FindingLines finding = finding_lines(workbench, memory.text, given);
    follow(memory, look, m, line, finding);
    Commands commands;
    if (has_head && of_time) draw_time_head(look, head, name, workbench);
    if (has_head && !of_time)
        draw_head(look, head, name, figure, costs.unit, source_place(workbench), panels, commands);
    draw_code(look, m, memory, workbench, costs, line, finding, commands);
    const Rect body{m.gutter_right, code.y, code.right() - m.gutter_right, code.h};
    interact(look, "source.code", body, tip_of(memory, m, costs, finding));
    return commands;
}

}  // namespace tilereel

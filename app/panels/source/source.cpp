// The kernel's source with the running line and the cost of each line.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/array_role.h"
#include "app/panels/measure.h"
#include "app/panels/memory.h"
#include "app/panels/source/line_figures.h"
#include "app/panels/source/source_barriers.h"
#include "app/ui/widgets.h"

namespace tilereel {
namespace {

constexpr double kSourceHeldSeconds = 4;  // after this the panel follows the running line again

struct Measures {
    float code_px = 0, advance = 0, row = 0;  // font, character width, row height
    float marks = 0;                          // width of the strip left of the line numbers
    float gutter_right = 0, code_left = 0, cost_right = 0;
    Rect code, head, foot;  // foot: the running line's figures; empty if there is no room
};

Measures measures_of(const Look& look, const Rect& rect) {
    Measures m;
    const float extra = extra_px(look);
    const bool low = rect.h < look.px(620) + 4 * extra;
    m.code_px = std::floor(look.px(look.narrow ? 12 : 13) + extra);
    m.row = std::round(look.px(low ? 18 : 22) + 1.2f * extra);
    m.cost_right = rect.right() - look.px(13);
    const float head = row_px(look, 46), foot = row_px(look, 138) + 1.4f * extra;
    m.head = {rect.x + look.pad(), rect.y, rect.w - look.margin(), head};
    const bool has_foot = rect.h - head - foot > 7 * m.row;
    if (has_foot) m.foot = {rect.x + look.pad(), rect.bottom() - foot, rect.w - look.px(32), foot};
    const float bottom = has_foot ? m.foot.y : rect.bottom();
    m.code = {rect.x, rect.y + head, rect.w, bottom - look.gap() - rect.y - head};
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
    switch (color) {
        case CodeColor::kComment:
            return running ? colors.ink2 : colors.ink3;
        case CodeColor::kKeyword:
            return running ? colors.ink2 : colors.ink3;
        case CodeColor::kA:
            return colors.a;
        case CodeColor::kB:
            return colors.b;
        case CodeColor::kC:
        case CodeColor::kSum:
            return colors.c;
        case CodeColor::kBarrier:
            return colors.wait_text;
        default:
            return running ? colors.ink : mix(colors.ink, colors.ink2, 0.65f);
    }
}

Face face_of(CodeColor color) {
    const bool name = color == CodeColor::kA || color == CodeColor::kB || color == CodeColor::kC;
    return name ? Face::kMonoBold : Face::kMono;
}

void set_code_px(const Look& look, Measures& m, const Rect& rect, float digits, float px) {
    m.code_px = px;
    m.advance = text_width("0", Face::kMono, px);
    m.marks = std::max(look.px(18), px);
    m.gutter_right = rect.x + m.marks + digits * m.advance;
    m.code_left = m.gutter_right + look.px(10);
}

// The names of a program's arrays, with the colours that they have on the stage.
CodeNames names_of(const Replay* replay) {
    CodeNames names;
    if (replay == nullptr || replay->trace().recorded_by.recorder != "plain") return names;
    const Trace& trace = replay->trace();
    for (ArrayId id = 0; id < trace.arrays.size(); ++id) {
        const Role role = role_of_array(*replay, id);
        const CodeColor color = role == Role::kA   ? CodeColor::kA
                                : role == Role::kB ? CodeColor::kB
                                : role == Role::kC ? CodeColor::kC
                                                   : CodeColor::kPlain;
        names.emplace_back(trace.arrays[id].name, color);
    }
    return names;
}

// Prepares the source again when it, its costs or the room changed. The font is one unit smaller if
// then no code needs to wrap.
const SourceText& source_of(const Look& look, const Rect& rect, SourceMemory& memory, Measures& m,
                            const Replay* replay, const LineCosts& costs, std::string_view given) {
    SourceWidth width;
    for (const std::uint64_t cost : costs.by_line)
        width.cost_characters.push_back(
            cost == 0 ? 0 : static_cast<std::uint32_t>(with_commas(cost).size()));
    const bool same_code =
        given == memory.given && width.cost_characters == memory.width.cost_characters;
    if (!same_code) memory.needs = columns_needed(given, width.cost_characters);
    const float digits = std::count(given.begin(), given.end(), '\n') >= 100 ? 3 : 2;
    const auto columns = [&] {
        const float room = m.cost_right + m.advance / 4 - m.code_left;
        return static_cast<std::uint32_t>(std::max(0.0f, room / m.advance));
    };
    set_code_px(look, m, rect, digits, m.code_px);
    const float usual = m.code_px, smaller = std::floor(usual - look.px(1));
    if (columns() < memory.needs) {
        set_code_px(look, m, rect, digits, smaller);
        if (columns() < memory.needs) set_code_px(look, m, rect, digits, usual);
    }
    width.columns = columns();
    const CodeNames names = names_of(replay);
    if (same_code && width == memory.width && names == memory.names) return memory.text;
    memory.text = prepare_source(given, width, names);
    memory.names = names;
    memory.width = std::move(width);
    memory.given = given;
    memory.scroll = -1;  // jump to the running line without scrolling
    return memory.text;
}

// Reduces the row height, within readable limits, if the whole file then fits.
void fit_rows(Measures& m, const SourceText& source) {
    const float fitting = std::floor(m.code.h / static_cast<float>(source.rows.size() + 1));
    const float closest = std::ceil(1.38f * m.code_px);
    if (fitting < m.row && fitting >= closest) m.row = fitting;
}

// Scrolls smoothly towards `line`, and by the mouse wheel.
void follow(SourceMemory& memory, const Look& look, const Measures& m, std::uint32_t line) {
    const SourceText& source = memory.text;
    const float visible = m.code.h / m.row;
    const float most = std::max(0.0f, static_cast<float>(source.rows.size()) - visible);
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
    }
    target = std::clamp(target, 0.0f, most);
    if (memory.scroll < 0) memory.scroll = target;
    const float step = static_cast<float>(std::min(1.0, look.frame_seconds / 0.06));
    memory.scroll += step * (target - memory.scroll);
    if (std::abs(target - memory.scroll) < 0.02f) memory.scroll = target;
}

// Draws "was tile[16][16]" between the code and its cost, or only "~" if there is no room.
void draw_change(const Look& look, const Measures& m, const ChangedLine& change, float middle,
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

// Draws a bar below the line. Length and strength show its share of the block's costs.
void draw_share(const Look& look, const Measures& m, float top, float share) {
    if (share <= 0) return;
    const float height = std::max(2.0f, std::round(0.13f * m.row));
    const float whole = m.cost_right - m.code_left;
    const auto step =
        std::min(static_cast<std::size_t>(share * kMostHeatSteps), kMostHeatSteps - 1);
    fill_rect({m.code_left, top + m.row - height, std::max(whole * share, height), height},
              heat_color(look.colors(), Role::kNone, heat_share(step, kMostHeatSteps)), height / 2);
}

void draw_code_row(const Look& look, const Measures& m, const SourceText& source,
                   const CodeRow& row, float top, bool running, bool left_out,
                   const LineCosts& costs, const ChangedLine* change) {
    const Palette& colors = look.colors();
    const float middle = top + m.row / 2;
    if (running) {
        const float left = m.code.x + look.tight();
        fill_rect({left, top, m.code.w - look.gap(), m.row}, colors.accent_tint, look.px(3));
        fill_rect({left, top, look.tight(), m.row}, colors.accent, look.px(2));
    }
    if (row.first) draw_share(look, m, top, costs.share(row.line));
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
    if (row.cut && row.runs.back().color == CodeColor::kComment)
        draw_text({end, middle}, "\xe2\x80\xa6", {Face::kMono, m.code_px, colors.ink3});
    float cost_begin = m.cost_right;
    const std::uint64_t cost = costs.of(row.line);
    if (row.first && cost > 0)
        cost_begin -= draw_text({m.cost_right, middle}, with_commas(cost),
                                {Face::kMono, m.code_px, colors.ink, Align::kRight});
    if (row.first && change != nullptr) draw_change(look, m, *change, middle, end, cost_begin);
}

void draw_code(const Look& look, const Measures& m, const SourceMemory& memory,
               const Replay* replay, const LineCosts& costs, std::uint32_t line) {
    const std::uint32_t removed = replay == nullptr ? 0 : replay->trace().launch.removed_barrier;
    draw_list()->PushClipRect(m.code.min(), m.code.max(), true);
    const SourceText& source = memory.text;
    static const std::map<std::uint32_t, ChangedLine> kNone;
    const bool edited = memory.program_text == memory.given;
    const std::map<std::uint32_t, ChangedLine>& changes = edited ? memory.changes : kNone;
    const auto first = static_cast<std::size_t>(std::max(0.0f, memory.scroll));
    for (std::size_t i = first; i < source.rows.size(); ++i) {
        const CodeRow& row = source.rows[i];
        const float top =
            std::round(m.code.y + (static_cast<float>(i) - std::max(0.0f, memory.scroll)) * m.row);
        if (top > m.code.bottom()) break;
        const auto change = changes.find(row.line);
        draw_code_row(look, m, source, row, top, row.line == line,
                      removed != 0 && row.line == removed, costs,
                      change == changes.end() ? nullptr : &change->second);
    }
    draw_list()->PopClipRect();
}

Commands draw_barrier_controls(const Look& look, const Measures& m, const SourceText& source,
                               float scroll, const Workbench& workbench, const KernelInfo& kernel) {
    Commands commands;
    for (const KernelBarrier& barrier : kernel.barriers) {
        const auto line = static_cast<std::uint32_t>(barrier.line);
        if (line >= source.first_row.size()) continue;
        const float row = static_cast<float>(source.first_row[line]) - std::max(0.0f, scroll);
        const float top = std::round(m.code.y + row * m.row);
        const float seen_from = std::max(top, m.code.y);
        const float seen_to = std::min(top + m.row, m.code.bottom());
        if (seen_to - seen_from < 0.5f * m.row) continue;
        const Rect gutter{m.code.x + look.hair(), seen_from,
                          m.gutter_right - m.code.x - look.hair(), seen_to - seen_from};
        const Commands asked = draw_barrier_control(look, gutter, m.marks, line, workbench);
        append(commands, asked);
    }
    return commands;
}

const CodeRow* row_at(const SourceMemory& memory, const Measures& m, ImVec2 mouse) {
    if (!m.code.contains(mouse)) return nullptr;
    const auto row =
        static_cast<std::size_t>(std::max(0.0f, memory.scroll) + (mouse.y - m.code.y) / m.row);
    return row < memory.text.rows.size() ? &memory.text.rows[row] : nullptr;
}

// Draws "Line 20 in this block" with moved data, share of bytes used, wavefronts and conflicts.
void draw_line_figures(const Look& look, const Measures& m, SourceMemory& memory,
                       const Replay& replay, std::uint32_t line) {
    const Palette& colors = look.colors();
    const std::vector<AccessCounts>& by_line = counts_by_line(memory, replay);
    const AccessCounts counts = line < by_line.size() ? by_line[line] : AccessCounts{};
    std::string used = "-";
    if (counts.bytes_moved > 0)
        used = std::to_string((200 * counts.bytes_used / counts.bytes_moved + 1) / 2) + "%";
    const std::array<std::string, 4> figures = {with_commas(counts.transactions), used,
                                                with_commas(counts.wavefronts),
                                                with_commas(counts.bank_conflicts)};
    const std::array<std::string_view, 4> captions = {replay.generation().global.units,
                                                      "of bytes used", "wavefronts", "conflicts"};
    const Rect& foot = m.foot;
    const float extra = 1.2f * extra_px(look);
    draw_rule(look, foot.min(), foot.w);
    draw_text({foot.x, foot.y + look.margin() + 0.5f * extra},
              "Line " + std::to_string(line) + " in this block",
              {Face::kRegular, type_px(look, 14), colors.ink3});
    const float column = foot.w / 4;
    float widest = 0, widest_caption = 0;
    for (std::size_t i = 0; i < figures.size(); ++i) {
        widest = std::max(widest, text_width(figures[i], Face::kBold, type_px(look, 22)));
        widest_caption =
            std::max(widest_caption, text_width(captions[i], Face::kRegular, type_px(look, 13)));
    }
    const float fit = std::min(1.0f, (column - look.gap()) / widest);
    const float caption_fit = std::min(1.0f, (column - look.snug()) / widest_caption);
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const float x = foot.x + static_cast<float>(i) * column;
        const bool conflict = i == 3 && counts.bank_conflicts > 0;
        draw_text({x, foot.y + look.px(58) + 1.6f * extra}, figures[i],
                  {Face::kBold, fit * type_px(look, 22), conflict ? colors.conflict : colors.ink});
        draw_text({x, foot.y + look.px(82) + 2.4f * extra}, captions[i],
                  {Face::kRegular, caption_fit * type_px(look, 13), colors.ink2});
    }
}

// Draws the file's name (shortened if necessary), the button of the introduction and, if there is
// room, the button that chooses the counter of the numbers at the right.
void draw_head(const Look& look, const Measures& m, float middle, std::string_view name,
               LineFigure figure, std::string_view unit, Commands& commands) {
    const float small = type_px(look, 14), gap = look.wide();
    const auto width = [&](std::string_view word) {
        return text_width(word, Face::kSemiBold, small) + look.pad();
    };
    const float about = width("about"), units = width(unit);
    const float whole = text_width(name, Face::kMono, small);
    const bool captioned =
        whole + 2 * gap + about + units <= m.head.w || figure != LineFigure::kTicks;
    const float room = m.head.w - about - gap - (captioned ? units + gap : 0);
    draw_text_fit({m.head.x, middle}, room, name, {Face::kMono, small, look.colors().ink2});
    const float height = std::floor(std::min(small * 1.7f, 2 * (m.head.bottom() - middle)));
    const float top = std::round(middle - height / 2);
    if (captioned &&
        toggle_button(look, "source.figure", {m.head.right() - units, top, units, height}, unit,
                      small, false,
                      "What the numbers below count, and the bars their shares (Shift+U)"))
        commands.push_back(
            SetLineFigure{static_cast<LineFigure>((static_cast<int>(figure) + 1) % 4)});
    if (toggle_button(look, "source.introduction",
                      {m.head.x + std::min(whole, room) + gap, top, about, height}, "about", small,
                      false, "The kernel's idea, what to watch, what comes next, and facts (I)"))
        commands.push_back(ToggleIntroduction{});
}

}  // namespace

Commands draw_source(const Look& look, const Rect& rect, const Workbench& workbench,
                     PanelMemory& panels) {
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
    Measures m = measures_of(look, rect);
    const LineFigure figure = workbench.view().line_figure;
    const LineCosts costs = replay == nullptr
                                ? LineCosts{}
                                : line_costs(*replay, counts_by_line(memory, *replay), figure);
    fit_rows(m, source_of(look, rect, memory, m, replay, costs, given));
    const std::uint32_t line = running_line(replay);
    follow(memory, look, m, line);

    const float middle = m.head.y + row_px(look, 26);
    Commands commands;
    draw_head(look, m, middle, name, figure, costs.unit, commands);
    draw_code(look, m, memory, replay, costs, line);
    if (const KernelInfo* kernel = kernel_with_lines(workbench, given))
        append(commands,
               draw_barrier_controls(look, m, memory.text, memory.scroll, workbench, *kernel));
    const CodeRow* pointed = row_at(memory, m, ImGui::GetIO().MousePos);
    const Rect code{m.gutter_right, m.code.y, m.code.right() - m.gutter_right, m.code.h};
    std::string tip;
    if (pointed != nullptr) tip = share_text(costs, pointed->line);
    if (pointed != nullptr && pointed->cut) {
        const std::string text(memory.text.line_text(pointed->line));
        tip = tip.empty() ? text : text + "; " + tip;
    }
    if (pointed != nullptr && memory.program_text == memory.given)
        if (const auto change = memory.changes.find(pointed->line);
            change != memory.changes.end() && !change->second.was.empty())
            tip = "Before it was saved: " + change->second.was;
    touch_area(look, "source.code", code, tip);
    if (replay != nullptr && line > 0 && m.foot.h > 0)
        draw_line_figures(look, m, memory, *replay, line);
    return commands;
}

}  // namespace tilereel

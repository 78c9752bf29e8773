#include "app/panels/source/source_finding.h"

#include <algorithm>

#include "app/ui/widgets/widgets.h"

namespace tilereel {

FindingLines finding_lines(const Workbench& workbench, const SourceText& source,
                           std::string_view given) {
    const FindingScene* const scene = workbench.finding_scene();
    if (scene == nullptr || !scene->pair) return {};
    const RaceOrder& order = scene->pair->order;
    const Trace& trace = workbench.replay()->trace();
    const auto word = [&](const HazardParty& party) {
        return writes(trace.sites[party.site].operation) ? "stores" : "reads";
    };
    FindingLines lines{.earlier = trace.sites[order.earlier.site].line,
                       .later = trace.sites[order.later.site].line,
                       .earlier_word = word(order.earlier),
                       .later_word = word(order.later),
                       .place = place_of_barrier(given, order),
                       .barrier = scene->pair->barrier};
    // A barrier that was left out is struck out where it belongs.
    if (trace.launch.removed_barrier != 0 || !workbench.tells_advice()) lines.place.reset();
    if (!lines.place) return lines;
    const std::uint32_t next = lines.place->after_line + 1;
    const std::size_t end =
        next < source.first_row.size() ? source.first_row[next] : source.rows.size();
    if (end == 0)
        lines.place.reset();
    else
        lines.last_row = end - 1;
    return lines;
}

void draw_missing_barrier(const Look& look, const SourceMeasures& m, const FindingLines& lines,
                          float top) {
    const Palette& colors = look.colors();
    const float middle = top + m.row / 2;
    const Rect box{m.code_left - look.snug(), top, m.cost_right + look.snug() - m.code_left, m.row};
    register_widget("source.missing_barrier", box);
    dashed_rect(box, colors.wait, std::max(1.0f, look.frame()), look.px(3));
    draw_text({m.gutter_right, middle}, "+",
              {Face::kMonoBold, m.code_px, colors.wait_text, Align::kRight});
    const std::string code = lines.barrier + ";";
    const float code_width = text_width(code, Face::kMonoBold, m.code_px);
    const float left =
        std::max(m.code_left,
                 std::min(m.code_left + static_cast<float>(lines.place->indentation) * m.advance,
                          m.cost_right - code_width));
    draw_text({left, middle}, code, {Face::kMonoBold, m.code_px, colors.wait_text});
    const std::string_view words = "missing here";
    const float end = m.cost_right - look.snug();
    if (left + code_width + look.gap() + text_width(words, Face::kRegular, m.code_px) < end)
        draw_text({end, middle}, words,
                  {Face::kRegular, m.code_px, colors.wait_text, Align::kRight});
}

void draw_finding_line(const Look& look, const SourceMeasures& m, const std::string& word,
                       float middle, float code_end, float cost_begin) {
    const Palette& colors = look.colors();
    const float px = m.code_px - look.px(1), w = text_width(word, Face::kBold, px) + px;
    const float h = std::min(1.4f * px, m.row), right = cost_begin - look.snug();
    if (right - w < code_end + look.snug()) return;
    const Rect tag{right - w, middle - h / 2, w, h};
    fill_rect(tag, colors.accent, look.px(3));
    draw_text({tag.center().x, middle}, word, {Face::kBold, px, colors.bg, Align::kCenter});
}

}  // namespace tilereel

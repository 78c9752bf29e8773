#include "app/panels/inspector/compiled_section.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/panels/column.h"
#include "app/panels/measure.h"
#include "app/panels/paragraph.h"
#include "app/panels/recorded_text.h"
#include "instrumentation/base/with_commas.h"

namespace tilereel {
namespace {

constexpr std::size_t kMostBlocksNamed = 64;

struct CompiledRow {
    std::string label, written, compiled;
};

// The counters that differ between the source code as written and the compiled code.
std::vector<CompiledRow> rows_of(const AsCompiled& compiled) {
    std::vector<CompiledRow> rows;
    if (compiled.row == nullptr) return rows;
    for (std::size_t i = 0; i < kCompiledCounters; ++i)
        if (compiled.row->written[i] != compiled.row->compiled[i])
            rows.push_back({text_of(static_cast<CompiledCounter>(i)),
                            with_commas(compiled.row->written[i]),
                            with_commas(compiled.row->compiled[i])});
    return rows;
}

struct CompiledText {
    std::vector<CompiledRow> rows;
    std::vector<std::string> paragraphs;
    float px = 0, row = 0, gap = 0;
    bool stacked = false;  // the values are below their label
};

std::string compiled_words() { return "compiled, " + short_gpu_name(as_compiled_table().gpu); }

// The width of the right column.
float compiled_width(const CompiledText& section) {
    return std::max(text_width(compiled_words(), Face::kSemiBold, section.px),
                    widest(section.rows, Face::kMonoBold, section.px, &CompiledRow::compiled));
}

CompiledText section_of(const Look& look, float width, const Workbench& workbench) {
    CompiledText section;
    section.px = type_px(look, 13);
    section.row = std::round(1.6f * section.px);
    section.gap = look.gap();
    const Recording& recording = *workbench.recording();
    section.rows = rows_of(recording.compiled);
    const float room = width - compiled_width(section) - 1.2f * section.px - section.gap;
    for (const CompiledRow& row : section.rows)
        section.stacked =
            section.stacked || text_width(row.label, Face::kRegular, section.px) +
                                       text_width(row.written, Face::kMono, section.px) >
                                   room;
    std::string why;
    for (const std::string& sentence : recording.compiled.sentences)
        why += (why.empty() ? "" : " ") + sentence;
    if (!why.empty()) section.paragraphs.push_back(why);
    if (workbench.replay() != nullptr) {
        const std::string where = multiprocessors_text(*workbench.replay(), kMostBlocksNamed);
        if (!where.empty()) section.paragraphs.push_back(where);
    }
    return section;
}

void draw_compiled_head(const Look& look, const Rect& row, const CompiledText& section) {
    const Palette& colors = look.colors();
    const float written_right = row.right() - compiled_width(section) - 1.2f * section.px;
    const float middle = row.center().y;
    const float title = text_width("As compiled", Face::kRegular, section.px) + section.gap +
                        text_width("written", Face::kRegular, section.px);
    // If the title does not fit, it is left out: the column captions are clear without it.
    if (section.rows.empty() || row.x + title <= written_right)
        draw_text({row.x, middle}, "As compiled", {Face::kRegular, section.px, colors.ink3});
    if (section.rows.empty()) return;
    draw_text({written_right, middle}, "written",
              {Face::kRegular, section.px, colors.ink2, Align::kRight});
    draw_text({row.right(), middle}, compiled_words(),
              {Face::kSemiBold, section.px, colors.ink, Align::kRight});
}

void draw_compiled_row(const Look& look, const Rect& row, const CompiledText& section,
                       const CompiledRow& figures) {
    const Palette& colors = look.colors();
    const float below = row.bottom() - section.row / 2;
    draw_text({row.x, row.y + section.row / 2}, figures.label,
              {Face::kRegular, section.px, colors.ink2});
    draw_text({row.right() - compiled_width(section) - 1.2f * section.px, below}, figures.written,
              {Face::kMono, section.px, colors.ink2, Align::kRight});
    draw_text({row.right(), below}, figures.compiled,
              {Face::kMonoBold, section.px, colors.ink, Align::kRight});
}

}  // namespace

float draw_compiled(const Look& look, const Rect& rect, const Workbench& workbench) {
    if (workbench.recording() == nullptr) return 0;
    const CompiledText section = section_of(look, rect.w, workbench);
    Column column(look, rect);
    column.rule();
    column.space(section.gap);
    column.row(section.row, [&](const Rect& row) { draw_compiled_head(look, row, section); });
    for (const CompiledRow& figures : section.rows)
        column.row(section.row * (section.stacked ? 2 : 1),
                   [&](const Rect& row) { draw_compiled_row(look, row, section, figures); });
    for (const std::string& text : section.paragraphs) {
        column.space(section.gap);
        column.paragraph(text, {Face::kRegular, section.px, look.colors().ink2});
    }
    column.space(section.gap);
    return column.height();
}

}  // namespace tilereel

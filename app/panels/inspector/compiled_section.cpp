#include "app/panels/inspector/compiled_section.h"

#include <string>

#include "app/panels/column.h"
#include "app/panels/measure.h"
#include "app/panels/recorded_text.h"
#include "app/panels/text_table.h"
#include "instrumentation/base/with_commas.h"

namespace tilereel {
namespace {

constexpr std::size_t kMostBlocksNamed = 64;

// The counters that differ between the source code as written and the compiled code.
TextTable table_of(const Look& look, const AsCompiled& compiled, float px) {
    const Palette& colors = look.colors();
    TextTable table(look, px, {Align::kLeft, Align::kRight, Align::kRight}, 1);
    for (std::size_t i = 0; compiled.row != nullptr && i < kCompiledCounters; ++i) {
        if (compiled.row->written[i] == compiled.row->compiled[i]) continue;
        if (table.rows() == 0)
            table.add({{"As compiled", colors.ink3},
                       {"written", colors.ink2},
                       {"compiled, " + short_gpu_name(as_compiled_table().gpu), colors.ink,
                        Face::kSemiBold}});
        table.add({{std::string(text_of(static_cast<CompiledCounter>(i))), colors.ink2},
                   {with_commas(compiled.row->written[i]), colors.ink2, Face::kMono},
                   {with_commas(compiled.row->compiled[i]), colors.ink, Face::kMonoBold}});
    }
    if (table.rows() == 0) table.add({{"As compiled", colors.ink3}});
    return table;
}

}  // namespace

float draw_compiled(const Look& look, const Rect& rect, const Workbench& workbench) {
    const AsCompiled& compiled = workbench.recording()->compiled;
    const float px = type_px(look, 13);
    const TextStyle words{Face::kRegular, px, look.colors().ink2};
    TextTable table = table_of(look, compiled, px);
    table.place(rect.w);
    Column column(look, rect);
    column.rule();
    column.space(look.gap());
    column.space(table.draw({rect.x, column.y()}));
    std::string why;
    for (const std::string& sentence : compiled.sentences)
        why += (why.empty() ? "" : " ") + sentence;
    const std::string where = multiprocessors_text(*workbench.replay(), kMostBlocksNamed);
    for (const std::string& text : {why, where})
        if (!text.empty()) {
            column.space(look.gap());
            column.paragraph(text, words);
        }
    return column.height();
}

}  // namespace tilereel

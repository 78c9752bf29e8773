#include "app/panels/inspector/locals_strip.h"

#include <cstdio>
#include <string>
#include <vector>

#include "app/panels/text_table.h"
#include "app/ui/widgets.h"

namespace tilereel {
namespace {

constexpr std::size_t kMostIterations = 16;

// Two rows: the loop variable and the value after each iteration.
TextTable table_of(const Look& look, float px, const Trace& trace, const WarpLocals& locals,
                   const LoopIterations& loop, std::size_t variable) {
    const Palette& colors = look.colors();
    const LocalVariable &counter = locals.variables()[loop.counter],
                        &shown = locals.variables()[variable];
    std::vector<TableCell> counters = {{counter.name, colors.ink2, Face::kMono}};
    std::vector<TableCell> values = {{shown.name, colors.c, Face::kMonoBold}};
    for (std::size_t i = 0; i < loop.all.size(); ++i) {
        const LoopIterations::One& one = loop.all[i];
        const Face face = i == loop.now ? Face::kMonoBold : Face::kMono;
        counters.push_back({short_text(trace, counter, one.counter),
                            i == loop.now ? colors.ink : colors.ink2, face});
        values.push_back({one.done ? short_text(trace, shown, one.value) : "\xc2\xb7",
                          one.done ? colors.c : colors.ink3, face});
    }
    std::vector<Align> aligns(counters.size(), Align::kRight);
    aligns.front() = Align::kLeft;
    TextTable table(look, px, aligns, 1);
    table.add(std::move(counters));
    table.add(std::move(values));
    return table;
}

}  // namespace

std::string short_text(const Trace& trace, const LocalVariable& variable, const LocalValue& value) {
    constexpr std::size_t kLong = 9;
    std::string text = text_of(trace, variable, value);
    if (text.size() <= kLong || is_address(trace, variable)) return text;
    char rounded[32];
    std::snprintf(rounded, sizeof rounded, "%.5g", number_of(trace, variable, value));
    return rounded;
}

float draw_iterations(const Look& look, const Rect& rect, float px, const Replay& replay,
                      const WarpLocals& locals, std::size_t variable, std::uint32_t lane) {
    for (std::size_t most = kMostIterations; most > 0; --most) {
        const auto loop = locals.iterations(variable, lane, most);
        if (!loop) return 0;
        TextTable table = table_of(look, px, replay.trace(), locals, *loop, variable);
        table.place(rect.w);
        if (table.two_lines() && most > 1) continue;  // not all of them fit
        const float height = table.draw(rect.min());
        if (const Rect seen = seen_part({rect.x, rect.y, rect.w, height}); seen.h > 1)
            register_widget("locals.iterations", seen);
        return height;
    }
    return 0;
}

}  // namespace tilereel

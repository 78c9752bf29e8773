#include "app/panels/inspector/locals_strip.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/ui/widgets.h"

namespace tilereel {
namespace {

constexpr std::size_t kSample = 16;  // number of iterations whose values determine the column width

struct StripColumn {
    std::string counter, value;
};
std::vector<StripColumn> columns_of(const Trace& trace, const WarpLocals& locals,
                                    const LoopIterations& loop, std::size_t variable) {
    std::vector<StripColumn> columns;
    for (const LoopIterations::One& one : loop.all)
        columns.push_back(
            {short_text(trace, locals.variables()[loop.counter], one.counter),
             one.done ? short_text(trace, locals.variables()[variable], one.value) : "\xc2\xb7"});
    return columns;
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

float strip_height(const StripText& text) { return std::round(2.1f * text.row); }

bool draw_iterations(const Look& look, const Rect& rect, const StripText& text,
                     const Replay& replay, const WarpLocals& locals, std::size_t variable,
                     std::uint32_t lane) {
    const float px = text.small;
    auto loop = locals.iterations(variable, lane, kSample);
    if (!loop) return false;
    const std::string& counter = locals.variables()[loop->counter].name;
    const std::string& name = locals.variables()[variable].name;
    const float label = look.wide() + std::max(text_width(counter, Face::kMono, px),
                                               text_width(name, Face::kMonoBold, px));
    std::vector<StripColumn> columns = columns_of(replay.trace(), locals, *loop, variable);
    const float w =
        look.wide() + std::max(widest(columns, Face::kMono, px, &StripColumn::counter),
                               widest(columns, Face::kMonoBold, px, &StripColumn::value));
    const auto fit = static_cast<std::size_t>(std::max(1.0f, (rect.w - label) / w));
    if (fit < columns.size() || loop->more_before || loop->more_after) {
        loop = locals.iterations(variable, lane, fit);
        if (!loop) return false;
        columns = columns_of(replay.trace(), locals, *loop, variable);
    }
    const Palette& colors = look.colors();
    const float counters = rect.y + rect.h * 0.25f, values = rect.y + rect.h * 0.75f;
    draw_text({rect.x, counters}, counter, {Face::kMono, px, colors.ink2});
    draw_text({rect.x, values}, name, {Face::kMonoBold, px, colors.c});
    const Rect strip{rect.x + label, rect.y, w * static_cast<float>(columns.size()), rect.h};
    register_widget("locals.iterations", strip);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const Rect column{strip.x + w * static_cast<float>(i), strip.y, w, strip.h};
        const bool now = i == loop->now;
        const Face face = now ? Face::kMonoBold : Face::kMono;
        const float x = column.center().x;
        draw_row_mark(look, column, now, false);
        draw_text({x, counters}, columns[i].counter,
                  {face, px, now ? colors.ink : colors.ink2, Align::kCenter});
        draw_text({x, values}, columns[i].value,
                  {face, px, loop->all[i].done ? colors.c : colors.ink3, Align::kCenter});
    }
    return true;
}

}  // namespace tilereel

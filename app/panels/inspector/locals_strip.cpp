#include "app/panels/inspector/locals_strip.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/ui/widgets.h"

namespace tilereel {
namespace {

constexpr std::size_t kSample = 16;  // number of iterations whose values determine the column width

struct Strip {
    const Look& look;
    const StripText& text;
    const Trace& trace;
    const WarpLocals& locals;
    std::size_t variable = 0;
    [[nodiscard]] std::string counter_of(const LoopIterations& loop, std::size_t i) const {
        return short_text(trace, locals.variables()[loop.counter], loop.all[i].counter);
    }
    [[nodiscard]] std::string value_of(const LoopIterations& loop, std::size_t i) const {
        return short_text(trace, locals.variables()[variable], loop.all[i].value);
    }
    [[nodiscard]] float column_width(const LoopIterations& loop) const {
        float widest = text.small * 1.6f;
        for (std::size_t i = 0; i < loop.all.size(); ++i)
            widest = std::max({widest, text_width(counter_of(loop, i), Face::kMono, text.small),
                               text_width(value_of(loop, i), Face::kMonoBold, text.small)});
        return std::ceil(widest + look.wide());
    }
    [[nodiscard]] float label_width(const LoopIterations& loop) const {
        const auto& variables = locals.variables();
        return look.px(10) +
               std::max(text_width(variables[loop.counter].name, Face::kMono, text.small),
                        text_width(variables[variable].name, Face::kMonoBold, text.small));
    }
};

void draw_column(const Strip& strip, const LoopIterations& loop, std::size_t i, const Rect& rect) {
    const Palette& colors = strip.look.colors();
    const LoopIterations::One& one = loop.all[i];
    const bool now = i == loop.now;
    draw_row_mark(strip.look, rect, now, false);
    const float x = rect.center().x, half = rect.h / 2;
    const bool later = loop.now < loop.all.size() && i > loop.now;
    draw_text({x, rect.y + half * 0.5f}, strip.counter_of(loop, i),
              {now ? Face::kMonoBold : Face::kMono, strip.text.small,
               now     ? colors.ink
               : later ? colors.ink3
                       : colors.ink2,
               Align::kCenter});
    const Rect box{rect.x + strip.look.px(3), rect.y + half, rect.w - strip.look.snug(),
                   half - strip.look.px(3)};
    if (!one.done) {
        fill_rect(box, colors.cell, strip.look.px(3));
        const float dot = std::max(2.0f, strip.look.hair());
        fill_rect({x - dot / 2, box.center().y - dot / 2, dot, dot}, colors.ink3);
        return;
    }
    fill_rect(box, now ? colors.c : colors.c_tint, strip.look.px(3));
    if (!now) stroke_rect(box, colors.c, std::max(1.0f, strip.look.line()), strip.look.px(3));
    draw_text(box.center(), strip.value_of(loop, i),
              {now ? Face::kMonoBold : Face::kMono, strip.text.small, now ? colors.on : colors.ink,
               Align::kCenter});
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
    const Strip strip{look, text, replay.trace(), locals, variable};
    auto loop = locals.iterations(variable, lane, kSample);
    if (!loop) return false;
    const float dots = text_width("\xe2\x80\xa6", Face::kRegular, text.small) + look.tight();
    const float label = strip.label_width(*loop), w = strip.column_width(*loop);
    const float room = rect.w - label - 2 * dots;
    const auto fit = static_cast<std::size_t>(std::max(1.0f, std::floor(room / w)));
    if (fit < loop->all.size() || loop->more_before || loop->more_after)
        loop = locals.iterations(variable, lane, fit);
    if (!loop) return false;
    const Palette& colors = look.colors();
    const float counters = rect.y + rect.h * 0.25f, values = rect.y + rect.h * 0.75f;
    draw_text({rect.x, counters}, locals.variables()[loop->counter].name,
              {Face::kMono, text.small, colors.ink2});
    draw_text({rect.x, values}, locals.variables()[variable].name,
              {Face::kMonoBold, text.small, colors.c});
    float x = rect.x + label + dots;
    const TextStyle more{Face::kRegular, text.small, colors.ink3};
    if (loop->more_before) draw_text({x - dots, counters}, "\xe2\x80\xa6", more);
    register_widget("locals.iterations",
                    {x, rect.y, w * static_cast<float>(loop->all.size()), rect.h});
    for (std::size_t i = 0; i < loop->all.size(); ++i, x += w)
        draw_column(strip, *loop, i, {x, rect.y, w, rect.h});
    if (loop->more_after) draw_text({x + look.tight(), counters}, "\xe2\x80\xa6", more);
    return true;
}

}  // namespace tilereel

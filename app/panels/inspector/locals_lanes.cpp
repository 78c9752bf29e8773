#include "app/panels/inspector/locals_lanes.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "app/panels/panel_table.h"
#include "app/replay/sentence/wording.h"
#include "app/ui/widgets/widgets.h"
#include "instrumentation/base/format/decimal_text.h"

namespace tilereel {
namespace {

constexpr std::size_t kMostIterations = 16;

// Two rows: the loop variable and the value after each iteration.
WrapTable table_of(const Look& look, float px, const Trace& trace, const WarpLocals& locals,
                   const LoopIterations& loop, std::size_t variable) {
    const Palette& colors = look.colors();
    const LocalVariable &counter = locals.variables()[loop.counter],
                        &shown = locals.variables()[variable];
    std::vector<TableCell> counters = {{counter.name, Face::kMono, colors.ink2}};
    std::vector<TableCell> values = {{shown.name, Face::kMonoBold, colors.c}};
    for (std::size_t i = 0; i < loop.all.size(); ++i) {
        const LoopIterations::One& one = loop.all[i];
        const Face face = i == loop.now ? Face::kMonoBold : Face::kMono;
        counters.push_back({short_text(trace, counter, one.counter), face,
                            i == loop.now ? colors.ink : colors.ink2});
        values.push_back({one.done ? short_text(trace, shown, one.value) : "\xc2\xb7", face,
                          one.done ? colors.c : colors.ink3});
    }
    std::vector<Align> aligns(counters.size(), Align::kRight);
    aligns.front() = Align::kLeft;
    WrapTable table(look, px, aligns, 1);
    table.add(std::move(counters));
    table.add(std::move(values));
    return table;
}

constexpr std::size_t kHistory = 6;  // values

// Draws a value as a bar that starts at zero: positive values go to the right, negative ones to the
// left.
void draw_bar(const Look& look, const Rect& rect, const ShownLanes& shown,
              const LocalValue& value) {
    const Trace& trace = shown.replay.trace();
    const LocalVariable& variable = shown.locals.variables()[shown.variable];
    double least = 0, most = 0;
    for (const LocalValue& each : shown.values) {
        const double number = number_of(trace, variable, each);
        if (!std::isfinite(number)) continue;
        least = std::min(least, number);
        most = std::max(most, number);
    }
    const double number = number_of(trace, variable, value);
    if (!std::isfinite(number) || most <= least) return;
    const auto at = [&](double v) {
        return rect.x + rect.w * static_cast<float>((v - least) / (most - least));
    };
    const float from = std::min(at(0), at(number)), to = std::max(at(0), at(number));
    const Palette& colors = look.colors();
    const float h = std::round(rect.h * 0.5f);
    fill_rect({from, std::round(rect.center().y - h / 2), std::max(to - from, look.line()), h},
              value.changed ? colors.c : mix(colors.c, colors.panel, 0.45f), look.px(2));
}

// Draws the value in one lane. True when it is clicked.
bool draw_lane(const Look& look, const Rect& rect, float px, const ShownLanes& shown,
               std::uint32_t lane) {
    const Palette& colors = look.colors();
    const LocalVariable& variable = shown.locals.variables()[shown.variable];
    const LocalValue& value = shown.values[lane];
    const bool own = lane == shown.lane;
    const Interaction touch =
        interact(look, "locals.lane." + std::to_string(lane), rect, "Watch this lane");
    draw_row_mark(look, rect, own, touch.hovered);
    const float number = text_width("00", Face::kMono, px) + look.gap();
    const float middle = rect.center().y;
    draw_text({rect.x + number - look.tight(), middle}, std::to_string(lane),
              {Face::kMono, px, own ? colors.ink : colors.ink3, Align::kRight});
    const std::string words =
        value.known ? short_text(shown.replay.trace(), variable, value) : std::string("-");
    const ImU32 color = !value.known ? colors.ink3 : value.changed ? colors.c : colors.ink;
    draw_text({rect.right() - look.tight(), middle}, words,
              {value.changed ? Face::kMonoBold : Face::kMono, px, color, Align::kRight});
    const float widest =
        std::max(text_width(words, Face::kMonoBold, px), text_width("-0000.00", Face::kMono, px));
    const float room = rect.w - number - widest - look.px(10);
    if (room > look.gap()) draw_bar(look, {rect.x + number, rect.y, room, rect.h}, shown, value);
    return touch.clicked;
}

}  // namespace

std::string short_text(const Trace& trace, const LocalVariable& variable, const LocalValue& value) {
    constexpr std::size_t kLong = 9;
    std::string text = text_of(trace, variable, value);
    if (text.size() <= kLong || is_address(trace, variable)) return text;
    return printed("%.5g", number_of(trace, variable, value));
}

std::string warp_values_text(const Trace& trace, const LocalVariable& variable,
                             const LaneValues& values) {
    std::set<std::uint64_t> different;
    const LocalValue *least = nullptr, *most = nullptr;
    std::size_t known = 0, yes = 0;
    for (const LocalValue& value : values) {
        if (!value.known) continue;
        ++known;
        yes += value.bits & 1;
        different.insert(value.bits);
        const double number = number_of(trace, variable, value);
        if (least == nullptr || number < number_of(trace, variable, *least)) least = &value;
        if (most == nullptr || number > number_of(trace, variable, *most)) most = &value;
    }
    if (known == 0) return "no value yet";
    const bool address = is_address(trace, variable);
    if (different.size() == 1)
        return (address ? "same" : short_text(trace, variable, *least)) + " in " +
               (known == kWarpSize ? "all lanes" : counted(known, "lane", "lanes"));
    if (address) return "differs";
    if (trace.locals[variable.local].type_name == "bool")
        return "true in " + counted(yes, "lane", "lanes");
    return short_text(trace, variable, *least) + " to " + short_text(trace, variable, *most);
}

std::optional<std::uint32_t> draw_lane_values(const Look& look, const Rect& rect, float px,
                                              const ShownLanes& shown) {
    const float gap = look.px(14), half = (rect.w - gap) / 2;
    const float height = rect.h / static_cast<float>(kLaneRows);
    std::optional<std::uint32_t> clicked;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
        const auto column = static_cast<float>(lane / kLaneRows);
        const auto row = static_cast<float>(lane % kLaneRows);
        const Rect place{rect.x + column * (half + gap), rect.y + row * height, half, height};
        if (draw_lane(look, place, px, shown, lane)) clicked = lane;
    }
    return clicked;
}

std::vector<StyledText> latest_values(const Palette& colors, const ShownLanes& shown) {
    const std::vector<LocalValue> past = shown.locals.history(shown.variable, shown.lane, kHistory);
    if (past.size() <= 1) return {};
    std::vector<StyledText> words = {
        {"lane " + std::to_string(shown.lane) + ": ", Face::kRegular, colors.ink3}};
    for (std::size_t i = 0; i < past.size(); ++i) {
        const bool last = i + 1 == past.size();
        words.push_back(
            {short_text(shown.replay.trace(), shown.locals.variables()[shown.variable], past[i]) +
                 (last ? "" : ", "),
             last ? Face::kMonoBold : Face::kMono, last ? colors.c : colors.ink2});
    }
    return words;
}

float draw_iterations(const Look& look, const Rect& rect, float px, const Replay& replay,
                      const WarpLocals& locals, std::size_t variable, std::uint32_t lane) {
    for (std::size_t most = kMostIterations; most > 0; --most) {
        const auto loop = locals.iterations(variable, lane, most);
        if (!loop) return 0;
        WrapTable table = table_of(look, px, replay.trace(), locals, *loop, variable);
        table.place(rect.w);
        if (table.two_lines() && most > 1) continue;  // not all of them fit
        const float height = table.draw(rect.min());
        register_seen("locals.iterations", {rect.x, rect.y, rect.w, height});
        return height;
    }
    return 0;
}

}  // namespace tilereel

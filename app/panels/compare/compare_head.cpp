// The header above each picture of a comparison, and the step sentences of both sides.
#include "app/panels/compare/compare_views.h"
#include "app/panels/measure.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel {
namespace {

bool at_end(const CompareView& view) {
    return view.workbench.common_position() >= static_cast<double>(view.steps.ticks());
}

// "for warp 3's load of Bs, line 23"
std::string request_words(const CompareView& view, Side side) {
    const Replay& replay = view.replay(side);
    const Step& step = replay.schedule().steps[view.entry().step[static_cast<std::size_t>(side)]];
    const Site& site = replay.trace().sites[step.site];
    return "for warp " + std::to_string(step.warp) +
           (writes(site.operation) ? "'s store to " : "'s load of ") +
           replay.trace().arrays[site.array].name + ", line " + std::to_string(site.line);
}

struct SideState {
    std::string words;
    ImU32 color = 0;
};

SideState state_of(const CompareView& view, Side side) {
    const Palette& colors = view.look.colors();
    const double position = view.workbench.common_position();
    const Side other = side == Side::kLeft ? Side::kRight : Side::kLeft;
    if (at_end(view)) return {"done", colors.c};
    const RequestCost* cost = view.cost(side);
    if (cost == nullptr) return {"no step like this one: waits", colors.accent};
    if (!view.entry().has(other))
        return {"a step that " + view.label(other) + " does not have", colors.accent};
    if (view.steps.waits(side, position)) return {"done: waits for " + view.label(other), colors.c};
    const std::uint32_t now = view.replay(side).state().request.wavefront + 1;
    if (cost->bank_conflicts > 0)
        return {"wavefront " + std::to_string(now) + " of " + std::to_string(cost->wavefronts),
                colors.conflict};
    return {"runs", colors.ink2};
}

// The large figure of a header: the cost of the current request; after the last one, the block's
// time.
struct HeadFigure {
    std::string number, unit;
    std::string detail;
    bool conflict = false;
};

HeadFigure head_figure(const CompareView& view, Side side) {
    if (at_end(view))
        return {with_commas(view.replay(side).schedule().ticks), "ticks", "for the whole block"};
    const CostFigure cost = cost_figure(view, side);
    if (cost.number == 0) return {{}, cost.unit, {}};
    return {std::to_string(cost.number), cost.unit, request_words(view, side), cost.conflict};
}

}  // namespace

const RequestCost* CompareView::cost(Side side) const {
    if (!entry().has(side)) return nullptr;
    return &replay(side).schedule().costs[entry().step[static_cast<std::size_t>(side)]];
}

CostFigure cost_figure(const CompareView& view, Side side) {
    const RequestCost* cost = view.cost(side);
    if (cost == nullptr) return {0, "no step like this"};
    if (cost->wavefronts > 0)
        return {cost->wavefronts, cost->wavefronts == 1 ? "wavefront" : "wavefronts",
                cost->bank_conflicts > 0};
    const GlobalRules& rules = view.replay(side).generation().global;
    return {cost->transactions, std::string(cost->transactions == 1 ? rules.unit : rules.units),
            false};
}

float compare_head_height(const Look& look) {
    return look.narrow ? 1.8f * type_px(look, 16)
                       : 1.5f * type_px(look, 20) + 1.55f * type_px(look, 36);
}

void draw_compare_head(const CompareView& view, const Rect& rect, Side side) {
    const Look& look = view.look;
    const Palette& colors = look.colors();
    register_widget(side == Side::kLeft ? "compare.left" : "compare.right", rect);
    draw_card(look, rect);
    const float pad = look.px(look.narrow ? 12 : 20);
    const SideState state = state_of(view, side);
    const HeadFigure figure = head_figure(view, side);
    const bool counted = !figure.detail.empty();
    const ImU32 color = figure.conflict ? colors.conflict : colors.ink;
    const float label_px = type_px(look, look.narrow ? 16 : 20), px = type_px(look, 14);
    const float middle = look.narrow ? rect.center().y : rect.y + 0.8f * label_px;
    const float inner = rect.w - 2 * pad;
    // If there is only one line, the cost is drawn at its right end.
    std::string right = state.words;
    if (look.narrow) right = counted ? figure.number + " " + figure.unit : figure.unit;
    const ImU32 right_color = look.narrow && counted ? color : state.color;
    const float right_width = text_width(right, Face::kSemiBold, px);
    const float label_room = inner - right_width - px;
    const TextStyle label =
        shrunk({Face::kBold, label_px, colors.ink}, view.label(side), label_room, look.px(11));
    const float after_label =
        rect.x + pad + draw_text_fit({rect.x + pad, middle}, label_room, view.label(side), label);
    if (const DifferenceWords all = view.folds ? first_difference(view, side) : DifferenceWords();
        !all.text.empty()) {
        const float left = after_label + px, end = rect.right() - pad - right_width - px;
        const TextStyle style{Face::kRegular, px, all.conflict ? colors.conflict : colors.ink2};
        for (const std::string& text : {all.text + " in all", all.text}) {
            const TextStyle fits = shrunk(style, text, end - left, 0.8f * px);
            if (text_width(text, fits) > end - left) continue;
            draw_text({left, middle}, text, fits);
            break;
        }
    }
    draw_text({rect.right() - pad, middle}, right,
              {Face::kSemiBold, px, right_color, Align::kRight});
    if (look.narrow) return;
    const float large = type_px(look, 36), y = rect.bottom() - 0.75f * large;
    const float after = rect.x + pad +
                        draw_text({rect.x + pad, y}, figure.number, {Face::kBold, large, color}) +
                        0.6f * px;
    const float room = rect.right() - pad - after;
    if (!counted) return;
    draw_text_fit({after, y - 0.45f * large}, room, figure.unit,
                  {Face::kSemiBold, type_px(look, 16), colors.ink});
    draw_text_fit({after, y + 0.3f * large}, room, figure.detail,
                  {Face::kRegular, px, colors.ink2});
}

Sentence compare_sentence(const CompareView& view) {
    const double position = view.workbench.common_position();
    const LockStepEntry& entry = view.entry();
    Sentence sentence;
    if (position >= static_cast<double>(view.steps.ticks())) {
        const auto ticks = [&](Side side) {
            return with_commas(view.replay(side).schedule().ticks);
        };
        return {{Tone::kStrong, view.label(Side::kLeft)},
                {Tone::kPlain, " took " + ticks(Side::kLeft) + " ticks of the memory pipe, "},
                {Tone::kStrong, view.label(Side::kRight)},
                {Tone::kPlain, " " + ticks(Side::kRight) + "."}};
    }
    const Side told = entry.has(Side::kLeft) ? Side::kLeft : Side::kRight;
    const Side other = told == Side::kLeft ? Side::kRight : Side::kLeft;
    sentence.push_back({Tone::kStrong, view.label(told) + ": "});
    const Sentence request = view.replay(told).sentence();
    sentence.insert(sentence.end(), request.begin(), request.end());
    if (!entry.has(other)) {
        sentence.push_back({Tone::kStrong, " " + view.label(other)});
        sentence.push_back({Tone::kAccent, " has no step like this one"});
        sentence.push_back({Tone::kPlain, "."});
        return sentence;
    }
    sentence.push_back({Tone::kStrong, " " + view.label(other) + ": "});
    const CostFigure figure = cost_figure(view, other), own = cost_figure(view, told);
    const std::string cost = std::to_string(figure.number) + " " + figure.unit;
    const bool same = figure.number == own.number && figure.unit == own.unit;
    sentence.push_back({same              ? Tone::kPlain
                        : figure.conflict ? Tone::kConflict
                                          : Tone::kStrong,
                        same ? "the same, " + cost : cost});
    sentence.push_back({Tone::kPlain, "."});
    return sentence;
}

}  // namespace tilereel

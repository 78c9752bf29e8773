// The step sentences of both sides.
#include "app/panels/compare/compare_views.h"

namespace tilereel {

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

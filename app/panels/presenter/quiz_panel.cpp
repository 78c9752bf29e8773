// "Predict first" on any replay: the question is drawn over the lower part of the stage.
#include <algorithm>
#include <string>

#include "app/panels/lesson/lesson_parts.h"
#include "app/panels/measure.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel {
namespace {

std::string score_of(const Quiz& quiz) {
    if (quiz.predicted() == 0) return {};
    return std::to_string(quiz.right()) + " of " + std::to_string(quiz.predicted()) + " right";
}

std::string what_next(const Quiz& quiz) {
    if (quiz.answered()) return "Page Down: the next question   Esc: end";
    const std::size_t count = quiz.asked()->choices.size();
    return "1 to " + std::to_string(count) + ": choose   Page Down: the answer   Esc: end";
}

}  // namespace

Commands draw_quiz(const Look& look, const Rect& stage, const Workbench& workbench) {
    const Quiz& quiz = workbench.quiz();
    if (!quiz.on() || (!quiz.asked() && !quiz.over())) return {};
    const float gap = look.pad(), width = std::min(stage.w - 2 * gap, 46 * type_px(look, 20));
    const float x = stage.x + (stage.w - width) / 2;
    const std::string score = score_of(quiz);
    const float wanted = type_px(look, 20);
    if (quiz.over()) {
        const auto draw = [&](ImVec2 at) {
            return draw_accent_card(
                look, at, width, wanted,
                "No new kind of request follows in this block. Page Down or Esc ends the quiz.",
                score);
        };
        const float height = measured([&] { return draw({}); });
        const Rect place{x, stage.bottom() - gap - height, width, height};
        draw(place.min());
        register_widget("quiz.over", place);
        return {};
    }
    const PredictionCard card{.asked = *quiz.asked(),
                              .chosen = quiz.chosen(),
                              .answered = quiz.answered(),
                              .clickable = true};
    const auto measure = [&](float px) { return draw_prediction(look, {}, width, px, card); };
    const float px = fitting_px(wanted, 0.5f * stage.h, measure);
    const float height = measured([&] { return measure(px); });
    const Rect place{x, stage.bottom() - gap - height - 1.5f * px, width, height + 1.5f * px};
    fill_rect(place, look.colors().panel, look.corner());
    int clicked = -1;
    draw_prediction(look, place.min(), width, px, card, &clicked);
    const std::string words = what_next(quiz) + (score.empty() ? "" : "   " + score);
    draw_text_fit({x + 0.8f * px, place.bottom() - 0.75f * px}, width - 1.6f * px, words,
                  {Face::kRegular, 0.72f * px, look.colors().ink2});
    register_widget("quiz.card", place);
    if (clicked >= 0) return {ChooseInQuiz{static_cast<std::size_t>(clicked)}};
    return {};
}

}  // namespace tilereel

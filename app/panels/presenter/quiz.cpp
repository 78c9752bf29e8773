// "Predict first" on any replay: the question is drawn over the lower part of the stage.
#include <algorithm>
#include <string>

#include "app/panels/lesson/lesson_parts.h"
#include "app/panels/measure.h"
#include "app/ui/widgets.h"

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
    if (quiz.over()) {
        const float px = type_px(look, 20);
        const std::string end = "Nothing new comes in this block. Page Down or Esc ends this.";
        const float height =
            measured([&] { return draw_accent_card(look, {}, width, px, end, score); });
        const ImVec2 at{x, stage.bottom() - gap - height};
        draw_accent_card(look, at, width, px, end, score);
        register_widget("quiz.over", {at.x, at.y, width, height});
        return {};
    }
    const PredictionCard card{.asked = *quiz.asked(),
                              .chosen = quiz.chosen(),
                              .answered = quiz.answered(),
                              .clickable = true};
    const auto measure = [&](float px) { return draw_prediction(look, {}, width, px, card); };
    const float px = fitting_px(type_px(look, 20), 0.5f * stage.h, measure);
    const float height = measured([&] { return measure(px); });
    const float foot = 1.5f * px;
    const ImVec2 at{x, stage.bottom() - gap - height - foot};
    fill_rect({at.x, at.y, width, height + foot}, look.colors().panel, look.corner());
    int clicked = -1;
    draw_prediction(look, at, width, px, card, &clicked);
    const float small = 0.72f * px, y = at.y + height + foot / 2;
    const float used = score.empty()
                           ? 0
                           : draw_text({at.x + width - 0.5f * px, y}, score,
                                       {Face::kSemiBold, small, look.colors().ink, Align::kRight});
    draw_text_fit({at.x + 0.8f * px, y}, width - used - 2.5f * px, what_next(quiz),
                  {Face::kRegular, small, look.colors().ink2});
    register_widget("quiz.card", {at.x, at.y, width, height + foot});
    if (clicked >= 0) return {ChooseInQuiz{static_cast<std::size_t>(clicked)}};
    return {};
}

}  // namespace tilereel

// Questions: the text, the choices, and the answer.
#include <algorithm>
#include <string>

#include "app/panels/lesson/lesson_parts.h"
#include "app/panels/panel_column.h"
#include "app/panels/paragraph.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel {
namespace {

void draw_box(const Look& look, const Rect& rect, float px) {
    const Palette& colors = look.colors();
    fill_rect(rect, colors.accent_tint, 0.3f * px);
    fill_rect({rect.x, rect.y, 0.22f * px, rect.h}, colors.accent, 0.11f * px);
}

// Draws a choice with its key. The right choice has a tick, the chosen one a frame.
void draw_choice(const Look& look, const Rect& rect, float px, const PredictionCard& card,
                 std::size_t choice) {
    const Palette& colors = look.colors();
    const bool right = card.answered && choice == card.asked.right;
    const bool chosen = card.chosen == choice;
    fill_rect(rect, right ? colors.c_tint : colors.raised, 0.3f * px);
    if (right || chosen) stroke_rect(rect, right ? colors.c : colors.accent, 0.1f * px, 0.3f * px);
    const float middle = rect.center().y;
    if (right)
        draw_icon(Icon::kDone, {rect.x + 0.8f * px, middle}, 0.8f * px, colors.c, 0.12f * px);
    else if (card.clickable && !card.answered)
        draw_text({rect.x + 0.45f * px, middle}, std::to_string(choice + 1),
                  {Face::kRegular, 0.7f * px, colors.ink3});
    draw_text({rect.center().x + 0.3f * px, middle}, with_commas(card.asked.choices[choice]),
              {Face::kMonoBold, 1.15f * px, colors.ink, Align::kCenter});
}

}  // namespace

float draw_accent_card(const Look& look, ImVec2 at, float width, float px, std::string_view strong,
                       std::string_view plain) {
    const float pad = 0.8f * px, room = width - 2 * pad;
    const auto write = [&] {
        Column column(look, {at.x + pad, at.y + 0.8f * pad, room, 0});
        column.paragraph(strong, {Face::kSemiBold, px, look.colors().ink});
        if (!plain.empty()) column.space(0.5f * px);
        if (!plain.empty()) column.paragraph(plain, {Face::kRegular, px, look.colors().ink});
        return column.height();
    };
    const float height = measured(write) + 1.6f * pad;
    draw_box(look, {at.x, at.y, width, height}, px);
    write();
    return height;
}

float draw_prediction(const Look& look, ImVec2 at, float width, float px,
                      const PredictionCard& card, int* clicked) {
    const float pad = 0.8f * px, room = width - 2 * pad, gap = 0.5f * px;
    const TextStyle style{Face::kSemiBold, px, look.colors().ink};
    const float words = paragraph_height(card.asked.question, room, style);
    const float box = 2.2f * px;
    const float height = words + box + 2.2f * pad;
    draw_box(look, {at.x, at.y, width, height}, px);
    draw_paragraph({at.x + pad, at.y + 0.8f * pad}, room, card.asked.question, style);
    const auto count = static_cast<float>(card.asked.choices.size());
    const float each = std::min(7 * px, (room - (count - 1) * gap) / count);
    for (std::size_t i = 0; i < card.asked.choices.size(); ++i) {
        const Rect rect{at.x + pad + static_cast<float>(i) * (each + gap),
                        at.y + height - 0.8f * pad - box, each, box};
        const std::string name = "lesson.choice." + std::to_string(i);
        if (card.clickable) {
            if (interact(look, name, rect, "").clicked && clicked != nullptr)
                *clicked = static_cast<int>(i);
        } else {
            register_widget(name, rect);
        }
        draw_choice(look, rect, px, card, i);
    }
    register_widget("lesson.prediction", {at.x, at.y, width, height});
    return height;
}

}  // namespace tilereel

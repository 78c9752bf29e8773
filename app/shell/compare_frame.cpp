#include "app/shell/compare_frame.h"

#include <cmath>

#include "app/panels/compare/compare_views.h"
#include "app/panels/measure.h"
#include "app/panels/panel_memory.h"
#include "app/ui/widgets/widgets.h"
#include "app/workbench/comparison.h"

namespace tilereel {
namespace {

CompareView view_of(const Look& look, const Workbench& workbench) {
    const Workbench& right = *workbench.other();
    return {look,
            workbench,
            *workbench.lock_step(),
            {&workbench, &right},
            side_labels(workbench, right)};
}

// Whether a row of counters would leave two pictures side by side too low to be read.
bool folds_counters(const Look& look, const Rect& main, SidesShown shown) {
    constexpr float kLowestPicture = 300;  // units
    const float picture = main.h - compare_head_height(look) - look.px(4);
    return look.narrow && shown == SidesShown::kBoth &&
           picture - differences_row_height(look) - look.gap() < look.px(kLowestPicture);
}

// Draws a side's header above its picture. The picture may have smaller text.
Commands draw_side(const CompareView& view, const Look& picture_look, const Rect& rect, Side side,
                   StageView& stage) {
    const float head = std::round(compare_head_height(view.look)), gap = view.look.px(4);
    draw_compare_head(view, {rect.x, rect.y, rect.w, head}, side);
    const Rect picture{rect.x, rect.y + head + gap, rect.w, rect.h - head - gap};
    return draw_stage(picture_look, picture, *view.sides[static_cast<std::size_t>(side)], stage);
}

}  // namespace

Commands draw_compared_pictures(const Look& look, const Workbench& workbench,
                                const ComparedPictures& pictures) {
    const CompareView view = view_of(look, workbench);
    Commands commands =
        draw_side(view, pictures.look, pictures.left_rect, Side::kLeft, pictures.left);
    const WidgetPrefix prefix("right.");
    append(commands, on_right(draw_side(view, pictures.look, pictures.right_rect, Side::kRight,
                                        pictures.right)));
    return commands;
}

Commands draw_compare_mode(const Look& look, const Workbench& workbench,
                           const CompareFrame& frame) {
    CompareView view = view_of(look, workbench);
    const SidesShown shown = workbench.view().sides;
    const float gap = look.px(8);
    Rect main = frame.main;
    float card = 0;  // the width of the differences between the pictures
    view.folds = folds_counters(look, main, shown);
    if (view.folds) {
        // One side alone (C) has them.
    } else if (look.narrow) {
        const float row = differences_row_height(look);
        main.h -= row + gap;
        draw_differences_row(view, {main.x, main.bottom() + gap, main.w, row},
                             frame.panels.parts().compare.scroll);
    } else {
        card = std::round(std::min(differences_width(view), 0.215f * main.w));
    }
    const float between = card > 0 ? card + 2 * gap : gap;
    const float width =
        shown == SidesShown::kBoth ? std::floor((main.w - between) / 2) : main.w - between + gap;
    if (card > 0)
        draw_differences(view, {main.x + width + gap, main.y, card, main.h},
                         frame.panels.parts().compare.scroll);
    // Larger text would leave no room for values.
    constexpr float kTextOfLowPicture = 1.45f;
    Look pictures = look;
    if (view.folds) pictures.text = std::min(look.text, kTextOfLowPicture);
    Commands commands;
    if (shown != SidesShown::kRight)
        append(commands,
               draw_side(view, pictures, {main.x, main.y, width, main.h}, Side::kLeft, frame.left));
    append(commands, draw_compare_timeline(view, frame.timeline, frame.panels));
    draw_sentence_text(look, frame.sentence, compare_sentence(view));
    if (shown == SidesShown::kLeft) return commands;
    const float x = shown == SidesShown::kBoth ? main.right() - width : main.x;
    const WidgetPrefix prefix("right.");
    append(commands, on_right(draw_side(view, pictures, {x, main.y, width, main.h}, Side::kRight,
                                        frame.right)));
    return commands;
}

}  // namespace tilereel

#include "app/panels/lesson/exercise_page.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/panels/measure.h"
#include "app/panels/panel_memory.h"
#include "app/panels/paragraph.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel {
namespace {

// A box for each exercise of the list: a tick on those that are passed, a frame on the open one.
Commands draw_boxes(const Look& look, const Rect& rect, const Workbench& workbench,
                    std::size_t open) {
    const ExerciseBench& bench = workbench.exercises();
    const Palette& colors = look.colors();
    const float side = rect.h, gap = look.snug();
    Commands commands;
    for (std::size_t i = 0; i < bench.offered().size(); ++i) {
        const std::filesystem::path& file = bench.offered()[i];
        const auto known = bench.progress().find(progress_name(file));
        const bool passed = known != bench.progress().end() && known->second.passed;
        const std::string number = std::to_string(i + 1);
        const Rect box{rect.x + static_cast<float>(i) * (side + gap), rect.y, side, side};
        const Interaction touched = interact(look, "exercise." + number, box,
                                             file.stem().string() + (passed ? ", passed" : ""));
        const float width = i == open ? 2 * look.frame() : look.frame();
        const ImU32 edge = i == open ? colors.accent : passed ? colors.c : colors.ink3;
        const ImU32 fill = i == open         ? colors.accent_tint
                           : passed          ? colors.c_tint
                           : touched.hovered ? colors.raised
                                             : colors.panel;
        if (passed || i == open) {
            draw_box(box, fill, edge, width, look.corner());
        } else {
            fill_rect(box, fill, look.corner());
            dashed_rect(box, edge, look.line(), look.tight());
        }
        if (passed)
            draw_icon(Icon::kDone, box.center(), 0.5f * side, i == open ? colors.accent : colors.c,
                      look.hair());
        else
            draw_text(box.center(), number,
                      {i == open ? Face::kBold : Face::kRegular, 0.45f * side,
                       i == open ? colors.ink : colors.ink2, Align::kCenter});
        if (touched.clicked && i != open) commands.push_back(OpenExercise{file});
    }
    return commands;
}

}  // namespace

ExerciseLayout exercise_layout(const Look& look, const Rect& room) {
    const float gap = look.px(8), extra = extra_px(look);
    ExerciseLayout layout;
    layout.head = {room.x, room.y, room.w, std::round(row_px(look, 44))};
    const float top = layout.head.bottom() + gap, height = room.bottom() - top;
    const float least = look.narrow ? 0.44f * room.w : look.px(430) + 12 * extra;
    const float column =
        std::round(look.narrow ? std::min(look.px(400) + 14 * extra, least) : least);
    layout.column = {room.x, top, column, height};
    float left = layout.column.right() + gap;
    if (!look.narrow) {
        layout.source = {left, top, std::round(look.px(500) + 10 * extra), height};
        left = layout.source.right() + gap;
    }
    layout.stage = {left, top, room.right() - left, height};
    return layout;
}

bool shows_judged_run(const Workbench& workbench) {
    const CheckMoment* const shown = workbench.exercises().shown_moment();
    const OpenedExercise* const exercise = workbench.exercises().exercise();
    const bool is_former = exercise != nullptr && exercise->shows_former;
    return shown != nullptr && !is_former && workbench.recording() != nullptr &&
           workbench.recording()->trace == shown->trace;
}

Commands draw_exercise_head(const Look& look, const Rect& rect, const Workbench& workbench) {
    const ExerciseBench& bench = workbench.exercises();
    const OpenedExercise& exercise = *bench.exercise();
    const Palette& colors = look.colors();
    draw_card(look, rect);
    register_widget("exercise.title", rect);
    const float pad = look.pad(), middle = rect.center().y;
    const std::string& given = exercise.exercise.title;
    const std::string title = given.empty() ? exercise.name() : given;
    TextStyle style{Face::kBold, std::min(type_px(look, 22), 0.62f * rect.h), colors.ink};
    const float small = std::min(type_px(look, 15), 0.5f * rect.h);
    Commands commands;
    float right = rect.right() - pad;
    const auto count = static_cast<float>(bench.offered().size());
    if (const std::optional<std::size_t> number = bench.number()) {
        const float side = std::min(0.66f * rect.h, look.px(34));
        const float boxes = count * side + (count - 1) * look.snug();
        const std::string place = "Exercise " + std::to_string(*number + 1) + " of " +
                                  std::to_string(bench.offered().size());
        const float words = text_width(place, Face::kRegular, small);
        const float room = rect.w - 3 * pad - text_width(title, style) - words;
        if (boxes + pad <= room) {
            commands = draw_boxes(look, {right - boxes, middle - side / 2, boxes, side}, workbench,
                                  *number);
            right -= boxes + pad;
        }
        draw_text({right, middle}, place, {Face::kRegular, small, colors.ink2, Align::kRight});
        right -= words + pad;
    }
    draw_text_fit({rect.x + pad, middle}, right - rect.x - pad, title,
                  shrunk(style, title, right - rect.x - pad, small));
    return commands;
}

void draw_exercise_waits(const Look& look, const Rect& rect, const Workbench& workbench) {
    const OpenedExercise& exercise = *workbench.exercises().exercise();
    draw_card(look, rect);
    const bool coming = exercise.judging || workbench.exercises().busy() ||
                        workbench.recording_progress() != nullptr;
    const std::string words =
        coming ? "Compiling and running your file\xe2\x80\xa6"
        : exercise.refused
            ? "There is no replay: your file does not run yet. The reason is at the left."
            : "There is no replay of this file.";
    const float px = type_px(look, 16),
                width = std::min(rect.w - 4 * look.pad(), look.px(480) + 20 * extra_px(look));
    const TextStyle style{Face::kRegular, px, look.colors().ink2};
    draw_paragraph(
        {rect.center().x - width / 2, rect.center().y - paragraph_height(words, width, style) / 2},
        width, words, style);
}

void draw_check_mark(const Look& look, ImVec2 center, float radius, ExerciseRow::State state) {
    const Palette& colors = look.colors();
    if (state == ExerciseRow::State::kPassed) {
        draw_list()->AddCircleFilled(center, radius, colors.c, 24);
        draw_icon(Icon::kDone, center, 1.1f * radius, colors.on, look.hair());
        return;
    }
    const ImU32 color = state == ExerciseRow::State::kFailed ? colors.ink : colors.ink3;
    constexpr int kDashes = 8;
    constexpr float kTurn = 6.28318531f;
    for (int i = 0; i < kDashes; ++i) {
        const float from = kTurn * static_cast<float>(i) / kDashes;
        draw_list()->PathArcTo(center, radius, from, from + 0.6f * kTurn / kDashes, 4);
        draw_list()->PathStroke(color, 0, look.frame());
    }
}

void scroll_exercise(PanelMemory& memory, float pages) {
    ExerciseMemory& exercise = memory.parts().exercise;
    exercise.scroll += 0.8f * pages * exercise.page;
}

}  // namespace tilereel

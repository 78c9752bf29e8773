#pragma once
// A lesson's scene: a picture at the left, what is said about it at the right, and a foot with
// where the lesson stands. The shell draws the stage into the picture where a scene shows it.
//
// Names under which its parts are registered (register_widget):
//   lesson.title lesson.picture lesson.column lesson.code lesson.figure lesson.question
//   lesson.answer lesson.prediction lesson.choice.<n> lesson.foot lesson.clock lesson.next
//   lesson.race.<n> lesson.mistake.<n>
//   lessons.<file's stem> (the list)
#include "app/panels/lesson/lesson_measure.h"
#include "app/panels/panels.h"

namespace tilereel {

enum class LessonPage : std::uint8_t { kList, kPreparing, kMistakes, kScene };
[[nodiscard]] LessonPage lesson_page(const Workbench& workbench);

struct LessonLayout {
    Rect title, picture, column, foot;
    bool shows_stage = false;  // the picture is the stage, which the caller draws
    bool compares = false;     // two stages, side by side
};
// The layout of a scene.
[[nodiscard]] LessonLayout lesson_layout(const Look& look, const Rect& screen,
                                         const Workbench& workbench);
// Everything but the stage; call it once the stage is drawn, whose parts it may highlight. A
// picture has no clock and names no keys.
void draw_lesson_scene(const Look& look, const Rect& screen, const Workbench& workbench,
                       PanelMemory& memory, bool for_picture);
// The lessons that can be opened, what is wrong with the one that was, or that it is being
// prepared, in `room`.
Commands draw_lesson_list(const Look& look, const Rect& room, const Workbench& workbench,
                          PanelMemory& memory);
void draw_lesson_mistakes(const Look& look, const Rect& room, const OpenedLesson& lesson);

}  // namespace tilereel

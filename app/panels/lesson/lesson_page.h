#pragma once
// A lesson's scene: a picture at the left, text at the right, and a foot with the progress of the
// lesson. If the picture is the stage, the shell draws it.
//
// Widget names (register_widget):
//   lesson.title lesson.picture lesson.column lesson.code lesson.figure lesson.question
//   lesson.answer lesson.prediction lesson.choice.<n> lesson.foot lesson.clock lesson.next
//   lesson.race.<n> lesson.mistake.<n>
//   lessons.<file's stem> (the list) exercises.<file's stem> learn.lessons learn.exercises (its
//   tabs)
#include "app/panels/panels.h"

namespace tilereel {

enum class LessonPage : std::uint8_t { kList, kPreparing, kMistakes, kScene };
[[nodiscard]] LessonPage lesson_page(const Workbench& workbench);

// Whether the recording that is shown is that of the lesson's scene.
[[nodiscard]] bool shows_replay_of_scene(const Workbench& workbench);

struct LessonLayout {
    Rect title, picture, column, foot;
    bool shows_stage = false;  // the picture is the stage, which the caller draws
    bool compares = false;     // two stages, side by side
};
// The layout of a scene.
[[nodiscard]] LessonLayout lesson_layout(const Look& look, const Rect& screen,
                                         const Workbench& workbench);
// Draws everything except the stage. Call it after the stage is drawn, because it highlights parts
// of the stage. `for_picture`: without clock and key hints.
void draw_lesson_scene(const Look& look, const Rect& screen, const Workbench& workbench,
                       PanelMemory& memory, bool for_picture);
// Draws into `room` the list of lessons and, for an opened lesson, its errors or the progress of
// its preparation.
Commands draw_lesson_list(const Look& look, const Rect& room, const Workbench& workbench,
                          PanelMemory& memory);
void draw_lesson_mistakes(const Look& look, const Rect& room, const OpenedLesson& lesson);

}  // namespace tilereel

#pragma once
// A lesson's scene: a picture at the left, what is said about it at the right, and a foot with
// where the lesson stands. The shell draws the stage into the picture where a scene shows it.
//
// Names under which its parts are registered (register_widget):
//   lesson.title lesson.picture lesson.column lesson.code lesson.figure lesson.question
//   lesson.answer lesson.prediction lesson.choice.<n> lesson.foot lesson.clock lesson.next
//   lesson.race.<n> lesson.mistake.<n>
//   lessons.<file's stem> (the list)
#include "app/panels/panels.h"

namespace tilereel {

// Lengths and type of a scene, which fills the window whatever its size: in units of a window of
// 1920 x 1080.
struct LessonMeasure {
    float unit = 1;       // pixels
    float more_type = 0;  // units that the user's text size adds
    [[nodiscard]] float u(float units) const { return unit * units; }
    [[nodiscard]] float type(float units) const { return unit * (units + more_type); }
};
[[nodiscard]] LessonMeasure lesson_measure(const Look& look, const Rect& screen);

enum class LessonPage : std::uint8_t { kList, kPreparing, kMistakes, kScene };
[[nodiscard]] LessonPage lesson_page(const Workbench& workbench);

struct LessonLayout {
    Rect title, picture, column, foot;
    bool shows_stage = false;  // the picture is the stage, which the caller draws
    bool compares = false;     // two stages, side by side
};
// Of a scene.
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

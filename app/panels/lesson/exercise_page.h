#pragma once
// The page of an exercise: its task, hints and checks at the left, the learner's source and the
// stage beside them, and the timeline and the sentence below. The shell draws source, stage,
// timeline and sentence.
//
// Widget names (register_widget):
//   exercise.title exercise.<number> (in the head; from 1 on) exercise.column exercise.hint
//   exercise.lesson exercise.word.<term> exercise.check.<n> exercise.advice.<n> exercise.judge
//   exercise.next exercise.copy exercise.path side.exercise side.source (tabs, if the look is
//   narrow)
#include "app/panels/panels.h"

namespace tilereel {

struct ExerciseLayout {
    Rect head, column, source, stage;  // source: empty if the look is narrow
};
// `room`: between the bar and the timeline.
[[nodiscard]] ExerciseLayout exercise_layout(const Look& look, const Rect& room);

// Whether the recording that is shown is of the judged run.
[[nodiscard]] bool shows_judged_run(const Workbench& workbench);
// Title, place in the list, and the other exercises.
Commands draw_exercise_head(const Look& look, const Rect& rect, const Workbench& workbench);
// Task, hints, checks and what to do next. If the look is narrow, the source is a tab of it.
Commands draw_exercise_column(const Look& look, const Rect& rect, const Workbench& workbench,
                              PanelMemory& memory);
// In place of the stage while there is no recording of the exercise.
void draw_exercise_waits(const Look& look, const Rect& rect, const Workbench& workbench);
// A filled disc with a tick for a check that has passed, else a dashed ring.
void draw_check_mark(const Look& look, ImVec2 center, float radius, ExerciseRow::State state);
void scroll_exercise(PanelMemory& memory, float pages);

}  // namespace tilereel

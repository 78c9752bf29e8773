#pragma once
// Commands of the lessons and exercises, of the questions "Predict first", and of the Pattern lab.
#include <cstddef>
#include <filesystem>
#include <variant>

#include "app/workbench/view/pattern_lab.h"

namespace tilereel {

struct OpenLesson {
    std::filesystem::path file;
    std::size_t scene = 0;
};
struct ReloadLesson {};  // its file has changed on disk
struct CloseLesson {};   // back to the list of lessons
// The scene's replay on the replay page, with all controls.
struct OpenSceneReplay {};
// Back to what was shown on the replay page before the lesson, at its place.
struct LeaveLesson {};
// To the next or the previous beat of the lesson: Page Down and Page Up.
struct StepLesson {
    int direction = 1;
};
struct GoToLessonScene {
    std::size_t scene = 0;
};
struct ToggleQuiz {};  // "Predict first": asks a question before each new kind of request
struct StepQuiz {};    // shows the answer, or asks the next question
struct ChooseInQuiz {
    std::size_t choice = 0;
};
// An exercise takes the place of the lessons until it is closed.
struct OpenExercise {
    std::filesystem::path file;    // .toml
    std::filesystem::path copy{};  // the learner's file; empty: that of the last time, or a new one
};
struct JudgeExercise {};    // the learner's file as it is now
struct CloseExercise {};    // back to the list
struct OpenHint {};         // the next one
struct OpenAdvice {         // what to do about a check's finding
    std::size_t check = 0;  // index into OpenedExercise::rows
};
struct ShowCheck {          // the moment that it is about
    std::size_t check = 0;  // index into OpenedExercise::rows
};
struct AskPattern {
    PatternQuestion question;  // of the Pattern lab
};

using LearnCommand =
    std::variant<OpenLesson, ReloadLesson, CloseLesson, OpenSceneReplay, LeaveLesson, StepLesson,
                 GoToLessonScene, ToggleQuiz, StepQuiz, ChooseInQuiz, AskPattern, OpenExercise,
                 JudgeExercise, CloseExercise, OpenHint, OpenAdvice, ShowCheck>;

}  // namespace tilereel

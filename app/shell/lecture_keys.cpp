#include "app/shell/lecture_keys.h"

#include <algorithm>

#include "app/panels/lesson/exercise_page.h"
#include "app/panels/lesson/lesson_page.h"
#include "app/panels/panel_memory.h"
#include "app/panels/time/time_keys.h"

namespace tilereel {
namespace {

// The keys that advance a talk: a remote sends them, or a lecturer finds them without looking.
bool goes_on(const KeyPress& press) {
    return press.key == Key::kPageDown || press.key == Key::kEnter || press.key == Key::kDown;
}
bool goes_back(const KeyPress& press) {
    return press.key == Key::kPageUp || press.key == Key::kBackspace || press.key == Key::kUp;
}

// Escape removes the curtain first, then the tool, then leaves the presenter's view.
std::optional<Commands> presenter_escape(const ViewState& view) {
    if (view.curtain != Curtain::kNone) return Commands{DrawCurtain{view.curtain}};
    if (view.tool != PresenterTool::kNone) return Commands{UseTool{view.tool}};
    return Commands{TogglePresenting{}};
}

std::optional<Commands> presenter_command(const KeyPress& press, const ViewState& view,
                                          PanelMemory& panels) {
    if (press.key == Key::kEscape && !view.help && !view.introduction)
        return presenter_escape(view);
    if (press.key == Key::kCharacter && !press.repeat && !press.shift) {
        switch (press.character) {
            case U'b':
            case U'.':
                return Commands{DrawCurtain{Curtain::kBlack}};
            case U'w':
                return Commands{DrawCurtain{Curtain::kWhite}};
            case U'm':
                return Commands{UseTool{PresenterTool::kMagnifier}};
            case U's':
                return Commands{UseTool{PresenterTool::kSpotlight}};
            case U'd':
                return Commands{UseTool{PresenterTool::kPen}};
            case U'x':
                panels.parts().presenter.strokes.clear();
                return Commands{};
            default:
                break;
        }
    }
    // Any key opens the curtain and has no other effect.
    if (view.curtain != Curtain::kNone) return Commands{DrawCurtain{view.curtain}};
    return std::nullopt;
}

std::optional<Commands> list_command(const KeyPress& press, LessonMemory& kept) {
    if (press.key == Key::kEscape) return Commands{SetMode{WindowMode::kReplay}};
    if (press.key == Key::kLeft || press.key == Key::kRight) {
        kept.shows_exercises = press.key == Key::kRight;
        return Commands{};
    }
    LearnList& memory = kept.list();
    const std::size_t count = memory.listed.size();
    if (count == 0) return std::nullopt;
    memory.chosen = std::min(memory.chosen, count - 1);
    switch (press.key) {
        case Key::kUp:
        case Key::kPageUp:
            memory.chosen -= memory.chosen > 0 ? 1 : 0;
            return Commands{};
        case Key::kDown:
            memory.chosen = std::min(memory.chosen + 1, count - 1);
            return Commands{};
        case Key::kHome:
            memory.chosen = 0;
            return Commands{};
        case Key::kEnd:
            memory.chosen = count - 1;
            return Commands{};
        case Key::kEnter:
        case Key::kPageDown:
            if (press.repeat) return Commands{};
            if (kept.shows_exercises) return Commands{OpenExercise{memory.listed[memory.chosen]}};
            return Commands{OpenLesson{memory.listed[memory.chosen]}};
        default:
            return std::nullopt;
    }
}

// Races the kernels of the scene on this computer's GPU and shows the Race page.
Commands race_here(const LessonRace& race, const RaceBench& races, PanelMemory& panels) {
    if (races.machine() != nullptr && !races.machine()->gpu) {
        panels.show_notice(
            "These kernels race on a GPU, and none works here: the race shown is recorded");
        return {};
    }
    Commands commands{SetMode{WindowMode::kRace}, RaceAction{FindDevice{}},
                      RaceAction{ChooseContenders{race.contenders}}};
    const ProductSize wanted{race.size, race.size, race.size};
    bool chosen = false;
    for (const ProductSize& size : races.next().sizes) {
        chosen = chosen || size == wanted;
        if (size != wanted) commands.push_back(RaceAction{ToggleSize{size}});
    }
    if (!chosen) commands.push_back(RaceAction{ToggleSize{wanted}});
    commands.push_back(RaceAction{StartRace{}});
    return commands;
}

std::optional<Commands> scene_command(const KeyPress& press, const Workbench& workbench,
                                      PanelMemory& panels) {
    const OpenedLesson& lesson = *workbench.lessons().lesson();
    if (press.key == Key::kEscape) return Commands{CloseLesson{}};
    if (goes_on(press)) return Commands{StepLesson{1}};
    if (goes_back(press)) return Commands{StepLesson{-1}};
    if (press.key == Key::kHome) return Commands{GoToLessonScene{0}};
    if (press.key == Key::kEnd)
        return Commands{GoToLessonScene{lesson.prepared->scenes.size() - 1}};
    if (press.key == Key::kLeft) return Commands{StepBack{}};
    if (press.key == Key::kRight) return Commands{StepForward{}};
    if (press.key != Key::kCharacter) return std::nullopt;
    if (press.character == U'r' && !press.repeat && lesson.scene_shown().race)
        return race_here(*lesson.scene_shown().race, workbench.races(), panels);
    if (press.character == U'o' && !press.repeat) return Commands{OpenSceneReplay{}};
    if (press.character == U' ') return press.repeat ? Commands{} : Commands{PlayPause{}};
    if (press.character == U'[') return Commands{ChangeSpeed{-1}};
    if (press.character == U']') return Commands{ChangeSpeed{1}};
    return std::nullopt;
}

// The row of an exercise that is `by` rows on.
Commands check_beside(const OpenedExercise& exercise, int by) {
    if (exercise.rows.empty()) return {};
    const int last = static_cast<int>(exercise.rows.size()) - 1;
    const int now =
        static_cast<int>(exercise.chosen.value_or(by > 0 ? exercise.rows.size() - 1 : 0));
    return {ShowCheck{static_cast<std::size_t>(std::clamp(now + by, 0, last))}};
}

std::optional<Commands> exercise_letter(const KeyPress& press, const Workbench& workbench,
                                        PanelMemory& panels) {
    const OpenedExercise& exercise = *workbench.exercises().exercise();
    if (press.character == U' ') return press.repeat ? Commands{} : Commands{PlayPause{}};
    if (press.character == U'[') return Commands{ChangeSpeed{-1}};
    if (press.character == U']') return Commands{ChangeSpeed{1}};
    if (press.repeat) return std::nullopt;
    switch (press.character) {
        case U'h':
            if (exercise.offers_advice()) return Commands{OpenAdvice{*exercise.chosen}};
            return Commands{OpenHint{}};
        case U'j':
            return Commands{JudgeExercise{}};
        case U'l':
            if (exercise.lesson_title.empty()) return Commands{};
            return Commands{CloseExercise{}, OpenLesson{exercise.exercise.lesson}};
        case U'o':
            return Commands{OpenSceneReplay{}};
        case U's': {
            const bool source = workbench.view().tab == SideTab::kSource;
            return Commands{SelectTab{source ? SideTab::kRequest : SideTab::kSource}};
        }
        case U'n':
            if (const auto next = workbench.exercises().beside(press.shift ? -1 : 1))
                return Commands{OpenExercise{*next}};
            panels.show_notice(press.shift ? "This is the first exercise"
                                           : "This is the last exercise");
            return Commands{};
        case U'c':
            ImGui::SetClipboardText(exercise.copy.c_str());
            panels.show_notice("Copied " + exercise.copy.string());
            return Commands{};
        default:
            return std::nullopt;
    }
}

std::optional<Commands> exercise_command(const KeyPress& press, const Workbench& workbench,
                                         PanelMemory& panels) {
    const OpenedExercise& exercise = *workbench.exercises().exercise();
    switch (press.key) {
        case Key::kEscape:
            if (panels.dismiss_notice()) return Commands{};
            if (workbench.view().full_screen) return Commands{ToggleFullScreen{}};
            return Commands{CloseExercise{}};
        case Key::kUp:
            return check_beside(exercise, -1);
        case Key::kDown:
            return check_beside(exercise, 1);
        case Key::kEnter:
            if (press.repeat) return Commands{};
            if (const auto next = workbench.exercises().beside(1);
                next && exercise.all_passed() && !exercise.judging)
                return Commands{OpenExercise{*next}};
            return exercise.chosen ? Commands{ShowCheck{*exercise.chosen}} : Commands{};
        case Key::kLeft:
            return Commands{StepBack{}};
        case Key::kRight:
            return Commands{StepForward{}};
        case Key::kHome:
            return Commands{GoToStart{}};
        case Key::kEnd:
            return Commands{GoToEnd{}};
        case Key::kRunAgain:
            return Commands{JudgeExercise{}};
        case Key::kPageUp:
        case Key::kPageDown:
            scroll_exercise(panels, press.key == Key::kPageDown ? 1.0f : -1.0f);
            return Commands{};
        case Key::kCharacter:
            return exercise_letter(press, workbench, panels);
        default:
            return std::nullopt;
    }
}

std::optional<Commands> lesson_command(const KeyPress& press, const Workbench& workbench,
                                       PanelMemory& panels) {
    if (workbench.exercises().exercise() != nullptr)
        return exercise_command(press, workbench, panels);
    switch (lesson_page(workbench)) {
        case LessonPage::kList:
            return list_command(press, panels.parts().lesson);
        case LessonPage::kScene:
            return scene_command(press, workbench, panels);
        default:
            // While a lesson is prepared, a step waits for it.
            if (goes_on(press)) return Commands{StepLesson{1}};
            if (goes_back(press)) return Commands{StepLesson{-1}};
            if (press.key == Key::kEscape) return Commands{CloseLesson{}};
            return std::nullopt;
    }
}

std::optional<Commands> quiz_command(const KeyPress& press) {
    if (press.key == Key::kEscape) return Commands{ToggleQuiz{}};
    if (goes_on(press)) return Commands{StepQuiz{}};
    if (press.key == Key::kCharacter && press.character >= U'1' && press.character <= U'4')
        return Commands{ChooseInQuiz{static_cast<std::size_t>(press.character - U'1')}};
    return std::nullopt;
}

}  // namespace

std::optional<Commands> lecture_command(const KeyPress& press, const Workbench& workbench,
                                        PanelMemory& panels) {
    const ViewState& view = workbench.view();
    if (press.key == Key::kF5) return press.repeat ? Commands{} : Commands{TogglePresenting{}};
    if (view.presenting)
        if (auto commands = presenter_command(press, view, panels)) return commands;
    if (view.help || view.introduction) return std::nullopt;
    // A message ends with the next key, which does what it does without one.
    if (!workbench.message().empty() && view.mode != WindowMode::kLessons) return std::nullopt;
    if (view.mode == WindowMode::kLessons) return lesson_command(press, workbench, panels);
    if (view.mode == WindowMode::kTime && take_time_quiz_key(press, panels.parts().time))
        return Commands{};
    if (view.mode != WindowMode::kReplay) return std::nullopt;
    if (workbench.quiz().on())
        if (auto commands = quiz_command(press)) return commands;
    if (press.character == U'q' && !press.repeat) return Commands{ToggleQuiz{}};
    return std::nullopt;
}

}  // namespace tilereel

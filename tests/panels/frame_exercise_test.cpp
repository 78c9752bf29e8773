// Exercises, as a learner uses them in the window: by keys and by the mouse. The grades are made
// up.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <tuple>

#include "app/exercise/read_exercise.h"
#include "app/panels/lesson/exercise_page.h"
#include "app/panels/panel_memory.h"
#include "app/shell/window_title.h"
#include "tests/panels/frame_window.h"
#include "tests/panels/page_of_words.h"
#include "tests/trace/scratch_folder.h"
#include "tests/workbench/exercise/made_up_grades.h"

namespace tilereel::tests::frame_exercise_test {
namespace {

std::filesystem::path shipped(const std::string& name) {
    return std::filesystem::path(TILEREEL_SOURCE_DIR) / "assets/exercises" / (name + ".toml");
}

WorkbenchOptions with_exercises(MadeUpGrades& grades, const std::filesystem::path& folder,
                                bool all) {
    const std::vector<std::filesystem::path> two = {shipped("transpose"), shipped("tiling")};
    WorkbenchOptions options{
        .request = small_request(), .trace = {}, .playing = false, .record_on_worker = false};
    options.exercises = std::make_unique<ExerciseBench>(
        ExerciseBenchOptions{.on_thread = false,
                             .offered = all ? exercises_in(two[0].parent_path()) : two,
                             .folder = folder,
                             .progress = folder / "exercises.json",
                             .grade = grades.function(),
                             .seed = 7});
    return options;
}

struct Grades {  // made before the window
    ScratchFolder folder;
    MadeUpGrades grades;
};

struct ExerciseWindow : Grades, FrameWindow {
    // `all`: that ship; else two.
    explicit ExerciseWindow(float width = 1920, float height = 1080, bool all = false)
        : FrameWindow(with_exercises(grades, folder.path(), all), width, height) {}
    void open(const std::string& name = "transpose") {
        bench.apply(Command{OpenExercise{shipped(name)}});
        driver.frames(3);
    }
    void fail_on_line_6() {
        grades.failing_line = 6;
        grades.failing_counter = "shared.bank_conflicts";
    }
    [[nodiscard]] const OpenedExercise& exercise() const { return *bench.exercises().exercise(); }
    [[nodiscard]] std::uint32_t line_shown() const {
        const Schedule& schedule = bench.replay()->schedule();
        const Step& step = schedule.steps[schedule.step_at(tick())];
        return bench.replay()->trace().sites[step.site].line;
    }
};

TEST(ExerciseFrame, AnExerciseIsOpenedFromTheListByKeys) {
    ExerciseWindow window;
    window.driver.press('3');
    EXPECT_TRUE(window.driver.has("learn.exercises"));
    EXPECT_FALSE(window.driver.has("exercises.tiling"));
    window.driver.press(Key::kRight);
    EXPECT_TRUE(window.driver.has("exercises.tiling"));
    window.driver.press(Key::kDown);
    window.driver.press(Key::kEnter);
    ASSERT_NE(window.bench.exercises().exercise(), nullptr);
    EXPECT_EQ(window.exercise().name(), "tiling");
    EXPECT_TRUE(window.driver.has("exercise.column"));
    EXPECT_EQ(window_title(window.bench), window.exercise().exercise.title + " - Tilereel");
    window.driver.press(Key::kEscape);
    EXPECT_EQ(window.bench.exercises().exercise(), nullptr);
    EXPECT_EQ(window_title(window.bench), "Lessons - Tilereel");
    EXPECT_TRUE(window.driver.has("exercises.tiling"));
    window.driver.press(Key::kLeft);
    EXPECT_FALSE(window.driver.has("exercises.tiling"));
    window.driver.press(Key::kEscape);
    EXPECT_EQ(window.bench.view().mode, WindowMode::kReplay);
    EXPECT_EQ(window.bench.recording()->trace->launch.kernel, "09_tiled")
        << "what was shown before";
}

// The first check that fails is shown at once. A click and Enter lead back to its moment.
TEST(ExerciseFrame, AClickOnAFailedCheckShowsItsMoment) {
    ExerciseWindow window;
    window.fail_on_line_6();
    window.open();
    ASSERT_TRUE(shows_judged_run(window.bench));
    EXPECT_EQ(window.line_shown(), 6u);
    const Tick moment = window.tick();
    EXPECT_GT(moment, 0u);
    EXPECT_TRUE(window.driver.has("stage.in") || window.driver.has("source.code"));
    window.driver.press(Key::kHome);
    EXPECT_EQ(window.tick(), 0u);
    window.driver.click("exercise.check.1");
    EXPECT_EQ(window.tick(), moment);
    window.driver.press(Key::kRight);
    window.finish_step();
    EXPECT_NE(window.tick(), moment);
    window.driver.press(Key::kEnter);
    window.driver.frames(2);
    EXPECT_EQ(window.tick(), moment);
    window.driver.press(Key::kUp);
    EXPECT_EQ(window.exercise().chosen, 0u);
    EXPECT_EQ(window.tick(), 0u) << "a check that has passed: the start of the run";
    window.driver.press(Key::kDown);
    EXPECT_EQ(window.tick(), moment);
}

TEST(ExerciseFrame, AllKeysAct) {
    ExerciseWindow window(1280, 720);
    window.fail_on_line_6();
    window.open();
    window.driver.press('h');
    EXPECT_EQ(window.exercise().hints, 1u);
    const std::size_t asked = window.grades.asked.size();
    window.driver.press('j');
    EXPECT_EQ(window.grades.asked.size(), asked + 1);
    window.driver.press(Key::kRunAgain);
    EXPECT_EQ(window.grades.asked.size(), asked + 2);
    window.driver.press('c');
    EXPECT_EQ(ImGui::GetClipboardText(), window.exercise().copy.string());
    EXPECT_FALSE(window.driver.has("source.code"));
    window.driver.press('s');
    EXPECT_TRUE(window.driver.has("source.code"));
    window.driver.press('s');
    EXPECT_FALSE(window.driver.has("source.code"));
    window.driver.press(Key::kNextTab);
    EXPECT_TRUE(window.driver.has("source.code"));
    window.driver.press('s');
    const float before = window.state.panels.parts().exercise.scroll;
    window.driver.press(Key::kPageDown);
    EXPECT_GT(window.state.panels.parts().exercise.scroll, before);
    window.driver.press(' ');
    EXPECT_TRUE(window.bench.playing());
    window.driver.press(' ');
    window.driver.press('n');
    EXPECT_EQ(window.exercise().name(), "tiling");
    window.driver.press('n');
    EXPECT_EQ(window.exercise().name(), "tiling") << "the last one";
    window.driver.press(Key::kEscape);  // the notice that says so
    window.driver.press('n', true);
    EXPECT_EQ(window.exercise().name(), "transpose");
    window.driver.press('o');
    EXPECT_EQ(window.bench.view().mode, WindowMode::kReplay);
    EXPECT_TRUE(shows_judged_run(window.bench));
    window.driver.press('3');
    EXPECT_EQ(window.bench.view().mode, WindowMode::kLessons);
    EXPECT_TRUE(window.driver.has("exercise.column"));
    window.driver.press('1');
    EXPECT_EQ(window.bench.recording()->trace->launch.kernel, "09_tiled");
}

// Each button does what its key does.
TEST(ExerciseFrame, ButtonsAct) {
    ExerciseWindow window;
    window.open();
    window.driver.click("exercise.hint");
    EXPECT_EQ(window.exercise().hints, 1u);
    const std::size_t asked = window.grades.asked.size();
    window.driver.click("exercise.judge");
    EXPECT_EQ(window.grades.asked.size(), asked + 1);
    window.driver.click("exercise.2");
    EXPECT_EQ(window.exercise().name(), "tiling");
    window.driver.click("exercise.1");
    EXPECT_EQ(window.exercise().name(), "transpose");
}

bool says(ExerciseWindow& window, std::string_view words) {
    const auto texts = texts_of([&] { window.driver.frame(); });
    return std::ranges::any_of(
        texts, [&](const DrawnText& each) { return each.text.find(words) != std::string::npos; });
}

// The finding says what is wrong; what to do opens as a hint does, and stays open while it is true.
TEST(ExerciseFrame, WhatToDoOpensByAClickOrTheKeyOfHints) {
    for (const bool by_key : {true, false}) {
        ExerciseWindow window;
        window.grades.failing_line = 6;
        window.grades.advice = "mend the index";
        window.open();
        EXPECT_TRUE(says(window, "Thread 3 writes a[0] on line 6."));
        EXPECT_FALSE(says(window, "Mend"));
        EXPECT_TRUE(window.driver.has("exercise.advice.2"));
        if (by_key)
            window.driver.press('h');
        else
            window.driver.click("exercise.advice.2");
        EXPECT_TRUE(says(window, "Mend the index."));
        EXPECT_EQ(window.exercise().hints, 0u);
        EXPECT_FALSE(window.driver.has("exercise.advice.2"));
        window.driver.press('h');
        EXPECT_EQ(window.exercise().hints, 1u) << "then hints";
        window.driver.press('j');
        EXPECT_TRUE(says(window, "Mend the index."));
        window.grades.advice = "move the barrier";
        window.driver.press('j');
        EXPECT_FALSE(says(window, "Move the barrier."));
    }
}

TEST(ExerciseFrame, AWordOfTheTaskAndOfACheckHasATip) {
    ExerciseWindow window;
    window.fail_on_line_6();
    window.open();
    for (const char* const word : {"exercise.word.sector", "exercise.word.bank conflict"}) {
        ASSERT_TRUE(window.driver.has(word)) << word;
        window.driver.hover(word);
        window.driver.frames(3, 0.3);
        EXPECT_TRUE(window.driver.has("tip")) << word;
    }
    EXPECT_TRUE(says(window, "Lanes that want different words of one bank"));
}

TEST(ExerciseFrame, TheLessonThatExplainsItOpens) {
    for (const bool by_key : {true, false}) {
        ExerciseWindow window;
        window.open();
        if (by_key)
            window.driver.press('l');
        else
            window.driver.click("exercise.lesson");
        window.driver.frames(2);
        EXPECT_EQ(window.bench.exercises().exercise(), nullptr);
        ASSERT_NE(window.bench.lessons().lesson(), nullptr);
        EXPECT_EQ(window.bench.lessons().lesson()->file.stem(), "coalescing");
        window.driver.press(Key::kEscape);
        window.driver.press(Key::kEnter);
        ASSERT_NE(window.bench.exercises().exercise(), nullptr);
        EXPECT_EQ(window.exercise().name(), "transpose");
    }
}

TEST(ExerciseFrame, WhenItPassesItSaysWhatChangedAndOpensTheNext) {
    ExerciseWindow window;
    window.fail_on_line_6();
    window.open();
    const auto says = [&](std::string_view words) {
        const auto texts = texts_of([&] { window.driver.frame(); });
        return std::ranges::any_of(texts, [&](const DrawnText& each) {
            return each.text.find(words) != std::string::npos;
        });
    };
    EXPECT_TRUE(says("31,744"));
    EXPECT_TRUE(says("should be 0"));
    EXPECT_FALSE(says("All checks pass"));
    EXPECT_FALSE(window.driver.has("exercise.next"));
    window.grades.failing_line = 0;
    window.driver.resize(1280, 720);
    window.driver.press(Key::kPageDown);
    window.driver.press('j');
    window.driver.frames(2);
    EXPECT_TRUE(says("All"));
    EXPECT_TRUE(says("\xc3\xb7"));
    EXPECT_TRUE(window.driver.has("exercise.next"));
    window.driver.press(Key::kEnter);
    EXPECT_EQ(window.exercise().name(), "tiling");
    window.driver.press(Key::kEscape);
    window.driver.frames(2);
    EXPECT_TRUE(says("passed"));
}

// Beside the task; what is typed is no key of the page, such as H for a hint.
TEST(ExerciseFrame, F2EditsTheCopyAndCtrlEHandsItOver) {
    for (const auto& [width, height] : {std::pair(1920.0f, 1080.0f), {1280.0f, 720.0f}}) {
        ExerciseWindow window(width, height);
        window.fail_on_line_6();
        window.open();
        window.driver.press(Key::kEditor);
        ASSERT_EQ(window.of_window.size(), 1u);
        ASSERT_TRUE(window.of_window[0].holds<OpenInEditor>());
        EXPECT_EQ(window.of_window[0].get_if<OpenInEditor>()->file, window.exercise().copy);
        EXPECT_EQ(window.of_window[0].get_if<OpenInEditor>()->line, window.line_shown());
        window.driver.press(Key::kF2);
        ASSERT_TRUE(window.state.panels.editing());
        const std::size_t hints = window.exercise().hints;
        window.driver.type("hjno");
        EXPECT_EQ(window.exercise().hints, hints);
        EXPECT_EQ(window.exercise().name(), "transpose");
        EXPECT_TRUE(window.state.panels.has_unsaved_edit());
        EXPECT_TRUE(window.driver.has("source.edit"));
        window.driver.press(Key::kSavePicture);
        ASSERT_TRUE(window.of_window.back().holds<SaveSource>());
        EXPECT_EQ(window.of_window.back().get_if<SaveSource>()->file, window.exercise().copy);
    }
}

TEST(ExerciseFrame, AFileThatDoesNotRunSaysWhy) {
    ExerciseWindow window;
    window.grades.refusals = {{"expected ';' before '}' token", 12}};
    window.open();
    const auto texts = texts_of([&] { window.driver.frame(); });
    EXPECT_TRUE(std::ranges::any_of(
        texts, [](const DrawnText& each) { return each.text.find("Line") == 0; }));
    EXPECT_TRUE(window.driver.has("exercise.check.0"));
}

// Of a file that stops compiling, nothing of the former run is shown.
TEST(ExerciseFrame, AFileThatDoesNotCompileAnyMoreHasNoReplay) {
    ExerciseWindow window;
    window.fail_on_line_6();
    window.open();
    ASSERT_TRUE(shows_judged_run(window.bench));
    window.grades.refusals = {{"expected ';' before '}' token", 12}};
    window.grades.records = false;
    window.driver.press('j');
    window.driver.frames(2);
    EXPECT_FALSE(shows_judged_run(window.bench));
    const auto texts = texts_of([&] { window.driver.frame(); });
    EXPECT_TRUE(std::ranges::any_of(texts, [](const DrawnText& each) {
        return each.text.find("There is no replay") != std::string::npos;
    }));
}

// With all hints open the checks are below the end of a small window, until a save fails.
TEST(ExerciseFrame, TheCheckThatFailsIsScrolledTo) {
    for (const auto& [width, height, text] :
         {std::tuple(1280.0f, 720.0f, 14), {1280.0f, 720.0f, 28}, {1366.0f, 768.0f, 28}}) {
        ExerciseWindow window(width, height);
        window.bench.apply(SetTextSize{text});
        window.fail_on_line_6();
        window.open();
        for (int i = 0; i < 3; ++i) window.driver.press('h');
        for (int i = 0; i < 6; ++i) window.driver.press(Key::kPageUp);
        window.driver.press('j');
        window.driver.frames(3);
        const Rect column = window.driver.rect_of("exercise.column");
        const Rect check = window.driver.rect_of("exercise.check.1");
        EXPECT_GE(check.y, column.y) << width << " " << text;
        EXPECT_LE(check.bottom(), column.bottom() + 1) << width << " " << text;
    }
}

struct Screen {
    Size size;
    int text;
    bool light;
};
class ExerciseWords : public testing::TestWithParam<Screen> {};

TEST_P(ExerciseWords, NothingIsCutOrOverlaps) {
    const auto [size, text, light] = GetParam();
    const auto width = static_cast<float>(size.width), height = static_cast<float>(size.height);
    ExerciseWindow window(width, height, true);
    window.bench.apply(SetTextSize{text});
    window.bench.apply(SetTheme{light});
    Faults faults;
    const auto look_at = [&](const std::string& state) {
        window.driver.frames(2);
        const std::vector<DrawnText> texts = texts_of([&] { window.driver.frame(); });
        Page{texts, window.look, {0, 0, width, height}, state}.find(faults);
    };
    for (const bool fails : {true, false})
        for (const char* const name : {"transpose", "tiling"}) {
            window.grades.failing_line = fails ? 6 : 0;
            window.open(name);
            const std::string state = std::string(name) + (fails ? " fails" : " passes");
            look_at(state);
            for (int i = 0; i < 3; ++i) window.driver.press('h');
            look_at(state + ", hints");
            for (int i = 0; i < 6; ++i) {
                window.driver.press(Key::kPageDown);
                look_at(state + ", scrolled");
            }
        }
    window.driver.press(Key::kEscape);
    look_at("exercises");
    window.driver.press(Key::kLeft);
    look_at("lessons");
    faults.report();
}

INSTANTIATE_TEST_SUITE_P(Windows, ExerciseWords,
                         testing::Values(Screen{{1280, 720}, 14, false},
                                         Screen{{1280, 720}, 28, true},
                                         Screen{{1366, 768}, 14, true},
                                         Screen{{1920, 1080}, 14, true},
                                         Screen{{1920, 1080}, 28, false}));

}  // namespace
}  // namespace tilereel::tests::frame_exercise_test

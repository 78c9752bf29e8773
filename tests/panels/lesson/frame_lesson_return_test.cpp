// What was open before a lesson is there after it, also where keys come before a scene is recorded.
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <thread>

#include "app/workbench/comparison.h"
#include "tests/panels/lesson/lesson_window.h"

namespace tilereel::frame_lesson_return_test {
namespace {

// The class has seen a scene; key 1, Alt+Left and Esc lead back to what was open before, at its
// place. O shows the scene's replay with all controls.
TEST(Lessons, WhatWasOpenBeforeIsThereAfterwards) {
    LessonWindow window;
    window.bench.apply(Commands{SetKernel{"08_tiled_b_transposed"}, SetGeneration{"3.0"}});
    window.bench.apply(Commands{WatchBlock{1, 0}, SeekTo{9, false}, ChooseWarp{1}});
    window.driver.frames(2);
    const auto trace = window.bench.recording()->trace;
    const auto is_as_before = [&](const char* how) {
        EXPECT_EQ(window.bench.view().mode, WindowMode::kReplay) << how;
        EXPECT_EQ(window.bench.recording()->trace, trace) << how;
        EXPECT_EQ(window.bench.request().kernel, "08_tiled_b_transposed") << how;
        EXPECT_EQ(window.bench.generation().id, "3.0") << how;
        EXPECT_EQ(window.bench.replay()->block(), 1u) << how;
        EXPECT_EQ(window.bench.position(), 9) << how;
        EXPECT_EQ(window.bench.watched_thread().chosen_warp(), 1u) << how;
        EXPECT_TRUE(window.bench.recording()->from_request) << how;
        EXPECT_FALSE(window.bench.comparing()) << how;
    };
    const auto open_scene = [&] {
        window.open(kShippedLessons / "tiling.toml");
        ASSERT_NE(window.bench.recording()->trace, trace);
        ASSERT_NE(window.bench.generation().id, "3.0");
    };
    open_scene();
    window.driver.press('1');
    is_as_before("key 1");
    open_scene();
    window.driver.press(Key::kJumpBack);
    is_as_before("Alt+Left");
    open_scene();
    window.driver.press(Key::kEscape);
    window.driver.press(Key::kEscape);
    is_as_before("Esc");

    open_scene();
    const auto scene = window.bench.recording()->trace;
    window.driver.press('o');
    EXPECT_EQ(window.bench.view().mode, WindowMode::kReplay);
    EXPECT_EQ(window.bench.recording()->trace, scene);
    window.driver.press('2');
    window.driver.press('1');
    EXPECT_EQ(window.bench.recording()->trace, scene) << "it was opened on purpose";
    window.driver.press('3');
    EXPECT_TRUE(window.driver.has("lesson.title"));
    EXPECT_EQ(window.bench.recording()->trace, scene);
    window.driver.press('o');
    window.driver.press(Key::kJumpBack);
    is_as_before("Alt+Left from the scene's replay");
}

// The keys of a quick hand come while the traces are still counted, by another thread.
struct QuickLessonWindow : LessonWindow {
    QuickLessonWindow() : LessonWindow(1920, 1080, true) {
        wait_until([&] { return bench.recording() != nullptr; });
        Subject side = side_of(bench);
        side.kernel = "02_naive";
        bench.apply(Command{Compare{{}, side}});
        wait_until([&] { return bench.lock_step() != nullptr; });
    }
    void wait_until(const std::function<bool()>& is_there) {
        for (int i = 0; i < 20000 && !is_there(); ++i) {
            driver.frame();
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        EXPECT_TRUE(is_there());
    }
    void expect_comparison(const std::string& when) {
        wait_until([&] { return bench.recording_progress() == nullptr && bench.lock_step(); });
        EXPECT_EQ(bench.view().mode, WindowMode::kReplay) << when;
        EXPECT_EQ(bench.recording()->trace->launch.kernel, "09_tiled") << when;
        ASSERT_NE(bench.other(), nullptr) << when;
        EXPECT_EQ(bench.other()->request().kernel, "02_naive") << when;
    }
};

const Commands kBackAndForth = {SetMode{WindowMode::kReplay}, SetMode{WindowMode::kLessons},
                                SetMode{WindowMode::kReplay}};

TEST(Lessons, AQuickWayBackAndForthKeepsWhatWasOpen) {
    for (int frames = 0; frames < 4; ++frames) {
        QuickLessonWindow window;
        window.bench.apply(Command{OpenLesson{kShippedLessons / "tiling.toml"}});
        window.driver.frames(frames);
        window.bench.apply(kBackAndForth);
        window.expect_comparison(std::to_string(frames) + " frames later");
    }
}

// The sizes are changed, and the lessons are opened before the new launch is recorded.
TEST(Lessons, WhatIsBeingRecordedIsThereAfterwards) {
    const Command larger{SetParameters{small_request("09_tiled", 32).parameters}};
    {
        QuickLessonWindow window;
        window.bench.apply(larger);
        window.bench.apply(kBackAndForth);
        window.expect_comparison("after the list of lessons");
        EXPECT_EQ(window.bench.recording()->trace->launch.m, 32u);
    }
    QuickLessonWindow window;
    window.bench.apply(Commands{larger, OpenLesson{kShippedLessons / "tiling.toml"}});
    window.wait_until([&] {
        const auto* const lesson = window.bench.lessons().lesson();
        return lesson != nullptr && lesson->shows_scene() &&
               window.bench.recording()->trace == lesson->prepared_scene().trace;
    });
    window.bench.apply(kBackAndForth);
    window.expect_comparison("after a scene");
    EXPECT_EQ(window.bench.recording()->trace->launch.m, 32u);
}

TEST(Lessons, AComparisonFromBeforeIsThereAfterwards) {
    LessonWindow window;
    Subject side = side_of(window.bench);
    side.kernel = "02_naive";
    window.bench.apply(Command{Compare{{}, side}});
    window.driver.frames(3);
    ASSERT_NE(window.bench.lock_step(), nullptr);
    window.driver.press('3');
    EXPECT_FALSE(window.bench.comparing());
    window.open(kShippedLessons / "tiling.toml");
    window.driver.press('1');
    window.driver.frames(3);
    ASSERT_NE(window.bench.lock_step(), nullptr);
    EXPECT_EQ(window.bench.other()->request().kernel, "02_naive");
}

}  // namespace
}  // namespace tilereel::frame_lesson_return_test

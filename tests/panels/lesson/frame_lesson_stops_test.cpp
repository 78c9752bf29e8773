// What a lesson shows at each stop, and when: words and figures that wait, predictions, the source.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "tests/panels/lesson/lesson_window.h"
#include "tests/panels/page_of_words.h"

namespace tilereel::frame_lesson_stops_test {
using namespace std::chrono_literals;
namespace {

// The question is what the column of Bs costs. The figure is shown after the answer.
TEST(Lessons, APredictionHidesTheFigure) {
    LessonWindow window;
    window.open(kShippedLessons / "bank_conflicts.toml");
    const auto& scenes = window.lesson().prepared->reading.lesson.scenes;
    const auto asks = std::ranges::find_if(scenes, &LessonScene::predict);
    window.bench.apply(Command{GoToLessonScene{static_cast<std::size_t>(asks - scenes.begin())}});
    window.driver.frames(2, kLongestBeatSeconds);
    EXPECT_TRUE(window.driver.has("lesson.prediction"));
    EXPECT_FALSE(window.driver.has("lesson.figure"));
    EXPECT_LT(window.bench.position(), window.lesson().prepared_scene().stops[0].position);
    window.page_down();
    EXPECT_TRUE(window.driver.has("lesson.figure"));
}

// On the way to the next stop, the replay passes 08's stores of a column, with 32 wavefronts each.
// They must not show the figure.
TEST(Lessons, AFigureIsShownAtItsStopOnly) {
    LessonWindow window;
    window.open(kShippedLessons / "bank_conflicts.toml");
    window.page_down();
    ASSERT_FALSE(window.bench.moving());
    EXPECT_TRUE(window.driver.has("lesson.figure"));
    window.driver.press(Key::kPageDown);
    window.driver.frames(1, 0.01);
    while (window.bench.moving()) {
        ASSERT_FALSE(window.driver.has("lesson.figure")) << window.bench.position();
        window.driver.frames(1, 0.02);
    }
}

// What is said of a stop appears when the replay has come there: the picture on the way would
// contradict it. By banks there is no way; the picture changes at once.
TEST(Lessons, WordsOfAStopWaitUntilTheReplayIsThere) {
    LessonWindow window;
    std::size_t ways = 0;
    for (const std::filesystem::path& file : window.bench.lessons().offered()) {
        window.open(file);
        for (auto last = window.place();;) {
            window.driver.press(Key::kPageDown);
            if (window.place() == last) break;
            last = window.place();
            const LessonBeat beat = window.lesson().beat_shown();
            const PreparedScene& scene = window.lesson().prepared_scene();
            const auto texts = texts_of([&] { window.driver.frame(1e-4); });
            const auto seen = [&](const std::string& words) {
                const std::string start = words.substr(0, 16);  // as long as a line at least
                return std::ranges::any_of(texts, [&](const DrawnText& each) {
                    return !words.empty() &&
                           window.driver.rect_of("lesson.column").contains(each.box.center()) &&
                           each.text.starts_with(start);
                });
            };
            if (window.bench.moving()) {
                ++ways;
                EXPECT_NE(window.lesson().scene_shown().picture, LessonPicture::kBanks);
                EXPECT_FALSE(seen(scene.text)) << file << scene.title;
                EXPECT_FALSE(seen(scene.stops[beat.stop].say)) << file << scene.title;
                for (const DrawnText& each : texts)
                    EXPECT_FALSE(beat.stop == 0 && each.text == scene.title) << scene.title;
            }
            window.driver.frames(3, kLongestBeatSeconds);
            if (beat.kind != LessonBeat::Kind::kStop || scene.trace == nullptr) continue;
            const auto there = texts_of([&] { window.driver.frame(); });
            EXPECT_TRUE(std::ranges::any_of(there, [&](const DrawnText& each) {
                return each.text == scene.title;
            })) << scene.title;
        }
    }
    EXPECT_GE(ways, 20u);
}

// A lecturer's remote is pressed while the lesson's launches are still being recorded.
TEST(Lessons, StepsWaitWhileALessonIsPrepared) {
    std::atomic<bool> may_record = false;
    LessonBenchOptions lessons{.offered = lessons_in(kShippedLessons)};
    lessons.tools.race = TILEREEL_SOURCE_DIR "/assets/races/h100_ladder.json";
    lessons.tools.record = [&](const RecordRequest& request) {
        while (!may_record) std::this_thread::sleep_for(1ms);
        return record_ladder(request);
    };
    WorkbenchOptions options{.request = small_request(), .trace = {}, .playing = false};
    options.lessons = std::make_unique<LessonBench>(std::move(lessons));
    FrameWindow window(std::move(options), 1280, 720);
    window.bench.apply(Command{OpenLesson{kShippedLessons / "bank_conflicts.toml"}});
    const OpenedLesson& lesson = *window.bench.lessons().lesson();
    for (const Key key : {Key::kPageUp, Key::kPageDown, Key::kPageDown, Key::kPageDown, Key::kUp})
        window.driver.press(key);
    EXPECT_TRUE(lesson.preparing);
    may_record = true;
    while (lesson.preparing) {
        window.driver.frame();
        std::this_thread::sleep_for(1ms);
    }
    ASSERT_TRUE(lesson.shows_scene());
    std::size_t steps = lesson.beat;
    for (std::size_t i = 0; i < lesson.scene; ++i)
        steps += beats_of(lesson.prepared->reading.lesson.scenes[i]).size();
    EXPECT_EQ(steps, 2u);
}

// Nothing on the screen gives the answer away: the request has not begun, even if it is the first.
TEST(Lessons, APredictionIsAskedBeforeItsRequestBegins) {
    LessonWindow window;
    std::size_t first_requests = 0;
    for (const std::filesystem::path& file : window.bench.lessons().offered()) {
        window.open(file);
        const auto& scenes = window.lesson().prepared->reading.lesson.scenes;
        for (std::size_t i = 0; i < scenes.size(); ++i) {
            if (!scenes[i].predict) continue;
            window.bench.apply(Command{GoToLessonScene{i}});
            window.driver.frames(2, kLongestBeatSeconds);
            const auto request = [&] { return window.bench.replay()->state().request.step; };
            const auto at = static_cast<Tick>(window.lesson().prepared_scene().stops[0].position);
            const std::uint32_t asked = window.bench.replay()->schedule().step_at(at);
            first_requests += asked == 0;
            EXPECT_NE(request(), asked) << scenes[i].title;
            EXPECT_TRUE(window.driver.has("lesson.prediction")) << scenes[i].title;
            window.page_down();
            EXPECT_EQ(request(), asked) << scenes[i].title;
        }
    }
    EXPECT_GE(first_requests, 1u);
}

// While a prediction is asked, the picture by banks shows the array, without the words that the
// request accesses.
TEST(Lessons, APredictionByBanksShowsTheArrayOfTheQuestion) {
    LessonFile file;
    file.write(
        "title = \"T\"\n[[scene]]\ntitle = \"one\"\nkernel = \"09_tiled\"\n"
        "picture = \"banks\"\nat = \"first store to As\"\npredict = true\n");
    LessonWindow window;
    window.open(file.path);
    window.driver.frames(2, kLongestBeatSeconds);
    const std::vector<DrawnText> texts = texts_of([&] { window.driver.frame(); });
    EXPECT_TRUE(std::ranges::any_of(
        texts, [](const DrawnText& text) { return text.text == "As" && !text.shortened; }));
}

// A statement is shown whole; at the end of a block no line runs.
TEST(Lessons, TheSourceLineIsAWholeStatement) {
    LessonFile file;
    file.write(
        "title = \"T\"\n[[scene]]\ntitle = \"one\"\nkernel = \"19_async_pipeline\"\n"
        "at = \"first copy\"\nthen = [\"end\"]\n");
    LessonWindow window;
    window.open(file.path);
    EXPECT_TRUE(window.driver.has("lesson.code"));
    std::string code;
    const Rect rect = window.driver.rect_of("lesson.code");
    for (const DrawnText& drawn : texts_of([&] { window.driver.frame(); }))
        if (rect.contains(drawn.box.center())) code += drawn.text;
    EXPECT_NE(code.find("__pipeline_memcpy_async("), std::string::npos) << code;
    EXPECT_TRUE(code.ends_with(";")) << code;
    window.page_down();
    EXPECT_FALSE(window.driver.has("lesson.code"));
}

// No buttons on the picture before a class.
TEST(Lessons, ThePictureHasNoControls) {
    LessonWindow window;
    window.bench.apply(SetTextSize{28});
    window.open(kShippedLessons / "bank_conflicts.toml");
    window.bench.apply(Command{GoToLessonScene{3}});
    window.driver.frames(3);
    EXPECT_TRUE(window.driver.has("stage.banks"));
    EXPECT_FALSE(window.driver.has("stage.whole"));
    window.bench.apply(Command{GoToLessonScene{5}});  // two pictures
    window.driver.frames(5);
    EXPECT_TRUE(window.driver.has("right.stage.banks"));
    EXPECT_FALSE(window.driver.has("right.stage.whole"));
    window.bench.apply(Command{GoToLessonScene{3}});
    window.driver.frames(3);
    window.bench.apply(SetMode{WindowMode::kReplay});
    window.driver.frames(3);
    EXPECT_TRUE(window.driver.has("stage.whole"));
}

}  // namespace
}  // namespace tilereel::frame_lesson_stops_test

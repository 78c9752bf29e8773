// Lessons, played by keys in process: the list, the way through the scenes, and mistakes in a file.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/panels/lesson/lesson_window.h"
#include "tests/panels/page_of_words.h"

namespace tilereel::frame_lesson_test {
namespace {

TEST(Lessons, AreOpenedFromTheListByKeys) {
    LessonWindow window;
    window.driver.press('3');
    EXPECT_EQ(window.bench.view().mode, WindowMode::kLessons);
    EXPECT_TRUE(window.driver.has("lessons.bank_conflicts"));
    EXPECT_TRUE(window.driver.has("tab.lessons"));
    window.driver.press(Key::kDown);
    window.driver.press(Key::kEnter);
    EXPECT_EQ(window.lesson().file, window.bench.lessons().offered()[1]);
    EXPECT_TRUE(window.driver.has("lesson.title"));
    EXPECT_FALSE(window.driver.has("tab.lessons"));  // nothing distracts
    window.driver.press(Key::kEscape);
    EXPECT_EQ(window.bench.lessons().lesson(), nullptr);
    window.driver.click("lessons.bank_conflicts");
    EXPECT_EQ(window.lesson().file.stem(), "bank_conflicts");
    window.driver.press(Key::kEscape);
    window.driver.press(Key::kEscape);
    EXPECT_EQ(window.bench.view().mode, WindowMode::kReplay);
}

// At the back of the room, a list in 14 px is not read.
TEST(Lessons, TheirListIsLargeOnAProjector) {
    for (const float width : {1280.0f, 1366.0f}) {
        LessonWindow window(width, 720);
        window.bench.apply(SetTextSize{28});
        window.driver.press('3');
        window.driver.frames(2);
        const auto texts = texts_of([&] { window.driver.frames(1); });
        std::size_t titles = 0;
        for (const std::filesystem::path& file : window.bench.lessons().offered())
            for (const std::string title = read_lesson(file).lesson.title;
                 const DrawnText& text : texts) {
                EXPECT_FALSE(text.shortened) << text.text;
                if (text.text != title) continue;
                ++titles;
                EXPECT_GT(text.px, 19) << title;
                EXPECT_LT(text.box.bottom(), 720) << title;
            }
        EXPECT_EQ(titles, window.bench.lessons().offered().size());
    }
}

// Page Down alone reaches every beat and the last scene, each stop at its place in the replay; Page
// Up leads back the same way.
TEST(Lessons, PageDownWalksThroughAllOfThemAndPageUpBack) {
    LessonWindow window;
    for (const std::filesystem::path& file : window.bench.lessons().offered()) {
        window.open(file);
        ASSERT_TRUE(window.lesson().shows_scene()) << file;
        std::vector<std::pair<std::size_t, std::size_t>> places{window.place()};
        for (int presses = 0; presses < 100; ++presses) {
            const LessonBeat beat = window.lesson().beat_shown();
            const PreparedScene& scene = window.lesson().prepared_scene();
            if (scene.trace != nullptr && beat.kind == LessonBeat::Kind::kStop) {
                EXPECT_EQ(window.bench.recording()->trace, scene.trace) << file;
                EXPECT_EQ(window.bench.replay()->block(), scene.block);
                EXPECT_NEAR(window.bench.position(), scene.stops[beat.stop].position, 1e-6)
                    << file << ", " << scene.title;
            }
            window.page_down();
            if (window.place() == places.back()) break;
            places.push_back(window.place());
        }
        EXPECT_EQ(places.back().first + 1, window.lesson().prepared->scenes.size()) << file;
        EXPECT_GE(places.size(), window.lesson().prepared->scenes.size() + 3);
        for (std::size_t i = places.size() - 1; i > 0; --i) {
            window.driver.press(Key::kPageUp);
            EXPECT_EQ(window.place(), places[i - 1]) << file;
            EXPECT_FALSE(window.bench.moving());
        }
    }
}

TEST(Lessons, AQuestionIsAnsweredByTheNextKey) {
    LessonWindow window;
    window.open(kShippedLessons / "bank_conflicts.toml");
    const auto& scenes = window.lesson().prepared->reading.lesson.scenes;
    const auto asks = std::ranges::find_if(
        scenes, [](const LessonScene& scene) { return !scene.question.empty(); });
    window.bench.apply(Command{GoToLessonScene{static_cast<std::size_t>(asks - scenes.begin())}});
    window.driver.frames(2);
    EXPECT_FALSE(window.driver.has("lesson.question"));
    while (window.lesson().beat_shown().kind != LessonBeat::Kind::kQuestion) window.page_down();
    EXPECT_TRUE(window.driver.has("lesson.question"));
    EXPECT_FALSE(window.driver.has("lesson.answer"));
    window.page_down();
    EXPECT_TRUE(window.driver.has("lesson.answer"));
}

TEST(Lessons, BeyondTheEndsTheFootSaysSo) {
    LessonWindow window(1280, 720);
    window.bench.apply(SetTextSize{28});
    window.open(kShippedLessons / "bank_conflicts.toml");
    const auto seen = [&](std::string_view words) {
        const auto texts = texts_of([&] { window.driver.frame(); });
        return std::ranges::any_of(texts, [&](const DrawnText& each) {
            return each.text.starts_with(words) && !each.shortened;
        });
    };
    window.driver.press(Key::kPageUp);
    EXPECT_TRUE(seen("This is the first scene."));
    window.page_down();
    EXPECT_FALSE(seen("This is the first scene."));
    window.driver.press(Key::kEnd);
    EXPECT_FALSE(seen("This is the last scene."));
    window.page_down();
    EXPECT_TRUE(seen("This is the last scene."));
    window.driver.press(Key::kPageUp);
    EXPECT_FALSE(seen("This is the last scene."));
}

TEST(Lessons, AMistakeIsShownAndSavingTheFileMendsIt) {
    const std::string first = "title = \"T\"\n[[scene]]\ntitle = \"one\"\nkernel = \"09_tiled\"\n";
    const std::string second = "[[scene]]\ntitle = \"two\"\nat = \"first barrier\"\n";
    LessonFile file;
    file.write(first + second);
    LessonWindow window;
    window.open(file.path);
    window.page_down();
    EXPECT_EQ(window.lesson().scene, 1u);
    file.write(first + "[[scene]]\ntitle = \"two\"\nat = \"first barier\"\n");
    window.bench.apply(Command{ReloadLesson{}});
    const std::vector<DrawnText> texts = texts_of([&] { window.driver.frame(); });
    EXPECT_TRUE(window.driver.has("lesson.mistake.0"));
    EXPECT_TRUE(std::ranges::any_of(texts, [](const DrawnText& text) {
        return text.text.find("Line 7") != std::string::npos;
    }));
    file.write(first + second);
    window.bench.apply(Command{ReloadLesson{}});
    window.driver.frames(3);
    EXPECT_TRUE(window.driver.has("lesson.title"));
    EXPECT_EQ(window.lesson().scene, 1u);  // it stays where it was
}

}  // namespace
}  // namespace tilereel::frame_lesson_test

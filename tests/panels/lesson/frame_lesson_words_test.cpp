// The words of every lesson that ships, as a class sees them.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/panels/lesson/lesson_window.h"
#include "tests/panels/page_of_words.h"

namespace tilereel::frame_lesson_words_test {
namespace {

// The question's words keep their size when the answer appears below them.
TEST(Lessons, WordsDoNotShrinkWhenTheAnswerComes) {
    int compared = 0;
    for (const auto& entry : std::filesystem::directory_iterator(kShippedLessons)) {
        if (entry.path().extension() != ".toml") continue;
        LessonWindow window;
        window.bench.apply(SetTextSize{28});
        window.open(entry.path());
        const auto scenes = window.lesson().prepared->reading.lesson.scenes;
        for (std::size_t scene = 0; scene < scenes.size(); ++scene) {
            if (scenes[scene].question.empty()) continue;
            window.bench.apply(Command{GoToLessonScene{scene}});
            window.driver.frames(2);
            while (window.lesson().beat_shown().kind != LessonBeat::Kind::kQuestion)
                window.page_down();
            const std::string first = scenes[scene].question.substr(0, 8);
            const auto size = [&] {
                for (const DrawnText& t : texts_of([&] { window.driver.frames(1); }))
                    if (t.text.starts_with(first)) return t.box.h;
                return 0.0f;
            };
            const float asked = size();
            window.page_down();
            EXPECT_GT(asked, 0) << entry.path() << ", scene " << scene;
            EXPECT_EQ(asked, size()) << entry.path() << ", scene " << scene;
            ++compared;
        }
    }
    EXPECT_GT(compared, 3);
}

struct Screen {
    Size size;
    int text;
};

class LessonWords : public testing::TestWithParam<Screen> {};

// Every beat of every lesson that ships, as the class sees it.
TEST_P(LessonWords, NothingIsCutOrOverlaps) {
    const auto [size, text] = GetParam();
    const auto width = static_cast<float>(size.width), height = static_cast<float>(size.height);
    LessonWindow window(width, height);
    window.bench.apply(SetTextSize{text});
    Faults faults;
    for (const std::filesystem::path& file : window.bench.lessons().offered()) {
        window.open(file);
        for (auto last = window.place();;) {
            window.driver.frames(2, 2.0);
            const std::vector<DrawnText> texts = texts_of([&] { window.driver.frame(2.0); });
            Look look = window.look;
            look.text = std::min(look.text, kLessonStageText);
            const Page page{texts,
                            look,
                            {0, 0, width, height},
                            file.stem().string() + " " + std::to_string(last.first + 1) + "." +
                                std::to_string(last.second) + ", " + std::to_string(size.width) +
                                ", text " + std::to_string(text)};
            page.find(faults);
            // Words must be legible from the last row of a lecture hall. If they need more room,
            // the lanes and the source line are left out.
            const Rect column = window.driver.rect_of("lesson.column");
            for (const DrawnText& drawn : texts)
                if (text == 28 && column.contains(drawn.box.center()) &&
                    drawn.face == Face::kSemiBold && drawn.px < 26 * width / 1920)
                    faults.add("small: " + drawn.text, file.stem().string());
            window.page_down();
            if (window.place() == last) break;
            last = window.place();
        }
    }
    faults.report();
}
INSTANTIATE_TEST_SUITE_P(Sizes, LessonWords,
                         testing::Values(Screen{{1920, 1080}, 28}, Screen{{1366, 768}, 14},
                                         Screen{{1280, 720}, 28}),
                         [](const auto& screen) {
                             return std::to_string(screen.param.size.width) + "text" +
                                    std::to_string(screen.param.text);
                         });

}  // namespace
}  // namespace tilereel::frame_lesson_words_test

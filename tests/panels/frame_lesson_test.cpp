// Lessons, played by keys in process.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <thread>

#include "app/ladder/ladder.h"
#include "app/panels/lesson/lesson_page.h"
#include "app/workbench/comparison.h"
#include "app/workbench/playhead.h"
#include "tests/panels/frame_window.h"
#include "tests/panels/page_of_words.h"

namespace tilereel::frame_lesson_test {
using namespace std::chrono_literals;
namespace {

const std::filesystem::path kLessons = TILEREEL_SOURCE_DIR "/assets/lessons";

WorkbenchOptions with_lessons(bool on_worker) {
    LessonBenchOptions lessons{.on_thread = false, .offered = lessons_in(kLessons)};
    lessons.tools.race = TILEREEL_SOURCE_DIR "/assets/races/h100_ladder.json";
    WorkbenchOptions options{
        .request = small_request(), .trace = {}, .playing = false, .record_on_worker = on_worker};
    options.lessons = std::make_unique<LessonBench>(std::move(lessons));
    return options;
}

struct LessonWindow : FrameWindow {
    explicit LessonWindow(float width = 1920, float height = 1080, bool on_worker = false)
        : FrameWindow(with_lessons(on_worker), width, height) {}
    void open(const std::filesystem::path& file) {
        bench.apply(Command{OpenLesson{file}});
        driver.frames(3);
    }
    [[nodiscard]] const OpenedLesson& lesson() const { return *bench.lessons().lesson(); }
    // Presses Page Down and waits until the motion that it begins has ended.
    void page_down() {
        driver.press(Key::kPageDown);
        driver.frames(3, kLongestBeatSeconds);
    }
    [[nodiscard]] std::pair<std::size_t, std::size_t> place() const {
        return {lesson().scene, lesson().beat};
    }
};

struct LessonFile {
    std::filesystem::path path = std::filesystem::temp_directory_path() /
                                 ("tilereel_lesson_" + std::to_string(::getpid()) + ".toml");
    ~LessonFile() { std::filesystem::remove(path); }
    void write(const std::string& text) const { std::ofstream(path) << text; }
};

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
        window.open(kLessons / "tiling.toml");
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
        window.bench.apply(Command{OpenLesson{kLessons / "tiling.toml"}});
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
    window.bench.apply(Commands{larger, OpenLesson{kLessons / "tiling.toml"}});
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
    window.open(kLessons / "tiling.toml");
    window.driver.press('1');
    window.driver.frames(3);
    ASSERT_NE(window.bench.lock_step(), nullptr);
    EXPECT_EQ(window.bench.other()->request().kernel, "02_naive");
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
    window.open(kLessons / "bank_conflicts.toml");
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

// The question's words keep their size when the answer appears below them.
TEST(Lessons, WordsDoNotShrinkWhenTheAnswerComes) {
    int compared = 0;
    for (const auto& entry : std::filesystem::directory_iterator(kLessons)) {
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

// A scene with two builds of a program, one after it with a kernel. `on_worker`: the replays come
// later than the scene.
void leave_a_compared_program(bool on_worker) {
    const LessonFile lesson;
    std::filesystem::path program = lesson.path;
    program.replace_extension(".cu");
    std::ofstream(program) << R"(
#ifndef PAD
#define PAD 0
#endif
__global__ void turn(const float* in, float* out) {
    __shared__ float t[32][32 + PAD];
    t[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    out[threadIdx.y * 32 + threadIdx.x] = t[threadIdx.x][threadIdx.y];
}
int main() {
    float *in, *out;
    cudaMalloc(&in, 4096);
    cudaMalloc(&out, 4096);
    cudaMemset(in, 0, 4096);
    turn<<<1, dim3(32, 32)>>>(in, out);
    return cudaDeviceSynchronize();
}
)";
    lesson.write("title = 'T'\n[[scene]]\ntitle = 'One'\nprogram = '" + program.string() +
                 "'\ncompare = {define = 'PAD=1'}\nat = 'first read of t'\nthen = ['end']\n"
                 "text = 'A column takes {wavefronts} wavefronts, or {other.wavefronts}.'\n"
                 "[[scene]]\ntitle = 'Two'\nkernel = '09_tiled'\ntext = 'A kernel.'\n"
                 "[[scene]]\ntitle = 'Three'\nprogram = '" +
                 program.string() +
                 "'\ncompare = {define = 'PAD=1'}\nat = 'end'\ntext = 'The end.'\n");
    LessonWindow window(1920, 1080, on_worker);
    window.open(lesson.path);
    const auto settle = [&] {
        for (int i = 0; i < (on_worker ? 60 : 5); ++i) {
            if (on_worker) std::this_thread::sleep_for(10ms);
            window.driver.frames(1, 0.1);
        }
    };
    settle();
    ASSERT_TRUE(window.lesson().shows_scene());
    EXPECT_EQ(window.lesson().prepared_scene().text, "A column takes 32 wavefronts, or 1.");
    EXPECT_NE(window.bench.other(), nullptr);
    for (const std::size_t scene : {1u, 2u}) {
        for (int i = 0; i < 6 && window.lesson().scene < scene; ++i) {
            window.page_down();
            settle();
        }
        EXPECT_EQ(window.lesson().scene, scene);
        EXPECT_EQ(window.bench.replay()->trace().launch.kernel == "09_tiled", scene == 1);
        EXPECT_EQ(window.bench.other() != nullptr, scene == 2);
    }
    window.page_down();
    EXPECT_EQ(window.lesson().past_end, 1);
    for (int i = 0; i < 8 && window.lesson().scene > 0; ++i) {
        window.driver.press(Key::kPageUp);
        settle();
    }
    EXPECT_EQ(window.lesson().scene, 0u);
    std::filesystem::remove(program);
}

TEST(Lessons, ASceneThatComparesAProgramIsLeftByPageDown) { leave_a_compared_program(false); }
TEST(Lessons, ASceneThatComparesAProgramIsLeftByPageDownWhileItIsRead) {
    leave_a_compared_program(true);
}

// The question is what the column of Bs costs. The figure is shown after the answer.
TEST(Lessons, APredictionHidesTheFigure) {
    LessonWindow window;
    window.open(kLessons / "bank_conflicts.toml");
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
    window.open(kLessons / "bank_conflicts.toml");
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

// Words such as "at the right" would speak of a picture that is not there yet.
TEST(Lessons, WordsOfAComparisonWaitForItsOtherSide) {
    const LessonFile file;
    file.write(
        "title = \"Padding\"\n[[scene]]\ntitle = \"Side by side\"\n"
        "kernel = \"08_tiled_b_transposed\"\nm = 64\nk = 96\ncompare = {pad = 1}\n"
        "at = \"first conflict\"\ntext = \"At the right there is none.\"\n");
    LessonWindow window(1920, 1080, true);  // no other test has recorded this size
    window.open(file.path);
    bool waited = false, said = false;
    for (int i = 0; i < 60'000 && !said; ++i) {
        const auto texts = texts_of([&] { window.driver.frame(0.1); });
        said = std::ranges::any_of(
            texts, [](const DrawnText& each) { return each.text.starts_with("At the right"); });
        const bool is_there = window.bench.other() != nullptr;
        EXPECT_TRUE(is_there || !said);
        waited = waited || !is_there;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_TRUE(waited);
    EXPECT_TRUE(said);
}

// A lecturer's remote is pressed while the lesson's launches are still being recorded.
TEST(Lessons, StepsWaitWhileALessonIsPrepared) {
    std::atomic<bool> may_record = false;
    LessonBenchOptions lessons{.offered = lessons_in(kLessons)};
    lessons.tools.race = TILEREEL_SOURCE_DIR "/assets/races/h100_ladder.json";
    lessons.tools.record = [&](const RecordRequest& request) {
        while (!may_record) std::this_thread::sleep_for(1ms);
        return record_ladder(request);
    };
    WorkbenchOptions options{.request = small_request(), .trace = {}, .playing = false};
    options.lessons = std::make_unique<LessonBench>(std::move(lessons));
    FrameWindow window(std::move(options), 1280, 720);
    window.bench.apply(Command{OpenLesson{kLessons / "bank_conflicts.toml"}});
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

TEST(Lessons, BeyondTheEndsTheFootSaysSo) {
    LessonWindow window(1280, 720);
    window.bench.apply(SetTextSize{28});
    window.open(kLessons / "bank_conflicts.toml");
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
    window.open(kLessons / "bank_conflicts.toml");
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
}  // namespace tilereel::frame_lesson_test

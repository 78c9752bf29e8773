// The lessons that ship: each is sound, ends in a race, and takes its numbers from recordings and
// races.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "app/lesson/prediction.h"
#include "app/lesson/prepare_lesson.h"
#include "app/workbench/lesson/lesson_times.h"

namespace tilereel::shipped_lessons_test {
namespace {

std::filesystem::path folder() { return TILEREEL_SOURCE_DIR "/assets/lessons"; }

LessonTools shipped_tools() {
    LessonTools tools;
    tools.race = TILEREEL_SOURCE_DIR "/assets/races/h100_ladder.json";
    return with_estimates(std::move(tools));
}

class ShippedLesson : public testing::TestWithParam<std::filesystem::path> {};

// The text without names that contain numbers: of kernels, GPUs, types, and TILE of a contender.
std::string without_names(std::string text) {
    for (const KernelInfo& kernel : catalog()) {
        const std::string name(kernel.title);
        for (std::size_t at; (at = text.find(name)) != std::string::npos;)
            text.erase(at, name.size());
    }
    for (const char* name : {"GTX 280", "H100", "float4", "TILE 32"})
        for (std::size_t at; (at = text.find(name)) != std::string::npos;)
            text.erase(at, std::string(name).size());
    return text;
}

// Every number in a sentence must be a figure in braces. The recording fills it in, so it is true.
void expect_no_bare_number(const std::string& sentence) {
    static const std::regex figure("\\{[^}]*\\}");
    static const std::regex number(
        "[0-9]|\\b(two|three|four|five|six|eight|sixteen|thirty|half of|twice|quarter|double)\\b",
        std::regex::icase);
    const std::string rest = without_names(std::regex_replace(sentence, figure, ""));
    std::smatch found;
    EXPECT_FALSE(std::regex_search(rest, found, number)) << "\"" << found[0] << "\" in: " << rest;
}

TEST_P(ShippedLesson, IsSoundAndSaysOnlyWhatWasCounted) {
    const LessonTools tools = shipped_tools();
    const PreparedLesson prepared = prepare_lesson(read_lesson(GetParam()), tools);
    for (const LessonMistake& mistake : prepared.reading.mistakes)
        ADD_FAILURE() << text_of(GetParam(), mistake);
    for (const LessonMistake& warning : prepared.warnings)
        ADD_FAILURE() << text_of(GetParam(), warning);
    const Lesson& lesson = prepared.reading.lesson;
    EXPECT_FALSE(lesson.about.empty());
    ASSERT_GE(lesson.scenes.size(), 4u);
    EXPECT_TRUE(lesson.scenes.back().race) << "a lesson ends in a race";
    for (const LessonScene& scene : lesson.scenes) {
        for (const std::string& text : {scene.title, scene.text, scene.question, scene.answer})
            expect_no_bare_number(text);
        for (const LessonStop& stop : scene.stops) expect_no_bare_number(stop.say);
        EXPECT_LE(scene.text.size(), 420u) << scene.title << ": a few sentences, no page";
    }
    for (const PreparedScene& scene : prepared.scenes)
        EXPECT_EQ(scene.text.find('{'), std::string::npos) << scene.text;
}

// The word is explained in the first scene that counts wavefronts, or before.
TEST_P(ShippedLesson, SaysWhatAWavefrontIsWhereItFirstCounts) {
    bool explained = false;
    for (const LessonScene& scene : read_lesson(GetParam()).lesson.scenes) {
        explained =
            explained || scene.text.find("at the same time is a wavefront") != std::string::npos;
        const bool counts =
            scene.figure == LessonFigure::kWavefronts ||
            (scene.title + scene.text + scene.question).find("wavefront") != std::string::npos;
        EXPECT_TRUE(!counts || explained) << scene.title;
    }
}

TEST_P(ShippedLesson, AsksOnlyWhatTheRecordingAnswers) {
    const LessonTools tools = shipped_tools();
    const PreparedLesson prepared = prepare_lesson(read_lesson(GetParam()), tools);
    ASSERT_TRUE(prepared.sound());
    for (std::size_t i = 0; i < prepared.scenes.size(); ++i) {
        const LessonScene& scene = prepared.reading.lesson.scenes[i];
        if (!scene.predict) continue;
        const PreparedScene& shown = prepared.scenes[i];
        auto replay = Replay::of_block(*shown.trace, shown.block, generation_of(scene.launch));
        ASSERT_TRUE(replay);
        const auto step =
            replay->schedule().step_at(static_cast<Tick>(shown.stops.front().position));
        EXPECT_TRUE(prediction_of(*replay, step)) << scene.title;
    }
}

INSTANTIATE_TEST_SUITE_P(All, ShippedLesson, testing::ValuesIn(lessons_in(folder())),
                         [](const auto& file) { return file.param.stem().string(); });

// lessons_in() lists the lessons in the order in which they are taught.
TEST(ShippedLessons, AreAtLeastEight) {
    const std::vector<std::filesystem::path> lessons = lessons_in(folder());
    ASSERT_GE(lessons.size(), 8u);
    EXPECT_EQ(lessons.front().stem(), "why_naive_starves");
    EXPECT_EQ(lessons[7].stem(), "gtx_280_to_h100");
}

// Expected by the rules of the CUDA C++ Programming Guide alone. A block is 16 x 16, so a warp is
// two rows of threads. 02 reads 16 floats of one row of B, which are 2 sectors of 32 bytes. 01
// reads a column of 16 floats of A; a row of A has 8 floats, so each float lies in a sector of its
// own.
TEST(ShippedLessons, TheirFiguresAgreeWithTheory) {
    const auto figure = [](const char* lesson, const char* id, const char* name) {
        const LessonTools tools = shipped_tools();
        const PreparedLesson prepared = prepare_lesson(read_lesson(folder() / lesson), tools);
        for (std::size_t i = 0; i < prepared.scenes.size(); ++i)
            if (prepared.reading.lesson.scenes[i].id == id)
                return std::get<double>(prepared.scenes[i].figures.at(name));
        return -1.0;
    };
    EXPECT_EQ(figure("coalescing.toml", "columns", "sectors"), 2);
    EXPECT_EQ(figure("coalescing.toml", "rows", "sectors"), 16);
    // A block is 8 x 8. Along the rows, a warp reads four rows of the tile, 8 floats or one sector
    // each. Down the columns, it touches 8 rows, one sector each.
    EXPECT_EQ(figure("coalescing.toml", "along", "sectors"), 8);
    EXPECT_EQ(figure("coalescing.toml", "along", "other.sectors"), 4);
    EXPECT_EQ(figure("bank_conflicts.toml", "row", "wavefronts"), 1);
    EXPECT_EQ(figure("bank_conflicts.toml", "column", "wavefronts"), 32);
    EXPECT_EQ(figure("bank_conflicts.toml", "padded", "shared.bank_conflicts"), 0);
    // 32 x 32 x 32: each of 32 warps reads a column for each of 32 k, and stores a column of the
    // transposed tile once. Each of these requests takes 31 wavefronts too many.
    EXPECT_EQ(figure("bank_conflicts.toml", "launch", "shared.bank_conflicts"),
              32 * 32 * 31 + 32 * 31);
}

// The measured speed lies in the range that the lesson gives, except of the kernel that its last
// answer names.
TEST(ShippedLessons, WhatTheyEstimateWasMeasured) {
    const PreparedLesson prepared =
        prepare_lesson(read_lesson(folder() / "why_is_it_slow.toml"), shipped_tools());
    ASSERT_TRUE(prepared.sound());
    const std::vector<LessonScene>& scenes = prepared.reading.lesson.scenes;
    const PreparedScene& race = prepared.scenes.back();
    std::size_t checked = 0;
    for (std::size_t i = 0; i + 1 < scenes.size(); ++i) {
        ASSERT_TRUE(scenes[i].timed);
        const auto measured = gflops_in(*prepared.race, scenes[i].timed->contender, 4096);
        const Result<LessonTime> time = lesson_time(*scenes[i].timed);
        ASSERT_TRUE(measured && time) << scenes[i].title;
        const bool in_range = time->is_bound ? *measured <= time->gflops
                                             : time->low <= *measured && *measured <= time->high;
        const bool named =
            race.answer.find(lesson_title(scenes[i].timed->contender)) != std::string::npos;
        EXPECT_NE(in_range, named) << scenes[i].title << ": " << *measured;
        ++checked;
    }
    EXPECT_EQ(checked, 7u);
}

TEST(ShippedLessons, ASizeThatTheKernelDoesNotTakeIsRefused) {
    const Result<LessonTime> odd = lesson_time({{"09_tiled", 32, 0}, 1000});
    ASSERT_FALSE(odd);
    EXPECT_NE(odd.error().message.find("multiple of TILE"), std::string::npos)
        << odd.error().message;
}

// A question has 2 to 4 choices in ascending order, the right one among them.
TEST(Prediction, OffersTheRightAnswerAmongOthers) {
    const PreparedLesson prepared =
        prepare_lesson(lesson_of_text("title = \"x\"\n[[scene]]\ntitle = \"y\"\n"
                                      "kernel = \"08_tiled_b_transposed\"\n",
                                      "x.toml"));
    ASSERT_TRUE(prepared.sound());
    auto replay = Replay::of_block(*prepared.scenes[0].trace, 0);
    std::size_t asked = 0;
    for (auto step = next_to_predict(*replay, 0); step;
         step =
             next_to_predict(*replay, static_cast<double>(replay->schedule().steps[*step].end()))) {
        const auto prediction = prediction_of(*replay, *step);
        ASSERT_TRUE(prediction);
        EXPECT_GE(prediction->choices.size(), 2u);
        EXPECT_LE(prediction->choices.size(), 4u);
        EXPECT_TRUE(std::ranges::is_sorted(prediction->choices));
        const RequestCost& cost = replay->schedule().costs[*step];
        EXPECT_EQ(prediction->choices[prediction->right],
                  prediction->unit == "wavefronts" ? cost.wavefronts : cost.sectors);
        ++asked;
    }
    // Loads of A and B, stores to As and Bs, reads of As and Bs, the store of C.
    EXPECT_EQ(asked, 7u);
}

}  // namespace
}  // namespace tilereel::shipped_lessons_test

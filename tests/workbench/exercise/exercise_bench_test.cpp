// An exercise that is open in the window: the copy, the judgement, the moment of a check, and what
// is kept. The grades are made up; a real one is in tests/exercise.
#include "app/workbench/exercise/exercise_bench.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/replay/replay.h"
#include "tests/trace/scratch_folder.h"
#include "tests/workbench/exercise/made_up_grades.h"

namespace tilereel::tests::exercise_bench_test {
namespace {

using ::testing::HasSubstr;
using State = ExerciseRow::State;

const std::filesystem::path kTranspose = TILEREEL_SOURCE_DIR "/assets/exercises/transpose.toml";
const std::filesystem::path kTiling = TILEREEL_SOURCE_DIR "/assets/exercises/tiling.toml";

class Exercises : public ::testing::Test {
  protected:
    ExerciseBenchOptions options() {
        return {.on_thread = false,
                .offered = {kTranspose, kTiling},
                .folder = folder_ / "copies",
                .progress = folder_ / "state" / "exercises.json",
                .grade = grades_.function(),
                .seed = 7};
    }
    void settle(ExerciseBench& bench) {
        while (bench.busy()) bench.advance();
    }

    ScratchFolder folder_;
    MadeUpGrades grades_;
};

TEST_F(Exercises, ACopyIsMadeAndJudged) {
    ExerciseBench bench(options());
    bench.open(kTranspose);
    settle(bench);
    ASSERT_NE(bench.exercise(), nullptr);
    EXPECT_EQ(bench.exercise()->copy, folder_ / "copies" / "transpose.cu");
    EXPECT_EQ(read_bytes(bench.exercise()->copy),
              read_bytes(std::filesystem::path(kTranspose).replace_extension(".cu")));
    ASSERT_EQ(grades_.asked.size(), 1u);
    EXPECT_EQ(grades_.asked[0].submission, bench.exercise()->copy);
    EXPECT_EQ(grades_.asked[0].exercise->title, bench.exercise()->exercise.title);
    EXPECT_TRUE(bench.exercise()->judged());
}

// A learner's work is never overwritten.
TEST_F(Exercises, ACopyThatIsThereStays) {
    const std::filesystem::path mine = folder_ / "mine.cu";
    write_bytes(mine, "// mine\n");
    ExerciseBench bench(options());
    bench.open(kTranspose, mine);
    settle(bench);
    EXPECT_EQ(read_bytes(mine), "// mine\n");
    EXPECT_EQ(grades_.asked.back().submission, mine);
    bench.open(kTranspose, folder_.path());
    settle(bench);
    EXPECT_THAT(bench.exercise()->problem, HasSubstr("name another place"));
    EXPECT_EQ(grades_.asked.size(), 1u);
}

TEST_F(Exercises, TheNextCopyLiesBesideThePresentOne) {
    ExerciseBench bench(options());
    bench.open(kTranspose, folder_ / "course" / "mine.cu");
    settle(bench);
    bench.open(kTiling);
    settle(bench);
    EXPECT_EQ(bench.exercise()->copy, folder_ / "course" / "tiling.cu");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "copies"));
}

// The first check that fails is shown: the request of its line that conflicts, in its block.
TEST_F(Exercises, TheMomentOfTheFirstFailedCheckIsShown) {
    grades_.failing_line = 6;
    grades_.failing_counter = "shared.bank_conflicts";
    ExerciseBench bench(options());
    bench.open(kTranspose);
    settle(bench);
    EXPECT_EQ(bench.exercise()->chosen, 1u);
    EXPECT_EQ(bench.exercise()->sizes, "n = 16");
    const std::optional<CheckMoment> moment = bench.take_moment();
    ASSERT_TRUE(moment);
    const Result<Replay> replay = Replay::of_block(*moment->trace, moment->block);
    ASSERT_TRUE(replay);
    const std::uint32_t step = replay->schedule().step_at(static_cast<Tick>(moment->position));
    EXPECT_EQ(moment->trace->sites[replay->schedule().steps[step].site].line, 6u);
    EXPECT_GT(replay->schedule().costs[step].bank_conflicts, 0u);
    EXPECT_FALSE(bench.take_moment()) << "once";
    // Another row: without a line, the start.
    bench.choose(0);
    settle(bench);
    const std::optional<CheckMoment> start = bench.take_moment();
    ASSERT_TRUE(start);
    EXPECT_EQ(start->position, 0);
    bench.choose(99);
    EXPECT_EQ(bench.exercise()->chosen, 0u);
}

TEST_F(Exercises, AFileThatDoesNotRunHasItsReasonsAsRows) {
    grades_.refusals = {{"expected ';' before '}'", 12}, {"it does too much", 0}};
    ExerciseBench bench(options());
    bench.open(kTranspose);
    settle(bench);
    ASSERT_EQ(bench.exercise()->rows.size(), 2u);
    EXPECT_TRUE(bench.exercise()->refused);
    EXPECT_EQ(bench.exercise()->rows[0].words, "Line 12");
    EXPECT_FALSE(bench.exercise()->all_passed());
    grades_.refusals.clear();
    bench.judge();
    settle(bench);
    EXPECT_FALSE(bench.exercise()->refused);
    EXPECT_TRUE(bench.exercise()->all_passed());
    grades_.error = "there is no compiler";
    bench.judge();
    settle(bench);
    EXPECT_EQ(bench.exercise()->problem, "there is no compiler");
}

// The compiler reports a missing semicolon at the next word, which begins the line below.
TEST_F(Exercises, AMissingSemicolonIsShownWhereItIsMissing) {
    const std::filesystem::path mine = folder_ / "mine.cu";
    write_bytes(mine, "int main() {\n    int x = 1\n    int y = 2;\n}\n");
    ExerciseBench bench(options());
    bench.open(kTranspose, mine);
    settle(bench);
    EXPECT_FALSE(bench.exercise()->shows_former);
    grades_.refusals = {{"expected ',' or ';' before 'int'", 3, 5}};
    grades_.records = false;
    bench.judge();
    settle(bench);
    EXPECT_EQ(bench.exercise()->rows[0].words, "Line 2");
    EXPECT_THAT(bench.exercise()->rows[0].sentence, HasSubstr("noticed it on line 3"));
    EXPECT_TRUE(bench.exercise()->shows_former);
    EXPECT_FALSE(bench.busy()) << "there is no moment to look for";
}

// Sizes stay while the exercise is open, so that counts can be compared; what was handed out is
// run once.
TEST_F(Exercises, TheSeedStays) {
    ExerciseBenchOptions drawn = options();
    drawn.seed.reset();
    ExerciseBench bench(std::move(drawn));
    bench.open(kTranspose);
    bench.judge();
    settle(bench);
    ASSERT_EQ(grades_.asked.size(), 2u);
    EXPECT_EQ(grades_.asked[0].seed, grades_.asked[1].seed);
    EXPECT_EQ(grades_.asked[0].shared, grades_.asked[1].shared);
    bench.open(kTranspose);
    settle(bench);
    EXPECT_NE(grades_.asked[2].shared, grades_.asked[1].shared);
}

TEST_F(Exercises, ProgressSurvivesARestart) {
    const std::filesystem::path mine = folder_ / "mine.cu";
    {
        ExerciseBench bench(options());
        bench.open(kTranspose, mine);
        settle(bench);
        EXPECT_TRUE(bench.exercise()->all_passed());
        bench.open_hint();
        bench.open_hint();
        EXPECT_EQ(bench.beside(1), kTiling);
        EXPECT_EQ(bench.beside(-1), std::nullopt);
        bench.open(kTiling);
        EXPECT_EQ(bench.beside(1), std::nullopt);
    }
    grades_.failing_line = 6;
    ExerciseBench bench(options());
    EXPECT_TRUE(bench.progress().at(progress_name(kTranspose)).passed);
    bench.open(kTranspose);
    settle(bench);
    EXPECT_EQ(bench.exercise()->copy, mine) << "that of the last time";
    EXPECT_EQ(bench.exercise()->hints, 2u);
    EXPECT_TRUE(bench.exercise()->passed_before) << "it has passed once";
    // A copy that is gone is made anew in the folder.
    std::filesystem::remove(mine);
    bench.close();
    bench.open(kTranspose);
    settle(bench);
    EXPECT_EQ(bench.exercise()->copy, folder_ / "copies" / "transpose.cu");
}

TEST_F(Exercises, HintsOpenOneByOne) {
    ExerciseBench bench(options());
    bench.open(kTranspose);
    const std::size_t count = bench.exercise()->exercise.hints.size();
    ASSERT_GE(count, 2u);
    EXPECT_EQ(bench.exercise()->hints, 0u);
    for (std::size_t i = 0; i < count + 3; ++i) bench.open_hint();
    EXPECT_EQ(bench.exercise()->hints, count);
}

TEST_F(Exercises, AnExerciseWithMistakesIsNotJudged) {
    write_bytes(folder_ / "broken.toml", "title = \"x\"\nfunctoin = 3\n");
    ExerciseBench bench(options());
    bench.open(folder_ / "broken.toml");
    EXPECT_FALSE(bench.exercise()->mistakes.empty());
    bench.judge();
    EXPECT_TRUE(grades_.asked.empty());
    EXPECT_FALSE(std::filesystem::exists(folder_ / "copies"));
    bench.close();
    EXPECT_EQ(bench.exercise(), nullptr);
}

// A judgement that is under way when the file is saved again is dropped.
TEST_F(Exercises, TheLastSavedFileIsJudged) {
    ExerciseBenchOptions on_thread = options();
    on_thread.on_thread = true;
    grades_.wait_for_stop_once = true;
    ExerciseBench bench(std::move(on_thread));
    bench.open(kTranspose);
    bench.judge();
    settle(bench);
    EXPECT_EQ(grades_.asked.size(), 2u);
    EXPECT_TRUE(grades_.was_stopped);
    EXPECT_TRUE(bench.exercise()->judged());
    EXPECT_EQ(bench.exercise()->problem, "");
}

}  // namespace
}  // namespace tilereel::tests::exercise_bench_test

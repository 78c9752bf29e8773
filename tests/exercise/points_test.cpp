// What checks are worth, and which finding a failed check names first.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/exercise/grade.h"
#include "app/exercise/read_exercise.h"

namespace tilereel::points_test {
namespace {

using ::testing::HasSubstr;
using State = CheckResult::State;

CheckResult check(State state, int points) {
    CheckResult made;
    made.state = state;
    made.points = points;
    return made;
}

TEST(Points, AConditionEarnsNothingAndWithoutItNothingIsEarned) {
    Grade grade;
    grade.checks = {check(State::kPassed, 0), check(State::kPassed, 3), check(State::kFailed, 2)};
    EXPECT_EQ(grade.points(), 3);
    EXPECT_EQ(grade.most_points(), 5);
    for (const State broken : {State::kFailed, State::kNotJudged}) {
        grade.checks[0].state = broken;
        EXPECT_EQ(grade.points(), 0);
        EXPECT_EQ(grade.most_points(), 5);
    }
}

std::string exercise_with(const std::string& checks) {
    return "title = \"Scale\"\ntask = \"Write it.\"\n"
           "function = \"void scale(const float* in, float* out, int n)\"\n"
           "sizes = {n = \"100 to 200\"}\narrays = {in = \"n\", out = \"n\"}\n"
           "reference = \"out[0] = in[0];\"\nchecks = [" +
           checks + "]\n";
}

TEST(Points, AreReadFromTheExercise) {
    const ExerciseReading reading = exercise_of_text(
        exercise_with("\"out is right\", {check = \"no findings\", points = 4}, "
                      "{check = \"launches == 1\", points = 0}, {check = \"barriers <= n\"}"),
        "scale.toml");
    ASSERT_TRUE(reading.mistakes.empty()) << reading.mistakes.front().sentence;
    ASSERT_EQ(reading.exercise.checks.size(), 4u);
    EXPECT_EQ(reading.exercise.checks[0].points, 1);
    EXPECT_EQ(reading.exercise.checks[1].points, 4);
    EXPECT_EQ(reading.exercise.checks[1].words, "no findings");
    EXPECT_EQ(reading.exercise.checks[2].points, 0);
    EXPECT_EQ(reading.exercise.checks[3].points, 1);
}

TEST(Points, MistakesInThemAreTheExercises) {
    for (const char* const wrong :
         {"{check = \"no findings\", points = -1}", "{check = \"no findings\", points = 1001}",
          "{check = \"no findings\", points = \"2\"}", "{check = \"no findings\", point = 2}",
          "{points = 2}", "7"}) {
        const std::string text = exercise_with(std::string("\"out is right\", ") + wrong);
        EXPECT_FALSE(exercise_of_text(text, "scale.toml").mistakes.empty()) << wrong;
    }
}

// A race that follows from a barrier that threads leave out was found first.
TEST(Points, TheCauseIsToldBeforeWhatFollowsFromIt) {
    RunFacts run;
    run.errors = {{"a race", 9}, {"another race", 10}, {"a skipped barrier", 7, true}};
    run.warnings = {{"a warning", 3}};
    const auto judged = [&](const char* words) {
        return judge(requirement_of_words(words, {}, {}).value(), {run}, {});
    };
    const CheckResult all = judged("no findings");
    EXPECT_EQ(all.sentence, "a skipped barrier (and 3 more)");
    EXPECT_EQ(all.line, 7u);
    ASSERT_EQ(all.findings.size(), 4u);
    EXPECT_EQ(all.findings[1].sentence, "a race");
    EXPECT_EQ(all.findings[3].sentence, "a warning");
    EXPECT_EQ(judged("no errors").findings.size(), 3u);
}

}  // namespace
}  // namespace tilereel::points_test

// "Predict first": which of two launches is faster.
#include "app/workbench/time/time_quiz.h"

#include <gtest/gtest.h>

namespace tilereel::time_quiz_test {
namespace {

RecordRequest padded(int pad) {
    return {.kernel = "08_tiled_b_transposed", .parameters = {64, 64, 64, 32, pad}, .inputs = {}};
}

// 10 ms; PAD 1 takes 2 ms, PAD 2 takes 10.5 and TILE 8 takes 20.
EstimatedLaunch launch_with_changes() {
    EstimatedLaunch launch;
    launch.title = "08";
    launch.estimate.seconds = 0.010;
    RecordRequest tile = padded(0);
    tile.parameters.tile = 8;
    launch.changes = {
        {.kind = ChangeKind::kNoConflicts, .what = "without bank conflicts", .seconds = 0.002},
        {.what = "PAD 1", .seconds = 0.002, .launch = padded(1)},
        {.what = "PAD 2", .seconds = 0.0105, .launch = padded(2)},
        {.what = "TILE 8", .seconds = 0.020, .launch = tile}};
    return launch;
}

TEST(TimeQuiz, AsksAboutEachOtherLaunchOnceAndCountsWhatWasRight) {
    const EstimatedLaunch launch = launch_with_changes();
    TimeQuiz quiz;
    quiz.follow(launch, padded(0), true);
    EXPECT_FALSE(quiz.asked()) << "it is off";
    quiz.start();
    struct Expected {
        std::size_t change, right, choose;
        const char* now;
        double times;
    };
    // A twentieth slower is about the same.
    for (const Expected& each : {Expected{1, 1, 1, "PAD 0", 5}, Expected{2, 2, 0, "PAD 0", 1.05},
                                 Expected{3, 0, 0, "TILE 32", 2}}) {
        quiz.follow(launch, padded(0), true);
        ASSERT_TRUE(quiz.asked());
        EXPECT_EQ(quiz.asked()->change, each.change);
        EXPECT_EQ(quiz.asked()->right, each.right);
        EXPECT_EQ(quiz.asked()->choices[0], each.now);
        EXPECT_EQ(quiz.asked()->choices[1], launch.changes[each.change].what);
        EXPECT_NEAR(quiz.asked()->times, each.times, 1e-9);
        EXPECT_FALSE(quiz.may_show(each.change));
        quiz.next();
        EXPECT_TRUE(quiz.asked()) << "not before the answer";
        quiz.choose(each.choose);
        quiz.choose(each.right);  // too late
        EXPECT_TRUE(quiz.may_show(each.change));
        EXPECT_FALSE(quiz.may_show(0));
        quiz.next();
    }
    quiz.follow(launch, padded(0), true);
    EXPECT_TRUE(quiz.over());
    EXPECT_TRUE(quiz.may_show(0));
    EXPECT_EQ(quiz.right(), 2u);
    EXPECT_EQ(quiz.answered(), 3u);
}

TEST(TimeQuiz, AnotherLaunchIsAskedAboutAnewAndTheScoreStays) {
    EstimatedLaunch launch = launch_with_changes();
    TimeQuiz quiz;
    quiz.start();
    quiz.follow(launch, padded(0), false);
    quiz.choose(1);
    launch.title = "09";
    quiz.follow(launch, padded(0), false);
    ASSERT_TRUE(quiz.asked());
    EXPECT_EQ(quiz.asked()->change, 1u);
    EXPECT_FALSE(quiz.chosen());
    EXPECT_EQ(quiz.answered(), 1u);
    launch.changes.clear();
    launch.title = "10";
    quiz.follow(launch, padded(0), false);
    EXPECT_FALSE(quiz.over()) << "changes may still come";
    quiz.follow(launch, padded(0), true);
    EXPECT_TRUE(quiz.over());
}

}  // namespace
}  // namespace tilereel::time_quiz_test

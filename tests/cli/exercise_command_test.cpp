// `exercise` lists what ships with the learner's progress. The window that it opens is tested by
// exercise_frame_test.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/shell_command.h"

namespace tilereel::tests::exercise_command_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(ExerciseCommand, ListsTheExercisesWithTheProgress) {
    const ScratchFolder folder;
    std::filesystem::create_directories(folder / "state" / "tilereel");
    write_bytes(folder / "state" / "tilereel" / "exercises.json",
                R"({"coalescing": {"passed": true}, "tiling": {"passed": false}})");
    const Ended listed = shell("XDG_STATE_HOME=\"$PWD/state\" tilereel exercise", folder.path());
    EXPECT_EQ(listed.exit_code, 0) << listed.err;
    EXPECT_THAT(listed.out, HasSubstr("(passed)"));
    EXPECT_THAT(listed.out, HasSubstr("(begun)"));
    const Ended fresh = shell("XDG_STATE_HOME=\"$PWD/none\" tilereel exercise", folder.path());
    EXPECT_THAT(fresh.out, HasSubstr("coalescing: "));
    EXPECT_THAT(fresh.out, Not(HasSubstr("(")));
}

TEST(ExerciseCommand, AWrongNameSaysWhatToDo) {
    const Ended ended = shell("tilereel exercise nothing");
    EXPECT_EQ(ended.exit_code, 2);
    EXPECT_THAT(ended.err, HasSubstr("'tilereel exercise' lists those that ship"));
    EXPECT_EQ(shell("tilereel exercise --frames 3").exit_code, 2) << "no window opens";
}

}  // namespace
}  // namespace tilereel::tests::exercise_command_test

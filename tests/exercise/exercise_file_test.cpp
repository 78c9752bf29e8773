// The file of an exercise: what it may say, and the line of each mistake.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/exercise/harness.h"
#include "app/exercise/read_exercise.h"
#include "app/lesson/read_lesson.h"

namespace tilereel::exercise_file_test {
namespace {

using ::testing::HasSubstr;
using Role = ExerciseParameter::Role;

constexpr const char* kSound = R"toml(title = "Scale"
task = "Write it."
function = "void scale(const int* in, float* out, int n, unsigned threads)"
sizes = {n = "100 to 200", threads = "32 to 128 step 32"}
arrays = {in = "n", out = "2 * n"}
values = {in = "-3 to 3"}
reference = "out[0] = in[0];"
checks = ["out is right", "launches == 1"]
)toml";

ExerciseReading with(const std::string& from, const std::string& to) {
    std::string text = kSound;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    return exercise_of_text(text, "folder/scale.toml");
}

TEST(ExerciseFile, ASoundOneIsRead) {
    const ExerciseReading reading = exercise_of_text(kSound, "folder/scale.toml");
    ASSERT_TRUE(reading.mistakes.empty()) << reading.mistakes.front().sentence;
    const Exercise& exercise = reading.exercise;
    EXPECT_EQ(exercise.handed_out, "folder/scale.cu");
    EXPECT_EQ(exercise.function_name, "scale");
    ASSERT_EQ(exercise.parameters.size(), 4u);
    EXPECT_EQ(exercise.parameters[0].role, Role::kInput);
    EXPECT_EQ(exercise.parameters[0].from, -3);
    EXPECT_EQ(exercise.parameters[1].role, Role::kOutput);
    EXPECT_EQ(exercise.parameters[1].extent, "2 * n");
    EXPECT_EQ(exercise.parameters[3].type, "unsigned");
    EXPECT_EQ(exercise.parameters[3].step, 32);
    EXPECT_EQ(exercise.checks.size(), 2u);
}

TEST(ExerciseFile, EachThatShipsNamesALessonThatExplainsIt) {
    const auto files =
        exercises_in(std::filesystem::path(TILEREEL_SOURCE_DIR) / "assets/exercises");
    EXPECT_GE(files.size(), 15u);
    for (const std::filesystem::path& file : files) {
        const ExerciseReading exercise = read_exercise(file);
        EXPECT_TRUE(exercise.mistakes.empty()) << file;
        ASSERT_FALSE(exercise.exercise.lesson.empty()) << file;
        const LessonReading lesson = read_lesson(exercise.exercise.lesson);
        EXPECT_TRUE(lesson.mistakes.empty()) << file;
        EXPECT_FALSE(lesson.lesson.title.empty()) << file;
    }
}

TEST(ExerciseFile, EachMistakeHasItsLine) {
    struct Case {
        const char *from, *to;
        int line;
        const char* says;
    };
    for (const Case& each : {
             Case{"title = \"Scale\"", "titel = \"Scale\"", 1, "no title"},
             Case{"void scale(const int*", "float scale(const int*", 3, "write the function as"},
             Case{"unsigned threads", "dim3 threads", 3, "write the function as"},
             Case{"100 to 200", "200 to 100", 4, "the size n"},
             Case{"100 to 200", "0 to 9", 4, "from 1 on"},
             Case{"n = \"100 to 200\", ", "", 4, "sizes lacks n"},
             Case{"{in = \"n\", ", "{in = \"n\", inn = \"n\", ", 5, "\"inn\" is no key"},
             Case{"-3 to 3", "small", 6, "the values of in"},
             Case{"reference = \"out[0] = in[0];\"", "reference = \" \"", 7, "no reference"},
             Case{"\"launches == 1\"", "\"launches = 1\"", 8, "is no check"},
             Case{"\"out is right\", ", "", 8, "nothing checks out"},
             Case{"checks = [\"out is right\", \"launches == 1\"]", "checks = []", 8, "no checks"},
             Case{"checks", "tolerance = 2\nchecks", 8, "tolerance"},
             Case{"checks", "rung = \"09_tile\"\nchecks", 8, "there is no kernel"},
             Case{"checks", "lesson = \"coalesing\"\nchecks", 8,
                  "there is no lesson \"coalesing\""},
             Case{"checks", "hints = [3]\nchecks", 8, "hints must be"},
             Case{"task", "= task", 2, "no TOML"},
         }) {
        const ExerciseReading reading = with(each.from, each.to);
        const auto found = std::ranges::find_if(reading.mistakes, [&](const FileMistake& mistake) {
            return mistake.line == each.line &&
                   mistake.sentence.find(each.says) != std::string::npos;
        });
        EXPECT_NE(found, reading.mistakes.end())
            << each.says << " on line " << each.line
            << (reading.mistakes.empty() ? "" : ", but: " + reading.mistakes.front().sentence);
    }
}

TEST(ExerciseFile, AMissingFileIsNamed) {
    const ExerciseReading none = read_exercise("/nowhere/scale.toml");
    ASSERT_FALSE(none.mistakes.empty());
    EXPECT_THAT(none.mistakes.front().sentence, HasSubstr("/nowhere/scale.toml"));
}

// Sizes lie in their range and on their step, differ from run to run, and are the same for the same
// seed.
TEST(ExerciseFile, SizesAreDrawnFromTheSeed) {
    const Exercise exercise = exercise_of_text(kSound, "scale.toml").exercise;
    std::vector<double> drawn;
    for (unsigned run = 0; run < 200; ++run) {
        const NamedNumbers sizes = drawn_sizes(exercise, 7, run);
        EXPECT_EQ(sizes, drawn_sizes(exercise, 7, run));
        EXPECT_EQ(static_cast<int>(sizes.at("threads")) % 32, 0);
        drawn.push_back(sizes.at("n"));
    }
    std::ranges::sort(drawn);
    EXPECT_GE(drawn.front(), 100);
    EXPECT_LE(drawn.back(), 200);
    const auto same = std::ranges::unique(drawn);
    EXPECT_GT(drawn.size() - same.size(), 60u);  // of 101
    EXPECT_NE(drawn_sizes(exercise, 8, 0), drawn_sizes(exercise, 7, 0));
}

// Of 101 values from 100 on, the thirds begin at 100, 133 and 167: a kernel that is right for a
// part of the sizes is found with any seed.
TEST(ExerciseFile, ThreeRunsDrawFromEachThirdOfTheSizes) {
    const Exercise exercise = exercise_of_text(kSound, "scale.toml").exercise;
    std::set<std::vector<int>> orders;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        std::vector<int> thirds;
        for (unsigned run = 0; run < 3; ++run) {
            const double n = drawn_sizes(exercise, seed, run).at("n");
            thirds.push_back(n < 133 ? 0 : n < 167 ? 1 : 2);
        }
        orders.insert(thirds);
        std::ranges::sort(thirds);
        ASSERT_EQ(thirds, (std::vector<int>{0, 1, 2})) << seed;
    }
    EXPECT_EQ(orders.size(), 6u);
}

}  // namespace
}  // namespace tilereel::exercise_file_test

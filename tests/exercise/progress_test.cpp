// What a learner has done is kept, and a damaged or hostile file does no harm.
#include "app/exercise/progress.h"

#include <gtest/gtest.h>

#include "app/lesson/shipped.h"
#include "tests/trace/scratch_folder.h"

namespace tilereel::tests::progress_test {
namespace {

TEST(ExerciseProgress, WhatIsWrittenIsReadAgain) {
    const ScratchFolder folder;
    const std::filesystem::path file = folder / "deep" / "exercises.json";
    const ExerciseProgress written = {
        {"coalescing", {.passed = true, .hints = 2, .copy = "/home/me/caf\xc3\xa9 \"1\".cu"}},
        {"tiling", {.passed = false, .hints = 0, .copy = {}}}};
    ASSERT_TRUE(write_exercise_progress(written, file));
    EXPECT_EQ(read_exercise_progress(file), written);
}

// A lecturer's own exercise may have the name of one that ships.
TEST(ExerciseProgress, NamesTellExercisesApart) {
    EXPECT_EQ(progress_name(shipped_folder("exercises") / "tiling.toml"), "tiling");
    EXPECT_EQ(progress_name("/course/week3/../tiling.toml"), "/course/tiling.toml");
}

TEST(ExerciseProgress, ADamagedFileIsReadAsFarAsItMakesSense) {
    const ScratchFolder folder;
    const std::filesystem::path file = folder / "exercises.json";
    EXPECT_TRUE(read_exercise_progress(file).empty());
    EXPECT_TRUE(read_exercise_progress(folder.path()).empty()) << "a folder";
    for (const char* const text : {"", "{", "[1]", "3", "{\"tiling\": 3}", "{\"tiling\": [{}]}"}) {
        write_bytes(file, text);
        EXPECT_TRUE(read_exercise_progress(file).empty()) << text;
    }
    for (const char* const record :
         {"\"passed\": 1", "\"passed\": \"true\"", "\"hints\": -1", "\"hints\": 1e300",
          "\"hints\": 123456789012345678901234567890", "\"hints\": 101", "\"copy\": 7",
          "\"copy\": \"relative.cu\"", "\"copy\": \"../../etc/passwd\"",
          "\"copy\": \"/a\\u0000/b\""}) {
        write_bytes(file, std::string("{\"tiling\": {") + record + "}}");
        const ExerciseProgress read = read_exercise_progress(file);
        ASSERT_EQ(read.size(), 1u) << record;
        EXPECT_EQ(read.begin()->second, ExerciseRecord{}) << record;
    }
    std::string many = "{";
    for (int i = 0; i < 20'000; ++i) many += "\"" + std::to_string(i) + "\": {\"passed\": true}, ";
    write_bytes(file, many + "\"x\": {}}");
    EXPECT_LE(read_exercise_progress(file).size(), 1000u);
    write_bytes(file, "{\"a\": \"" + std::string(3 << 20, 'x') + "\"}");
    EXPECT_TRUE(read_exercise_progress(file).empty());
    write_bytes(file, std::string(100'000, '['));
    EXPECT_TRUE(read_exercise_progress(file).empty());
}

}  // namespace
}  // namespace tilereel::tests::progress_test

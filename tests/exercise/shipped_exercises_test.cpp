// The exercises that ship: what is handed out fails for the stated reason, a solution passes, and
// wrong solutions get the right sentence. Sentences are facts of each kernel's text: which line
// makes the mistake, and how many sectors or conflicts its indices give.
#include <gmock/gmock.h>

#include <map>

#include "tests/exercise/graded.h"

namespace tilereel::shipped_exercises_test {
namespace {

using ::testing::HasSubstr;

// What the check says of the file that is handed out.
const std::map<std::string, std::string>& stated_reasons() {
    static const std::map<std::string, std::string> reasons = {
        {"first_kernel", "out[128] is never stored"},
        {"coalescing", "global_load.sectors is"},
        {"broken_index", "stored on line 13,"},
        {"tiling", "should be at most"},
        {"first_barrier", "__syncthreads()"},
        {"second_barrier", "__syncthreads()"},
        {"edges", "is never stored"},
        {"padding", "shared.bank_conflicts is"},
        {"swizzle", "shared.bank_conflicts is"},
        {"transpose", "global_store.sectors is"},
        {"reduction", "lanes on is"},
        {"histogram", "global_atomic.accesses is"},
        {"vector_loads", "global_load.requests is"},
        {"stencil", "global_load.requests is"},
        {"register_tiles", "shared_load.requests is"},
        {"double_buffering", "barriers is"},
        {"tensor_cores", "matrix_products is 0"},
    };
    return reasons;
}

std::vector<std::string> shipped_names() {
    std::vector<std::string> names;
    for (const auto& file : exercises_in(shipped_exercises()))
        names.push_back(file.stem().string());
    return names;
}

TEST(ShippedExercises, WhatIsHandedOutFailsForTheStatedReason) {
    std::vector<GradeRequest> requests;
    for (const std::string& name : shipped_names())
        requests.push_back(grade_request(shipped_exercises() / (name + ".cu"), name));
    const std::vector<Result<Grade>> grades = grade_all(requests);
    for (std::size_t i = 0; i < grades.size(); ++i) {
        const std::string name = requests[i].submission.stem().string();
        ASSERT_TRUE(grades[i]) << name << ": " << grades[i].error().message;
        EXPECT_FALSE(grades[i]->all_passed()) << name;
        EXPECT_EQ(grades[i]->points(), 0) << name;
        EXPECT_GT(grades[i]->most_points(), 0) << name;
        ASSERT_TRUE(stated_reasons().contains(name)) << name;
        EXPECT_THAT(words_of(*grades[i]), HasSubstr(stated_reasons().at(name))) << name;
    }
}

TEST(ShippedExercises, ASolutionPasses) {
    std::vector<GradeRequest> requests;
    const std::vector<std::filesystem::path> files = cuda_files_in("solutions");
    std::vector<std::string> names;
    for (const auto& file : files) {
        requests.push_back(grade_request(file, file.stem().string()));
        names.push_back(file.stem().string());
    }
    std::vector<std::string> shipped = shipped_names();
    std::ranges::sort(shipped);
    EXPECT_EQ(names, shipped);
    const std::vector<Result<Grade>> grades = grade_all(requests);
    for (std::size_t i = 0; i < grades.size(); ++i) {
        ASSERT_TRUE(grades[i]) << names[i] << ": " << grades[i].error().message;
        EXPECT_TRUE(grades[i]->all_passed()) << names[i] << "\n" << words_of(*grades[i]);
        EXPECT_EQ(grades[i]->points(), grades[i]->most_points()) << names[i];
        EXPECT_GT(grades[i]->points(), 0) << names[i];
    }
}

// Kernels that compute something else or have a race, and kernels that cost too much.
std::vector<GradeRequest> wrong_solutions() {
    std::vector<GradeRequest> requests;
    for (const char* const folder : {"wrong/costs", "wrong/mistakes"})
        for (const auto& file : cuda_files_in(folder))
            requests.push_back(grade_request(file, noted(file, "exercise")));
    EXPECT_GE(requests.size(), 2 * shipped_names().size());
    return requests;
}

void expect_their_sentences(const std::vector<GradeRequest>& requests) {
    const std::vector<Result<Grade>> grades = grade_all(requests);
    for (std::size_t i = 0; i < grades.size(); ++i) {
        const std::filesystem::path& file = requests[i].submission;
        ASSERT_TRUE(grades[i]) << file << grades[i].error().message;
        EXPECT_FALSE(grades[i]->all_passed()) << file;
        EXPECT_THAT(words_of(*grades[i]), HasSubstr(noted(file, "says"))) << file;
    }
}

TEST(ShippedExercises, AWrongSolutionGetsTheRightSentence) {
    std::vector<GradeRequest> first;  // of each exercise
    for (GradeRequest& each : wrong_solutions())
        if (std::ranges::none_of(first, [&](const GradeRequest& other) {
                return other.exercise->file == each.exercise->file;
            }))
            first.push_back(std::move(each));
    EXPECT_EQ(first.size(), shipped_names().size());
    expect_their_sentences(first);
}

// On request, because each compilation takes a second: ctest -C all -L oracle-all.
TEST(ShippedExercises, DISABLED_EachWrongSolutionGetsTheRightSentence) {
    expect_their_sentences(wrong_solutions());
}

}  // namespace
}  // namespace tilereel::shipped_exercises_test

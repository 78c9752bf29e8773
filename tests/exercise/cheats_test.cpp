// Submissions that cheat: none passes, and each gets the sentence that says why.
#include <gmock/gmock.h>

#include <set>
#include <sstream>

#include "tests/exercise/graded.h"

namespace tilereel::cheats_test {
namespace {

using ::testing::HasSubstr;

std::set<std::uint32_t> lines_with_cheats(const std::filesystem::path& file) {
    std::set<std::uint32_t> lines;
    std::istringstream text(text_of_file(file));
    std::uint32_t number = 0;
    for (std::string line; std::getline(text, line);) {
        ++number;
        if (line.ends_with("// cheat")) lines.insert(number);
    }
    return lines;
}

// One compilation shows what is refused of each function.
TEST(Cheats, EachLineThatCouldReachTheRecorderIsRefused) {
    std::vector<GradeRequest> requests;
    for (const auto& file : cuda_files_in("cheats"))
        requests.push_back(grade_request(file, "first_kernel"));
    const std::vector<Result<Grade>> grades = grade_all(requests);
    std::size_t count = 0;
    for (std::size_t i = 0; i < grades.size(); ++i) {
        const std::filesystem::path& file = requests[i].submission;
        ASSERT_TRUE(grades[i]) << file << grades[i].error().message;
        std::set<std::uint32_t> refused;
        for (const Refusal& each : grades[i]->refusals) refused.insert(each.line);
        EXPECT_EQ(refused, lines_with_cheats(file)) << file << "\n" << words_of(*grades[i]);
        EXPECT_EQ(grades[i]->passed(), 0u);
        count += refused.size();
    }
    EXPECT_GE(count, 30u);
}

TEST(Cheats, EachThatRunsFailsWithItsSentence) {
    std::vector<GradeRequest> requests;
    for (const auto& file : cuda_files_in("cheats/ran"))
        requests.push_back(grade_request(file, noted(file, "exercise")));
    const std::vector<Result<Grade>> grades = grade_all(requests);
    for (std::size_t i = 0; i < grades.size(); ++i) {
        const std::filesystem::path& file = requests[i].submission;
        ASSERT_TRUE(grades[i]) << file << grades[i].error().message;
        EXPECT_FALSE(grades[i]->all_passed()) << file;
        EXPECT_THAT(words_of(*grades[i]), HasSubstr(noted(file, "says"))) << file;
    }
}

}  // namespace
}  // namespace tilereel::cheats_test

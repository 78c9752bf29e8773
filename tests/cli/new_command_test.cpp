// `new`: the program that it writes does what the kernel of the ladder does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "kernels/catalog.h"
#include "kernels/openings.h"
#include "tests/cli/shell_command.h"

namespace tilereel::tests::new_command_test {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;
using ::testing::Not;

class NewCommand : public ::testing::Test {
  protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() /
                  ("tilereel-new-test-" + std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    [[nodiscard]] std::string file(const std::string& name) const { return folder_ / name; }
    static Json report(const std::string& subject) {
        const Ended ended = shell("tilereel report " + subject + " --json");
        EXPECT_EQ(ended.exit_code, 0) << ended.err;
        return Json::parse(ended.out, nullptr, false);
    }

    std::filesystem::path folder_;
};

TEST_F(NewCommand, ItsCountsAreThoseOfTheLadder) {
    for (const std::string launch :
         {"08_tiled_b_transposed --tile 16 --pad 1 --m 32 --n 48 --k 64",
          "16_vectorized --tile 32 --m 64 --n 64 --k 32", "22_mma_ldmatrix --tile 64"}) {
        const std::string path = file(launch.substr(0, launch.find(' ')) + ".cu");
        const std::string kernel = launch.substr(0, launch.find(' '));
        const Ended written =
            shell("tilereel new " + path + " --from " + kernel + launch.substr(kernel.size()));
        ASSERT_EQ(written.exit_code, 0) << written.err;
        const Json own = report(path), rung = report(launch);
        ASSERT_FALSE(own["launches"].empty()) << launch;
        const Json& first = own["launches"][0]["report"];
        ASSERT_GT(first["totals"]["multiply_adds"], 0) << launch;
        EXPECT_EQ(first["totals"], rung["totals"]) << launch;
        EXPECT_EQ(first["product"]["wrong_elements"], 0) << launch;
        EXPECT_THAT(own.dump(), HasSubstr("C is right")) << launch;
    }
}

TEST_F(NewCommand, AFileThatIsThereStays) {
    const std::string path = file("multiply.cu");
    std::ofstream(path) << "my work";
    const Ended refused = shell("tilereel new " + path + " --from 09_tiled");
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("--force replaces it"));
    std::string kept;
    std::getline(std::ifstream(path), kept);
    EXPECT_EQ(kept, "my work");
    EXPECT_EQ(shell("tilereel new " + path + " --from 09_tiled --force").exit_code, 0);
}

// TILE is the usual one where the kernel has it, else that with which the kernel opens.
TEST_F(NewCommand, WithSizesAloneEachKernelHasATile) {
    int written = 0;
    for (const KernelOpening& opening : openings()) {
        if (find_kernel(opening.kernel)->on_cpu) continue;
        const Ended ended = shell("tilereel new " + file("a.cu") + " --force --from " +
                                  std::string(opening.kernel) + " --m 256 --n 256 --k 256");
        EXPECT_THAT(ended.err, Not(HasSubstr("TILE is"))) << opening.kernel;
        written += ended.exit_code == 0;
    }
    EXPECT_EQ(written, 21) << "all of 25 but three with K = TILE and one with a single block";
}

TEST_F(NewCommand, WrongCallsGetASentenceAndWriteNothing) {
    const auto refused = [&](const std::string& arguments) {
        const Ended ended = shell("tilereel new " + arguments);
        EXPECT_EQ(ended.exit_code, 2) << arguments;
        return ended.err;
    };
    EXPECT_THAT(refused(file("a.txt") + " --from 09_tiled"), HasSubstr("does not end in .cu"));
    EXPECT_THAT(refused(file("a.cu") + " --from cpu_tiled"), HasSubstr("runs on the CPU"));
    EXPECT_THAT(refused(file("a.cu") + " --from 09_tiled --m 65"), HasSubstr("multiple"));
    EXPECT_THAT(refused(file("a.cu") + " --from 99_none"), HasSubstr("99_none"));
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

}  // namespace
}  // namespace tilereel::tests::new_command_test

// Which programs run in a sandbox, what is said of it, and that the list of trusted folders is read
// as a hostile file is.
#include "app/subject/trust.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "app/subject/program_launch.h"
#include "instrumentation/program/stranger.h"
#include "tests/trace/scratch_folder.h"

namespace tilereel::tests::trust_test {
namespace {

using ::testing::HasSubstr;

// A state folder of the test's own.
class Trust : public ::testing::Test {
  protected:
    void SetUp() override { setenv("XDG_STATE_HOME", state_.path().c_str(), 1); }
    void TearDown() override { unsetenv("XDG_STATE_HOME"); }
    // An empty CUDA file in a folder of this name.
    [[nodiscard]] std::filesystem::path program_in(const std::string& folder) const {
        std::filesystem::create_directories(work_ / folder);
        write_bytes(work_ / folder / "program.cu", "");
        return work_ / folder / "program.cu";
    }
    void write_list(const std::string& text) const {
        std::filesystem::create_directories(state_ / "tilereel");
        write_bytes(state_ / "tilereel" / "trusted.json", text);
    }

    ScratchFolder state_, work_;
};

TEST_F(Trust, AProgramIsAStrangersUntilItsFolderIsTrusted) {
    const bool has_sandbox = program::why_no_sandbox().empty();
    const std::filesystem::path mine = program_in("mine"), other = program_in("other");
    EXPECT_EQ(program_request({.file = mine}).in_sandbox, has_sandbox);
    ASSERT_TRUE(trust_folder_of(mine));
    EXPECT_FALSE(program_request({.file = mine}).in_sandbox);
    EXPECT_EQ(program_request({.file = other}).in_sandbox, has_sandbox);
    ASSERT_TRUE(trust_folder_of(other));
    EXPECT_TRUE(is_trusted(mine) && is_trusted(other));
}

// A folder is trusted alone: not those in it, above it, or with a name that begins alike.
TEST_F(Trust, IsOfOneFolder) {
    ASSERT_TRUE(trust_folder_of(program_in("a/mine")));
    for (const char* const other : {"a", "a/mine/deeper", "a/mine2"})
        EXPECT_FALSE(is_trusted(program_in(other))) << other;
    EXPECT_TRUE(is_trusted(work_ / "a" / "mine" / ".." / "mine" / "another.cu"));
}

// The real folder counts: a link into a trusted one does not make its own folder trusted.
TEST_F(Trust, FollowsLinks) {
    const std::filesystem::path mine = program_in("mine"), theirs = program_in("theirs");
    ASSERT_TRUE(trust_folder_of(mine));
    std::filesystem::create_directory_symlink(work_ / "mine", work_ / "link");
    EXPECT_TRUE(is_trusted(work_ / "link" / "program.cu"));
    std::filesystem::create_symlink(theirs, work_ / "mine" / "linked.cu");
    EXPECT_FALSE(is_trusted(work_ / "mine" / "linked.cu"));
}

TEST_F(Trust, ADamagedListTrustsNothing) {
    const std::filesystem::path mine = program_in("mine");
    const std::string folder = mine.parent_path().string();
    for (const std::string& text :
         {std::string(), std::string("{"), std::string("[\"" + folder + "\"]"),
          "{\"folders\": \"" + folder + "\"}",
          "{\"folders\": [[\"" + folder + "\"], 3, \"/\", \"\"]}",
          "{\"folders\": {\"" + folder + "\": true}}", std::string(100'000, '['),
          "{\"folders\": [\"" + folder + "\"], \"x\": \"" + std::string(2 << 20, 'x') + "\"}"}) {
        write_list(text);
        EXPECT_FALSE(is_trusted(mine)) << text.substr(0, 60);
    }
    // It is replaced, not added to.
    ASSERT_TRUE(trust_folder_of(mine));
    EXPECT_TRUE(is_trusted(mine));
}

TEST_F(Trust, AFolderThatCannotBeWrittenIsAnError) {
    write_bytes(state_ / "tilereel", "a file in the place of the folder");
    const Status kept = trust_folder_of(program_in("mine"));
    ASSERT_FALSE(kept);
    EXPECT_THAT(kept.error().message, HasSubstr("cannot be made"));
    unsetenv("XDG_STATE_HOME");
    const char* const home = std::getenv("HOME");
    const std::string before = home != nullptr ? home : "";
    unsetenv("HOME");
    EXPECT_FALSE(trust_folder_of(program_in("mine")));
    EXPECT_FALSE(is_trusted(program_in("mine")));
    if (home != nullptr) setenv("HOME", before.c_str(), 1);
}

TEST_F(Trust, AProgramThatFailsInASandboxSaysWhatItHad) {
    program::ProgramRequest request;
    program::ProgramRun run;
    request.in_sandbox = true;
    EXPECT_EQ(sandbox_hint(request, run), "");
    run.output = "cannot open input.csv: No such file or directory\n";
    EXPECT_THAT(sandbox_hint(request, run), HasSubstr("in a sandbox"));
    request.in_sandbox = false;
    EXPECT_EQ(sandbox_hint(request, run), "");
    request.in_sandbox = true;
    run.output = {};
    run.exit_code = 1;
    EXPECT_THAT(sandbox_hint(request, run), HasSubstr("in a sandbox"));
    run.end = program::ProgramEnd::kTimeLimit;
    EXPECT_EQ(sandbox_hint(request, run), "") << "a limit is no matter of the sandbox";
    run.end = program::ProgramEnd::kSignal;
    EXPECT_THAT(sandbox_hint(request, run), HasSubstr("in a sandbox"));
    run.compile_errors.emplace_back();
    EXPECT_EQ(sandbox_hint(request, run), "");
}

// Where there is no sandbox a user is told once.
TEST_F(Trust, TheNoticeComesOnce) {
    const bool has_sandbox = program::why_no_sandbox().empty();
    const std::string first = sandbox_notice();
    EXPECT_EQ(first.empty(), has_sandbox) << first;
    EXPECT_EQ(sandbox_notice(), "");
}

}  // namespace
}  // namespace tilereel::tests::trust_test

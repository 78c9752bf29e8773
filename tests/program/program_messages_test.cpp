// The messages of a program are checked as a stranger's. The expected values are the rules in
// program_messages.h.
#include "instrumentation/program/program_messages.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>

namespace tilereel::program::program_messages_test {
namespace {

namespace fs = std::filesystem;

class Messages : public testing::Test {
  protected:
    Messages() {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
        fs::create_directories(folder_);
        run_.folder = std::make_shared<const fs::path>(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }
    // A launch of 6 blocks, with other fields besides.
    static std::string launch(const std::string& number, const std::string& fields = "") {
        return R"({"kind":"launch","number":)" + number +
               R"(,"kernel":"k","file":"a.cu","line":3,"grid":[3,2,1],"block":[32,1,1],)"
               R"("shared":0)" +
               fields + "}";
    }
    // How many lines were left out.
    std::string left_out() {
        messages_.tell_unsound();
        if (run_.findings.empty()) return "0";
        const std::string what = run_.findings.back().what;
        return what.substr(0, what.find(' '));
    }

    const fs::path folder_ =
        fs::path(testing::TempDir()) / ("program_messages_test-" + std::to_string(getpid()));
    const ProgramRequest request_;
    ProgramRun run_;
    ProgramProgress progress_;
    ProgramMessages messages_{request_, run_, &progress_};
};

TEST_F(Messages, FunctionsThatRanOnTheHostHaveNames) {
    messages_.hear(R"({"kind":"on_host","name":"cub::DeviceReduce::Sum"})");
    messages_.hear(R"({"kind":"on_host","name":"\u001b[2J"})");
    messages_.hear(R"({"kind":"on_host","name":""})");
    EXPECT_EQ(run_.on_host, std::vector<std::string>{"cub::DeviceReduce::Sum"});
    EXPECT_EQ(left_out(), "2");
}

TEST_F(Messages, OfTheRecorderAreKept) {
    std::ofstream(folder_ / "0.npz") << "trace";
    messages_.hear(launch("0", R"(,"chosen":[0,5],"cut":[5],"recorded":2,"trace":")" +
                                   (folder_ / "0.npz").string() + "\""));
    messages_.hear(R"({"kind":"launch_finding","number":0,"what":"It reads.","line":3})");
    messages_.hear(R"({"kind":"left_out","number":0,"blocks":4,"seconds":40})");
    ASSERT_EQ(run_.launches.size(), 1u);
    EXPECT_EQ(run_.launches[0].chosen_blocks, (std::vector<std::uint32_t>{0, 5}));
    EXPECT_EQ(run_.launches[0].cut_blocks, std::vector<std::uint32_t>{5});
    EXPECT_EQ(run_.launches[0].trace, folder_ / "0.npz");
    EXPECT_EQ(run_.launches[0].findings.size(), 1u);
    EXPECT_EQ(run_.launches[0].left_out_blocks, 4u);
    EXPECT_EQ(progress_.stage().launches.size(), 1u);
    EXPECT_EQ(left_out(), "0");
}

TEST_F(Messages, NumbersThatTheRecorderDoesNotWriteAreLeftOut) {
    for (const char* const number : {"-1", "1e300", "4294967296", "0.5", "\"1\"", "null", "[]"})
        messages_.hear(launch(number));
    for (const char* const fields :
         {R"(,"recorded":7)", R"(,"chosen":[6])", R"(,"chosen":[2,1])", R"(,"chosen":[1,1])",
          R"(,"chosen":[-1])", R"(,"chosen":3)", R"(,"cut":[4294967296])", R"(,"accesses":-1)"})
        messages_.hear(launch("1", fields));
    messages_.hear(R"({"kind":"progress","done":9,"of":8})");
    messages_.hear(R"({"kind":"progress","done":-1,"of":8})");
    EXPECT_TRUE(run_.launches.empty());
    EXPECT_EQ(left_out(), "17");
}

TEST_F(Messages, LaunchesThatAreRepeatedOrUnknownAreLeftOut) {
    messages_.hear(launch("4"));
    messages_.hear(launch("4"));
    messages_.hear(launch("3"));
    messages_.hear(R"({"kind":"launch_finding","number":3,"what":"It reads."})");
    messages_.hear(R"({"kind":"left_out","number":5,"blocks":1,"seconds":40})");
    messages_.hear(R"({"kind":"left_out","number":4,"blocks":7,"seconds":40})");
    messages_.hear("no JSON");
    EXPECT_EQ(run_.launches.size(), 1u);
    EXPECT_EQ(left_out(), "6");
}

// A file elsewhere, a link, a file with a second name, and a way out of the folder.
TEST_F(Messages, ATraceIsAFileOfTheRun) {
    const fs::path other = folder_ / "other";
    fs::create_directory(other);
    std::ofstream(other / "a.npz") << "trace";
    fs::create_symlink(other / "a.npz", folder_ / "link.npz");
    fs::create_hard_link(other / "a.npz", folder_ / "second.npz");
    int number = 0;
    for (const fs::path& path :
         {fs::path("/etc/passwd"), folder_ / "link.npz", folder_ / "second.npz", other / "a.npz",
          folder_ / "other/../0.npz", folder_, folder_ / "other"})
        messages_.hear(launch(std::to_string(number++), R"(,"trace":")" + path.string() + "\""));
    ASSERT_EQ(run_.launches.size(), 7u);
    for (const LaunchSummary& each : run_.launches) {
        EXPECT_EQ(each.trace, "") << each.number;
        EXPECT_EQ(each.reason, kReplacedTrace);
    }
}

}  // namespace
}  // namespace tilereel::program::program_messages_test

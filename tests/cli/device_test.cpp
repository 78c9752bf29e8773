// The option --device, and how commands report an incomplete recording, for which the GPU had too
// little memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "app/ladder/ladder.h"
#include "instrumentation/trace/file/trace_file.h"
#include "kernels/catalog.h"
#include "tests/cli/shell_command.h"

namespace tilereel::tests::device_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kSmall = " 09_tiled --m 16 --n 16 --k 16 --tile 8";

// Whether a GPU works here: a command that asks for one succeeds.
bool there_is_a_gpu() {
    return shell("tilereel trace" + kSmall + " --device gpu -o t.npz").exit_code == 0;
}

TEST(Device, WithoutAGpuAskingForOneFailsWithASentence) {
    if (there_is_a_gpu()) GTEST_SKIP() << "there is a GPU";
    for (const std::string& command :
         {"trace" + kSmall + " -o t.npz", "report" + kSmall, "export" + kSmall + " --png t.png"}) {
        const Ended ended = shell("tilereel " + command + " --device gpu; code=$?; ls; exit $code");
        EXPECT_EQ(ended.exit_code, 1) << command << ended.err;
        EXPECT_EQ(ended.out, "") << command;
        EXPECT_THAT(ended.err, HasSubstr("use the CPU")) << command;
        EXPECT_EQ(std::ranges::count(ended.err, '\n'), 1) << ended.err;
    }
}

TEST(Device, WithoutAGpuAutoUsesTheCpuAndSaysSo) {
    if (there_is_a_gpu()) GTEST_SKIP() << "there is a GPU";
    const Ended plain = shell("tilereel report" + kSmall + " --json");
    const Ended ended = shell("tilereel report" + kSmall + " --json --device auto");
    EXPECT_EQ(ended.exit_code, 0);
    EXPECT_EQ(ended.out, plain.out);
    EXPECT_THAT(ended.err, StartsWith("tilereel: recorded without a GPU: "));
    EXPECT_EQ(shell("tilereel report" + kSmall + " --device cpu").err, "");
}

TEST(Device, AKernelWithoutABarrierIsRecordedOnTheCpu) {
    const int line = find_kernel("09_tiled")->barriers.front().line;
    const Ended ended = shell("tilereel report" + kSmall + " --device gpu --without-barrier " +
                              std::to_string(line));
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
    EXPECT_THAT(ended.err, HasSubstr("without one of its barriers"));
}

TEST(Device, WrongValuesAreWrongCalls) {
    EXPECT_EQ(shell("tilereel report 09_tiled --device tpu").exit_code, 2);
    EXPECT_THAT(shell("tilereel report 09_tiled --device tpu").err,
                HasSubstr("--device takes gpu, cpu or auto"));
    const Ended file =
        shell("tilereel trace" + kSmall + " -o t.npz >t.txt && tilereel report t.npz --device cpu");
    EXPECT_EQ(file.exit_code, 2);
}

class Incomplete : public ::testing::Test {
  protected:
    void SetUp() override {
        RecordRequest request;
        request.parameters = {.m = 16, .n = 16, .k = 16, .tile = 8, .pad = 0};
        Trace trace = record_built_in(request).value();
        ASSERT_TRUE(write_trace(trace, folder_ / "whole.npz"));
        trace.complete = false;
        ASSERT_TRUE(write_trace(trace, folder_ / "cut.npz"));
    }
    ScratchFolder folder_;
};

TEST_F(Incomplete, EveryCommandSaysSo) {
    for (const std::string command : {"check", "report", "report --phases"}) {
        const Ended cut = shell("tilereel " + command + " cut.npz", folder_.path());
        EXPECT_EQ(cut.exit_code, 0) << cut.err;
        EXPECT_THAT(cut.out, HasSubstr("Incomplete: the recording was cut off")) << command;
        const Ended json = shell("tilereel " + command + " cut.npz --json", folder_.path());
        EXPECT_THAT(json.out, HasSubstr("\"complete\": false")) << command;
        const Ended whole = shell("tilereel " + command + " whole.npz", folder_.path());
        EXPECT_EQ(whole.out.find("ncomplete"), std::string::npos) << command;
    }
}

TEST_F(Incomplete, TheReportSaysWhereTheWarpsWere) {
    Trace trace = read_trace(folder_ / "cut.npz").value();
    trace.warp_stops = {{1, 0, WarpStopKind::kInLoop, 20}, {1, 1, WarpStopKind::kNotBegun, 0}};
    ASSERT_TRUE(write_trace(trace, folder_ / "stopped.npz"));
    EXPECT_THAT(shell("tilereel report stopped.npz", folder_.path()).out,
                HasSubstr("  block 1,0, warp 0: in the loop, line 20; warp 1: not begun\n"));
    EXPECT_THAT(shell("tilereel report stopped.npz --json", folder_.path()).out,
                HasSubstr("\"state\": \"in the loop, line 20\""));
    EXPECT_EQ(
        shell("tilereel export stopped.npz --block 1,0 --html page.html", folder_.path()).exit_code,
        0);
    EXPECT_THAT(read_bytes(folder_ / "page.html"),
                HasSubstr("\"warpEnds\":[\"in the loop, line 20\",\"not begun\"]"));
    EXPECT_EQ(
        shell("tilereel export stopped.npz --block 0,0 --html page.html", folder_.path()).exit_code,
        0);
    EXPECT_THAT(read_bytes(folder_ / "page.html"), HasSubstr("\"warpEnds\":null"));
}

TEST_F(Incomplete, CheckDistinguishesADamagedFileFromACutOne) {
    std::string bytes = read_bytes(folder_ / "whole.npz");
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    write_bytes(folder_ / "damaged.npz", bytes);
    EXPECT_EQ(shell("tilereel check damaged.npz", folder_.path()).exit_code, 1);
    // A call that names no file is wrong, as in every subcommand.
    EXPECT_EQ(shell("tilereel check none.npz", folder_.path()).exit_code, 2);
    EXPECT_EQ(shell("tilereel check", folder_.path()).exit_code, 2);
    const Ended whole = shell("tilereel check whole.npz", folder_.path());
    EXPECT_EQ(whole.exit_code, 0);
    EXPECT_THAT(whole.out,
                StartsWith("whole.npz: sound: 09_tiled, recorded by g++ and the plugin, "));
}

}  // namespace
}  // namespace tilereel::tests::device_test

// `estimate`: what it prints, and its answers to wrong calls. How good estimates are is tested in
// tests/hardware.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "instrumentation/base/files/temporary_folder.h"
#include "instrumentation/base/files/text_file.h"
#include "instrumentation/program/gpu/nvcc_build.h"
#include "tests/cli/shell_command.h"

namespace tilereel::tests::estimate_command_test {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

Json json_of(const std::string& call) {
    const Ended ended = shell(call);
    EXPECT_EQ(ended.exit_code, 0) << call << ended.err;
    return Json::parse(ended.out, nullptr, false);
}
std::string wrong_call(const std::string& call) {
    const Ended ended = shell(call);
    EXPECT_EQ(ended.exit_code, 2) << call;
    EXPECT_EQ(ended.out, "") << call;
    return ended.err;
}

constexpr const char* kConflicts = "tilereel estimate 08_tiled_b_transposed --tile 32 --sizes 1024";

TEST(EstimateCommand, SaysThatItIsNoMeasurementAndWhatLimits) {
    const Ended text =
        shell("tilereel estimate 08_tiled_b_transposed --tile 32 --m 1024 --n 1024 --k 128");
    EXPECT_EQ(text.exit_code, 0) << text.err;
    EXPECT_THAT(text.out, StartsWith("08_tiled_b_transposed  M 1,024  N 1,024  K 128  TILE 32"));
    EXPECT_THAT(text.out, HasSubstr("Estimated, not measured: about "));
    EXPECT_THAT(text.out, HasSubstr("Limit: the memory pipe, "));
    EXPECT_THAT(text.out, HasSubstr("without bank conflicts"));
    EXPECT_THAT(text.out, HasSubstr("PAD 1"));
}

TEST(EstimateCommand, ItsJsonHasTheBandTheShareOfEachLineAndTheChanges) {
    const Json all = json_of(std::string(kConflicts) + " --json");
    EXPECT_EQ(all["gpu"], "H100");
    const Json& launch = all["launches"][0];
    EXPECT_EQ(launch["measured"], false);
    EXPECT_EQ(launch["kind"], "about");
    EXPECT_EQ(launch["limiter"], "memory pipe");
    EXPECT_LT(launch["low"], launch["seconds"]);
    EXPECT_LT(launch["seconds"], launch["high"]);
    const double seconds = launch["seconds"];
    EXPECT_NEAR(launch["gflops"], 2.0 * 1024 * 1024 * 1024 / seconds * 1e-9, 1);
    double shares = 0;
    for (const Json& line : launch["lines"]) shares += line["share"].get<double>();
    EXPECT_NEAR(shares, 1, 1e-6);
    // Nearly all of the memory pipe goes to the line with the 32-way conflicts, and a column of
    // padding makes the kernel several times as fast (raced: 5.5 times).
    EXPECT_GT(launch["lines"][0]["share"], 0.8);
    const auto change = [&](const std::string& what) {
        for (const Json& each : launch["what_if"])
            if (each["what"] == what) return seconds / each["seconds"].get<double>();
        ADD_FAILURE() << what;
        return 0.0;
    };
    EXPECT_GT(change("PAD 1"), 4);
    EXPECT_GT(change("without bank conflicts"), 3);
    EXPECT_NEAR(change("every access coalesced"), 1, 0.05);
}

TEST(EstimateCommand, ASmallLaunchIsSaidToBeSmall) {
    const Ended text = shell("tilereel estimate 09_tiled --m 64 --n 64 --k 64 --tile 16 --only");
    EXPECT_THAT(text.out, HasSubstr("Limit: the launch is small. 16 of 132 SMs have a block, and "
                                    "starting it takes about 2.0 us\n"));
}

TEST(EstimateCommand, OtherGpusGetABoundOnly) {
    const Json all = json_of("tilereel estimate 09_tiled --sizes 512,1024 --gpu rtx4090 --json");
    EXPECT_EQ(all["gpu"], "RTX 4090");
    ASSERT_EQ(all["launches"].size(), 2u);
    for (const Json& launch : all["launches"]) {
        EXPECT_EQ(launch["kind"], "at least");
        EXPECT_TRUE(launch["high"].is_null());
        EXPECT_THAT(launch["why"], HasSubstr("not checked on hardware"));
    }
}

TEST(EstimateCommand, TensorMemoryAcceleratorsAreNotModelled) {
    const Ended text = shell("tilereel estimate 24_wgmma --sizes 1024 --tile 64");
    EXPECT_EQ(text.exit_code, 0) << text.err;
    EXPECT_THAT(text.out, HasSubstr("Estimated, not measured: at least "));
    EXPECT_THAT(text.out, HasSubstr("A bound, because the time of "));
    EXPECT_THAT(text.out, Not(HasSubstr("about")));
}

// A program whose loop a compiler unrolls.
class EstimateTier : public testing::Test {
  protected:
    void SetUp() override {
        ASSERT_TRUE(write_text(file_.path() / "rows.cu", R"(
#include <cuda_runtime.h>
__global__ void rows(const float* x, float* y) {
    float sum = 0;
    for (int i = 0; i < 64; ++i) sum += x[i * 256 + threadIdx.x];
    y[blockIdx.x * 256 + threadIdx.x] = sum;
}
int main() {
    float *x, *y;
    cudaMalloc(&x, 64 * 256 * 4);
    cudaMalloc(&y, 64 * 256 * 4);
    rows<<<64, 256>>>(x, y);
    return cudaDeviceSynchronize();
}
)"));
    }
    [[nodiscard]] std::string call(const std::string& more) const {
        return "tilereel estimate " + (file_.path() / "rows.cu").string() + " --only --trust" +
               more;
    }
    TemporaryFolder file_ = TemporaryFolder::make().value();
};

TEST_F(EstimateTier, IsTheRecordingsByItself) {
    const Json launch = json_of(call(" --json"))["launches"][0];
    EXPECT_EQ(launch["tier"], "recording");
    EXPECT_FALSE(launch.contains("why_tier"));
}

// 8 warps of 64 blocks load 64 lines of 128 bytes: both tiers count the same requests.
TEST_F(EstimateTier, IsMachineCodeWhereThatIsAskedFor) {
    if (program::find_nvcc().empty()) GTEST_SKIP() << "there is no nvcc";
    const Json launch = json_of(call(" --tier machine --json"))["launches"][0];
    EXPECT_EQ(launch["tier"], "machine code") << launch;
    const Json recording = json_of(call(" --tier recording --json"))["launches"][0];
    const auto requests = [](const Json& of) {
        return of["pipes"]["memory pipe"].get<double>() * of["seconds"].get<double>();
    };
    EXPECT_NEAR(requests(launch) / requests(recording), 1, 0.1);
    const Ended text = shell(call(" --tier machine"));
    EXPECT_THAT(text.out, HasSubstr("with nvcc's machine code, not measured"));
}

TEST_F(EstimateTier, WithoutNvccASentenceSaysSo) {
    if (!program::find_nvcc().empty()) GTEST_SKIP() << "there is an nvcc";
    EXPECT_EQ(json_of(call(" --json"))["launches"][0]["tier"], "recording");
    EXPECT_THAT(shell(call(" --tier machine")).err, HasSubstr("there is no nvcc"));
}

TEST(EstimateCommand, WrongCallsGetASentence) {
    EXPECT_THAT(wrong_call("tilereel estimate 09_tiled --tier best"), HasSubstr("--tier takes"));
    EXPECT_THAT(wrong_call("tilereel estimate 09_tiled --tier machine"),
                HasSubstr("is for CUDA programs"));
    EXPECT_THAT(wrong_call("tilereel estimate 09_tiled --gpu h101"), HasSubstr("no such GPU"));
    EXPECT_THAT(wrong_call("tilereel estimate 09_tiled --sizes 1024,x"),
                HasSubstr("--sizes takes whole numbers"));
    EXPECT_THAT(wrong_call("tilereel estimate cpu_tiled --sizes 1024"),
                HasSubstr("runs on the CPU"));
    EXPECT_THAT(wrong_call("tilereel estimate 09_tiled --sizes 1000 --tile 16"),
                HasSubstr("multiple"));
    EXPECT_THAT(wrong_call("tilereel estimate no_such_kernel"), HasSubstr("no_such_kernel"));
}

}  // namespace
}  // namespace tilereel::tests::estimate_command_test

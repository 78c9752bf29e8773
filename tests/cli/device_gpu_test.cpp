// --device gpu in the subcommands, on a machine with a GPU.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/shell_command.h"

namespace tilereel::tests::device_gpu_test {
namespace {

TEST(DeviceGpu, TheReportOfAGpuEqualsTheCpus) {
    const std::string report = "tilereel report 09_tiled --m 16 --n 16 --k 16 --tile 8 --json";
    const Ended gpu = shell(report + " --device gpu");
    if (gpu.exit_code == 1 && gpu.err.find("use the CPU") != std::string::npos)
        GTEST_SKIP() << gpu.err;
    ASSERT_EQ(gpu.exit_code, 0) << gpu.err;
    const Ended cpu = shell(report + " --device cpu");
    EXPECT_EQ(nlohmann::json::parse(gpu.out)["totals"], nlohmann::json::parse(cpu.out)["totals"]);
}

}  // namespace
}  // namespace tilereel::tests::device_gpu_test

// Kernels of the ladder, recorded on this computer's GPU, against the CPU's recordings of the same
// CUDA files: every record with its lanes, addresses, values and sums. Skipped where there is
// no GPU.
#include "app/ladder/gpu_ladder.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <string>
#include <vector>

#include "app/ladder/ladder.h"
#include "instrumentation/program/program.h"
#include "kernels/catalog.h"
#include "tests/ladder/ladder_sizes.h"
#include "tests/ladder/same_ladder_trace.h"

namespace tilereel::gpu_ladder_test {
namespace {

// The accumulator of each multiply-add.
std::vector<std::uint32_t> accumulators_of(const Trace& trace) {
    std::vector<std::uint32_t> numbers;
    for (std::size_t i = 0; i < trace.records.size(); ++i)
        if (site_at(trace, i).operation == Operation::kMultiplyAdd)
            numbers.push_back(trace.records.base[i]);
    return numbers;
}

std::vector<std::uint32_t> lines_of(const Trace& trace) {
    std::set<std::uint32_t> lines;
    for (const tilereel::Site& site : trace.sites) lines.insert(site.line);
    return {lines.begin(), lines.end()};
}

void compare(std::string_view kernel, const KernelParameters& p) {
    SCOPED_TRACE(std::string(kernel) + " TILE " + std::to_string(p.tile) + " PAD " +
                 std::to_string(p.pad) + ", " + std::to_string(p.m) + " x " + std::to_string(p.n) +
                 " x " + std::to_string(p.k));
    RecordRequest request;
    request.kernel = kernel;
    request.parameters = p;
    const Result<Trace> gpu = record_ladder_on_gpu(request);
    const Result<Trace> cpu = record_built_in(request);
    ASSERT_TRUE(gpu) << gpu.error().message;
    ASSERT_TRUE(cpu) << cpu.error().message;
    EXPECT_EQ(gpu->recorded_by.recorder, "gpu");
    EXPECT_EQ(gpu->records.clock.size(), gpu->records.size());
    EXPECT_EQ(gpu->accumulators, cpu->accumulators);
    EXPECT_EQ(gpu->wrong_elements, 0u);
    EXPECT_EQ(lines_of(*gpu), lines_of(*cpu));
    EXPECT_EQ(accumulators_of(*gpu), accumulators_of(*cpu));
    expect_same_launch(*gpu, *cpu);
    expect_same_events(comparable_events(*gpu), comparable_events(*cpu));
    if (!testing::Test::HasFailure())
        std::printf("%s TILE %d PAD %d: %zu records equal\n", std::string(kernel).c_str(), p.tile,
                    p.pad, gpu->records.size());
}

TEST(GpuLadder, RecordsWhatTheCpuDoes) {
    if (!open_gpu()) GTEST_SKIP() << open_gpu().error().message;
    for (const KernelInfo& kernel : catalog()) {
        const int tile = kernel.tiles[kernel.tiles.size() / 2];
        KernelParameters p = parameters_for(kernel, tile, kernel.pads.back());
        // With more phases a lane starts copies in the loop, and on the CPU the others of its warp
        // go on to their next wait without it.
        if (kernel.id == "24_wgmma") p.k = 128;
        compare(kernel.id, p);
    }
}

TEST(GpuLadder, HasThePtxOfEveryVariant) {
    if (kEmbeddedPtxCount == 0) GTEST_SKIP() << "there was no nvcc when this was built";
    for (const KernelInfo& kernel : catalog())
        for (const int tile : kernel.tiles)
            for (const int pad : kernel.pads) {
                const KernelParameters p{.m = 1, .n = 1, .k = 1, .tile = tile, .pad = pad};
                std::atomic<bool> compiling = false;
                const Result<LadderPtx> ptx = ladder_ptx(kernel, p, 90, nullptr, &compiling);
                ASSERT_TRUE(ptx) << ptx.error().message;
                EXPECT_NE(ptx->symbol.find("rung_"), std::string::npos)
                    << kernel.id << " was compiled now";
                EXPECT_TRUE(ptx->facts.left_out.empty()) << kernel.id;
            }
}

TEST(GpuLadder, CompilesWhatIsNotBuiltIn) {
    if (!program::can_record_on_gpu()) GTEST_SKIP() << "there is no GPU, or no nvcc";
    compare("09_tiled", {.m = 26, .n = 39, .k = 13, .tile = 13, .pad = 3});
}

TEST(GpuLadder, SaysThatThereIsNoGpu) {
    if (open_gpu()) GTEST_SKIP() << "there is a GPU";
    const Result<Trace> trace = record_ladder_on_gpu({});
    ASSERT_FALSE(trace);
    EXPECT_EQ(trace.error().kind, ErrorKind::kFailed);
    EXPECT_FALSE(trace.error().message.empty());
}

// A test for each kernel, so that several processes can share them.
class EveryVariant : public testing::TestWithParam<std::string_view> {};

TEST_P(EveryVariant, DISABLED_RecordsWhatTheCpuDoes) {
    if (!open_gpu()) GTEST_SKIP() << open_gpu().error().message;
    const KernelInfo& kernel = *find_kernel(GetParam());
    for (const int tile : kernel.tiles)
        for (const int pad : kernel.pads) compare(kernel.id, parameters_for(kernel, tile, pad));
}

std::vector<std::string_view> every_kernel() {
    std::vector<std::string_view> ids;
    for (const KernelInfo& kernel : catalog()) ids.push_back(kernel.id);
    return ids;
}
INSTANTIATE_TEST_SUITE_P(GpuLadder, EveryVariant, testing::ValuesIn(every_kernel()),
                         [](const auto& kernel) { return "of_" + std::string(kernel.param); });

}  // namespace
}  // namespace tilereel::gpu_ladder_test

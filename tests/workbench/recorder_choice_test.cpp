// Who records: the CPU, a GPU, or a GPU that fails.
#include <gtest/gtest.h>

#include "instrumentation/plain/ladder.h"
#include "tests/record/device/fake_gpu.h"
#include "tests/workbench/bench.h"

namespace tilereel {
namespace {

// A workbench whose computer has such a GPU.
WorkbenchOptions with_gpu(OpenGpu open, bool on_worker = false) {
    WorkbenchOptions options = paused(request("09_tiled", 16, 8), on_worker);
    options.record = [open = std::move(open)](const RecordRequest& request,
                                              RecordProgress* progress, std::string* without_gpu) {
        return plain::record_ladder_on(open, request, progress, without_gpu);
    };
    return options;
}

Result<std::unique_ptr<Gpu>> working_gpu() {
    return std::unique_ptr<Gpu>(std::make_unique<testing::FakeGpu>());
}
Result<std::unique_ptr<Gpu>> no_gpu() { return failed("this computer has no GPU"); }
Result<std::unique_ptr<Gpu>> gpu_that_is_taken_away() {
    auto gpu = std::make_unique<testing::FakeGpu>();
    gpu->fails_at_call = 20;
    return std::unique_ptr<Gpu>(std::move(gpu));
}

TEST(RecorderChoice, AGpusTraceIsPlayedByItsClocks) {
    Workbench bench(with_gpu(working_gpu));
    EXPECT_EQ(bench.recording()->trace->recorded_by.recorder, "plain");
    EXPECT_EQ(bench.replay()->schedule().cycles_per_tick, 0u);
    const KernelCounts on_cpu = bench.recording()->counts;
    bench.apply(Command{SetRecorder{Recorder::kGpu}});
    EXPECT_EQ(bench.recording()->trace->recorded_by.recorder, "gpu");
    EXPECT_GT(bench.replay()->schedule().cycles_per_tick, 0u);
    EXPECT_EQ(bench.recording()->counts, on_cpu);
    EXPECT_EQ(bench.message(), "");
    bench.apply(Command{SetRecorder{Recorder::kEmulator}});
    EXPECT_EQ(bench.replay()->schedule().cycles_per_tick, 0u);
}

TEST(RecorderChoice, AFailingGpuSaysSoAndTheCpuGoesOn) {
    for (const OpenGpu& open : {OpenGpu(no_gpu), OpenGpu(gpu_that_is_taken_away)}) {
        Workbench bench(with_gpu(open, true));
        ASSERT_TRUE(wait_until_recorded(bench));
        bench.apply(Command{SetRecorder{Recorder::kGpu}});
        ASSERT_TRUE(wait_until_recorded(bench));
        ASSERT_NE(bench.recording(), nullptr);
        EXPECT_EQ(bench.recording()->trace->recorded_by.recorder, "plain");
        EXPECT_TRUE(bench.message().starts_with("Recorded without the GPU: ")) << bench.message();
        EXPECT_GT(bench.message().size(), 40u);
        EXPECT_EQ(bench.request().recorder, Recorder::kEmulator);
        bench.apply(Command{SetKernel{"02_naive"}});  // and is not asked again
        ASSERT_TRUE(wait_until_recorded(bench));
        EXPECT_EQ(bench.message(), "");
    }
}

TEST(RecorderChoice, WithoutAGpuAutoIsQuiet) {
    Workbench bench(with_gpu(no_gpu));
    bench.apply(Command{SetRecorder{Recorder::kAuto}});
    EXPECT_EQ(bench.recording()->trace->recorded_by.recorder, "plain");
    EXPECT_EQ(bench.message(), "");
    EXPECT_EQ(bench.request().recorder, Recorder::kAuto);
}

TEST(RecorderChoice, ALostBarrierIsRecordedOnTheCpu) {
    Workbench bench(with_gpu(working_gpu));
    bench.apply(Command{SetRecorder{Recorder::kGpu}});
    const int line = find_kernel("09_tiled")->barriers.front().line;
    bench.apply(Command{RemoveBarrier{line}});
    EXPECT_EQ(bench.recording()->trace->recorded_by.recorder, "plain");
    EXPECT_EQ(bench.message(), "");
    bench.apply(Command{RemoveBarrier{0}});
    EXPECT_EQ(bench.recording()->trace->recorded_by.recorder, "gpu");
}

}  // namespace
}  // namespace tilereel

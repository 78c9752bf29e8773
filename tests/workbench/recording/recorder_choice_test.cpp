// Which recorder is used: the CPU, a GPU, or the CPU after a GPU has failed.
#include <gtest/gtest.h>

#include "app/ladder/ladder.h"
#include "tests/workbench/bench.h"

namespace tilereel::recorder_choice_test {
namespace {

// A workbench whose recordings on a GPU are made by `on_gpu`.
WorkbenchOptions with_gpu(RecordOnGpu on_gpu, bool on_worker = false) {
    WorkbenchOptions options = paused(request("09_tiled", 16, 8), on_worker);
    options.record = [on_gpu = std::move(on_gpu)](const RecordRequest& request,
                                                  RecordProgress* progress,
                                                  std::string* without_gpu) {
        return record_ladder_on(on_gpu, request, progress, without_gpu);
    };
    return options;
}

// A fake GPU: it gives the CPU's recording with a record every 10 cycles.
Result<Trace> working_gpu(const RecordRequest& request, RecordProgress* progress) {
    RecordRequest on_cpu = request;
    on_cpu.recorder = Recorder::kCpu;
    Result<Trace> trace = record_ladder(on_cpu, progress);
    if (!trace) return trace;
    trace->recorded_by.recorder = "gpu";
    for (std::size_t i = 0; i < trace->records.size(); ++i)
        trace->records.clock.push_back(1000 + 10 * i);
    trace->multiprocessors.assign(trace->launch.blocks(), 0);
    return trace;
}
Result<Trace> no_gpu(const RecordRequest&, RecordProgress*) {
    return failed("this computer has no GPU");
}
Result<Trace> gpu_that_is_taken_away(const RecordRequest&, RecordProgress*) {
    return failed("the GPU did not copy a recording: unspecified launch failure");
}

TEST(RecorderChoice, AGpusTraceIsPlayedByItsClocks) {
    Workbench bench(with_gpu(working_gpu));
    EXPECT_EQ(bench.recording()->trace->recorded_by.recorder, "cpu");
    EXPECT_EQ(bench.replay()->schedule().cycles_per_tick, 0u);
    const KernelCounts on_cpu = bench.recording()->counts;
    bench.apply(Command{SetRecorder{Recorder::kGpu}});
    EXPECT_EQ(bench.recording()->trace->recorded_by.recorder, "gpu");
    EXPECT_GT(bench.replay()->schedule().cycles_per_tick, 0u);
    EXPECT_EQ(bench.recording()->counts, on_cpu);
    EXPECT_EQ(bench.message(), "");
    bench.apply(Command{SetRecorder{Recorder::kCpu}});
    EXPECT_EQ(bench.replay()->schedule().cycles_per_tick, 0u);
}

TEST(RecorderChoice, AFailingGpuSaysSoAndTheCpuGoesOn) {
    for (const auto on_gpu : {no_gpu, gpu_that_is_taken_away}) {
        Workbench bench(with_gpu(on_gpu, true));
        ASSERT_TRUE(wait_until_recorded(bench));
        bench.apply(Command{SetRecorder{Recorder::kGpu}});
        ASSERT_TRUE(wait_until_recorded(bench));
        ASSERT_NE(bench.recording(), nullptr);
        EXPECT_EQ(bench.recording()->trace->recorded_by.recorder, "cpu");
        EXPECT_TRUE(bench.message().starts_with("Recorded without the GPU: ")) << bench.message();
        EXPECT_GT(bench.message().size(), 40u);
        EXPECT_EQ(bench.request().recorder, Recorder::kCpu);
        bench.apply(Command{SetKernel{"02_naive"}});  // and is not asked again
        ASSERT_TRUE(wait_until_recorded(bench));
        EXPECT_EQ(bench.message(), "");
    }
}

TEST(RecorderChoice, WithoutAGpuAutoIsQuiet) {
    Workbench bench(with_gpu(no_gpu));
    bench.apply(Command{SetRecorder{Recorder::kAuto}});
    EXPECT_EQ(bench.recording()->trace->recorded_by.recorder, "cpu");
    EXPECT_EQ(bench.message(), "");
    EXPECT_EQ(bench.request().recorder, Recorder::kAuto);
}

TEST(RecorderChoice, AKernelWithoutABarrierIsRecordedOnTheCpu) {
    Workbench bench(with_gpu(working_gpu));
    bench.apply(Command{SetRecorder{Recorder::kGpu}});
    const int line = find_kernel("09_tiled")->barriers.front().line;
    bench.apply(Command{RemoveBarrier{line}});
    EXPECT_EQ(bench.recording()->trace->recorded_by.recorder, "cpu");
    EXPECT_EQ(bench.message(), "");
    bench.apply(Command{RemoveBarrier{0}});
    EXPECT_EQ(bench.recording()->trace->recorded_by.recorder, "gpu");
}

}  // namespace
}  // namespace tilereel::recorder_choice_test

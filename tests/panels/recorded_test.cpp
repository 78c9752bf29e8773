// The window's words about the recorder, measured time, and missing data.
#include <gtest/gtest.h>

#include "app/ladder/ladder.h"
#include "app/panels/recorded_text.h"
#include "tests/panels/frame_window.h"

namespace tilereel::recorded_test {
namespace {

// A trace like a GPU's: every record is 10 cycles after the previous one.
Trace gpu_trace() {
    Trace trace = record_built_in(small_request()).value();
    for (std::size_t i = 0; i < trace.records.size(); ++i)
        trace.records.clock.push_back(1000 + 10 * i);
    trace.recorded_by = {"gpu", "NVIDIA H100 80GB HBM3", "580.1"};
    trace.multiprocessors = {17, 3, Trace::kNotRecorded, 131};
    return trace;
}

WorkbenchOptions showing(Trace trace) {
    WorkbenchOptions options;
    options.trace = std::move(trace);
    options.playing = false;
    options.record_on_worker = false;
    return options;
}

TEST(RecordedWords, ShortenTheNamesOfGpus) {
    EXPECT_EQ(short_gpu_name("NVIDIA H100 80GB HBM3"), "H100");
    EXPECT_EQ(short_gpu_name("NVIDIA A100-SXM4-40GB"), "A100");
    EXPECT_EQ(short_gpu_name("Tesla T4"), "T4");
    EXPECT_EQ(short_gpu_name("NVIDIA GeForce RTX 4070 Ti"), "RTX 4070 Ti");
    EXPECT_EQ(short_gpu_name(""), "");
}

TEST(RecordedWords, SayWhetherTimeIsMeasuredOrModelled) {
    const Trace on_cpu = record_built_in(small_request()).value();
    EXPECT_EQ(time_text(*Replay::of_block(on_cpu, 0)), "modelled");
    EXPECT_EQ(multiprocessors_text(*Replay::of_block(on_cpu, 0), 9), "");
    const Trace trace = gpu_trace();
    EXPECT_EQ(time_text(*Replay::of_block(trace, 0)), "measured, H100, SM 17");
    EXPECT_TRUE(long_time_text(*Replay::of_block(trace, 0))
                    .starts_with("measured, H100, SM 17: a tick is "));
    EXPECT_EQ(time_text(*Replay::of_block(trace, 2)), "measured, H100");
    EXPECT_EQ(multiprocessors_text(*Replay::of_block(trace, 1), 9),
              "This block ran on SM 3. SM of each block: 0,0 17; 1,0 3; 0,1 none; 1,1 131.");
    EXPECT_EQ(multiprocessors_text(*Replay::of_block(trace, 1), 2),
              "This block ran on SM 3. SM of each block: 0,0 17; 1,0 3; 2 more: point at the block "
              "map.");
}

TEST(RecordedWindow, SaysMeasuredModelledOrIncomplete) {
    {  // one window at a time
        FrameWindow modelled;
        EXPECT_TRUE(modelled.driver.has("timeline.modelled"));
        EXPECT_FALSE(modelled.driver.has("inspector.incomplete"));
    }
    {
        FrameWindow measured(showing(gpu_trace()));
        EXPECT_TRUE(measured.driver.has("timeline.measured"));
        EXPECT_TRUE(measured.driver.has("inspector.compiled"));
    }
    Trace cut = gpu_trace();
    cut.complete = false;
    FrameWindow incomplete(showing(std::move(cut)));
    EXPECT_TRUE(incomplete.driver.has("timeline.incomplete"));
    EXPECT_TRUE(incomplete.driver.has("inspector.incomplete"));
    EXPECT_FALSE(incomplete.driver.has("timeline.measured"));
}

TEST(RecordedWindow, SmallWindowsSayIncompleteToo) {
    Trace cut = gpu_trace();
    cut.complete = false;
    FrameWindow window(showing(std::move(cut)), 1280, 720);
    EXPECT_TRUE(window.driver.has("timeline.incomplete"));
}

// Without a GPU the CPU records the launch, and the message says why.
TEST(RecordedWindow, TheGpuMenuChoosesTheRecorder) {
    FrameWindow window;
    window.driver.click("chip.gpu");
    EXPECT_TRUE(window.driver.has("chip.gpu.heading.recorders"));
    window.driver.click("chip.gpu.record.auto");
    window.driver.frames(2);
    EXPECT_EQ(window.bench.request().recorder, Recorder::kAuto);
    window.driver.click("chip.gpu");
    window.driver.click("chip.gpu.record.gpu");
    window.driver.frames(2);
    const bool by_gpu = window.bench.recording()->trace->recorded_by.recorder == "gpu";
    EXPECT_EQ(window.bench.message().empty(), by_gpu) << window.bench.message();
    EXPECT_EQ(window.bench.request().recorder, by_gpu ? Recorder::kGpu : Recorder::kCpu);
    EXPECT_NE(window.bench.replay(), nullptr);
}

}  // namespace
}  // namespace tilereel::recorded_test

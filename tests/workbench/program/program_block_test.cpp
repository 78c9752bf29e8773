// A block of a program that was not recorded: the program runs again and records it. Stubs replace
// the runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include "app/workbench/program/program_bench.h"
#include "app/workbench/workbench.h"
#include "tests/trace/program_traces.h"

namespace tilereel::tests::program_block_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

program::ProgramRequest request_of(const char* file) {
    program::ProgramRequest request;
    request.file = file;
    return request;
}

// A program whose one launch has two blocks. Only the first is recorded unless the request also
// asks for the second.
program::ProgramRun one_of_two_blocks(const program::ProgramRequest& request) {
    program::ProgramRun run;
    program::LaunchSummary launch;
    launch.number = 3;
    launch.kernel = "reduce";
    launch.grid = {2, 1, 1};
    launch.chosen_blocks = {0};
    launch.trace = "first.npz";
    run.end_sentence = "The program ended with exit code 0.";
    if (std::ranges::count(request.more_blocks, program::LaunchBlock{3, 1}) == 1) {
        launch.chosen_blocks.clear();
        launch.trace = "both.npz";
    }
    run.launches = {launch};
    return run;
}

Result<Trace> stub_trace(const std::filesystem::path& file) {
    Trace trace = reduction_trace();
    trace.launch.number = 3;
    if (file == "first.npz") trace.chosen_blocks = {0};
    return trace;
}

Workbench bench_of(RunProgram run, bool on_thread = false) {
    WorkbenchOptions options;
    options.playing = false;
    options.record_on_worker = false;
    options.programs = std::make_unique<ProgramBench>(
        ProgramBenchOptions{.on_thread = on_thread, .run = std::move(run), .read = stub_trace});
    return Workbench(std::move(options));
}

TEST(ProgramBench, ABlockThatWasNotRecordedIsRecordedAndWatched) {
    std::vector<std::vector<program::LaunchBlock>> asked;
    Workbench bench = bench_of([&](const program::ProgramRequest& request, auto*) {
        asked.push_back(request.more_blocks);
        return one_of_two_blocks(request);
    });
    bench.apply(OpenProgram{request_of("homework.cu")});
    EXPECT_TRUE(bench.can_record(1));
    EXPECT_FALSE(bench.can_record(0));
    EXPECT_FALSE(bench.can_record(2));
    bench.apply(SeekTo{20, false});
    const Tick before = bench.replay()->state().tick;
    bench.apply(WatchBlock{1, 0});
    EXPECT_EQ(bench.message(), "");
    EXPECT_EQ(bench.replay()->block(), 1u);
    EXPECT_EQ(bench.program()->launch, 0u);
    EXPECT_EQ(bench.replay()->state().tick, before);  // both blocks do the same
    EXPECT_FALSE(bench.can_record(1));
    bench.apply(WatchBlock{0, 0});  // recorded: nothing runs
    EXPECT_EQ(bench.replay()->block(), 0u);
    bench.apply(RunProgramAgain{});
    ASSERT_EQ(asked.size(), 3u);
    EXPECT_TRUE(asked[0].empty());
    EXPECT_THAT(asked[1], ElementsAre(program::LaunchBlock{3, 1}));
    EXPECT_EQ(asked[2], asked[1]);  // it stays recorded
    EXPECT_EQ(bench.replay()->block(), 0u);
}

TEST(ProgramBench, IfABlockCannotBeRecordedTheFormerRecordingStays) {
    enum { kFails, kDoesNotCompile, kEndsBefore, kHasFewerBlocks } outcome = kFails;
    bool first = true;
    std::vector<program::LaunchBlock> asked;
    Workbench bench =
        bench_of([&](const program::ProgramRequest& request, auto*) -> Result<program::ProgramRun> {
            asked = request.more_blocks;
            program::ProgramRun run = one_of_two_blocks({});
            if (std::exchange(first, false)) return run;
            if (outcome == kFails) return failed("there is no g++; install it");
            if (outcome == kDoesNotCompile)
                run.compile_errors.push_back({"homework.cu", 6, 3, "expected ';'"});
            if (outcome == kHasFewerBlocks) run.launches[0].grid = {1, 1, 1};
            return run;
        });
    bench.apply(OpenProgram{request_of("homework.cu")});
    const Trace* const former = bench.recording()->trace.get();
    const std::pair<decltype(outcome), const char*> cases[] = {
        {kFails, "there is no g++"},
        {kDoesNotCompile, "line 6"},
        {kEndsBefore, "Block 1 of launch 3 was not recorded: the launch ended before it"},
        {kHasFewerBlocks, "this time the launch has only 1 block"}};
    for (const auto& [fault, words] : cases) {
        outcome = fault;
        bench.apply(WatchBlock{1, 0});
        EXPECT_THAT(asked, ElementsAre(program::LaunchBlock{3, 1})) << words;
        EXPECT_THAT(bench.message(), HasSubstr(words));
        EXPECT_EQ(bench.recording()->trace.get(), former) << words;
        EXPECT_EQ(bench.replay()->block(), 0u) << words;
        EXPECT_TRUE(bench.can_record(1)) << words;
        EXPECT_TRUE(bench.program()->request.more_blocks.empty()) << words;
    }
}

TEST(ProgramBench, RecordingABlockCanBeCancelled) {
    std::atomic<bool> waits{false}, waiting{false};
    Workbench bench = bench_of(
        [&](const program::ProgramRequest& request, program::ProgramProgress* progress) {
            while (waits && !progress->cancel) {
                waiting = true;
                std::this_thread::yield();
            }
            return one_of_two_blocks(request);
        },
        true);
    bench.apply(OpenProgram{request_of("homework.cu")});
    while (!bench.shows_program()) bench.advance(0);
    waits = true;
    bench.apply(WatchBlock{1, 0});
    EXPECT_EQ(bench.program()->asked, (program::LaunchBlock{3, 1}));
    while (!waiting) std::this_thread::yield();
    EXPECT_EQ(bench.replay()->block(), 0u);  // what was recorded can be watched meanwhile
    bench.apply(CancelRecording{});
    EXPECT_FALSE(bench.program()->running);
    EXPECT_FALSE(bench.program()->asked.has_value());
    EXPECT_TRUE(bench.program()->request.more_blocks.empty());
    EXPECT_EQ(bench.replay()->block(), 0u);
    EXPECT_TRUE(bench.can_record(1));
}

// The trace of a file: there is no program that could run again.
TEST(ProgramBench, AMissingBlockOfATraceFileIsAMessage) {
    WorkbenchOptions options;
    options.trace = stub_trace("first.npz").value();
    options.record_on_worker = false;
    Workbench bench(std::move(options));
    bench.apply(WatchBlock{1, 0});
    EXPECT_THAT(bench.message(), HasSubstr("Block 1 was not recorded"));
    EXPECT_EQ(bench.replay()->block(), 0u);
}

}  // namespace
}  // namespace tilereel::tests::program_block_test

// A program that runs: it is cancelled, and its launches open before it ends.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "app/workbench/program/program_bench.h"
#include "app/workbench/workbench.h"
#include "tests/workbench/program/program_stubs.h"

namespace tilereel::tests::program_bench_running_test {
namespace {

TEST(ProgramBench, CancellingStopsTheRunAndDiscardsItsResult) {
    std::atomic<bool> started{false}, saw_cancel{false};
    {
        ProgramBench bench({.on_thread = true,
                            .run =
                                [&](const auto&, program::ProgramProgress* progress) {
                                    started = true;
                                    while (!progress->cancel) std::this_thread::yield();
                                    saw_cancel = true;
                                    return two_launches();
                                },
                            .read = read_stub});
        bench.open(request_of("homework.cu"));
        while (!started) std::this_thread::yield();
        EXPECT_TRUE(bench.program()->running);
        bench.cancel();
        EXPECT_FALSE(bench.program()->running);
        bench.advance();
        EXPECT_EQ(bench.take_trace(), nullptr);
    }
    EXPECT_TRUE(saw_cancel);
}

// A program that is cancelled while it runs: what it has recorded is shown. A second call does not
// wait for it, and neither does a newer run.
TEST(ProgramBench, CancellingARunningProgramShowsWhatItHasRecorded) {
    std::atomic<bool> writes{true};
    ProgramBench bench({.on_thread = true,
                        .run =
                            [&](const auto&, program::ProgramProgress* progress) {
                                progress->change([](program::ProgramStage& stage) {
                                    stage.kind = program::ProgramStage::Kind::kRunning;
                                });
                                while (!progress->cancel && !(writes && progress->interrupt))
                                    std::this_thread::yield();
                                program::ProgramRun run = two_launches();
                                run.end = program::ProgramEnd::kCancelled;
                                return run;
                            },
                        .read = read_stub});
    const auto finish = [&] {
        while (bench.program()->running) bench.advance();
        while (bench.busy()) bench.advance();
        return bench.take_trace() != nullptr;
    };
    const auto run = [&] {
        bench.open(request_of("homework.cu"));
        while (!bench.program()->running_seconds) bench.advance();
    };
    run();
    bench.cancel();
    EXPECT_TRUE(bench.program()->ending);
    EXPECT_TRUE(finish());
    ASSERT_TRUE(bench.program()->run.has_value());
    EXPECT_EQ(bench.program()->run->end, program::ProgramEnd::kCancelled);
    EXPECT_FALSE(bench.program()->cancelled_after.has_value()) << "the cancelled run is shown";
    EXPECT_FALSE(bench.program()->ending);

    writes = false;
    run();
    bench.cancel();
    bench.cancel();
    EXPECT_FALSE(bench.program()->running);
    EXPECT_FALSE(finish());
    EXPECT_FALSE(bench.program()->run.has_value());
    EXPECT_TRUE(bench.program()->cancelled_after.has_value());
}

// A program that has finished its first launches and runs on until `ends` is set.
struct RunsOn {
    std::atomic<bool> ends{false};
    program::ProgramRun whole = two_launches();  // what it will have recorded
    std::uint32_t finished = 2;                  // launches
    ProgramBench bench{
        {.on_thread = true,
         .run =
             [this](const auto&, program::ProgramProgress* progress) {
                 progress->change([this](program::ProgramStage& stage) {
                     stage.kind = program::ProgramStage::Kind::kRunning;
                     stage.launches.assign(whole.launches.begin(),
                                           whole.launches.begin() + finished);
                 });
                 while (!ends && !progress->cancel && !progress->interrupt)
                     std::this_thread::yield();
                 program::ProgramRun run = whole;
                 if (!ends) run.end = program::ProgramEnd::kCancelled;
                 return run;
             },
         .read = [this](const std::filesystem::path& file) { return read_stub(file); }}};
    void begin() {
        bench.open(request_of("homework.cu"));
        while (bench.program()->stage.launches.empty()) bench.advance();
    }
    std::shared_ptr<const Trace> read() {
        std::shared_ptr<const Trace> trace;
        while (trace == nullptr) {
            bench.advance();
            trace = bench.take_trace();
        }
        return trace;
    }
    void finish() {
        while (bench.busy()) bench.advance();
    }
};

TEST(ProgramBench, AFinishedLaunchIsOpenedWhileTheProgramRunsOn) {
    RunsOn program;
    program.whole.launches.push_back(program.whole.launches[1]);
    program.whole.launches[2].number = 2;
    program.begin();
    ProgramBench& bench = program.bench;
    bench.choose(0);
    EXPECT_EQ(bench.take_message(), "The block has 2048 threads");
    bench.choose(2);  // has not finished
    bench.choose(1);
    EXPECT_EQ(program.read()->launch.kernel, reduction_trace().launch.kernel);
    EXPECT_TRUE(bench.program()->running);
    EXPECT_TRUE(bench.program()->unfinished);
    EXPECT_EQ(bench.program()->launch, 1u);
    EXPECT_EQ(bench.program()->listed_launch(), 1u);
    EXPECT_EQ(bench.program()->listed().size(), 2u);

    program.ends = true;
    while (bench.program()->running) bench.advance();
    program.finish();
    EXPECT_FALSE(bench.program()->unfinished);
    EXPECT_EQ(bench.program()->run->end, program::ProgramEnd::kExit);
    EXPECT_EQ(bench.program()->run->launches.size(), 3u);
    EXPECT_EQ(bench.program()->launch, 1u) << "it stays open";
    EXPECT_EQ(bench.take_trace(), nullptr) << "nothing is shown anew";
}

TEST(ProgramBench, ALaunchThatWasOpenedEarlyStaysWhenTheProgramIsCancelled) {
    for (const int cancels : {1, 2}) {
        RunsOn program;
        program.begin();
        program.bench.choose(1);
        static_cast<void>(program.read());
        for (int i = 0; i < cancels; ++i) program.bench.cancel();
        while (program.bench.program()->running) program.bench.advance();
        program.finish();
        const OpenedProgram& shown = *program.bench.program();
        ASSERT_TRUE(shown.run.has_value()) << cancels;
        EXPECT_EQ(shown.run->end, program::ProgramEnd::kCancelled) << cancels;
        EXPECT_EQ(shown.listed().size(), 2u) << cancels;
        EXPECT_EQ(shown.launch, 1u) << cancels;
        EXPECT_FALSE(shown.unfinished) << cancels;
    }
}

// A launch that is opened just before the program ends is shown, not the first one.
TEST(ProgramBench, ALaunchThatIsOpenedAtTheEndIsShown) {
    RunsOn program;
    program.whole.launches.push_back(program.whole.launches[1]);
    program.whole.launches[2].number = 2;
    program.finished = 3;
    program.begin();
    program.bench.choose(2);
    program.ends = true;
    static_cast<void>(program.read());
    program.finish();
    EXPECT_EQ(program.bench.program()->launch, 2u);
    EXPECT_FALSE(program.bench.program()->unfinished);
}

// A run that records one block more does not replace the run that is shown: the launch is opened
// from that one.
TEST(ProgramBench, WhileABlockIsRecordedALaunchOpensFromTheFormerRun) {
    RunsOn program;
    program.ends = true;
    program.whole.launches[1].grid = {4, 1, 1};
    program.bench.open(request_of("homework.cu"));  // it can have ended before begin() sees it
    static_cast<void>(program.read());
    program.finish();
    program.ends = false;
    program.bench.record_block(3);
    while (program.bench.program()->stage.launches.empty()) program.bench.advance();
    program.bench.choose(1);
    static_cast<void>(program.read());
    EXPECT_TRUE(program.bench.program()->running);
    EXPECT_FALSE(program.bench.program()->unfinished);
    EXPECT_EQ(program.bench.program()->run->end, program::ProgramEnd::kExit);
    EXPECT_EQ(program.bench.program()->launch, 1u);
}

}  // namespace
}  // namespace tilereel::tests::program_bench_running_test

// The program that is open: its run, its launches, the trace that is shown. Stubs replace the runs.
#include "app/workbench/program/program_bench.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <new>

#include "app/ladder/ladder.h"
#include "app/workbench/workbench.h"
#include "kernels/openings.h"
#include "tests/workbench/program/program_stubs.h"

namespace tilereel::tests::program_bench_test {
namespace {

using ::testing::HasSubstr;

TEST(ProgramBench, ShowsTheFirstLaunchThatHasATrace) {
    ProgramBench bench(options_of([](const auto&, auto*) { return two_launches(); }));
    bench.open(request_of("folder/homework.cu"));
    ASSERT_NE(bench.program(), nullptr);
    EXPECT_EQ(bench.program()->name(), "homework.cu");
    EXPECT_EQ(bench.program()->launch, 1u);
    const std::shared_ptr<const Trace> trace = bench.take_trace();
    ASSERT_NE(trace, nullptr);
    EXPECT_EQ(trace->launch.kernel, reduction_trace().launch.kernel);
    EXPECT_EQ(bench.take_trace(), nullptr);
    EXPECT_FALSE(bench.busy());
}

TEST(ProgramBench, ALaunchWithoutATraceSaysWhy) {
    ProgramBench bench(options_of([](const auto&, auto*) { return two_launches(); }));
    bench.open(request_of("homework.cu"));
    static_cast<void>(bench.take_trace());
    bench.choose(0);
    EXPECT_EQ(bench.take_message(), "The block has 2048 threads");
    EXPECT_EQ(bench.program()->launch, 1u);
    bench.choose(99);
    EXPECT_EQ(bench.take_trace(), nullptr);
}

TEST(ProgramBench, ARunThatFailsKeepsTheFormerOne) {
    bool fails = false;
    ProgramBench bench(options_of([&](const auto&, auto*) -> Result<program::ProgramRun> {
        if (fails) return failed("there is no g++; install it");
        return two_launches();
    }));
    bench.open(request_of("homework.cu"));
    fails = true;
    bench.run_again();
    EXPECT_EQ(bench.take_message(), "there is no g++; install it");
    EXPECT_EQ(bench.program()->error, "there is no g++; install it");
    ASSERT_TRUE(bench.program()->run.has_value());
    EXPECT_EQ(bench.program()->run->launches.size(), 2u);
}

TEST(ProgramBench, AnExceptionBecomesAnError) {
    ProgramBench bench(options_of(
        [](const auto&, auto*) -> Result<program::ProgramRun> { throw std::bad_alloc(); }));
    bench.open(request_of("homework.cu"));
    EXPECT_THAT(bench.take_message(), HasSubstr("not enough memory"));
}

TEST(ProgramBench, WithoutARunFunctionTheMessageSaysSo) {
    ProgramBench bench({.on_thread = false, .run = {}, .read = {}});
    bench.open(request_of("homework.cu"));
    EXPECT_THAT(bench.take_message(), HasSubstr("cannot open"));
    EXPECT_EQ(bench.program(), nullptr);
}

// A kernel of the ladder is shown, then a program. The sizes of the kernel do not apply to the
// program.
TEST(ProgramBench, TheWorkbenchShowsTheLaunch) {
    WorkbenchOptions options;
    options.request.parameters = {.m = 8, .n = 8, .k = 8, .tile = 4, .pad = 0};
    options.record_on_worker = false;
    options.programs = std::make_unique<ProgramBench>(
        options_of([](const auto&, auto*) { return two_launches(); }));
    Workbench workbench(std::move(options));
    EXPECT_FALSE(workbench.shows_program());
    workbench.apply(OpenProgram{request_of("homework.cu")});
    EXPECT_TRUE(workbench.shows_program());
    EXPECT_EQ(workbench.message(), "");
    ASSERT_NE(workbench.replay(), nullptr);
    EXPECT_EQ(workbench.recording()->trace->launch.kernel, reduction_trace().launch.kernel);
    workbench.apply(TogglePad{});
    EXPECT_NE(workbench.message(), "");
    EXPECT_TRUE(workbench.shows_program());
    workbench.apply(SetKernel{"09_tiled"});
    EXPECT_EQ(workbench.recording()->request.kernel, "09_tiled");
    EXPECT_FALSE(workbench.shows_program());
}

// A recognised product has sizes and matrices of its own. A rung after it has its own: it opens as
// by itself, at its start, from the kernel's menu and by name.
TEST(ProgramBench, ARungOpensAsByItselfAfterAProduct) {
    RecordRequest large{.kernel = "02_naive", .parameters = {48, 48, 48, 16, 0}, .inputs = {}};
    Trace product = record_ladder(large).value();
    product.launch.kernel = "multiply";
    product.launch.tile = 0;
    const KernelParameters opening = opening_of(*find_kernel("09_tiled"));
    for (const bool by_name : {false, true}) {
        WorkbenchOptions options;
        options.trace = product;
        options.playing = false;
        options.record_on_worker = false;
        Workbench workbench(std::move(options));
        ASSERT_TRUE(workbench.is_of_program());
        workbench.apply(SeekTo{50, false});
        if (by_name)
            workbench.apply(WatchKernel{"09_tiled", opening});
        else
            workbench.apply(SetKernel{"09_tiled"});
        EXPECT_EQ(workbench.message(), "");
        EXPECT_EQ(workbench.recording()->request.kernel, "09_tiled");
        EXPECT_EQ(workbench.request().parameters, opening);
        EXPECT_EQ(workbench.position(), 0);
    }
}

TEST(ProgramBench, FilesThatDefineWhatIsMissingAreAdded) {
    ProgramBench bench(options_of([&](const program::ProgramRequest& request, auto*) {
        program::ProgramRun run = two_launches();
        if (!request.more_files.empty()) return run;
        run.launches.clear();
        for (const char* const name : {"f()", "g()"})
            run.compile_errors.push_back({"homework.cu", 0, 0, "missing", name, "parts/b.cu"});
        run.compile_errors.push_back({"homework.cu", 0, 0, "missing", "h()"});
        return run;
    }));
    bench.open(request_of("homework.cu"));
    ASSERT_EQ(bench.program()->compile_errors.size(), 3u);
    bench.add_missing_files();
    EXPECT_EQ(bench.program()->request.more_files,
              (std::vector<std::filesystem::path>{"parts/b.cu"}));
    EXPECT_TRUE(bench.program()->compile_errors.empty());
    bench.add_missing_files();  // nothing is missing any more
    EXPECT_EQ(bench.program()->request.more_files.size(), 1u);
}

TEST(ProgramBench, EachLaunchIsCounted) {
    ProgramBench bench(options_of([](const auto&, auto*) { return two_launches(); }));
    bench.open(request_of("homework.cu"));
    const std::vector<std::optional<LaunchCounts>>& counts = bench.program()->counts;
    ASSERT_EQ(counts.size(), 2u);
    EXPECT_FALSE(counts[0].has_value());  // it was refused
    ASSERT_TRUE(counts[1].has_value());
    // 2 blocks read 64 floats each, 8 sectors, and store one.
    EXPECT_EQ(counts[1]->sectors, 2u * (8 + 1));
}

}  // namespace
}  // namespace tilereel::tests::program_bench_test

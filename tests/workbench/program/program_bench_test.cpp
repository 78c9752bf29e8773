// The program that is open: its run, its launches, the trace that is shown. Stubs replace the runs.
#include "app/workbench/program/program_bench.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "app/ladder/ladder.h"
#include "app/workbench/program/compile_error_line.h"
#include "app/workbench/workbench.h"
#include "kernels/openings.h"
#include "tests/trace/program_traces.h"
#include "tests/trace/scratch_folder.h"

namespace tilereel::tests::program_bench_test {
namespace {

using ::testing::HasSubstr;

program::ProgramRun two_launches() {
    program::ProgramRun run;
    run.output = "0 wrong\n";
    program::LaunchSummary refused;
    refused.kernel = "too_large";
    refused.reason = "The block has 2048 threads";
    program::LaunchSummary recorded;
    recorded.number = 1;
    recorded.kernel = "reduce";
    recorded.trace = "reduce.npz";
    run.launches = {refused, recorded};
    return run;
}

Result<Trace> read_stub(const std::filesystem::path& file) {
    if (file == "reduce.npz") return reduction_trace();
    return failed("there is no file " + file.string());
}

program::ProgramRequest request_of(const char* file) {
    program::ProgramRequest request;
    request.file = file;
    return request;
}

ProgramBenchOptions options_of(RunProgram run) {
    return {.on_thread = false, .run = std::move(run), .read = read_stub};
}

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

TEST(ProgramBench, AFileThatDoesNotCompileKeepsWhatRanBefore) {
    bool broken = false;
    ProgramBench bench(options_of([&](const auto&, auto*) {
        program::ProgramRun run = two_launches();
        if (broken) {
            run.launches.clear();
            run.compile_errors.push_back({"homework.cu", 6, 3, "expected ';' before 'int'"});
        }
        return run;
    }));
    bench.open(request_of("homework.cu"));
    static_cast<void>(bench.take_trace());
    broken = true;
    bench.run_again(true);
    const OpenedProgram& program = *bench.program();
    ASSERT_TRUE(program.run.has_value());
    EXPECT_EQ(program.run->launches.size(), 2u);
    EXPECT_EQ(program.launch, 1u);
    EXPECT_TRUE(program.saved);
    ASSERT_EQ(program.compile_errors.size(), 1u);
    EXPECT_EQ(bench.take_trace(), nullptr);
    EXPECT_THAT(bench.take_message(), HasSubstr("line 6"));
    broken = false;
    bench.run_again(true);
    EXPECT_TRUE(bench.program()->compile_errors.empty());
    EXPECT_NE(bench.take_trace(), nullptr);
}

// A run that crashed before its first launch has no recording. The runs before and after it are
// compared with each other, unless they are of the same text.
TEST(ProgramBench, ARunWithoutARecordingIsNotComparedWith) {
    const ScratchFolder folder;
    const std::filesystem::path file = folder / "homework.cu";
    bool crashes = false;
    ProgramBench bench(options_of([&](const auto&, auto*) {
        program::ProgramRun run = two_launches();
        if (crashes) run.launches.clear();
        return run;
    }));
    const auto save = [&](const char* text, bool crashed) {
        std::ofstream(file) << text;
        crashes = crashed;
        bench.run_again(true);
    };
    std::ofstream(file) << "first";
    bench.open(request_of(file.c_str()));
    save("second", true);
    save("third", false);
    ASSERT_TRUE(bench.program()->former.has_value());
    EXPECT_EQ(bench.program()->former->text, "first");
    EXPECT_EQ(bench.program()->former->launches.size(), 2u);
    save("fourth", true);
    save("third", false);
    EXPECT_FALSE(bench.program()->former.has_value());
}

// g++ reports a missing ';' at the word after it. The message and the source panel name the line
// whose end lacks it.
TEST(ProgramBench, AMissingSemicolonBelongsToTheLineThatLacksIt) {
    const std::string text = "int a = 1;\nint b = 2\n\n// c\n    int c = 3;\nint d = 4 int e;\n";
    const auto line = [&text](std::uint32_t at, std::uint32_t column, const char* words) {
        return line_to_mend(text, {"homework.cu", at, column, words});
    };
    EXPECT_EQ(line(5, 5, "expected ',' or ';' before 'int'"), 2u);
    EXPECT_EQ(line(5, 5, "expected \xe2\x80\x98;\xe2\x80\x99 before \xe2\x80\x98int\xe2\x80\x99"),
              2u);
    EXPECT_EQ(line(6, 11, "expected ',' or ';' before 'int'"), 6u);
    EXPECT_EQ(line(5, 5, "expected ')' before ';' token"), 5u);
    EXPECT_EQ(line(5, 5, "'c' was not declared in this scope"), 5u);
    EXPECT_EQ(line(0, 0, "expected ';'"), 0u);
}

TEST(ProgramBench, TheWatchedLaunchFollowsItsKernelWhenLaunchesAreInserted) {
    bool one_more = false;
    ProgramBench bench(options_of([&](const auto&, auto*) {
        program::ProgramRun run = two_launches();
        program::LaunchSummary fresh;
        fresh.kernel = "fill";
        fresh.trace = "reduce.npz";
        if (one_more) run.launches.insert(run.launches.begin(), 2, fresh);
        return run;
    }));
    bench.open(request_of("homework.cu"));
    EXPECT_EQ(bench.program()->launch, 1u);
    one_more = true;
    bench.run_again(true);
    EXPECT_EQ(bench.program()->launch, 3u);
}

// Saved with another text: the counts stand beside those of before.
TEST(ProgramBench, AnEditedProgramIsComparedWithTheOneBefore) {
    bool edited = false;
    WorkbenchOptions options;
    options.playing = false;
    options.record_on_worker = false;
    options.programs = std::make_unique<ProgramBench>(
        ProgramBenchOptions{.on_thread = false,
                            .run = [](const auto&, auto*) { return two_launches(); },
                            .read = [&](const std::filesystem::path&) -> Result<Trace> {
                                Trace trace = reduction_trace();
                                if (edited) trace.source += "// padded";
                                return trace;
                            }});
    Workbench bench(std::move(options));
    bench.apply(OpenProgram{request_of("homework.cu")});
    const KernelCounts former = bench.recording()->counts;
    bench.apply(RunProgramAgain{});  // the same text: nothing to compare
    EXPECT_NE(bench.before().label, "before");
    edited = true;
    bench.apply(RunProgramAgain{.saved = true});
    EXPECT_EQ(bench.before().label, "before");
    EXPECT_EQ(bench.before().counts, former);
}

// Ticks of the same launch and block before the edit; nothing where there is none to compare with.
TEST(ProgramBench, AnEditedProgramHasTheTicksOfItsFormerRun) {
    const auto named = [](Trace trace, const char* text) {
        trace.launch.kernel = "same";
        trace.source = text;
        return trace;
    };
    const Trace first = named(reduction_trace(), "first"), second = named(transpose_trace(), "2nd");
    const Trace* now = &first;
    WorkbenchOptions options;
    options.playing = false;
    options.record_on_worker = false;
    options.programs = std::make_unique<ProgramBench>(ProgramBenchOptions{
        .on_thread = false,
        .run = [](const auto&, auto*) { return two_launches(); },
        .read = [&](const std::filesystem::path&) -> Result<Trace> { return *now; }});
    Workbench bench(std::move(options));
    bench.apply(OpenProgram{request_of("homework.cu")});
    EXPECT_EQ(bench.former(), nullptr);
    EXPECT_FALSE(bench.former_ticks().has_value());
    now = &second;
    bench.apply(RunProgramAgain{.saved = true});
    for (const std::uint32_t block : {0u, 1u}) {
        bench.apply(WatchBlock{block, 0});
        ASSERT_TRUE(bench.former_ticks().has_value()) << block;
        EXPECT_EQ(*bench.former_ticks(), Replay::of_block(first, block)->schedule().ticks) << block;
    }
    bench.apply(RunProgramAgain{});  // of the same text: what it is compared with stays
    ASSERT_NE(bench.former(), nullptr);
    EXPECT_EQ(bench.former()->trace->source, "first");
    now = &first;
    bench.apply(RunProgramAgain{.saved = true});
    EXPECT_EQ(bench.former()->trace->source, "2nd");
    Trace in_part = first;
    in_part.source = "third";
    in_part.chosen_blocks = {0};
    now = &in_part;
    bench.apply(RunProgramAgain{.saved = true});
    now = &second;
    bench.apply(RunProgramAgain{.saved = true});
    bench.apply(WatchBlock{1, 0});
    EXPECT_FALSE(bench.former_ticks().has_value());  // the former run did not record it
    bench.apply(WatchBlock{0, 0});
    EXPECT_TRUE(bench.former_ticks().has_value());
    bench.apply(SetGeneration{"6.1"});  // other rules: not the same time
    EXPECT_EQ(bench.former(), nullptr);
    EXPECT_FALSE(bench.former_ticks().has_value());
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

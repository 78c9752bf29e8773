// A program whose file was edited: what it is compared with, and the line of a mistake.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "app/workbench/program/compile_error_line.h"
#include "app/workbench/program/program_bench.h"
#include "app/workbench/workbench.h"
#include "tests/trace/scratch_folder.h"
#include "tests/workbench/program/program_stubs.h"

namespace tilereel::tests::program_bench_edit_test {
namespace {

using ::testing::HasSubstr;

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

}  // namespace
}  // namespace tilereel::tests::program_bench_edit_test

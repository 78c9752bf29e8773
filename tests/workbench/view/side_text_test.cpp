// The other side of a comparison from the words of --compare, a saved view or the window, and a
// program beside itself with other flags or another launch.
#include "app/workbench/view/side_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/workbench/comparison.h"
#include "app/workbench/workbench.h"
#include "tests/trace/program_traces.h"

namespace tilereel::tests::side_text_test {
namespace {

using ::testing::HasSubstr;

const Subject kRung{.kernel = "08_tiled_b_transposed",
                    .m = 32,
                    .n = 32,
                    .k = 32,
                    .tile = 32,
                    .pad = 0,
                    .generation = "9.0"};
const Subject kProgram{.file = "saxpy.cu",
                       .arguments = {"1000"},
                       .defines = {"N=4", "DEBUG"},
                       .launch = 1,
                       .generation = "9.0",
                       .block_x = 3};

Subject side_of(const char* what, const Subject& own) {
    const Result<Subject> side = side_of_text(what, own);
    EXPECT_TRUE(side) << what << ": " << side.error().message;
    return side ? *side : Subject{};
}

TEST(SideText, SaysWhatDiffersFromARung) {
    Subject expected = kRung;
    expected.pad = 1;
    EXPECT_EQ(side_of("pad=1", kRung), expected);
    expected.tile = 16, expected.generation = "1.3", expected.removed_barrier = 28;
    EXPECT_EQ(side_of("tile=16,pad=1,generation=1.3,barrier=28", kRung), expected);
    EXPECT_EQ(side_of("without_barrier=0,seed=5", expected).removed_barrier, 0u);
    const Subject naive = side_of("02_naive", expected);
    EXPECT_EQ(naive.kernel, "02_naive");
    EXPECT_EQ(naive.m, 32);
    EXPECT_EQ(naive.removed_barrier, 0u);
    EXPECT_EQ(side_of("kernel=02_naive", expected), naive);
    EXPECT_EQ(side_of("order=warps", expected).order, ThreadOrder::kWarpsForward);
    EXPECT_TRUE(side_of("order=adversarial", expected).find_failing_order);
}

TEST(SideText, SaysWhatDiffersFromAProgram) {
    Subject expected = kProgram;
    expected.block_x = 0;
    expected.defines = {"N=8", "M=2"};
    EXPECT_EQ(side_of("define=N=8,define=M=2", kProgram), expected);
    expected.defines = kProgram.defines;
    expected.launch = 0;
    EXPECT_EQ(side_of("launch=0", kProgram), expected);
    EXPECT_EQ(side_of("generation=1.3", kProgram), Subject{.generation = "1.3"})
        << "the same recording by other rules";
    EXPECT_EQ(side_of("other.cu", kProgram), (Subject{.file = "other.cu", .generation = "9.0"}));
    EXPECT_EQ(side_of("file=other.npz,generation=8.6", kRung),
              (Subject{.file = "other.npz", .generation = "8.6"}));
    EXPECT_EQ(side_of("09_tiled", kProgram).kernel, "09_tiled");
}

TEST(SideText, WhatAnotherKindHasIsNamed) {
    struct Case {
        const char* what;
        const Subject& own;
        const char* said;
    };
    const Subject trace{.file = "launch.npz"};
    for (const auto& [what, own, said] : {
             Case{"pad=1", kProgram, "pad belongs to a kernel of the ladder, but 'saxpy.cu' is"},
             Case{"pad=1", trace, "pad belongs to a kernel of the ladder, but 'launch.npz' is"},
             Case{"define=N=8", trace, "define belongs to a CUDA program, but 'launch.npz' is"},
             Case{"launch=1", kRung, "launch belongs to a CUDA program, but 08_tiled"},
             Case{"block=1:0", kRung, "both sides of a comparison watch the same block"},
             Case{"pad=x", kRung, "pad is a whole number, 0 or more, not 'x'"},
             Case{"colour=red", kRung, "define=N=8 or launch=1; not 'colour=red'"},
             Case{"pad", kRung, "; not 'pad'"},
             Case{"file=", kProgram, "file is the path"},
             Case{"define=", kProgram, "define is a macro"},
             Case{"kernel=none", kRung, "there is no kernel 'none'"},
             Case{"barrier=7", kRung, "barrier"},
             Case{"order=warps", kRung, "barrier"},
             Case{"tile=7", kRung, "TILE"},
         }) {
        const Result<Subject> side = side_of_text(what, own);
        ASSERT_FALSE(side) << what;
        EXPECT_EQ(side.error().kind, ErrorKind::kWrongCall) << what;
        EXPECT_THAT(side.error().message, HasSubstr(said)) << what;
    }
}

// A bench whose programs have two recorded launches; the files name the macros of the run.
std::unique_ptr<ProgramBench> two_launches() {
    const auto run = [](const program::ProgramRequest& request,
                        auto*) -> Result<program::ProgramRun> {
        program::ProgramRun result;
        for (std::uint32_t launch = 0; launch < 2; ++launch) {
            program::LaunchSummary summary;
            summary.number = launch;
            summary.kernel = "reduce";
            summary.trace = std::to_string(launch) + request.defines.at(0);
            result.launches.push_back(summary);
        }
        return result;
    };
    const auto read = [](const std::filesystem::path& file) -> Result<Trace> {
        Trace trace = reduction_trace();
        trace.launch.kernel = "reduce " + file.string();
        return trace;
    };
    return std::make_unique<ProgramBench>(
        ProgramBenchOptions{.on_thread = false, .run = run, .read = read});
}

struct Programs {
    Programs() {
        WorkbenchOptions options;
        options.request.parameters = {.m = 8, .n = 8, .k = 8, .tile = 4, .pad = 0};
        options.playing = false;
        options.record_on_worker = false;
        options.programs = two_launches();
        options.make_programs = two_launches;
        bench.emplace(std::move(options));
        program::ProgramRequest request;
        request.file = "saxpy.cu";
        request.defines = {"N=4"};
        bench->apply(OpenProgram{request, {}});
        bench->advance(0);
    }
    // The kernel on the right side of the comparison; else the message.
    std::string compared(const Subject& side) {
        bench->apply(Command{Compare{{}, side}});
        bench->advance(0);
        return bench->other() == nullptr ? bench->message()
                                         : bench->other()->recording()->trace->launch.kernel;
    }
    std::optional<Workbench> bench;
};

TEST(SideText, AProgramIsComparedWithItselfByOtherFlagsAndLaunches) {
    Programs programs;
    ASSERT_EQ(programs.bench->recording()->trace->launch.kernel, "reduce 0N=4");
    EXPECT_EQ(programs.compared({.file = "saxpy.cu", .defines = {"N=8"}}), "reduce 0N=8");
    const auto labels = side_labels(*programs.bench, *programs.bench->other());
    EXPECT_THAT(labels[0], HasSubstr("N=4"));
    EXPECT_THAT(labels[1], HasSubstr("N=8"));
    EXPECT_EQ(programs.compared({.file = "saxpy.cu", .defines = {"N=8"}, .launch = 1}),
              "reduce 1N=8");
    EXPECT_EQ(programs.compared({.generation = "1.3"}), "reduce 0N=4");
    EXPECT_EQ(programs.bench->other()->generation().id, "1.3");
    programs.bench->apply(CloseComparison{});
    EXPECT_THAT(programs.compared({.file = "saxpy.cu", .defines = {"N=8"}, .launch = 2}),
                HasSubstr("2 launches"));
    EXPECT_FALSE(programs.bench->comparing());
}

}  // namespace
}  // namespace tilereel::tests::side_text_test

// Estimates that the window asks for: what is asked, what is kept, what is cancelled. The estimates
// are made up.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "app/workbench/time/time_shown.h"
#include "kernels/catalog.h"
#include "tests/trace/program_traces.h"
#include "tests/workbench/bench.h"
#include "tests/workbench/made_up_estimate.h"

namespace tilereel::time_bench_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Notes what is asked.
struct Asked {
    std::vector<std::string> launches{};
    std::size_t of_l2 = 0;  // questions for what blocks find in L2
    EstimateLaunch estimates() {
        return [this](const TimeQuestion& question, RecordProgress*, const EstimateStep&) {
            if (question.only_l2) {
                ++of_l2;
                return Result<EstimatedLaunch>(made_up_l2());
            }
            const KernelParameters& p = question.request.parameters;
            launches.push_back(question.trace
                                   ? question.trace->launch.kernel
                                   : question.request.kernel + " " + std::to_string(p.m) + " " +
                                         std::to_string(p.tile));
            if (question.gpu == nullptr) return Result<EstimatedLaunch>(wrong_call("no times"));
            return Result<EstimatedLaunch>(made_up_estimate(question));
        };
    }
};

WorkbenchOptions options_with(Asked& asked, RecordRequest first) {
    WorkbenchOptions options = paused(std::move(first));
    options.estimate = asked.estimates();
    return options;
}

TEST(TimeOfAWorkbench, IsAskedWhileItIsShownAndKept) {
    Asked asked;
    Workbench bench(options_with(asked, request("09_tiled", 32, 16)));
    bench.advance(0);
    EXPECT_EQ(bench.time_answer(), nullptr);
    EXPECT_THAT(asked.launches, IsEmpty()) << "nothing shows it";
    bench.apply(SetMode{WindowMode::kTime});
    bench.advance(0);
    EXPECT_THAT(asked.launches, ElementsAre("09_tiled 2048 16"));
    ASSERT_NE(bench.time_answer(), nullptr);
    EXPECT_EQ(bench.time_answer()->launch->title, "09_tiled");
    EXPECT_EQ(bench.timed_request()->parameters.m, 2048);
    bench.apply(SetParameters{{.m = 32, .n = 32, .k = 32, .tile = 32, .pad = 0}});
    bench.advance(0);
    bench.apply(SetParameters{{.m = 32, .n = 32, .k = 32, .tile = 16, .pad = 0}});
    bench.advance(0);
    EXPECT_THAT(asked.launches, ElementsAre("09_tiled 2048 16", "09_tiled 2048 32"))
        << "the first one is known";
    ASSERT_NE(bench.time_answer(), nullptr);
    bench.apply(SetTimeSize{512});
    bench.advance(0);
    EXPECT_EQ(asked.launches.back(), "09_tiled 512 16");
    EXPECT_EQ(bench.timed_request()->parameters.k, 512);
}

TEST(TimeOfAWorkbench, BelongsToTheLaunchThatIsShown) {
    Asked asked;
    Workbench bench(options_with(asked, request("09_tiled", 32, 16)));
    bench.apply(SetMode{WindowMode::kTime});
    bench.advance(0);
    bench.apply(SetKernel{"08_tiled_b_transposed"});
    EXPECT_EQ(bench.time_answer(), nullptr) << "an estimate of the former kernel";
    bench.advance(0);
    ASSERT_NE(bench.time_answer(), nullptr);
    EXPECT_EQ(bench.time_answer()->launch->title, "08_tiled_b_transposed");
}

TEST(TimeOfAWorkbench, TheSourceAsksForItToo) {
    Asked asked;
    Workbench bench(options_with(asked, request("09_tiled", 32, 16)));
    bench.apply(SetLineFigure{LineFigure::kTime});
    bench.advance(0);
    EXPECT_EQ(asked.launches.size(), 1u);
}

TEST(TimeOfAWorkbench, OfAGpuWithoutTimesIsASentence) {
    Asked asked;
    Workbench bench(options_with(asked, request("09_tiled", 32, 16)));
    bench.apply(SetMode{WindowMode::kTime});
    bench.apply(SetGeneration{"6.1"});
    bench.advance(0);
    ASSERT_NE(bench.time_answer(), nullptr);
    EXPECT_EQ(bench.time_answer()->problem, "no times");
    EXPECT_FALSE(bench.time_answer()->launch);
    // The usual function says which GPUs have times.
    const auto found = estimate_launch({.gpu = nullptr, .request = request("09_tiled", 32, 16)});
    ASSERT_FALSE(found);
    EXPECT_THAT(found.error().message, HasSubstr("9.0"));
    const auto on_cpu =
        estimate_launch({.gpu = find_gpu_model("h100"), .request = request("cpu_tiled", 64, 16)});
    ASSERT_FALSE(on_cpu);
    EXPECT_THAT(on_cpu.error().message, HasSubstr("runs on the CPU"));
}

TEST(TimeOfAWorkbench, OfAProgramIsThatOfItsRecording) {
    Asked asked;
    WorkbenchOptions options = options_with(asked, request("09_tiled", 32, 16));
    options.trace = tests::transpose_trace();
    const std::string kernel = options.trace->launch.kernel;
    Workbench bench(std::move(options));
    bench.apply(SetMode{WindowMode::kTime});
    bench.advance(0);
    EXPECT_THAT(asked.launches, ElementsAre(kernel));
    EXPECT_EQ(bench.timed_request(), nullptr);
}

// The page has a picture of L2, the other pages that show an estimate do not.
TEST(TimeOfAWorkbench, AsksForL2OnThePageOfTimeAlone) {
    Asked asked;
    Workbench bench(options_with(asked, request("09_tiled", 32, 16)));
    bench.apply(SetLineFigure{LineFigure::kTime});
    bench.advance(0);
    ASSERT_EQ(asked.launches.size(), 1u);
    EXPECT_EQ(asked.of_l2, 0u);
    EXPECT_EQ(bench.l2_answer(), nullptr);
    bench.apply(SetMode{WindowMode::kTime});
    bench.advance(0);
    EXPECT_EQ(asked.of_l2, 1u);
    ASSERT_NE(bench.l2_answer(), nullptr);
    EXPECT_TRUE(bench.l2_answer()->l2);
    EXPECT_EQ(bench.former_time_answer(), nullptr);
    EXPECT_EQ(asked.launches.size(), 1u) << "the estimate itself is kept";
    bench.apply(SetMode{WindowMode::kReplay});
    bench.advance(0);
    EXPECT_EQ(bench.l2_answer(), nullptr);
    bench.apply(SetMode{WindowMode::kTime});
    bench.advance(0);
    EXPECT_EQ(asked.of_l2, 1u);
    EXPECT_NE(bench.l2_answer(), nullptr);
}

// Waits for a condition; false after half a minute.
bool wait_until(const std::function<bool()>& holds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!holds()) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
}

TimeQuestion question_of(const std::string& kernel) {
    return {.gpu = find_gpu_model("h100"), .request = request(kernel, 32, 16)};
}

TEST(TimeBench, CancelsWhatIsNoLongerShownAndShowsWhatIsKnownSoFar) {
    std::atomic<int> begun{0}, cancelled_ones{0};
    TimeBench bench(true,
                    [&](const TimeQuestion& question, RecordProgress* progress,
                        const EstimateStep& step) -> Result<EstimatedLaunch> {
                        ++begun;
                        step(made_up_estimate(question));
                        if (question.request.kernel == "09_tiled")
                            return made_up_estimate(question);
                        if (!wait_until([&] { return progress->cancel.load(); }))
                            return failed("not cancelled");
                        ++cancelled_ones;
                        return cancelled();
                    });
    bench.ask({"endless"}, [](std::size_t) { return question_of("08_tiled_b_transposed"); });
    ASSERT_TRUE(wait_until([&] {
        bench.advance();
        return bench.answer("endless") != nullptr;
    }));
    EXPECT_FALSE(bench.answer("endless")->complete);
    EXPECT_TRUE(bench.busy());
    bench.ask({"short"}, [](std::size_t) { return question_of("09_tiled"); });
    ASSERT_TRUE(wait_until([&] {
        bench.advance();
        return !bench.busy();
    }));
    EXPECT_EQ(cancelled_ones, 1);
    EXPECT_TRUE(bench.answer("short")->complete);
    // The one that was cancelled is asked again, the other one is not.
    bench.ask({"endless"}, [](std::size_t) { return question_of("08_tiled_b_transposed"); });
    ASSERT_TRUE(wait_until([&] { return begun == 3; }));
    bench.ask({"short"}, [](std::size_t) { return question_of("09_tiled"); });
    bench.advance();
    EXPECT_FALSE(bench.busy());
    EXPECT_EQ(begun, 3);
}

TEST(TimeBench, AFailureIsTriedAgainAWrongCallIsNot) {
    int calls = 0;
    TimeBench bench(false,
                    [&](const TimeQuestion& question, RecordProgress*,
                        const EstimateStep&) -> Result<EstimatedLaunch> {
                        ++calls;
                        if (question.request.kernel == "09_tiled") return failed("No space");
                        return wrong_call("No such launch");
                    });
    const auto failing = [](std::size_t) { return question_of("09_tiled"); };
    const auto wrong = [](std::size_t) { return question_of("cpu_tiled"); };
    bench.ask({"failing"}, failing);
    EXPECT_EQ(bench.answer("failing")->problem, "No space");
    bench.ask({"wrong"}, wrong);
    bench.ask({"failing"}, failing);
    EXPECT_EQ(calls, 3);
    bench.ask({"wrong"}, wrong);
    EXPECT_EQ(calls, 3);
}

// 09 takes multiples of its TILE, 06 has one block of at most 1,024 threads.
TEST(TimeShown, OffersTheSizesThatTheKernelTakes) {
    const KernelInfo& tiled = *find_kernel("09_tiled");
    const KernelParameters small{.m = 32, .n = 32, .k = 32, .tile = 16};
    EXPECT_THAT(timed_sizes(tiled, small), ElementsAre(0, 256, 512, 1024, 2048, 4096, 8192));
    EXPECT_EQ(timed_parameters(tiled, small, 2048).n, 2048);
    EXPECT_EQ(timed_parameters(tiled, small, 0), small);
    const KernelParameters large{.m = 2048, .n = 2048, .k = 2048, .tile = 16};
    EXPECT_EQ(timed_parameters(tiled, large, 2048), large);
    const KernelInfo& single = *find_kernel("06_single_block");
    EXPECT_THAT(timed_sizes(single, small), ElementsAre(0));
    EXPECT_EQ(timed_parameters(single, small, 2048), small);
}

// tests/hardware/estimate.csv, at 2,048: 09 has about 9 TFLOPS with its best TILE, 12 about 20; 20
// and above are bounds or have no rows.
TEST(TimeShown, TheNextRungIsTheFirstThatIsMuchFaster) {
    RecordRequest asked = request("09_tiled", 2048, 32);
    const auto next = faster_rung(asked);
    ASSERT_TRUE(next);
    EXPECT_EQ(next->kernel, "12_outer_product");
    EXPECT_EQ(next->parameters.m, 2048);
    EXPECT_EQ(next->parameters.tile, 16);
    asked.kernel = "19_async_pipeline";
    EXPECT_FALSE(faster_rung(asked));
    asked.kernel = "25_warp_specialised";
    EXPECT_FALSE(faster_rung(asked));
}

}  // namespace
}  // namespace tilereel::time_bench_test

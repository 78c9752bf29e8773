// A comparison: the launch of the other side, and that both sides are at the same step.
#include "app/workbench/comparison.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>

#include "app/replay/replay.h"
#include "app/workbench/workbench.h"
#include "tests/trace/program_traces.h"
#include "tests/workbench/bench.h"

namespace tilereel::comparison_test {
namespace {

WorkbenchOptions options_of(const char* kernel, int extent, int tile, int pad) {
    WorkbenchOptions options;
    options.request.kernel = kernel;
    options.request.parameters = {.m = extent, .n = extent, .k = extent, .tile = tile, .pad = pad};
    options.playing = false;
    options.record_on_worker = false;
    return options;
}

struct Compared {
    explicit Compared(const char* kernel = "08_tiled_b_transposed", int extent = 32, int tile = 32)
        : bench(options_of(kernel, extent, tile, 0)) {
        Subject side = side_of(bench);
        side.pad = 1;
        bench.apply(Command{Compare{{}, side}});
    }
    [[nodiscard]] const Launch& right() const { return bench.other()->recording()->trace->launch; }
    Workbench bench;
};

TEST(Comparison, BothSidesStandAtTheSameStep) {
    Compared compared;
    Workbench& bench = compared.bench;
    ASSERT_NE(bench.lock_step(), nullptr);
    EXPECT_EQ(compared.right().pad, 1u);
    EXPECT_EQ(side_labels(bench, *bench.other()), (std::array<std::string, 2>{"PAD 0", "PAD 1"}));
    const LockStep& steps = *bench.lock_step();
    for (int i = 0; i < 200; ++i) {
        bench.apply(Command{StepForward{}});
        bench.advance(1);
        const LockStepEntry& entry = steps.entry_at(bench.common_position());
        EXPECT_EQ(bench.replay()->state().step, entry.step[0]);
        EXPECT_EQ(bench.other()->replay()->state().step, entry.step[1]);
        EXPECT_EQ(static_cast<Tick>(bench.position()), bench.replay()->state().tick);
        EXPECT_EQ(static_cast<Tick>(bench.other()->position()),
                  bench.other()->replay()->state().tick);
    }
    bench.apply(Command{StepBack{}});
    EXPECT_EQ(bench.other()->replay()->state().step,
              steps.entry_at(bench.common_position()).step[1]);
    bench.apply(Command{GoToEnd{}});
    EXPECT_EQ(bench.replay()->state().tick, bench.replay()->schedule().ticks);
    EXPECT_EQ(bench.other()->replay()->state().tick, bench.other()->replay()->schedule().ticks);
}

// Each of 32 warps reads As and Bs for each of 32 k. As takes 1 wavefront. Bs takes 32 without
// padding and 1 with it. Sums: 1,024 x 33 and 1,024 x 2.
TEST(Comparison, TheCountersAreThoseOfEachSide) {
    Compared compared;
    EXPECT_EQ(compared.bench.recording()->counts.shared_load.wavefronts, 33'792u);
    EXPECT_EQ(compared.bench.other()->recording()->counts.shared_load.wavefronts, 2'048u);
}

TEST(Comparison, CommonParametersStayCommon) {
    Compared compared("08_tiled_b_transposed", 16, 8);
    KernelParameters next = compared.bench.request().parameters;
    next.tile = 16;
    compared.bench.apply(Command{SetParameters{next}});
    EXPECT_EQ(compared.right().tile, 16u);
    EXPECT_EQ(compared.right().pad, 1u);
    compared.bench.apply(Command{SetGeneration{"1.3"}});
    EXPECT_EQ(compared.bench.other()->generation().id, "1.3");
    compared.bench.apply(Command{TogglePad{}});  // the sides change places
    EXPECT_EQ(compared.bench.recording()->trace->launch.pad, 1u);
    EXPECT_EQ(compared.right().pad, 0u);
    compared.bench.apply(Command{WatchBlock{0, 0}});
    EXPECT_EQ(compared.bench.other()->replay()->block(), compared.bench.replay()->block());
}

TEST(Comparison, TheBlockIsWatchedOnBothSides) {
    Compared compared("08_tiled_b_transposed", 16, 8);
    compared.bench.apply(Command{WatchBlock{1, 1}});
    EXPECT_EQ(compared.bench.replay()->block(), 3u);
    EXPECT_EQ(compared.bench.other()->replay()->block(), 3u);
    compared.bench.apply(Command(WatchBlock{0, 1}).on_right());
    EXPECT_EQ(compared.bench.replay()->block(), 2u);
    EXPECT_EQ(compared.bench.other()->replay()->block(), 2u);
}

TEST(Comparison, OfKernelsTilesBarriersAndGenerations) {
    Workbench bench(options_of("09_tiled", 16, 8, 0));
    const KernelInfo& kernel = *find_kernel("09_tiled");
    Subject naive = side_of(bench);
    naive.kernel = "02_naive";
    Subject tile = side_of(bench);
    tile.tile = 4;
    Subject barrier = side_of(bench);
    barrier.removed_barrier = static_cast<std::uint32_t>(kernel.barriers.front().line);
    Subject old = side_of(bench);
    old.generation = "1.1";
    for (const Subject& side : {naive, tile, barrier, old}) {
        bench.apply(Command{Compare{{}, side}});
        ASSERT_NE(bench.lock_step(), nullptr) << bench.message();
        const Recording& right = *bench.other()->recording();
        EXPECT_EQ(right.trace->launch.kernel, side.kernel);
        EXPECT_EQ(right.trace->launch.tile, static_cast<std::uint32_t>(*side.tile));
        EXPECT_EQ(right.trace->launch.removed_barrier, side.removed_barrier);
        EXPECT_EQ(right.generation->id, side.generation);
        const auto labels = side_labels(bench, *bench.other());
        EXPECT_NE(labels[0], labels[1]);
    }
    bench.apply(Command{SeekTo{20, false}});
    const double position = bench.position();
    bench.apply(Command{CloseComparison{}});
    EXPECT_EQ(bench.lock_step(), nullptr);
    EXPECT_EQ(bench.other(), nullptr);
    EXPECT_EQ(bench.position(), position);
    EXPECT_EQ(bench.message(), "");
}

// The other side counts the program's recording by other rules; nothing is recorded anew, also
// while its thread still counts by the first ones.
TEST(Comparison, AProgramIsComparedWithItselfOnAnotherGpu) {
    for (const bool on_worker : {false, true}) {
        WorkbenchOptions options = paused({}, on_worker);
        options.trace = tests::histogram_trace();
        Workbench workbench(std::move(options));
        ASSERT_TRUE(wait_until_recorded(workbench));
        Subject right;
        right.generation = "8.9";
        workbench.apply(Compare{{}, right});
        for (int i = 0; i < 30'000 && workbench.other() == nullptr && workbench.message().empty();
             ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            workbench.advance(0);
        }
        EXPECT_EQ(workbench.message(), "");
        ASSERT_NE(workbench.other(), nullptr);
        EXPECT_EQ(workbench.other()->generation().id, "8.9");
        EXPECT_EQ(workbench.other()->recording()->trace->launch.kernel,
                  workbench.recording()->trace->launch.kernel);
    }
}

TEST(Comparison, BothSidesCanBeChosenAtOnce) {
    Workbench bench(options_of("09_tiled", 16, 4, 0));
    const Subject left{
        .kernel = "08_tiled_b_transposed", .m = 32, .n = 32, .k = 32, .tile = 32, .pad = 0};
    Subject right = left;
    right.pad = 1;
    bench.apply(Command{Compare{left, right}});
    ASSERT_NE(bench.lock_step(), nullptr) << bench.message();
    EXPECT_EQ(bench.recording()->trace->launch.kernel, "08_tiled_b_transposed");
    EXPECT_EQ(bench.request().parameters.tile, 32);
    EXPECT_EQ(bench.other()->recording()->trace->launch.pad, 1u);
}

TEST(Comparison, AnImpossibleComparisonSaysWhy) {
    Workbench bench(options_of("09_tiled", 16, 4, 0));
    Subject side;
    side.file = "no such file.npz";
    bench.apply(Command{Compare{{}, side}});
    EXPECT_NE(bench.message().find("no such file.npz"), std::string::npos) << bench.message();
    EXPECT_FALSE(bench.comparing());
    side = side_of(bench);
    side.tile = 7;
    bench.apply(Command{Compare{{}, side}});
    EXPECT_NE(bench.message(), "");
    EXPECT_EQ(bench.lock_step(), nullptr);
    EXPECT_NE(bench.replay(), nullptr);  // what was watched stays
}

// A lesson of three scenes, of which the second compares.
class LessonThatCompares : public testing::Test {
  protected:
    LessonThatCompares()
        : file_(std::filesystem::temp_directory_path() /
                ("tilereel_comparing_" + std::to_string(::getpid()) + ".toml")) {
        std::ofstream(file_) << "title = 'Pair'\n"
                                "[[scene]]\ntitle = 'One'\nkernel = '08_tiled_b_transposed'\n"
                                "[[scene]]\ntitle = 'Two'\ncompare = {pad = 1}\n"
                                "at = 'first read of Bs'\nthen = ['end']\n"
                                "[[scene]]\ntitle = 'Three'\nat = 'first read of As'\n";
        WorkbenchOptions options = options_of("09_tiled", 8, 4, 0);
        options.lessons = std::make_unique<LessonBench>(LessonBenchOptions{.on_thread = false});
        bench_.emplace(std::move(options));
        apply(OpenLesson{file_, 0});
    }
    ~LessonThatCompares() override { std::filesystem::remove(file_); }
    void apply(Command command) {
        bench_->apply(command);
        bench_->advance(0);
        for (int i = 0; i < 10'000 && bench_->moving(); ++i) bench_->advance(0.1);
    }
    std::filesystem::path file_;
    std::optional<Workbench> bench_;
};

TEST_F(LessonThatCompares, PageDownMovesBothSidesInLockStep) {
    EXPECT_FALSE(bench_->comparing());
    apply(StepLesson{1});
    ASSERT_NE(bench_->lock_step(), nullptr);
    const auto wavefronts = [](const Workbench& side) {
        const ReplayState& state = side.replay()->state();
        return side.replay()->schedule().costs[state.step].wavefronts;
    };
    EXPECT_EQ(wavefronts(*bench_), 32u) << "a column of 32 words in one bank";
    EXPECT_EQ(wavefronts(*bench_->other()), 1u) << "in 32 banks";
    apply(StepLesson{1});
    EXPECT_EQ(bench_->replay()->state().tick, bench_->replay()->schedule().ticks);
    EXPECT_EQ(bench_->other()->replay()->state().tick, bench_->other()->replay()->schedule().ticks);
    apply(StepLesson{-1});
    EXPECT_EQ(wavefronts(*bench_), 32u) << "back at the first stop";
    EXPECT_EQ(wavefronts(*bench_->other()), 1u);
}

TEST_F(LessonThatCompares, TheNextSceneStandsAlone) {
    for (int i = 0; i < 3; ++i) apply(StepLesson{1});
    EXPECT_EQ(bench_->lessons().lesson()->scene, 2u);
    EXPECT_FALSE(bench_->comparing());
    EXPECT_EQ(bench_->other(), nullptr);
    apply(StepLesson{-1});
    EXPECT_NE(bench_->lock_step(), nullptr) << "Page Up compares again";
}

}  // namespace
}  // namespace tilereel::comparison_test

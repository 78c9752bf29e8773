// A barrier opens when its last warp arrives: the bar parts, the warps pass, the bar closes.
#include "app/workbench/launch/barrier_opening.h"

#include <gtest/gtest.h>

#include "tests/stage/stage_frame.h"
#include "tests/trace/program_traces.h"

namespace tilereel::barrier_opening_test {
namespace {

class BarrierOpens : public StageFrame {
  protected:
    // Starts to play two ticks before the first barrier opens.
    static void play(Workbench& bench) {
        bench.apply(Command{SeekTo{first_barrier(bench) - 2, false}});
        bench.advance(0.01);
        bench.apply(Command{PlayPause{}});
    }
    static double first_barrier(const Workbench& bench) {
        return static_cast<double>(bench.replay()->schedule().barriers.front().at);
    }
    void pass(Workbench& bench, double seconds) {
        for (double left = seconds; left > 1e-9; left -= 1.0 / 60) {
            bench.advance(std::min(left, 1.0 / 60));
            frame(bench);
        }
    }
    // The height of the upper half of the bar, or of the whole bar while it is closed.
    static float bar() {
        Rect bar;
        return find_widget("stage.barrier", bar) ? bar.h : 0;
    }
    static float token(std::uint32_t warp) {
        Rect token;
        return find_widget("stage.warp." + std::to_string(warp), token) ? token.x : 0;
    }
    std::vector<DrawnText> texts(Workbench& bench) {
        std::vector<DrawnText> drawn;
        record_drawn_text(&drawn);
        frame(bench);
        record_drawn_text(nullptr);
        return drawn;
    }
    bool says(Workbench& bench, const std::string& words) {
        return std::ranges::any_of(texts(bench),
                                   [&](const DrawnText& text) { return text.text == words; });
    }
};

TEST_F(BarrierOpens, WhenTheLastWarpArrives) {
    // Tokens in rows, tokens in columns, and a block of a single warp.
    for (const int tile : {16, 32, 4}) {
        view_ = StageView{};
        Workbench bench = workbench("09_tiled", {32, 32, 32, tile, 0});
        play(bench);
        frame(bench);
        const float closed = bar(), before = token(0);
        ASSERT_GT(closed, 0);
        EXPECT_FALSE(bench.barrier_opening());
        pass(bench, 2 * kSecondsATick - 0.05);  // the barrier opens after two ticks
        float farthest = 0;
        for (int i = 0; i < 15; ++i) {
            pass(bench, 1.0 / 60);
            farthest = std::max(farthest, token(0));
        }
        ASSERT_TRUE(bench.barrier_opening()) << tile;
        EXPECT_GT(farthest, before) << tile;
        EXPECT_LT(bar(), 0.2f * closed) << tile;
        EXPECT_TRUE(says(bench, "opens")) << tile;
        pass(bench, 0.5);
        EXPECT_FALSE(bench.barrier_opening()) << tile;
        EXPECT_EQ(bar(), closed) << tile;
        EXPECT_FALSE(says(bench, "opens")) << tile;
    }
}

// On a projector there is no room for 32 tokens beside A, nor for the warps of a program beside its
// arrays. The bar is there, and opens.
TEST_F(BarrierOpens, WhereThereIsNoRoomForTokens) {
    const Rect projector{0, 0, 754, 377};
    const auto opens = [&](Workbench& bench, const std::string& name) {
        view_ = StageView{};
        play(bench);
        frame(bench, 0.01, projector, 2);
        Rect token;
        ASSERT_FALSE(find_widget("stage.warp.0", token)) << name;
        const float closed = bar();
        ASSERT_GT(closed, 20) << name;
        for (int i = 0; i < 30; ++i) {
            bench.advance(1.0 / 60);
            frame(bench, 1.0 / 60, projector, 2);
            if (bench.barrier_opening() && bench.barrier_opening()->gap() > 0.99f) break;
        }
        ASSERT_TRUE(bench.barrier_opening()) << name;
        EXPECT_LT(bar(), 0.2f * closed) << name;
    };
    Workbench kernel = workbench("08_tiled_b_transposed", {32, 32, 32, 32, 0});
    opens(kernel, "08");
    WorkbenchOptions options;
    options.trace = tests::reduction_trace();
    options.record_on_worker = false;
    options.playing = false;
    Workbench program(std::move(options));
    opens(program, "reduction");
}

TEST_F(BarrierOpens, AStopBetweenTwoTicksHoldsIt) {
    Workbench bench = workbench("09_tiled", {32, 32, 32, 16, 0});
    play(bench);
    pass(bench, 2 * kSecondsATick + 0.2);
    bench.apply(Command{PlayPause{}});
    const float open = bar(), held = token(3);
    pass(bench, 1);
    EXPECT_EQ(bar(), open);
    EXPECT_EQ(token(3), held);
    bench.apply(Command{PlayPause{}});
    pass(bench, 0.5);
    EXPECT_FALSE(bench.barrier_opening());
}

// What leaves at the right enters at the left: a stop in any frame shows every warp, at least half
// of it. Tokens in rows, in columns, and in columns on a projector.
TEST_F(BarrierOpens, EveryWarpIsSeenWhereverItStops) {
    constexpr float kLeastSeen = 0.4f;  // of a token's width
    struct Case {
        int tile;
        Rect stage;
        float text;
    };
    for (const Case& one : {Case{16, {0, 0, 1048, 800}, 1}, Case{32, {0, 0, 1048, 800}, 1},
                            Case{16, {0, 0, 936, 532}, 1}, Case{13, {0, 0, 754, 377}, 2}}) {
        view_ = StageView{};
        Workbench bench = workbench(
            "09_tiled", {2 * one.tile, 2 * one.tile, 32 / one.tile * one.tile, one.tile, 0});
        play(bench);
        frame(bench, 0.01, one.stage, one.text);
        int opening = 0;
        for (int i = 0; i < 60; ++i) {
            bench.advance(1.0 / 60);
            frame(bench, 1.0 / 60, one.stage, one.text);
            if (!bench.barrier_opening()) continue;
            ++opening;
            Rect area;
            ASSERT_TRUE(find_widget("stage.warps", area));
            const auto warps = static_cast<std::uint32_t>((one.tile * one.tile + 31) / 32);
            for (std::uint32_t warp = 0; warp < warps; ++warp) {
                Rect token;
                ASSERT_TRUE(find_widget("stage.warp." + std::to_string(warp), token)) << one.tile;
                const float seen =
                    std::min(token.right(), area.right()) - std::max(token.x, area.x);
                ASSERT_GE(seen, kLeastSeen * token.w)
                    << "warp " << warp << ", TILE " << one.tile << ", "
                    << bench.barrier_opening()->seconds << " s";
            }
        }
        EXPECT_GT(opening, 10) << one.tile;
    }
}

TEST_F(BarrierOpens, AfterAStepItClosesByItself) {
    Workbench bench = workbench("09_tiled", {32, 32, 32, 16, 0});
    bench.apply(Command{SeekTo{first_barrier(bench) - 1, false}});
    pass(bench, 0.1);
    bench.apply(Command{StepForward{}});
    pass(bench, 0.3);
    ASSERT_TRUE(bench.barrier_opening());
    EXPECT_EQ(bench.barrier_opening()->barrier, 0u);
    EXPECT_FALSE(bench.moving());
    pass(bench, 0.5);
    EXPECT_FALSE(bench.barrier_opening());
}

TEST_F(BarrierOpens, NeitherAfterAJumpNorWithoutMotionNorTooFast) {
    Workbench bench = workbench("09_tiled", {32, 32, 32, 16, 0});
    play(bench);
    bench.apply(Command{SeekTo{first_barrier(bench) + 0.5, false}});
    pass(bench, 0.1);
    EXPECT_FALSE(bench.barrier_opening());
    for (const Command& still : {Command{SetMotion{false}}, Command{SetSpeed{8}}}) {
        Workbench other = workbench("09_tiled", {32, 32, 32, 16, 0});
        play(other);
        other.apply(still);
        for (int i = 0; i < 40; ++i) {
            pass(other, 1.0 / 60);
            ASSERT_FALSE(other.barrier_opening());
        }
    }
}

}  // namespace
}  // namespace tilereel::barrier_opening_test

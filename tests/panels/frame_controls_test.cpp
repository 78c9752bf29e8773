// Each control outside of the top bar has the effect on the workbench that its name says.
#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <string>
#include <thread>

#include "app/panels/panel_memory.h"
#include "app/replay/places/navigation.h"
#include "kernels/catalog.h"
#include "tests/panels/frame_window.h"
#include "tests/panels/page_of_words.h"

namespace tilereel::frame_controls_test {
namespace {

TEST(Transport, StepsByTheChosenUnit) {
    FrameWindow window;
    Workbench& bench = window.bench;
    window.driver.click("unit.wavefront");
    EXPECT_EQ(bench.unit(), StepUnit::kWavefront);
    window.driver.click("transport.forward");
    window.finish_step();
    EXPECT_EQ(window.tick(), 1u);
    window.driver.click("unit.request");
    window.driver.click("transport.forward");
    window.finish_step();
    EXPECT_EQ(window.tick(), bench.replay()->schedule().steps[1].begin);
    window.driver.click("transport.back");
    EXPECT_EQ(window.tick(), 0u);
    window.driver.click("unit.phase");
    window.driver.click("transport.forward");
    window.finish_step();
    EXPECT_EQ(window.tick(), next_tick(*bench.replay(), StepUnit::kPhase, 0));
    EXPECT_GT(window.tick(), 0u);
}

TEST(Transport, GoesToTheStartAndTheEnd) {
    FrameWindow window;
    window.driver.click("transport.end");
    EXPECT_EQ(window.tick(), window.bench.replay()->schedule().ticks);
    window.driver.click("transport.start");
    EXPECT_EQ(window.tick(), 0u);
}

TEST(Transport, PlaysAtTheChosenSpeedAndPauses) {
    FrameWindow window;
    window.driver.click("chip.speed");
    window.driver.click(
        "chip.speed.\xc3\x97"
        "4");
    EXPECT_DOUBLE_EQ(window.bench.speed(), 4);
    window.driver.click("transport.play");
    ASSERT_TRUE(window.bench.playing());
    const double before = window.bench.position();
    window.driver.frames(6, 0.04);  // 4 ticks every 160 ms
    EXPECT_NEAR(window.bench.position() - before, 6, 0.01);
    window.driver.click("transport.play");
    EXPECT_FALSE(window.bench.playing());
}

TEST(Timeline, ClickAndDragScrub) {
    FrameWindow window;
    const auto ticks = static_cast<double>(window.bench.replay()->schedule().ticks);
    window.driver.click("timeline.track", 0.25f);
    EXPECT_NEAR(window.bench.position(), 0.25 * ticks, 0.2);
    EXPECT_FALSE(window.bench.scrubbing());
    const Rect track = window.driver.rect_of("timeline.track");
    bool scrubbed = false;
    window.driver.drag({track.x + 10, track.center().y},
                       {track.x + 0.75f * track.w, track.center().y},
                       [&] { scrubbed = window.bench.scrubbing(); });
    EXPECT_TRUE(scrubbed);
    EXPECT_FALSE(window.bench.scrubbing());
    EXPECT_NEAR(window.bench.position(), 0.75 * ticks, 0.2);
}

TEST(Timeline, DraggingBeyondItsEndsStaysInside) {
    FrameWindow window;
    const Rect track = window.driver.rect_of("timeline.track");
    window.driver.drag(track.center(), {-500, track.center().y});
    EXPECT_EQ(window.tick(), 0u);
    window.driver.drag(track.center(), {5000, track.center().y});
    EXPECT_EQ(window.tick(), window.bench.replay()->schedule().ticks);
}

TEST(Source, IntroductionOpensAndCloses) {
    FrameWindow window;
    window.driver.click("source.introduction");
    EXPECT_TRUE(window.driver.has("introduction.close"));
    window.driver.click("introduction.close");
    window.driver.frames(2);
    EXPECT_FALSE(window.driver.has("introduction.close"));
    window.driver.click("source.introduction");
    window.driver.press(Key::kEscape);
    EXPECT_FALSE(window.driver.has("introduction.close"));
}

TEST(Source, FollowsTheRunningLineAndTheWheel) {
    FrameWindow window(small_request(), 1280, 720);
    window.bench.apply(SelectTab{SideTab::kSource});
    window.bench.apply(GoToEnd{});  // C's store, the kernel's last statement
    window.driver.frames(30);
    const float followed = window.state.panels.parts().source.scroll;
    EXPECT_GT(followed, 0);
    const Rect code = window.driver.rect_of("source.code");
    window.driver.scroll(code.center(), 2);
    window.driver.frames(10);
    EXPECT_LT(window.state.panels.parts().source.scroll, followed);
    window.driver.frames(60, 0.1);  // after some seconds it follows again
    EXPECT_FLOAT_EQ(window.state.panels.parts().source.scroll, followed);
}

// On a projector the barrier is read together with the lines before and after it.
TEST(Source, ShowsSeveralLinesOnAProjector) {
    FrameWindow window(small_request(), 1280, 720);
    window.bench.apply(Commands{SetTextSize{28}, SelectTab{SideTab::kSource}, GoToEnd{}});
    for (const KernelInfo* const kernel :
         {find_kernel("09_tiled"), find_kernel("08_tiled_b_transposed")}) {
        window.bench.apply(Commands{SetKernel{std::string(kernel->id)}, GoToEnd{}});
        window.driver.frames(30);
        const Rect code = window.driver.rect_of("source.code");
        std::set<std::string> numbers;
        for (const DrawnText& text : texts_of([&] { window.driver.frame(); }))
            if (text.face == Face::kMono && text.box.right() <= code.x + 1 &&
                text.box.x > code.x - 80 && text.box.y >= code.y - 1 &&
                text.box.bottom() <= code.bottom() + 1)
                numbers.insert(text.text);
        EXPECT_GE(numbers.size(), 5u) << kernel->id;
    }
}

TEST(Inspector, TheWheelReachesWhatDoesNotFit) {
    FrameWindow window(small_request(), 1280, 720);
    window.bench.apply(SetTextSize{28});
    window.bench.apply(SelectTab{SideTab::kRequest});
    window.driver.frames(3);
    const Rect panel = window.driver.rect_of("inspector");
    window.driver.scroll({panel.center().x, panel.bottom() - 20}, -2);
    EXPECT_GT(window.state.panels.parts().inspector.scroll, 0);
}

TEST(SideTabs, ShareOnePanelInANarrowWindow) {
    FrameWindow window(small_request(), 1280, 720);
    EXPECT_TRUE(window.driver.has("inspector"));
    EXPECT_FALSE(window.driver.has("source.code"));
    window.driver.click("side.source");
    EXPECT_EQ(window.bench.view().tab, SideTab::kSource);
    window.driver.frames(2);
    EXPECT_TRUE(window.driver.has("source.code"));
    window.driver.click("side.inspector");
    EXPECT_EQ(window.bench.view().tab, SideTab::kRequest);
}

// At large text the request and the counters do not fit together: each has a tab.
TEST(SideTabs, TheCountersHaveATabWhereTheInspectorHasNoRoomForThem) {
    FrameWindow window(small_request(), 1920, 1080);
    EXPECT_FALSE(window.driver.has("side.counts"));
    window.bench.apply(SetTextSize{28});
    window.driver.frames(3);
    EXPECT_TRUE(window.driver.has("inspector.lanes.0.element"));
    EXPECT_FALSE(window.driver.has("inspector.compiled"));
    window.driver.click("side.counts");
    EXPECT_FALSE(window.driver.has("inspector.lanes.0.element"));
    EXPECT_TRUE(window.driver.has("inspector.compiled"));
    EXPECT_TRUE(window.driver.has("inspector.phases"));
    window.bench.apply(SetTextSize{14});  // the inspector shows both again
    window.driver.frames(3);
    EXPECT_TRUE(window.driver.has("inspector.lanes.0.element"));
}

TEST(Stage, TheWheelZoomsAndZeroResets) {
    FrameWindow window(small_request("09_tiled", 64, 16));
    const FrameLayout layout = layout_of(window.look, 1920, 1080);
    Rect c;
    const ImVec2 at = find_widget("stage.c", c) ? c.center() : layout.stage.center();
    window.driver.scroll(at, 3);
    EXPECT_GT(window.bench.stage_zoom().zoom, 1.0f);
    window.driver.press('0');
    EXPECT_FLOAT_EQ(window.bench.stage_zoom().zoom, 1.0f);
}

TEST(Message, ALongRecordingShowsProgressAndCanBeCancelled) {
    FrameWindow window(small_request(), 1920, 1080, true);
    const auto wait = [&](auto&& until) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (!until() && std::chrono::steady_clock::now() < end) {
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
            window.driver.frame();
        }
        return until();
    };
    ASSERT_TRUE(wait([&] { return window.bench.recording() != nullptr; }));
    window.bench.apply(SetParameters{{.m = 512, .n = 512, .k = 512, .tile = 16, .pad = 0}});
    window.driver.frames(4, 0.06);
    ASSERT_NE(window.bench.recording_progress(), nullptr);
    ASSERT_TRUE(window.driver.has("message.cancel"));
    window.driver.click("message.cancel");
    ASSERT_TRUE(wait([&] { return window.bench.recording_progress() == nullptr; }));
    EXPECT_EQ(window.bench.recording()->trace->launch.m, 16u);
    EXPECT_EQ(window.parameters().m, 16);
}

}  // namespace
}  // namespace tilereel::frame_controls_test

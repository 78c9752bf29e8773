// Ctrl+C copies a command that shows the same view again.
#include "app/shell/shown_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/panels/frame_window.h"

namespace tilereel::shown_view_test {
namespace {

constexpr std::string_view kCommand = "tilereel --state ";

std::string copied(FrameWindow& window) {
    window.driver.press(Key::kCopy);
    const std::string text = ImGui::GetClipboardText();
    EXPECT_TRUE(text.starts_with(kCommand)) << text;
    return text.substr(std::min(kCommand.size(), text.size()));
}

// Another window, opened with what was copied.
struct OpenedAgain {
    explicit OpenedAgain(const std::string& text)
        : view(parse_view(text).value()),
          window(RecordRequest{.kernel = view.subject.kernel,
                               .parameters = {.m = view.subject.m.value_or(0),
                                              .n = view.subject.n.value_or(0),
                                              .k = view.subject.k.value_or(0),
                                              .tile = view.subject.tile.value_or(0),
                                              .pad = view.subject.pad.value_or(0)},
                               .inputs = {}}) {
        ViewRestorer(view).advance(window.bench);
        window.driver.frames(2);
    }
    SavedView view;
    FrameWindow window;
};

TEST(ShownView, IsTheSameInAnotherWindow) {
    std::string text;
    Tick tick = 0;
    {
        FrameWindow window(small_request("09_tiled", 32, 8, 1));
        window.bench.apply(Commands{WatchBlock{3, 2}, SetUnit{StepUnit::kWavefront}, SetSpeed{0.5},
                                    SelectTab{SideTab::kSource}});
        window.driver.frames(2);
        for (int i = 0; i < 5; ++i) {
            window.driver.press(Key::kRight);
            window.finish_step();
        }
        window.driver.press('w');
        window.driver.press('l');
        window.bench.apply(SetZoom{{.zoom = 2, .follows = false, .pan = {4, 8, 0}}});
        tick = window.tick();
        EXPECT_GT(tick, 0u);
        text = copied(window);
    }
    OpenedAgain again(text);
    EXPECT_EQ(again.window.tick(), tick);
    EXPECT_EQ(again.window.bench.replay()->block(), 2u * 4 + 3);
    EXPECT_EQ(again.window.bench.request().parameters.pad, 1);
    EXPECT_EQ(again.window.bench.unit(), StepUnit::kWavefront);
    EXPECT_EQ(again.window.bench.speed(), 0.5);
    EXPECT_EQ(again.window.bench.view().tab, SideTab::kSource);
    EXPECT_EQ(again.window.bench.watched_thread().chosen_warp(), 0u);
    EXPECT_EQ(again.window.bench.watched_thread().lane(), 1u);
    EXPECT_EQ(again.window.bench.stage_zoom().zoom, 2);
    EXPECT_FALSE(again.window.bench.playing());
    EXPECT_EQ(copied(again.window), text);
}

TEST(ShownView, CarriesTheComparisonAndThePattern) {
    std::string text;
    Tick tick = 0;
    {
        FrameWindow window(small_request("09_tiled", 16, 8));
        window.bench.apply(Command{Compare{{},
                                           {.kernel = "09_tiled",
                                            .m = 16,
                                            .n = 16,
                                            .k = 16,
                                            .tile = 4,
                                            .pad = 0,
                                            .generation = "1.3"}}});
        window.driver.frames(3);
        ASSERT_NE(window.bench.lock_step(), nullptr);
        window.bench.apply(Commands{SeekTo{20, false}, ShowNextSide{}, ShowHeat{Heat::kShared},
                                    SetMotion{false},
                                    AskPattern{{.expression = "tx*17", .warp = 3}}});
        window.driver.frames(2);
        tick = window.tick();
        text = copied(window);
    }
    OpenedAgain again(text);
    again.window.driver.frames(2);
    ASSERT_NE(again.window.bench.lock_step(), nullptr) << text;
    EXPECT_EQ(again.window.bench.other()->request().parameters.tile, 4);
    EXPECT_EQ(again.window.bench.other()->generation().id, "1.3");
    EXPECT_EQ(again.window.tick(), tick);
    EXPECT_EQ(again.window.bench.view().sides, SidesShown::kLeft);
    EXPECT_EQ(again.window.bench.view().heat, Heat::kShared);
    EXPECT_FALSE(again.window.bench.view().motion);
    EXPECT_EQ(again.window.bench.lab().question().expression, "tx*17");
    EXPECT_EQ(again.window.bench.lab().question().warp, 3u);
    EXPECT_EQ(copied(again.window), text);
}

TEST(ShownView, NumbersThatTheBlockDoesNotHaveChangeNothing) {
    OpenedAgain again(
        "kernel=09_tiled,m=16,n=16,k=16,tile=4,pad=0,block=99:99,tick=1e17,warp=31,lane=31,"
        "pan=1000000:1000000:0");
    EXPECT_EQ(again.window.bench.replay()->block(), 0u);
    EXPECT_EQ(again.window.tick(), again.window.bench.replay()->schedule().ticks);
    // The block has one warp of 16 threads.
    EXPECT_EQ(again.window.bench.watched_thread().chosen_warp(), std::nullopt);
    EXPECT_EQ(again.window.bench.watched_thread().lane(), 0u);
    EXPECT_TRUE(again.window.bench.message().empty());
}

TEST(ShownView, SaysThatYourMatricesAreNotInIt) {
    RecordRequest request = small_request();
    request.inputs.a.assign(256, 1);
    request.inputs.b.assign(256, 2);
    FrameWindow window(request);
    EXPECT_THAT(copy_view(window.bench), ::testing::HasSubstr("random matrices instead of yours"));
}

}  // namespace
}  // namespace tilereel::shown_view_test

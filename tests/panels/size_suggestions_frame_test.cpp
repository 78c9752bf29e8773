// Suggested sizes in the window: their buttons and keys, and that the replay stays on the screen
// until one is chosen. Also other messages, TILE by occupancy, and a kernel's introduction.
#include <gtest/gtest.h>

#include "app/panels/panel_memory.h"
#include "tests/panels/frame_window.h"

namespace tilereel::size_suggestions_frame_test {
namespace {

void type_k(FrameWindow& window, const char* k) {
    window.driver.click("chip.extents.k");
    window.driver.type(k);
    window.driver.enter();
    window.driver.frames(2);
}

TEST(SizeSuggestions, TypedSizesThatDoNotFitShowSuggestions) {
    FrameWindow window(small_request("09_tiled", 64, 16));
    type_k(window, "60");
    EXPECT_TRUE(window.driver.has("message.fix"));
    EXPECT_TRUE(window.driver.has("message.fix.2"));
    EXPECT_EQ(window.bench.recording()->trace->launch.k, 64u);  // still on the screen
    window.driver.click("message.fix");
    EXPECT_EQ(window.bench.recording()->trace->launch.k, 64u);
    EXPECT_FALSE(window.driver.has("message.fix"));
    type_k(window, "70");
    window.driver.click("message.fix.2");
    EXPECT_EQ(window.bench.recording()->trace->launch.kernel, "10_tiled_any_size");
    EXPECT_EQ(window.bench.recording()->trace->launch.k, 70u);
}

TEST(SizeSuggestions, EnterTakesTheFirstAndTabChoosesTheNext) {
    FrameWindow window(small_request("09_tiled", 32, 16));
    type_k(window, "60");
    EXPECT_TRUE(window.driver.has("message.fix"));  // the Enter that ended the edit took nothing
    window.driver.press(Key::kEnter);
    EXPECT_EQ(window.bench.recording()->trace->launch.k, 64u);
    EXPECT_EQ(window.bench.recording()->trace->launch.kernel, "09_tiled");
    type_k(window, "60");
    window.driver.press(Key::kTab);
    window.driver.press(Key::kEnter);
    EXPECT_EQ(window.bench.recording()->trace->launch.k, 60u);
    EXPECT_EQ(window.bench.recording()->trace->launch.kernel, "10_tiled_any_size");
    window.driver.press(Key::kEnter);  // nothing is offered
    EXPECT_EQ(window.bench.recording()->trace->launch.k, 60u);
}

TEST(SizeSuggestions, NewSuggestionsStartWithTheFirst) {
    FrameWindow window(small_request("09_tiled", 32, 16));
    type_k(window, "60");
    window.driver.press(Key::kTab);
    window.driver.press(Key::kEscape);
    EXPECT_FALSE(window.driver.has("message.fix"));
    type_k(window, "50");
    window.driver.press(Key::kEnter);
    EXPECT_EQ(window.bench.recording()->trace->launch.kernel, "09_tiled");
    EXPECT_EQ(window.bench.recording()->trace->launch.k, 64u);
}

TEST(SizeSuggestions, AKernelFromTheMenuCanShowSuggestionsWhileTheReplayPlays) {
    FrameWindow window(small_request("02_naive", 60, 4));
    window.driver.click("chip.kernel");
    window.driver.click("chip.kernel.12_outer_product");
    ASSERT_TRUE(window.driver.has("message.fix"));
    EXPECT_EQ(window.bench.recording()->trace->launch.kernel, "02_naive");
    window.driver.press(' ');
    EXPECT_TRUE(window.bench.playing());
    EXPECT_TRUE(window.driver.has("message.fix"));
    window.driver.press(Key::kEnter);
    EXPECT_EQ(window.bench.recording()->trace->launch.kernel, "12_outer_product");
    EXPECT_EQ(window.parameters(),
              (KernelParameters{.m = 64, .n = 64, .k = 64, .tile = 16, .pad = 0}));
}

// A notice, an error and suggestions lie over the sentence and perhaps the timeline.
TEST(Message, CoversNothingOfThePicture) {
    struct Screen {
        float width, height;
        int text;
    };
    for (const auto& [width, height, text] :
         {Screen{1366, 768, 14}, Screen{1920, 1080, 28}, Screen{1280, 720, 32}}) {
        FrameWindow window(small_request("02_naive", 20, 4), width, height);
        window.bench.apply(SetTextSize{text});
        for (const char* asked : {"pad", "barrier", "size", "kernel"}) {
            if (std::string_view(asked) == "pad") window.driver.press('p');
            if (std::string_view(asked) == "barrier") window.driver.press('b', true);
            if (std::string_view(asked) == "size")
                window.bench.apply(SetParameters{{.m = -1, .n = 20, .k = 20, .tile = 4}});
            if (std::string_view(asked) == "kernel")
                window.bench.apply(SetKernel{"12_outer_product"});
            window.driver.frames(2);
            ASSERT_TRUE(window.driver.has("message")) << asked;
            const Rect message = window.driver.rect_of("message");
            EXPECT_GE(message.y, layout_of(window.look, width, height).stage.bottom())
                << asked << " at " << width << " text " << text;
            window.driver.press(Key::kEscape);
            EXPECT_FALSE(window.driver.has("message")) << asked;
        }
    }
}

TEST(Message, AnInvalidSizeIsQuotedInTheMessage) {
    FrameWindow window;
    const auto said = [&](const char* typed) {
        window.driver.click("chip.extents.m");
        window.driver.type(typed);
        window.driver.enter();
        const std::string& notice = window.state.panels.parts().message.notice;
        std::string text = window.bench.message().empty() ? notice : window.bench.message();
        window.driver.press(Key::kEscape);
        return text;
    };
    EXPECT_EQ(said("-1"), "M is -1; use a size from 1 to 1048576");
    EXPECT_EQ(said("abc"), "M is \"abc\": type a whole number from 1 to 1,048,576");
    EXPECT_EQ(said("99999999999"), "M is \"99999999999\": type a whole number from 1 to 1,048,576");
    EXPECT_EQ(window.parameters().m, 16);
}

TEST(Message, ADismissedNoticeStaysAwayForThatKernel) {
    FrameWindow window(small_request("02_naive", 16, 4));
    const auto says = [&](char key) {
        window.driver.press(key, key == 'b');
        const bool said = window.driver.has("message.dismiss");
        window.driver.press(Key::kEscape);
        return said;
    };
    for (const char key : {'p', 'b'}) {
        EXPECT_TRUE(says(key)) << key;
        EXPECT_FALSE(says(key)) << key << " again";
    }
    window.bench.apply(SetKernel{"01_naive_by_column"});
    window.driver.frames(2);
    EXPECT_TRUE(says('p')) << "another kernel";
    window.bench.apply(SetParameters{{.m = -1, .n = 20, .k = 20, .tile = 4}});
    window.bench.apply(DismissMessage{});
    window.bench.apply(SetParameters{{.m = -1, .n = 20, .k = 20, .tile = 4}});
    EXPECT_FALSE(window.bench.message().empty()) << "an error is shown each time";
}

TEST(SizeSuggestions, FitsTheSmallestWindowWithTheLargestText) {
    for (const int text : {14, 20, 28, 32}) {
        FrameWindow window(small_request("12_outer_product", 64, 16), 1280, 720);
        window.bench.apply(SetTextSize{text});
        window.bench.apply(SetParameters{{.m = 20, .n = 70, .k = 33, .tile = 16}});
        window.driver.frames(3);
        for (const char* name : {"message.fix", "message.fix.2", "message.dismiss"}) {
            const Rect rect = window.driver.rect_of(name);
            EXPECT_GE(rect.x, 0) << name << text;
            EXPECT_LE(rect.right(), 1280) << name << text;
            EXPECT_GE(rect.y, 0) << name << text;
            EXPECT_LE(rect.bottom(), 720) << name << text;
        }
        const Rect first = window.driver.rect_of("message.fix");
        const Rect second = window.driver.rect_of("message.fix.2");
        EXPECT_TRUE(first.right() <= second.x || first.bottom() <= second.y) << text;
    }
}

TEST(SizeSuggestions, TheTileByOccupancyFollowsTheGpuShown) {
    FrameWindow window(small_request("11_tiled_dynamic", 64, 8));
    window.driver.click("chip.tile");
    ASSERT_TRUE(window.driver.has("chip.tile.by occupancy: 32"));
    window.driver.click("chip.tile.by occupancy: 32");
    EXPECT_EQ(window.bench.recording()->trace->launch.tile, 32u);
    EXPECT_TRUE(window.driver.has("message.dismiss"));  // says why this TILE
    window.driver.press(Key::kEscape);
    window.bench.apply(SetGeneration{"8.6"});
    window.driver.frames(2);
    window.driver.click("chip.tile");
    ASSERT_TRUE(window.driver.has("chip.tile.by occupancy: 16"));
    window.driver.click("chip.tile.by occupancy: 16");
    EXPECT_EQ(window.bench.recording()->trace->launch.tile, 16u);
}

TEST(Introduction, ShowsTheFactsWithWhatIsRecorded) {
    FrameWindow window(small_request("09_tiled", 16, 4), 1280, 720);
    window.driver.click("side.source");
    window.driver.click("source.introduction");
    ASSERT_TRUE(window.driver.has("introduction.text"));
    const std::vector<RecordedFact>& facts = window.state.panels.parts().introduction.facts;
    ASSERT_GE(facts.size(), 8u);
    EXPECT_EQ(facts[0].fact.id, "flop_per_byte_tiled");
    EXPECT_EQ(facts[0].recorded, "1 FLOP a byte read");  // TILE / 4
    // Longer than the window: keys and the wheel scroll it, and the replay stays.
    const IntroductionMemory& introduction = window.state.panels.parts().introduction;
    window.driver.press(Key::kPageDown);
    EXPECT_GT(introduction.scroll, 0);
    EXPECT_EQ(window.tick(), 0u);
    window.driver.press(Key::kPageUp);
    window.driver.press(Key::kUp);
    EXPECT_EQ(introduction.scroll, 0);
    window.driver.scroll(window.driver.rect_of("introduction.text").center(), -3);
    EXPECT_GT(introduction.scroll, 0);
    window.driver.press(Key::kEscape);
    EXPECT_FALSE(window.driver.has("introduction.text"));
    window.driver.press(Key::kPageDown);
    window.finish_step();
    EXPECT_GT(window.tick(), 0u);
}

// Long names and large text leave room for the button that opens it.
TEST(Introduction, CanAlwaysBeOpened) {
    for (const int text : {14, 20, 28, 32}) {
        FrameWindow window(small_request("14_outer_product_prefetch", 64, 16), 1280, 720);
        window.bench.apply(SetTextSize{text});
        window.bench.apply(SelectTab{SideTab::kSource});
        window.driver.frames(3);
        window.driver.click("source.introduction");
        EXPECT_TRUE(window.driver.has("introduction.text")) << text;
        window.driver.press('i');
        EXPECT_FALSE(window.driver.has("introduction.text")) << text;
        window.driver.press('i');
        EXPECT_TRUE(window.driver.has("introduction.text")) << text;
    }
}

}  // namespace
}  // namespace tilereel::size_suggestions_frame_test

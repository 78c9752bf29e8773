// The layout of app/README.md, "The look", at every size it promises: sizes, scale, nothing
// outside, nothing overlapping.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "app/ladder/ladder.h"
#include "tests/panels/frame_window.h"

namespace tilereel::frame_layout_test {
namespace {

struct Size {
    float width, height;
};
constexpr Size kSizes[] = {{1280, 720},  {1366, 768},  {1600, 900},  {1920, 1080},
                           {1920, 1200}, {2560, 1080}, {3440, 1440}, {3840, 2160}};
constexpr int kTexts[] = {14, 16, 20, 23, 24, 28, 32};

struct Named {
    std::string name;
    Rect rect;
};

std::vector<Named> all_widgets() {
    std::vector<Named> widgets;
    for_each_widget([&](std::string_view name, const Rect& rect) {
        widgets.push_back({std::string(name), rect});
    });
    return widgets;
}

// A container and a part of it (unit, unit.phase) may overlap, and so may parts of the stage, whose
// hover areas are laid over one another on purpose.
bool may_overlap(const std::string& a, const std::string& b) {
    if (a.starts_with("stage.") && b.starts_with("stage.")) return true;
    if (a.starts_with("scrolls") || b.starts_with("scrolls")) return true;  // what is in it
    return a.starts_with(b + ".") || b.starts_with(a + ".") || a == b;
}

bool overlap(const Rect& a, const Rect& b) {
    constexpr float kTouch = 1.01f;  // rounding
    return a.x + kTouch < b.right() && b.x + kTouch < a.right() && a.y + kTouch < b.bottom() &&
           b.y + kTouch < a.bottom();
}

void expect_tidy(const std::string& where, float width, float height) {
    const std::vector<Named> widgets = all_widgets();
    EXPECT_GT(widgets.size(), 15u) << where;
    for (const Named& w : widgets) {
        EXPECT_GE(w.rect.x, -0.5f) << w.name << where;
        EXPECT_GE(w.rect.y, -0.5f) << w.name << where;
        EXPECT_LE(w.rect.right(), width + 0.5f) << w.name << where;
        EXPECT_LE(w.rect.bottom(), height + 0.5f) << w.name << where;
        EXPECT_GT(w.rect.w, 1) << w.name << where;
        EXPECT_GT(w.rect.h, 1) << w.name << where;
    }
    for (std::size_t i = 0; i < widgets.size(); ++i)
        for (std::size_t j = i + 1; j < widgets.size(); ++j) {
            const bool clash = !may_overlap(widgets[i].name, widgets[j].name) &&
                               overlap(widgets[i].rect, widgets[j].rect);
            EXPECT_FALSE(clash) << widgets[i].name << " and " << widgets[j].name << where;
        }
}

TEST(FrameLayout, TheLeastWindowHoldsEverything) {
    for (const int text : {14, 20, 28, 32}) {
        const WindowLimits least = least_window(text);
        const auto width = static_cast<float>(least.width);
        const auto height = static_cast<float>(least.height);
        FrameWindow window(small_request(), width, height);
        window.bench.apply(SetTextSize{text});
        window.driver.frames(3);
        const std::string where = " in the least window, text " + std::to_string(text);
        expect_tidy(where, width, height);
        for (const char* name : {"tab.replay", "tab.race", "chip.kernel", "transport.play"})
            EXPECT_TRUE(window.driver.has(name)) << name << where;
        window.driver.press('2');
        for (const Named& w : all_widgets())
            EXPECT_TRUE(w.rect.x >= 0 && w.rect.right() <= width + 0.5f &&
                        w.rect.bottom() <= height + 0.5f)
                << w.name << where;
    }
}

// Launches of many ticks at large text: the tick stands beside the controls and not on them. The
// keys of the controls stay.
TEST(FrameLayout, TheTickHasRoomAtAnyTextSize) {
    FrameWindow window({.kernel = "08_tiled_b_transposed",
                        .parameters = {.m = 32, .n = 32, .k = 512, .tile = 32, .pad = 0},
                        .inputs = {}});
    ASSERT_GT(window.bench.replay()->schedule().ticks, 500'000u);
    window.bench.apply(GoToEnd{});
    for (const Size size : {Size{1280, 720}, {1366, 768}, {1600, 900}, {1920, 1080}})
        for (const int text : kTexts) {
            window.driver.resize(size.width, size.height);
            window.bench.apply(SetTextSize{text});
            window.driver.frames(2);
            const Rect tick = window.driver.rect_of("timeline.tick");
            for (const Named& w : all_widgets())
                for (const char* const control :
                     {"transport.", "unit", "chip.speed", "chip.go", "view.heat", "timeline.mod"})
                    EXPECT_FALSE(w.name.starts_with(control) && overlap(tick, w.rect))
                        << w.name << " at " << size.width << ", text " << text;
        }
    window.driver.press(']');
    EXPECT_GT(window.bench.speed(), 1);
}

// A recording of some blocks says so at every size and text height, also with very many ticks.
TEST(FrameLayout, ARecordingInPartSaysSoAtAnyTextSize) {
    for (const int k : {64, 1024}) {
        RecordRequest request;
        request.kernel = "09_tiled";
        request.parameters = {.m = 256, .n = 256, .k = k, .tile = 16};
        const Result<std::uint64_t> bytes = estimate_trace_bytes(request);
        ASSERT_TRUE(bytes);
        request.memory_limit_bytes = *bytes / (k == 64 ? 2 : 16);
        FrameWindow window(request);
        ASSERT_NE(window.bench.replay(), nullptr) << window.bench.message();
        ASSERT_FALSE(window.bench.replay()->trace().chosen_blocks.empty());
        window.bench.apply(GoToEnd{});
        for (const Size size : {Size{1280, 720}, {1366, 768}, {1600, 900}, {1920, 1080}})
            for (const int text : kTexts) {
                window.driver.resize(size.width, size.height);
                window.bench.apply(SetTextSize{text});
                window.driver.frames(2);
                const std::string where =
                    " at " + std::to_string(size.width) + ", text " + std::to_string(text);
                ASSERT_TRUE(window.driver.has("timeline.in_part")) << where;
                const Rect note = window.driver.rect_of("timeline.in_part");
                EXPECT_GT(note.w, text * 5) << where;
                for (const Named& w : all_widgets())
                    for (const char* const control : {"transport.", "unit", "chip.speed", "chip.go",
                                                      "view.heat", "timeline.tick"})
                        EXPECT_FALSE(w.name.starts_with(control) && overlap(note, w.rect))
                            << w.name << where;
            }
    }
}

// Register tiles: with wide reads in the lane table, a lane's operands and sums, and a chosen warp.
// The operands and sums do not overlap the other parts of the stage.
TEST(FrameLayout, RegisterTilesAreTidy) {
    struct Case {
        const char* kernel;
        KernelParameters parameters;
    };
    const Case cases[] = {{"15_register_tile", {16, 16, 16, 8, 0}},
                          {"16_vectorized", {32, 32, 16, 16, 4}},
                          {"17_swizzled", {64, 64, 16, 32, 0}},
                          {"18_warp_tiled", {256, 128, 16, 128, 0}},
                          {"19_async_pipeline", {32, 32, 24, 16, 0}}};
    for (const Case& c : cases)
        for (const Size size : {Size{1280, 720}, Size{1920, 1080}})
            for (const int text : {14, 28}) {
                FrameWindow window(
                    RecordRequest{.kernel = c.kernel, .parameters = c.parameters, .inputs = {}},
                    size.width, size.height);
                window.bench.apply(SetTextSize{text});
                window.driver.press('w');
                for (const double share : {0.1, 0.6}) {
                    window.bench.apply(
                        SeekTo{share * static_cast<double>(window.bench.replay()->schedule().ticks),
                               false});
                    window.driver.frames(3);
                    const std::string where = std::string(" of ") + c.kernel + " at " +
                                              std::to_string(size.width) + " text " +
                                              std::to_string(text);
                    expect_tidy(where, size.width, size.height);
                    Rect fragments, part;
                    if (!find_widget("stage.fragments", fragments)) continue;
                    for (const char* name : {"stage.a", "stage.b", "stage.c", "stage.banks",
                                             "stage.shared.As", "stage.shared.Bs", "stage.warps"})
                        if (find_widget(name, part)) {
                            EXPECT_FALSE(overlap(fragments, part)) << name << where;
                        }
                }
            }
}

// The numbers of a column keep away from those beside them, up to a conflict of all 32 lanes.
TEST(FrameLayout, TheLanesColumnsStandApart) {
    for (const auto& [width, height] : {std::pair{1280.0f, 720.0f}, {1920.0f, 1080.0f}})
        for (const Tick tick : {Tick{0}, Tick{2000}}) {
            FrameWindow window(small_request("08_tiled_b_transposed", 32, 32), width, height);
            window.bench.apply(SeekTo{static_cast<double>(tick), false});
            window.driver.frames(3);
            for (const std::string half : {"inspector.lanes.0.", "inspector.lanes.1."}) {
                float before = window.driver.rect_of(half + "lane").right();
                const float digit = window.driver.rect_of(half + "lane").w / 2;
                EXPECT_GE(digit, 5) << "can be read";
                for (const char* column : {"element", "place", "wave"}) {
                    if (tick == 0 && column == std::string("wave")) continue;
                    const Rect numbers = window.driver.rect_of(half + column);
                    EXPECT_GE(numbers.x - before, digit) << half << column << " at " << width;
                    before = numbers.right();
                }
                const Rect panel = window.driver.rect_of("inspector");
                EXPECT_LE(before, half.ends_with("0.") ? panel.center().x : panel.right());
            }
        }
}

// A class reads the lanes in the window of a notebook and at the text size of a lecture hall, also
// those of 16-byte accesses and of tiles with long element names. A digit is 0.6 times as wide as
// the font size.
TEST(FrameLayout, TheLanesCanBeReadFromTheLastRow) {
    struct Shown {
        float width, height, least;
        int text;
    };
    for (const char* kernel : {"08_tiled_b_transposed", "16_vectorized", "18_warp_tiled"})
        for (const Shown& shown : {Shown{1366, 768, 10.4f, 14}, {1920, 1080, 19, 28}}) {
            FrameWindow window(small_request(kernel, 32, 32), shown.width, shown.height);
            window.bench.apply(SetTextSize{shown.text});
            const Tick ticks = window.bench.replay()->schedule().ticks;
            for (int i = 0; i < 12; ++i) {
                window.bench.apply(SeekTo{static_cast<double>(ticks) * i / 12, false});
                window.driver.frames(2);
                const float digit = window.driver.rect_of("inspector.lanes.0.lane").w / 2;
                EXPECT_GE(digit, 0.595f * shown.least) << kernel << ", text " << shown.text;
            }
        }
}

class FrameSizes : public testing::TestWithParam<Size> {};

TEST_P(FrameSizes, NothingOverlapsOrLeavesTheWindow) {
    const auto [width, height] = GetParam();
    FrameWindow window(small_request("08_tiled_b_transposed", 32, 32), width, height);
    window.bench.apply(SeekTo{300, false});
    for (const int text : kTexts)
        for (const SideTab tab : {SideTab::kSource, SideTab::kRequest}) {
            window.bench.apply(SetTextSize{text});
            window.bench.apply(SelectTab{tab});
            window.driver.frames(3);
            expect_tidy(" at " + std::to_string(static_cast<int>(width)) + "x" +
                            std::to_string(static_cast<int>(height)) + ", text " +
                            std::to_string(text) + ", tab " + std::to_string(static_cast<int>(tab)),
                        width, height);
        }
}
INSTANTIATE_TEST_SUITE_P(All, FrameSizes, testing::ValuesIn(kSizes));

Workbench& bench_of_text(Workbench& bench, int text_px) {
    bench.apply(SetTextSize{text_px});
    return bench;
}

// app/README.md, "The look", Layout: scale = min(w / 1920, h / 1080) rounded to 0.25, not under 1.
TEST(Layout, ScaleFollowsTheWindow) {
    Workbench bench({.request = small_request(), .trace = {}, .record_on_worker = false});
    EXPECT_FLOAT_EQ(look_of(bench, 1280, 720, 0, 0).scale, 1);
    EXPECT_FLOAT_EQ(look_of(bench, 1920, 1080, 0, 0).scale, 1);
    EXPECT_FLOAT_EQ(look_of(bench, 2560, 1440, 0, 0).scale, 1.25f);
    EXPECT_FLOAT_EQ(look_of(bench, 2560, 1080, 0, 0).scale, 1);
    EXPECT_FLOAT_EQ(look_of(bench, 3840, 2160, 0, 0).scale, 2);
    EXPECT_FALSE(look_of(bench, 1600, 900, 0, 0).narrow);
    EXPECT_TRUE(look_of(bench, 1599, 900, 0, 0).narrow);
    EXPECT_FALSE(look_of(bench_of_text(bench, 23), 1920, 1080, 0, 0).narrow);
    EXPECT_TRUE(look_of(bench_of_text(bench, 24), 1920, 1080, 0, 0).narrow);
    EXPECT_FLOAT_EQ(look_of(bench_of_text(bench, 28), 1920, 1080, 0, 0).text, 2);
}

TEST(Layout, HasTheMeasuresOfTheReadme) {
    Workbench bench({.request = small_request(), .trace = {}, .record_on_worker = false});
    const FrameLayout full = layout_of(look_of(bench, 1920, 1080, 0, 0), 1920, 1080);
    EXPECT_EQ(full.bar.h, 56);
    EXPECT_EQ(full.timeline.h, 132);
    EXPECT_EQ(full.sentence.h, 60);
    EXPECT_EQ(full.source.w, 448);
    EXPECT_EQ(full.inspector.w, 392);
    EXPECT_EQ(full.stage.x, 464);
    EXPECT_EQ(full.stage.right(), 1512);
    EXPECT_EQ(full.stage.y, 64);
    EXPECT_EQ(full.stage.h, 800);
    const FrameLayout low = layout_of(look_of(bench, 1280, 720, 0, 0), 1280, 720);
    EXPECT_EQ(low.bar.h, 46);
    EXPECT_EQ(low.timeline.h, 104);
    EXPECT_EQ(low.sentence.h, 38);
    EXPECT_EQ(low.side.w, 320);
    const FrameLayout large = layout_of(look_of(bench, 3840, 2160, 0, 0), 3840, 2160);
    EXPECT_EQ(large.source.w, 896);
    EXPECT_EQ(large.timeline.h, 264);
}

// Four rows of names of 11 px need more than three, but not at the cost of the sentence.
TEST(Layout, MoreRowsOfTheTimelineGetRoomWhereThereIsSome) {
    Workbench bench({.request = small_request(), .trace = {}, .record_on_worker = false});
    const Look look = look_of(bench, 1366, 768, 0, 0);
    const FrameLayout three = layout_of(look, 1366, 768), five = layout_of(look, 1366, 768, 5);
    EXPECT_EQ(five.timeline.h, three.timeline.h + 22);
    EXPECT_EQ(five.stage.h, three.stage.h - 22);
    EXPECT_EQ(five.sentence.h, three.sentence.h);
    bench.apply(SetTextSize{32});
    const Look large = look_of(bench, 1280, 720, 0, 0);
    EXPECT_EQ(layout_of(large, 1280, 720, 5).stage.h, layout_of(large, 1280, 720).stage.h);
}

TEST(Layout, BeyondSixteenToNineTheStageTakesTheRest) {
    Workbench bench({.request = small_request(), .trace = {}, .record_on_worker = false});
    const FrameLayout wide = layout_of(look_of(bench, 2560, 1080, 0, 0), 2560, 1080);
    EXPECT_EQ(wide.source.w, 448);
    EXPECT_EQ(wide.inspector.w, 392);
    EXPECT_EQ(wide.stage.w, 1048 + 640);
}

TEST(Layout, TheStageKeepsRoomAtTheLargestText) {
    Workbench bench({.request = small_request(), .trace = {}, .record_on_worker = false});
    bench.apply(SetTextSize{32});
    const FrameLayout layout = layout_of(look_of(bench, 1280, 720, 0, 0), 1280, 720);
    EXPECT_GE(layout.stage.h, 0.4f * 720);
    EXPECT_GE(layout.stage.w, 0.5f * 1280);
}

// Lengths already grow with a large window, so the text grows by the rest.
TEST(FirstText, FollowsTheScaleOfTheScreen) {
    EXPECT_EQ(first_text_px(1, 1920, 1080), 14);
    EXPECT_EQ(first_text_px(1.25f, 1920, 1080), 18);
    EXPECT_EQ(first_text_px(2, 1920, 1080), 28);
    EXPECT_EQ(first_text_px(2, 3840, 2160), 14);
    EXPECT_EQ(first_text_px(3, 1280, 720), 32) << "no larger than the user could choose";
    EXPECT_EQ(first_text_px(0.75f, 1280, 720), 14);
}

}  // namespace
}  // namespace tilereel::frame_layout_test

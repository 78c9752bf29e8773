// Heat maps, heat by source line and motion, played in process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>

#include "app/ladder/ladder.h"
#include "app/panels/panel_memory.h"
#include "app/panels/source/line_figures.h"
#include "tests/panels/frame_window.h"
#include "tests/panels/page_of_words.h"

namespace tilereel::frame_heat_test {
namespace {

using ::testing::HasSubstr;

// 09 tiled, 8 x 24 x 16 with TILE 8: A is read 3 times from global and 24 times from shared memory,
// B once and 8 times.
Trace tiled() {
    RecordRequest request;
    request.kernel = "09_tiled";
    request.parameters = {.m = 8, .n = 24, .k = 16, .tile = 8, .pad = 0};
    return record_built_in(request).value();
}

// The line that stores to an array.
std::uint32_t line_of_store(const Trace& trace, std::string_view array) {
    for (const Site& site : trace.sites)
        if (site.operation == Operation::kStore && trace.arrays[site.array].name == array)
            return site.line;
    return 0;
}

struct HeatWindow : FrameWindow {
    explicit HeatWindow(float width = 1920, float height = 1080, Trace trace = tiled())
        : FrameWindow(WorkbenchOptions{.request = {},
                                       .trace = std::move(trace),
                                       .playing = false,
                                       .record_on_worker = false},
                      width, height) {}
    std::vector<std::string> words() {
        std::vector<std::string> all;
        for (const DrawnText& drawn : texts_of([&] { driver.frame(); })) all.push_back(drawn.text);
        return all;
    }
};

std::size_t count_of(const std::vector<std::string>& words, std::string_view word) {
    return static_cast<std::size_t>(std::ranges::count(words, word));
}

TEST(HeatMap, CellsShowHowOftenTheyWereRead) {
    HeatWindow window;
    window.driver.press('u');
    EXPECT_EQ(window.bench.view().heat, Heat::kGlobal);
    std::vector<std::string> words = window.words();
    EXPECT_GE(count_of(words, "3"), 8u * 16);  // on A
    EXPECT_THAT(words, ::testing::Contains(HasSubstr("read 3 ")));
    EXPECT_THAT(words, ::testing::Contains(HasSubstr("read 1 ")));
    window.driver.press('u');
    words = window.words();
    EXPECT_GE(count_of(words, "24"), 8u * 16);
    EXPECT_GE(count_of(words, "8"), 16u * 8);  // on what is shown of B
    window.driver.press('u');
    EXPECT_EQ(window.bench.view().heat, Heat::kOff);
    EXPECT_LT(count_of(window.words(), "24"), 16u);  // other figures
}

TEST(HeatMap, AnyGlobalArrayHasOne) {
    Trace trace = tiled();
    trace.product.reset();
    trace.launch.m = trace.launch.n = trace.launch.k = 0;
    HeatWindow window(1920, 1080, std::move(trace));
    window.driver.press('u');
    EXPECT_GE(count_of(window.words(), "3"), 16u);
    window.driver.press('u');
    // Cells as large as their values have no room for two digits, so the legend has the numbers.
    EXPECT_THAT(window.words(),
                ::testing::IsSupersetOf({std::string("reads from shared memory, all 3 blocks"),
                                         std::string("24"), std::string("8")}));
}

TEST(HeatMap, TheLegendHasNumbersAtEverySize) {
    for (const auto& [width, height, text] :
         {std::tuple(1366.0f, 768.0f, 14), std::tuple(1920.0f, 1080.0f, 28)}) {
        HeatWindow window(width, height);
        window.bench.apply(Commands{SetTextSize{text}, ShowHeat{Heat::kShared}});
        EXPECT_THAT(window.words(), ::testing::Contains(HasSubstr("read 24 "))) << width;
    }
}

// In a small stage the legend stands below shared memory, not over it.
TEST(HeatMap, TheLegendDoesNotCoverSharedMemory) {
    for (const auto& [width, height, text] :
         {std::tuple(1280.0f, 720.0f, 14), std::tuple(1366.0f, 768.0f, 14),
          std::tuple(1280.0f, 720.0f, 28), std::tuple(1920.0f, 1080.0f, 28)}) {
        HeatWindow window(width, height);
        window.bench.apply(Commands{SetTextSize{text}, ShowHeat{Heat::kGlobal}});
        window.driver.frames(2);
        const std::vector<DrawnText> texts = texts_of([&] { window.driver.frame(); });
        const auto legend = std::ranges::find_if(texts, [](const DrawnText& drawn) {
            return drawn.text.starts_with("global reads") ||
                   drawn.text.starts_with("reads from global");
        });
        ASSERT_NE(legend, texts.end()) << width << ", " << text;
        for (const char* array : {"stage.shared.As", "stage.shared.Bs"}) {
            const Rect cells = window.driver.rect_of(array);
            EXPECT_FALSE(overlap(cells, legend->box, 0)) << array << ", " << width << ", " << text;
        }
    }
}

TEST(HeatMap, HasAButtonAtLargeText) {
    HeatWindow window;
    window.bench.apply(SetTextSize{28});
    window.driver.frames(2);
    window.driver.click("view.heat");
    EXPECT_EQ(window.bench.view().heat, Heat::kGlobal);
}

// 64 x 64 x 128: 8 products of K 16. Each reads 64 rows of A and 16 of B, of 128 bytes a row of B
// and 32 of A: 256 pieces of 16 bytes, 8 a wavefront, because the swizzle keeps them apart.
TEST(LineFigures, HaveTheModelledReadsOfAWarpgroup) {
    FrameWindow window(RecordRequest{.kernel = "24_wgmma",
                                     .parameters = {.m = 64, .n = 64, .k = 128, .tile = 64},
                                     .inputs = {}});
    const Replay& replay = *window.bench.replay();
    std::uint32_t line = 0, copies = 0;
    for (const Site& site : replay.trace().sites) {
        if (site.is_of_product()) line = site.line;
        if (site.operation == Operation::kCopyStore) copies = site.line;
    }
    SourceMemory memory;
    const std::vector<AccessCounts> counts = counts_by_line(memory, replay);
    ASSERT_LT(line, counts.size());
    EXPECT_EQ(counts[line].wavefronts, 8u * 256 / 8);
    EXPECT_EQ(counts[line].bank_conflicts, 0u);
    EXPECT_EQ(counts[line].transactions, 0u);
    EXPECT_TRUE(memory.modelled_lines.contains(line));
    EXPECT_FALSE(memory.modelled_lines.contains(copies));
}

// Block 0,0: one line reads shared memory 2 phases x 8 k x 2 arrays x 64 threads times.
TEST(LineFigures, AreSharesOfTheBlock) {
    HeatWindow window;
    const Replay& replay = *window.bench.replay();
    const Trace& trace = replay.trace();
    const std::uint32_t a = line_of_store(trace, "As"), c = line_of_store(trace, "C");
    std::uint32_t compute = 0;
    for (const Site& site : trace.sites)
        if (trace.arrays.size() > site.array && trace.arrays[site.array].name == "As" &&
            site.operation == Operation::kLoad)
            compute = site.line;
    SourceMemory memory;
    const std::vector<AccessCounts>& counts = counts_by_line(memory, replay);
    const LineCosts accesses = line_costs(replay, counts, LineFigure::kAccesses);
    EXPECT_EQ(accesses.of(compute), 2u * 8 * 2 * 64);
    EXPECT_EQ(accesses.of(a), 2u * 2 * 64);  // a load of A and a store to As, twice
    EXPECT_EQ(accesses.of(c), 64u);
    EXPECT_EQ(accesses.all, 2u * 8 * 2 * 64 + 2 * 2 * 2 * 64 + 64);
    // 8 rows of 8 floats: a sector each. Twice A, twice B, once C.
    const LineCosts sectors = line_costs(replay, counts, LineFigure::kSectors);
    EXPECT_EQ(sectors.of(a), 16u);
    EXPECT_EQ(sectors.of(compute), 0u);
    EXPECT_EQ(sectors.all, 40u);
    EXPECT_EQ(share_text(sectors, a),
              "line " + std::to_string(a) + ": 40% of this block's sectors, 16 of 40");
    EXPECT_EQ(share_text(sectors, compute), "");
    const LineCosts wavefronts = line_costs(replay, counts, LineFigure::kWavefronts);
    EXPECT_EQ(wavefronts.of(c), 0u);
    EXPECT_GT(wavefronts.share(compute), 0.5f);
    EXPECT_EQ(line_costs(replay, counts, LineFigure::kLanesOff).all, 0u);  // all lanes load
}

TEST(LineFigures, TheKeyAndTheButtonChooseTheCounter) {
    HeatWindow window;
    window.driver.press('u', true);
    EXPECT_EQ(window.bench.view().line_figure, LineFigure::kAccesses);
    EXPECT_THAT(window.words(), ::testing::Contains(std::string("accesses")));
    window.driver.click("source.figure");
    EXPECT_EQ(window.bench.view().line_figure, LineFigure::kSectors);
    EXPECT_THAT(window.words(), ::testing::Contains(std::string("sectors")));
    window.driver.press('u', true);
    window.driver.press('u', true);
    EXPECT_EQ(window.bench.view().line_figure, LineFigure::kLanesOff);
    EXPECT_THAT(window.words(), ::testing::Contains(std::string("lanes off")));
    window.driver.press('u', true);
    EXPECT_EQ(window.bench.view().line_figure, LineFigure::kTime);
    window.driver.frames(2);
    EXPECT_THAT(window.words(), ::testing::Contains(std::string("est. time")));
    EXPECT_THAT(window.words(), ::testing::Contains(std::string("90 %")));  // of line 30
    window.driver.press('u', true);
    EXPECT_EQ(window.bench.view().line_figure, LineFigure::kTicks);
}

// Without motion a step forward is a jump, and no value is in flight.
TEST(Motion, NothingMovesWhenMotionIsOff) {
    HeatWindow window;
    window.driver.press('z');
    EXPECT_FALSE(window.bench.view().motion);
    const Tick end = window.bench.replay()->schedule().steps[0].end();
    window.driver.press(Key::kRight);
    EXPECT_FALSE(window.bench.moving());
    EXPECT_EQ(window.tick(), end);
    window.driver.press(Key::kPageDown);
    EXPECT_FALSE(window.bench.moving());
    const std::vector<std::string> first = window.words();
    window.driver.frames(30);
    EXPECT_EQ(window.words(), first);
    window.driver.press('z');
    window.driver.press(Key::kRight, true);  // a phase
    EXPECT_TRUE(window.bench.moving());
}

// A block of 2 x 2 threads: the other 28 lanes do not exist.
TEST(LaneStrip, CountsTheLanesThatHaveAThread) {
    RecordRequest request;
    request.kernel = "09_tiled";
    request.parameters = {.m = 4, .n = 4, .k = 4, .tile = 2, .pad = 0};
    HeatWindow window(1920, 1080, record_built_in(request).value());
    EXPECT_THAT(window.words(), ::testing::Contains(::testing::StartsWith("4 of 4 lanes")));
}

TEST(LaneStrip, CountsAllLanesOfAWholeWarp) {
    HeatWindow window;
    EXPECT_THAT(window.words(), ::testing::Contains(::testing::StartsWith("32 of 32 lanes")));
}

}  // namespace
}  // namespace tilereel::frame_heat_test

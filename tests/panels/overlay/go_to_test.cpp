// The prompt that goes to a tick, a line, a block, a warp or a lane.
#include "app/panels/overlay/go_to.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "app/ladder/ladder.h"
#include "kernels/openings.h"
#include "tests/panels/frame_window.h"
#include "tests/trace/scratch_folder.h"

namespace tilereel::go_to_test {
namespace {

using ::testing::HasSubstr;

// 09 tiled, 16 x 16 x 16 with TILE 8: 2 x 2 blocks of two warps.
Trace tiled() { return record_built_in(small_request("09_tiled", 16, 8)).value(); }

// The line that loads an array.
std::uint32_t line_of_load(const Trace& trace, std::string_view array) {
    for (const Site& site : trace.sites)
        if (site.operation == Operation::kLoad && trace.arrays[site.array].name == array)
            return site.line;
    return 0;
}

struct GoToWindow : FrameWindow {
    GoToWindow()
        : FrameWindow(WorkbenchOptions{
              .request = {}, .trace = tiled(), .playing = false, .record_on_worker = false}) {}
    void go_to(const std::string& text) {
        driver.press('j');
        driver.type(text);
        driver.enter();
    }
};

Tick tick_of(const Replay& replay, std::string_view text, Tick now = 0, std::uint32_t warp = 0) {
    const Result<GoToPlace> place = place_asked_for(replay, text, now, warp);
    EXPECT_TRUE(place && place->tick) << text;
    return place && place->tick ? *place->tick : ~Tick{0};
}

std::string problem_of(const Replay& replay, std::string_view text) {
    const Result<GoToPlace> place = place_asked_for(replay, text, 0, 0);
    return place ? "" : place.error().message;
}

// All texts in ` ` of the first line of a text that has `words`.
std::vector<std::string> quoted_in_line_with(const std::string& text, const std::string& words) {
    const std::size_t begin = text.find(words);
    if (begin == std::string::npos) return {};
    const std::string line = text.substr(begin, text.find('\n', begin) - begin);
    std::vector<std::string> quoted;
    for (std::size_t from = 0; (from = line.find('`', from)) != std::string::npos;) {
        const std::size_t end = line.find('`', from + 1);
        if (end == std::string::npos) break;
        quoted.push_back(line.substr(from + 1, end - from - 1));
        from = end + 1;
    }
    return quoted;
}

// A reader of the manual has the opening kernel before them.
TEST(GoTo, TheExamplesOfTheManualAndOfTheErrorGoToPlacesOfTheOpening) {
    const RecordRequest request{
        .kernel = "09_tiled", .parameters = opening_of(*find_kernel("09_tiled")), .inputs = {}};
    const Trace trace = record_built_in(request).value();
    const Result<Replay> replay = Replay::of_block(trace, 0);
    const std::string manual = tests::read_bytes(TILEREEL_SOURCE_DIR "/app/MANUAL.md");
    const std::vector<std::string> examples = quoted_in_line_with(manual, "**J** goes to");
    EXPECT_EQ(examples.size(), 5u);
    for (const std::string& example : examples) EXPECT_EQ(problem_of(*replay, example), "");
    const std::string problem = problem_of(*replay, "nothing");
    const std::vector<std::string> offered = go_to_examples(*replay);
    EXPECT_EQ(offered.size(), 5u);
    for (const std::string& example : offered) {
        EXPECT_THAT(problem, HasSubstr(example));
        EXPECT_EQ(problem_of(*replay, example), "");
    }
}

TEST(GoTo, TicksAreCountedFromOne) {
    const Trace trace = tiled();
    const Result<Replay> replay = Replay::of_block(trace, 0);
    const Tick ticks = replay->schedule().ticks;
    EXPECT_EQ(tick_of(*replay, "1"), 0u);
    EXPECT_EQ(tick_of(*replay, " tick 20 "), 19u);
    EXPECT_EQ(tick_of(*replay, "T20"), 19u);
    EXPECT_EQ(tick_of(*replay, std::to_string(ticks)), ticks - 1);
    for (const std::string& wrong : {std::string("0"), std::to_string(ticks + 1)})
        EXPECT_THAT(problem_of(*replay, wrong), HasSubstr("ticks 1 to " + std::to_string(ticks)));
    for (const char* wrong : {"", "20 x", "tick", "20.5", "-3", "99999999999999999999", "abc 3",
                              "tick 3,4", "line", "block ,"})
        EXPECT_THAT(problem_of(*replay, wrong), HasSubstr("Type a tick")) << wrong;
}

// As and Bs are read in one line; A is copied in another, B in a third, and C stored in a fourth.
TEST(GoTo, ALineGoesToItsNextRequestAndWrapsAround) {
    const Trace trace = tiled();
    const Result<Replay> replay = Replay::of_block(trace, 0);
    const std::uint32_t line = line_of_load(trace, "As");
    const std::string words = std::to_string(line);
    std::vector<Tick> begins;
    for (const Step& step : replay->schedule().steps)
        if (trace.sites[step.site].line == line) begins.push_back(step.begin);
    ASSERT_EQ(begins.size(), 2u * 2 * 8 * 2);  // phases, warps, k, arrays
    for (std::size_t i = 0; i < begins.size(); ++i)
        EXPECT_EQ(tick_of(*replay, "line " + words, begins[i]), begins[(i + 1) % begins.size()]);
    EXPECT_EQ(tick_of(*replay, "l" + words, begins[0]), begins[1]);
    std::set<std::uint32_t> lines;
    for (const Site& site : trace.sites)
        if (is_access(site.operation)) lines.insert(site.line);
    ASSERT_EQ(lines.size(), 4u);
    const std::vector<std::uint32_t> all(lines.begin(), lines.end());
    EXPECT_EQ(problem_of(*replay, "line 1"),
              "Line 1 accesses no memory in this block; the lines " + std::to_string(all[0]) +
                  ", " + std::to_string(all[1]) + ", " + std::to_string(all[2]) + " and " +
                  std::to_string(all[3]) + " do");
}

TEST(GoTo, AWarpOrALaneIsChosenAtItsNextRequest) {
    const Trace trace = tiled();
    const Result<Replay> replay = Replay::of_block(trace, 0);
    Tick first = ~Tick{0};
    for (const Step& step : replay->schedule().steps)
        if (step.warp == 1) first = std::min(first, step.begin);
    const Result<GoToPlace> warp = place_asked_for(*replay, "warp 1", 0, 0);
    ASSERT_TRUE(warp);
    EXPECT_EQ(warp->warp, 1u);
    EXPECT_EQ(warp->tick, first);
    const Result<GoToPlace> lane = place_asked_for(*replay, "lane 5", 0, 1);
    ASSERT_TRUE(lane);
    EXPECT_EQ(lane->warp, 1u);
    EXPECT_EQ(lane->lane, 5u);
    EXPECT_EQ(lane->tick, first);
    EXPECT_EQ(problem_of(*replay, "warp 2"), "A block of this launch has the warps 0 to 1");
    EXPECT_EQ(problem_of(*replay, "lane 32"), "A warp has the lanes 0 to 31");
}

TEST(GoTo, ABlockIsGivenByItsIndexInTheGrid) {
    const Trace trace = tiled();
    const Result<Replay> replay = Replay::of_block(trace, 0);
    const Result<GoToPlace> place = place_asked_for(*replay, "block 1, 0", 0, 0);
    ASSERT_TRUE(place && place->block);
    EXPECT_EQ(place->block->first, 1u);
    EXPECT_EQ(place->block->second, 0u);
    EXPECT_FALSE(place->tick);
    for (const char* wrong : {"block 2,0", "block 0,2", "block 0,0,1", "block 0,0,0,0"})
        EXPECT_EQ(problem_of(*replay, wrong), "The grid has the blocks 0,0 to 1,1") << wrong;
}

TEST(GoTo, ThePromptSeeksOrShowsAnError) {
    GoToWindow window;
    window.go_to("99999");
    EXPECT_TRUE(window.driver.has("goto.field"));  // the prompt stays open and shows the error
    EXPECT_EQ(window.tick(), 0u);
    window.driver.press(Key::kSelectAll);
    window.driver.type("20");
    window.driver.enter();
    EXPECT_EQ(window.tick(), 19u);
    EXPECT_FALSE(window.driver.has("goto.field"));
    window.driver.press('j');
    window.driver.press(Key::kEscape);
    EXPECT_FALSE(window.driver.has("goto.field"));
    EXPECT_EQ(window.tick(), 19u);
    window.go_to("block 1,1");
    window.driver.frames(2);
    EXPECT_EQ(window.bench.replay()->block(), 3u);
    window.go_to("warp 1");
    window.go_to("lane 9");
    window.driver.frames(2);
    EXPECT_EQ(window.bench.watched_thread().chosen_warp(), 1u);
    EXPECT_EQ(window.bench.watched_thread().chosen_lane(), 9u);
}

TEST(Follow, YGoesToTheNextRequestOfTheWarp) {
    GoToWindow window;
    window.go_to("warp 1");
    const auto running = [&] {
        return window.bench.replay()->schedule().steps[window.bench.replay()->state().step];
    };
    std::vector<std::uint64_t> own;
    for (const Step& step : window.bench.replay()->schedule().steps)
        if (step.warp == 1) own.push_back(step.record);
    EXPECT_EQ(running().record, own[0]);
    for (std::size_t i = 1; i < own.size(); ++i) {
        window.driver.press('y');
        ASSERT_EQ(running().record, own[i]);
    }
    const Tick last = window.tick();
    window.driver.press('y');  // no request follows; a notice says so
    EXPECT_EQ(window.tick(), last);
    window.driver.press('y', true);
    EXPECT_EQ(running().record, own[own.size() - 2]);
}

// A click on a cell of A goes to the request that loads it.
TEST(PictureClick, GoesToTheAccessOfACell) {
    GoToWindow window;
    window.driver.press(Key::kHome);
    const Rect a = window.driver.rect_of("stage.a");
    // Phase 1 of block 0,0 loads A[0][8].
    window.driver.click_at({a.x + a.w * 8.5f / 16, a.y + a.h * 0.5f / 16});
    window.driver.frames(2);
    const Replay& replay = *window.bench.replay();
    ASSERT_NE(replay.state().step, kNoStep);
    const Step& step = replay.schedule().steps[replay.state().step];
    EXPECT_EQ(replay.trace().arrays[replay.trace().sites[step.site].array].name, "A");
    EXPECT_EQ(step.phase, 1u);
    EXPECT_EQ(step.warp, 0u);
    EXPECT_EQ(window.tick(), step.begin);
}

// The arrays of a launch that is not a product, too. The search for the next access wraps around at
// the end of the replay, to the first load of A[0][0], by warp 0.
TEST(PictureClick, WorksForAnyArray) {
    Trace trace = tiled();
    trace.product.reset();
    trace.launch.m = trace.launch.n = trace.launch.k = 0;
    trace.arrays[2].last_bytes.clear();  // or it is recognised as a product again
    FrameWindow window(WorkbenchOptions{
        .request = {}, .trace = std::move(trace), .playing = false, .record_on_worker = false});
    window.driver.press(Key::kEnd);
    const Rect a = window.driver.rect_of("stage.global.A");
    window.driver.click_at({a.x + 4, a.y + 4});
    window.driver.frames(2);
    const Replay& replay = *window.bench.replay();
    ASSERT_NE(replay.state().step, kNoStep);
    const Step& step = replay.schedule().steps[replay.state().step];
    EXPECT_EQ(replay.trace().arrays[replay.trace().sites[step.site].array].name, "A");
    EXPECT_EQ(step.phase, 0u);
    EXPECT_EQ(step.warp, 0u);
}

}  // namespace
}  // namespace tilereel::go_to_test

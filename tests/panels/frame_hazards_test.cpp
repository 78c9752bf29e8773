// Leaving a barrier out in the window: the source's control and key, what the inspector says and
// where it leads, and the marks on the stage.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include "app/replay/moment.h"
#include "app/ui/drawn_text.h"
#include "instrumentation/base/sanitizers.h"
#include "instrumentation/base/value_words.h"
#include "instrumentation/plain/ladder.h"
#include "tests/panels/frame_window.h"

namespace tilereel {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

std::uint32_t left_out(const FrameWindow& window) {
    return window.bench.recording()->trace->launch.removed_barrier;
}
int barrier_line(const char* kernel, std::size_t index) {
    return find_kernel(kernel)->barriers[index].line;
}
std::string control(int line) { return "source.barrier." + std::to_string(line); }

// 05 with 8 x 8 tiles: two warps, and Bs read by both.
FrameWindow window_of_05(float width = 1920, float height = 1080) {
    RecordRequest request = small_request("05_guide_ab_shared");
    request.parameters.k = 8;
    return FrameWindow(request, width, height);
}
void leave_out(FrameWindow& window, int line) {
    window.bench.apply(Command{RemoveBarrier{line}});
    window.driver.frames(3);
}

TEST(HazardSource, EachBarrierHasAControlThatLeavesItOutAndPutsItBack) {
    FrameWindow window(small_request("09_tiled"));
    for (const std::size_t barrier : {0u, 1u}) {
        const int line = barrier_line("09_tiled", barrier);
        window.driver.click(control(line));
        EXPECT_EQ(left_out(window), static_cast<std::uint32_t>(line));
        window.driver.click(control(line));
        EXPECT_EQ(left_out(window), 0u);
    }
}

TEST(HazardSource, AnotherLineHasNone) {
    FrameWindow window(small_request("02_naive"));
    for (int line = 1; line < 40; ++line) EXPECT_FALSE(window.driver.has(control(line)));
}

TEST(HazardSource, TheControlIsThereInANarrowWindowToo) {
    FrameWindow window(small_request("09_tiled"), 1280, 720);
    window.bench.apply(SetTextSize{28});
    window.driver.frames(3);
    window.driver.click("side.source");
    window.driver.frames(60);
    const int line = barrier_line("09_tiled", 0);
    // The running line is followed: the wheel brings the barrier into sight.
    for (int i = 0; i < 20 && !window.driver.has(control(line)); ++i)
        window.driver.scroll(window.driver.rect_of("source.code").center(), -1);
    window.driver.click(control(line));
    EXPECT_EQ(left_out(window), static_cast<std::uint32_t>(line));
}

TEST(HazardKeys, ShiftBLeavesOutOneBarrierAfterTheOtherThenNone) {
    FrameWindow window(small_request("09_tiled"));
    for (const int line : {barrier_line("09_tiled", 0), barrier_line("09_tiled", 1), 0}) {
        window.driver.press('b', true);
        EXPECT_EQ(left_out(window), static_cast<std::uint32_t>(line));
    }
}

TEST(HazardKeys, TheTipOfTheControlNamesTheKey) {
    FrameWindow window(small_request("09_tiled"));
    const int line = barrier_line("09_tiled", 0);
    for (const int removed : {0, line}) {  // the control leaves the barrier out, then puts it back
        leave_out(window, removed);
        window.driver.hover(control(line));
        window.driver.frames(3, 0.5);  // tips appear after a while
        const Rect tip = window.driver.rect_of("tip");
        std::vector<DrawnText> drawn;
        record_drawn_text(&drawn);
        window.driver.frames(1);
        record_drawn_text(nullptr);
        EXPECT_TRUE(std::ranges::any_of(drawn, [&](const DrawnText& text) {
            return tip.contains(text.box.center()) &&
                   text.text.find("Shift+B") != std::string::npos;
        })) << removed;
    }
}

TEST(HazardKeys, ShiftBSaysWhereThereIsNoBarrier) {
    FrameWindow window(small_request("02_naive"));
    window.driver.press('b', true);
    EXPECT_TRUE(window.driver.has("message.dismiss"));
    EXPECT_EQ(left_out(window), 0u);
}

TEST(HazardInspector, SaysNothingWhileAllIsWell) {
    FrameWindow window = window_of_05();
    for (const char* name : {"hazards.finding.0", "hazards.put_back", "order.turns"})
        EXPECT_FALSE(window.driver.has(name)) << name;
}

TEST(HazardInspector, PutsTheBarrierBack) {
    FrameWindow window = window_of_05();
    leave_out(window, barrier_line("05_guide_ab_shared", 0));
    EXPECT_TRUE(window.driver.has("hazards.finding.0"));
    window.driver.click("hazards.put_back");
    EXPECT_EQ(left_out(window), 0u);
    EXPECT_FALSE(window.driver.has("hazards.finding.0"));
}

TEST(HazardInspector, LanesAreNoButtonWhereTheyRunTogether) {
    FrameWindow window = window_of_05();
    leave_out(window, barrier_line("05_guide_ab_shared", 0));
    window.driver.click("order.lanes");
    ASSERT_EQ(window.bench.recording()->trace->launch.order, ThreadOrder::kLanes);
    window.bench.apply(Command{SetGeneration{"6.1"}});
    window.driver.frames(3);
    window.driver.click("order.turns");
    window.driver.click("order.lanes");
    EXPECT_EQ(window.bench.recording()->trace->launch.order, ThreadOrder::kTurns);
    EXPECT_FALSE(window.driver.has("message.dismiss")) << "nothing was tried";
    window.bench.apply(Command{SetGeneration{"7.0"}});
    window.driver.frames(3);
    window.driver.click("order.lanes");
    EXPECT_EQ(window.bench.recording()->trace->launch.order, ThreadOrder::kLanes);
    // What was recorded for another generation is recorded anew in an order that this one has.
    window.bench.apply(Command{SetGeneration{"6.1"}});
    window.bench.apply(Command{TogglePad{}});
    EXPECT_EQ(window.bench.recording()->trace->launch.order, ThreadOrder::kTurns);
    window.bench.apply(Command{SetThreadOrder{ThreadOrder::kLanes}});
    EXPECT_EQ(window.bench.recording()->trace->launch.order, ThreadOrder::kTurns);
    EXPECT_NE(window.bench.message().find("7.0"), std::string::npos);
}

TEST(HazardInspector, EachOrderIsAButton) {
    FrameWindow window = window_of_05();
    leave_out(window, barrier_line("05_guide_ab_shared", 0));
    const std::pair<const char*, ThreadOrder> orders[] = {
        {"order.warps", ThreadOrder::kWarpsForward},
        {"order.warps_backward", ThreadOrder::kWarpsBackward},
        {"order.lanes", ThreadOrder::kLanes},
        {"order.turns", ThreadOrder::kTurns}};
    for (const auto& [name, order] : orders) {
        window.driver.click(name);
        EXPECT_EQ(window.bench.recording()->trace->launch.order, order) << name;
        EXPECT_EQ(left_out(window),
                  static_cast<std::uint32_t>(barrier_line("05_guide_ab_shared", 0)));
    }
}

TEST(HazardInspector, AClickOnAFindingGoesToItsBlockAndTickAndPauses) {
    FrameWindow window = window_of_05();
    leave_out(window, barrier_line("05_guide_ab_shared", 0));
    window.bench.apply(Commands{WatchBlock{1, 1}, GoToEnd{}});
    window.bench.apply(Commands{SeekTo{1, false}, PlayPause{}});
    window.driver.frames(2);
    ASSERT_NE(window.bench.replay()->block(), 0u);
    window.driver.click("hazards.finding.0");
    const Replay& replay = *window.bench.replay();
    const Finding& finding = window.bench.recording()->findings.front();
    EXPECT_EQ(replay.block(), finding.block);
    EXPECT_FALSE(window.bench.playing());
    const std::optional<Tick> moment = moment_of(replay, finding);
    ASSERT_TRUE(moment);
    EXPECT_EQ(window.tick(), *moment);
    // What is in flight there is one of the two accesses that the sentence names.
    const Step& step = replay.schedule().steps[replay.state().step];
    EXPECT_EQ(step.epoch, finding.epoch);
    EXPECT_TRUE((step.site == finding.first.site && step.warp == finding.first.thread / 32) ||
                (step.site == finding.second.site && step.warp == finding.second.thread / 32));
}

TEST(HazardInspector, AnOrderThatHidesTheRaceSaysSoAndHarmIsFound) {
    FrameWindow window = window_of_05();
    leave_out(window, barrier_line("05_guide_ab_shared", 0));
    // By turns, both warps store their rows of Bs before either of them reads.
    ASSERT_EQ(window.bench.recording()->trace->launch.order, ThreadOrder::kTurns);
    ASSERT_TRUE(window.bench.recording()->wrong.empty());
    window.driver.click("hazards.find_harm");
    EXPECT_FALSE(window.bench.recording()->wrong.empty());
    EXPECT_FALSE(window.driver.has("hazards.find_harm"));
    EXPECT_TRUE(window.driver.has("hazards.wrong.0"));
}

// With the last warp first, warp 1 reads rows of Bs that warp 0 has not written.
void make_c_wrong(FrameWindow& window) {
    window.bench.apply(Commands{RemoveBarrier{barrier_line("05_guide_ab_shared", 0)},
                                SetThreadOrder{ThreadOrder::kWarpsBackward}});
    window.driver.frames(3);
}

// A trace of a kernel of one's own, with all its barriers, whose C is wrong in one element.
FrameWindow window_of_a_wrong_kernel() {
    Trace trace = std::move(plain::record_built_in(small_request())).value();
    trace.launch.kernel = "my_own";
    trace.source_name = "mine.cu";
    trace.c[17] += 1;
    trace.wrong_elements = 1;
    return FrameWindow(WorkbenchOptions{
        .request = {}, .trace = std::move(trace), .playing = false, .record_on_worker = false});
}

TEST(HazardInspector, AWrongKernelIsShownWithWhatIsWrong) {
    FrameWindow window = window_of_a_wrong_kernel();
    ASSERT_EQ(window.bench.recording()->wrong.size(), 1u);
    EXPECT_EQ(window.bench.recording()->wrong[0].row, 1u);
    EXPECT_EQ(window.bench.recording()->wrong[0].column, 1u);
    EXPECT_TRUE(window.driver.has("hazards.wrong.0"));
    EXPECT_FALSE(window.driver.has("hazards.put_back"));
    std::vector<DrawnText> drawn;
    record_drawn_text(&drawn);
    window.driver.frames(1);
    record_drawn_text(nullptr);
    const auto says = [&](std::string_view words) {
        return std::ranges::any_of(
            drawn, [&](const DrawnText& text) { return text.text.find(words) != text.text.npos; });
    };
    EXPECT_TRUE(says("1 of 256 elements of C is wrong"));
    EXPECT_TRUE(says("No race was found"));
    EXPECT_TRUE(says("my_own"));  // not the name of a kernel of the catalogue
    EXPECT_FALSE(says("cpu naive"));
}

// What the sentence's bar says, word by word.
std::string sentence_in(FrameWindow& window) {
    std::vector<DrawnText> drawn;
    record_drawn_text(&drawn);
    window.driver.frames(1);
    record_drawn_text(nullptr);
    const Rect bar = window.driver.rect_of("sentence");
    std::string words;
    for (const DrawnText& text : drawn)
        if (bar.contains(text.box.center())) words += (words.empty() ? "" : " ") + text.text;
    return words;
}

TEST(HazardInspector, TheSentenceSaysWhatIsWrongWhereItIsStoredAndAtTheEnd) {
    FrameWindow window = window_of_05();
    make_c_wrong(window);
    const WrongElement element = window.bench.recording()->wrong.front();
    const std::string name =
        "C[" + std::to_string(element.row) + "][" + std::to_string(element.column) + "]";
    const std::string values = value_words(element.found) + ", but A times B there is " +
                               value_words(element.expected) + ".";
    window.driver.click("hazards.wrong.0");
    window.driver.press(Key::kLeft);  // back to where it is stored
    EXPECT_THAT(sentence_in(window), HasSubstr("wrong : " + name + " becomes " + values));
    window.bench.apply(Command{SeekTo{0, false}});
    EXPECT_THAT(sentence_in(window), Not(HasSubstr("wrong")));
    window.bench.apply(Command{SeekTo{1e9, false}});
    EXPECT_THAT(sentence_in(window), HasSubstr("in this block : " + name + " is " + values));
}

TEST(HazardInspector, AtTheEndOfABlockThatIsRightTheSentenceNamesAWrongElementOfOthers) {
    FrameWindow window = window_of_a_wrong_kernel();  // C[1][1]
    window.bench.apply(Command{SeekTo{1e9, false}});
    EXPECT_THAT(sentence_in(window), HasSubstr("1 element is wrong in this block : C[1][1] is"));
    window.bench.apply(Command{WatchBlock{1, 1}});
    window.bench.apply(Command{SeekTo{1e9, false}});
    EXPECT_THAT(sentence_in(window), HasSubstr("1 element is wrong in other blocks : C[1][1] is"));
}

TEST(HazardInspector, AWrongElementLeadsToWhereItIsStored) {
    FrameWindow window = window_of_05();
    make_c_wrong(window);
    const Recording& recording = *window.bench.recording();
    ASSERT_FALSE(recording.wrong.empty());
    window.bench.apply(Command{WatchBlock{1, 1}});
    window.driver.frames(2);
    window.driver.click("hazards.wrong.0");
    const WrongElement& element = recording.wrong.front();
    const Replay& replay = *window.bench.replay();
    const CellRect own = replay.regions().c;
    ASSERT_TRUE(element.row >= own.row0 && element.row < own.row1 &&
                element.column >= own.column0 && element.column < own.column1);
    const std::size_t index = std::size_t{element.row - own.row0} * (own.column1 - own.column0) +
                              element.column - own.column0;
    EXPECT_TRUE(replay.state().sums[index].stored);
    window.driver.press(Key::kLeft);
    EXPECT_FALSE(window.bench.replay()->state().sums[index].stored);
}

TEST(HazardInspector, ALongListFoldsAndUnfoldsInASmallWindow) {
    FrameWindow window(small_request("09_tiled"), 1280, 720);
    leave_out(window, barrier_line("09_tiled", 0));
    const std::size_t findings = window.bench.recording()->findings.size();
    ASSERT_GT(findings, 1u);
    const std::string last = "hazards.finding." + std::to_string(findings - 1);
    EXPECT_FALSE(window.driver.has(last));
    window.driver.click("hazards.more");
    const Rect inspector = window.driver.rect_of("inspector");
    for (int i = 0; i < 40 && !window.driver.has(last); ++i)
        window.driver.scroll(inspector.center(), -1);
    window.driver.click(last);
    const Finding& finding = window.bench.recording()->findings.back();
    EXPECT_EQ(window.tick(), moment_of(*window.bench.replay(), finding));
}

// The controls of the section that can be seen.
std::map<std::string, Rect> controls_seen() {
    std::map<std::string, Rect> controls;
    for_each_widget([&](std::string_view name, const Rect& rect) {
        if (name.starts_with("hazards.") || name.starts_with("order."))
            controls.emplace(name, rect);
    });
    return controls;
}

TEST(HazardInspector, EverythingIsReachedAtAnySizeAndNothingLeavesThePanel) {
    for (const int text : {14, 28, 32}) {
        for (const auto& [width, height] : {std::pair{1280.0f, 720.0f}, {1920.0f, 1080.0f}}) {
            FrameWindow window = window_of_05(width, height);
            window.bench.apply(SetTextSize{text});
            make_c_wrong(window);
            const Rect inspector = window.driver.rect_of("inspector");
            std::set<std::string> reached;
            for (int i = 0; i < 40; ++i) {
                for (const auto& [name, rect] : controls_seen()) {
                    reached.insert(name);
                    EXPECT_GE(rect.x, inspector.x) << name << " at " << text;
                    EXPECT_LE(rect.right(), inspector.right()) << name << " at " << text;
                    EXPECT_GE(rect.y, inspector.y) << name << " at " << text;
                    EXPECT_LE(rect.bottom(), inspector.bottom() + 0.5f) << name << " at " << text;
                }
                window.driver.scroll(inspector.center(), -1);
            }
            for (const char* name :
                 {"hazards.put_back", "hazards.finding.0", "hazards.wrong.0", "order.turns",
                  "order.warps", "order.warps_backward", "order.lanes"})
                EXPECT_TRUE(reached.contains(name)) << name << " at " << text;
        }
    }
}

TEST(HazardInspector, ControlsDoNotOverlap) {
    FrameWindow window = window_of_05();
    make_c_wrong(window);
    const std::map<std::string, Rect> controls = controls_seen();
    for (const auto& [name, a] : controls)
        for (const auto& [other, b] : controls) {
            if (name >= other) continue;
            EXPECT_TRUE(a.right() <= b.x || b.right() <= a.x || a.bottom() <= b.y + 0.5f ||
                        b.bottom() <= a.y + 0.5f)
                << name << " and " << other;
        }
}

// Vertices of a colour in a rectangle of the frame just drawn.
int vertices(const Rect& rect, ImU32 color) {
    int count = 0;
    const ImDrawData* data = ImGui::GetDrawData();
    for (int i = 0; i < data->CmdListsCount; ++i)
        for (const ImDrawVert& vertex : data->CmdLists[i]->VtxBuffer)
            count += vertex.col == color && rect.contains(vertex.pos);
    return count;
}

Rect cell_of(const Rect& area, int rows, int columns, int row, int column) {
    const float w = area.w / static_cast<float>(columns), h = area.h / static_cast<float>(rows);
    return {area.x + w * static_cast<float>(column), area.y + h * static_cast<float>(row), w, h};
}

TEST(HazardStage, StruckCellsAreMarkedAndTellTheTwoAccesses) {
    FrameWindow window = window_of_05();
    const Rect before = window.driver.rect_of("stage.shared.Bs");
    EXPECT_EQ(vertices(before, window.look.colors().accent), 0);
    leave_out(window, barrier_line("05_guide_ab_shared", 0));
    window.driver.frames(3);
    const Rect tile = window.driver.rect_of("stage.shared.Bs");
    // Each warp reads all of Bs, and wrote half of it: every cell is written by another warp.
    for (int row = 0; row < 8; ++row)
        for (int column = 0; column < 8; ++column)
            EXPECT_GT(vertices(cell_of(tile, 8, 8, row, column), window.look.colors().accent), 0)
                << row << "," << column;
    window.driver.hover("stage.shared.Bs", 2.5f / 8, 6.5f / 8);  // Bs[6][2], of warp 1
    const std::vector<std::string>& said = window.state.stage.hover_lines;
    EXPECT_THAT(said, Contains(HasSubstr("error: thread")));
    EXPECT_THAT(said, Contains(HasSubstr("thread (2,6) of warp 1 writes it on line 25")));
    EXPECT_THAT(said, Contains(HasSubstr("of warp 0 reads it on line 28")));
}

TEST(HazardStage, AtTheEndACellStillTellsWhatStruckIt) {
    FrameWindow window(small_request("09_tiled"));
    leave_out(window, barrier_line("09_tiled", 0));
    window.driver.press(Key::kEnd);  // C is stored in an epoch of its own
    window.driver.hover("stage.shared.Bs", 2.5f / 8, 6.5f / 8);
    const std::vector<std::string>& said = window.state.stage.hover_lines;
    EXPECT_THAT(said, Contains(HasSubstr("earlier in this block:")));
    EXPECT_THAT(said, Contains(HasSubstr("of warp 1 writes it")));
}

TEST(HazardStage, AFrameFullOfMarksCostsLittle) {
    if (TILEREEL_ADDRESS_SANITIZER || TILEREEL_THREAD_SANITIZER)
        GTEST_SKIP() << "a sanitizer takes several times as long";
    FrameWindow window(small_request("09_tiled", 64, 32));
    leave_out(window, barrier_line("09_tiled", 0));
    window.bench.apply(Commands{GoToStart{}, PlayPause{}});
    window.driver.frames(5);
    std::vector<double> milliseconds;
    for (int i = 0; i < 40; ++i) {
        const auto start = std::chrono::steady_clock::now();
        window.driver.frame();
        const std::chrono::duration<double, std::milli> spent =
            std::chrono::steady_clock::now() - start;
        milliseconds.push_back(spent.count());
    }
    std::ranges::sort(milliseconds);
    EXPECT_LT(milliseconds[20], 4.0) << "median";
}

TEST(HazardStage, WithAllBarriersNothingIsSaidOfHazards) {
    FrameWindow window = window_of_05();
    window.driver.hover("stage.shared.Bs", 2.5f / 8, 6.5f / 8);
    EXPECT_THAT(window.state.stage.hover_lines, Not(Contains(HasSubstr("error"))));
}

TEST(HazardStage, WrongElementsAreCrossedOutOnceTheyAreStored) {
    FrameWindow window = window_of_05();
    make_c_wrong(window);
    const WrongElement element = window.bench.recording()->wrong.front();
    ASSERT_LT(element.row, 8u);  // block 0,0
    ASSERT_LT(element.column, 8u);
    const ImU32 accent = window.look.colors().accent;
    const auto cell = [&] {
        return cell_of(window.driver.rect_of("stage.c"), 16, 16, static_cast<int>(element.row),
                       static_cast<int>(element.column));
    };
    const auto hover = [&] {
        window.driver.hover("stage.c", (static_cast<float>(element.column) + 0.5f) / 16,
                            (static_cast<float>(element.row) + 0.5f) / 16);
        return window.state.stage.hover_lines;
    };
    EXPECT_EQ(vertices(cell(), accent), 0);
    EXPECT_THAT(hover(), Not(Contains(HasSubstr("wrong"))));
    window.driver.press(Key::kEnd);
    EXPECT_GT(vertices(cell(), accent), 0);
    EXPECT_THAT(hover(), Contains(HasSubstr("wrong: found ")));
    EXPECT_THAT(hover(), Contains(HasSubstr("expected ")));
}

TEST(HazardStage, ElementsThatAreRightAreNot) {
    FrameWindow window = window_of_05();
    make_c_wrong(window);
    window.driver.press(Key::kEnd);
    const std::vector<WrongElement>& wrong = window.bench.recording()->wrong;
    const Rect c = window.driver.rect_of("stage.c");
    std::set<std::pair<int, int>> places;
    for (const WrongElement& element : wrong)
        places.emplace(static_cast<int>(element.row), static_cast<int>(element.column));
    for (int row = 0; row < 8; ++row)
        for (int column = 0; column < 8; ++column) {
            const Rect cell = cell_of(c, 16, 16, row, column).inset(2);
            EXPECT_EQ(vertices(cell, window.look.colors().accent) > 0,
                      places.contains({row, column}))
                << row << "," << column;
        }
}

}  // namespace
}  // namespace tilereel

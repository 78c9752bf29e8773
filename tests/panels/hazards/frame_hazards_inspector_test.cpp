// The inspector's part about a left-out barrier, and where its controls lead.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "app/ladder/ladder.h"
#include "app/replay/places/moment.h"
#include "app/ui/draw/drawn_text.h"
#include "instrumentation/base/format/decimal_text.h"
#include "tests/panels/hazards/hazard_window.h"
#include "tests/trace/matrix_values.h"

namespace tilereel::frame_hazards_inspector_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(HazardInspector, ShowsNothingWithoutFindings) {
    FrameWindow window = window_of_05();
    for (const char* name : {"hazards.finding.0", "hazards.put_back", "order.round_robin"})
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

TEST(HazardInspector, TheLaneOrderButtonIsDisabledBeforeComputeCapability7_0) {
    FrameWindow window = window_of_05();
    leave_out(window, barrier_line("05_guide_ab_shared", 0));
    window.driver.click("order.lanes");
    ASSERT_EQ(window.bench.recording()->trace->launch.order, ThreadOrder::kLanes);
    window.bench.apply(Command{SetGeneration{"6.1"}});
    window.driver.frames(3);
    window.driver.click("order.round_robin");
    window.driver.click("order.lanes");
    EXPECT_EQ(window.bench.recording()->trace->launch.order, ThreadOrder::kRoundRobin);
    EXPECT_FALSE(window.driver.has("message.dismiss")) << "nothing was tried";
    window.bench.apply(Command{SetGeneration{"7.0"}});
    window.driver.frames(3);
    window.driver.click("order.lanes");
    EXPECT_EQ(window.bench.recording()->trace->launch.order, ThreadOrder::kLanes);
    // An order that this generation does not have is replaced, and the launch is recorded again.
    window.bench.apply(Command{SetGeneration{"6.1"}});
    window.bench.apply(Command{TogglePad{}});
    EXPECT_EQ(window.bench.recording()->trace->launch.order, ThreadOrder::kRoundRobin);
    window.bench.apply(Command{SetThreadOrder{ThreadOrder::kLanes}});
    EXPECT_EQ(window.bench.recording()->trace->launch.order, ThreadOrder::kRoundRobin);
    EXPECT_NE(window.bench.message().find("7.0"), std::string::npos);
}

TEST(HazardInspector, EachOrderIsAButton) {
    FrameWindow window = window_of_05();
    leave_out(window, barrier_line("05_guide_ab_shared", 0));
    const std::pair<const char*, ThreadOrder> orders[] = {
        {"order.warps", ThreadOrder::kWarpsForward},
        {"order.warps_backward", ThreadOrder::kWarpsBackward},
        {"order.lanes", ThreadOrder::kLanes},
        {"order.round_robin", ThreadOrder::kRoundRobin}};
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
    // The request in flight there is one of the two accesses that the sentence names.
    const Step& step = replay.schedule().steps[replay.state().step];
    EXPECT_EQ(step.epoch, finding.epoch);
    EXPECT_TRUE((step.site == finding.first.site && step.warp == finding.first.thread / 32) ||
                (step.site == finding.second.site && step.warp == finding.second.thread / 32));
}

TEST(HazardInspector, FindsAFailingOrderIfTheCurrentOneHidesTheRace) {
    FrameWindow window = window_of_05();
    leave_out(window, barrier_line("05_guide_ab_shared", 0));
    // In round-robin order, both warps store their rows of Bs before either of them reads.
    ASSERT_EQ(window.bench.recording()->trace->launch.order, ThreadOrder::kRoundRobin);
    ASSERT_TRUE(window.bench.recording()->wrong.empty());
    window.driver.click("hazards.find_failing_order");
    EXPECT_FALSE(window.bench.recording()->wrong.empty());
    EXPECT_FALSE(window.driver.has("hazards.find_failing_order"));
    EXPECT_TRUE(window.driver.has("hazards.wrong.0"));
}

// A trace of a kernel of one's own, with all its barriers, whose C is wrong in one element.
FrameWindow window_of_a_wrong_kernel() {
    Trace trace = std::move(record_built_in(small_request())).value();
    trace.launch.kernel = "my_own";
    trace.source_name = "mine.cu";
    add_to_element(trace, MatrixRole::kC, 17, 1);
    trace.wrong_elements = 1;
    return FrameWindow(WorkbenchOptions{
        .request = {}, .trace = std::move(trace), .playing = false, .record_on_worker = false});
}

TEST(HazardInspector, WrongElementsOfAKernelAreListed) {
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

// The text in the sentence's bar.
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

TEST(HazardInspector, TheSentenceNamesAWrongElementAtItsStoreAndAtTheEnd) {
    FrameWindow window = window_of_05();
    make_c_wrong(window);
    const WrongElement element = window.bench.recording()->wrong.front();
    const std::string name =
        "C[" + std::to_string(element.row) + "][" + std::to_string(element.column) + "]";
    const std::string values = decimal_text(element.found) + ", but A times B there is " +
                               decimal_text(element.expected) + ".";
    window.driver.click("hazards.wrong.0");
    window.driver.press(Key::kLeft);  // back to where it is stored
    EXPECT_THAT(sentence_in(window), HasSubstr("wrong : " + name + " becomes " + values));
    window.bench.apply(Command{SeekTo{0, false}});
    EXPECT_THAT(sentence_in(window), Not(HasSubstr("wrong")));
    window.bench.apply(Command{SeekTo{1e9, false}});
    EXPECT_THAT(sentence_in(window), HasSubstr("in this block : " + name + " is " + values));
}

TEST(HazardInspector, AtTheEndOfARightBlockTheSentenceNamesAWrongElementOfAnotherBlock) {
    FrameWindow window = window_of_a_wrong_kernel();  // C[1][1]
    window.bench.apply(Command{SeekTo{1e9, false}});
    EXPECT_THAT(sentence_in(window), HasSubstr("1 element is wrong in this block : C[1][1] is"));
    window.bench.apply(Command{WatchBlock{1, 1}});
    window.bench.apply(Command{SeekTo{1e9, false}});
    EXPECT_THAT(sentence_in(window), HasSubstr("1 element is wrong in other blocks : C[1][1] is"));
}

TEST(HazardInspector, AClickOnAWrongElementGoesToItsStore) {
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

TEST(HazardInspector, AllControlsAreReachableInsideThePanelAtAnySize) {
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
                 {"hazards.put_back", "hazards.finding.0", "hazards.wrong.0", "order.round_robin",
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

}  // namespace
}  // namespace tilereel::frame_hazards_inspector_test

// The marks of a left-out barrier on the stage.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/ladder/ladder.h"
#include "tests/panels/hazards/hazard_window.h"
#include "tests/panels/page_of_words.h"

namespace tilereel::frame_hazards_stage_test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

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

TEST(HazardStage, CellsWithARaceAreMarkedAndTheirTipNamesBothAccesses) {
    FrameWindow window = window_of_05();
    const Rect before = window.driver.rect_of("stage.shared.Bs");
    EXPECT_EQ(vertices(before, window.look.colors().accent), 0);
    leave_out(window, barrier_line("05_guide_ab_shared", 0));
    window.driver.frames(3);
    // Nobody has accessed the tile yet.
    EXPECT_EQ(vertices(window.driver.rect_of("stage.shared.Bs"), window.look.colors().accent), 0);
    window.driver.press(Key::kEnd);
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

TEST(HazardStage, AtTheEndACellStillShowsItsFindings) {
    FrameWindow window(small_request("09_tiled"));
    leave_out(window, barrier_line("09_tiled", 0));
    window.driver.press(Key::kEnd);  // C is stored in an epoch of its own
    window.driver.hover("stage.shared.Bs", 2.5f / 8, 6.5f / 8);
    const std::vector<std::string>& said = window.state.stage.hover_lines;
    EXPECT_THAT(said, Contains(HasSubstr("earlier in this block:")));
    EXPECT_THAT(said, Contains(HasSubstr("of warp 1 writes it")));
}

// E goes to a race. The sentence, the source and the timeline tell of the race until the next step.
TEST(FindingScene, TellsBothAccessesWithTheirPhases) {
    FrameWindow window(small_request("09_tiled"));
    leave_out(window, barrier_line("09_tiled", 1));
    std::set<std::string> said;
    for (int i = 0; i < 3; ++i) {
        window.driver.press('e');
        ASSERT_NE(window.bench.finding_scene(), nullptr);
        said.insert(plain_text(window.bench.finding_scene()->sentence));
        EXPECT_TRUE(window.driver.has("timeline.finding"));
        EXPECT_FALSE(window.driver.has("source.missing_barrier")) << "it is struck out";
    }
    // Lines 25 and 26 store As and Bs for phase 2, line 29 reads them in phase 1.
    // Phase 1's value is B[0][0], phase 2's is B[8][0].
    const Trace& trace = *window.bench.recording()->trace;
    const std::string values =
        " and may get " +
        std::to_string(static_cast<int>(matrix_of(trace, MatrixRole::kB)[8 * 16])) +
        " instead of " + std::to_string(static_cast<int>(matrix_of(trace, MatrixRole::kB)[0]));
    EXPECT_THAT(said, Contains("Race: thread (0,0) of warp 0 stores Bs[0][0] for phase 2 on line "
                               "26 while thread (0,4) of warp 1 may still read it for phase 1 on "
                               "line 29," +
                               values + ". A __syncthreads() after line 29 makes it wait."));
    EXPECT_THAT(said, Contains(AllOf(
                          HasSubstr("Race: thread (0,0) of warp 0 stores As[0][0] for phase 2 on "
                                    "line 25 while thread (7,0) of warp 0 may still read it for "
                                    "phase 1 on line 29"),
                          HasSubstr("A __syncwarp() after line 29 makes it wait."))));
    window.driver.press(Key::kRight);
    window.finish_step();
    EXPECT_EQ(window.bench.finding_scene(), nullptr);
    EXPECT_FALSE(window.driver.has("timeline.finding"));
}

// The picture of a race, at the sizes of a laptop and of a projector: all of it is inside the
// stage, and Esc and the button show the usual picture.
TEST(FindingScene, HasAPictureThatEscapeCloses) {
    for (const int text : {14, 28}) {
        FrameWindow window(small_request("09_tiled"), 1280, 720);
        window.bench.apply(SetTextSize{text});
        leave_out(window, barrier_line("09_tiled", 1));
        window.driver.press('e');
        const Rect stage = window.driver.rect_of("stage.finding");
        for (const char* part : {"stage.finding.store", "stage.finding.cell", "stage.finding.read",
                                 "stage.finding.close"})
            EXPECT_TRUE(stage.contains(window.driver.rect_of(part).min()) &&
                        stage.contains(window.driver.rect_of(part).max()))
                << part << " at " << text;
        if (text == 14) {  // the array fits below the two accesses
            const Rect grid = window.driver.rect_of("stage.finding.grid");
            const Rect cell = window.driver.rect_of("stage.finding.grid.cell");
            EXPECT_TRUE(stage.contains(grid.min()) && stage.contains(grid.max()));
            EXPECT_TRUE(grid.contains(cell.min()) && grid.contains(cell.max()));
        }
        EXPECT_FALSE(window.driver.has("stage.shared.As"));
        window.driver.press(Key::kEscape);
        EXPECT_FALSE(window.driver.has("stage.finding"));
        EXPECT_TRUE(window.driver.has("stage.shared.As"));
        window.driver.press(Key::kRight);
        window.finish_step();
        window.driver.press('e', true);
        EXPECT_TRUE(window.driver.has("stage.finding")) << "it was closed for one visit only";
        window.driver.click("stage.finding.close");
        EXPECT_FALSE(window.driver.has("stage.finding"));
    }
}

// The picture of an access out of bounds: who makes it, and the elements around it.
TEST(FindingScene, ShowsAnAccessOutOfBounds) {
    for (const int text : {14, 28}) {
        WorkbenchOptions options;
        options.record_on_worker = false;
        options.playing = false;
        Result<Trace> trace = record_ladder(small_request("09_tiled"));
        ASSERT_TRUE(trace);
        const auto a = std::ranges::find(trace->arrays, "A", &Array::name);
        const auto load = std::ranges::find_if(trace->sites, [&](const Site& site) {
            return site.array == a - trace->arrays.begin() && site.operation == Operation::kLoad;
        });
        RecordedFinding finding;
        finding.kind = RecordedFindingKind::kOutOfBounds;
        finding.line = load->line;
        finding.block = 0;
        finding.thread = 5;
        finding.array = load->array;
        finding.width_bytes = 4;
        finding.offset_bytes = static_cast<std::int64_t>(a->size_bytes());
        finding.what = "Thread 5 of block 0 reads beyond A.";
        trace->findings.push_back(finding);
        options.trace = *std::move(trace);
        FrameWindow window(std::move(options), 1280, 720);
        window.bench.apply(Commands{SetTextSize{text}, GoToEnd{}});
        window.driver.press('e', true);
        ASSERT_TRUE(window.driver.has("stage.finding"));
        const Rect stage = window.driver.rect_of("stage.finding");
        for (const char* part : {"stage.finding.access", "stage.finding.elements"})
            EXPECT_TRUE(stage.contains(window.driver.rect_of(part).min()) &&
                        stage.contains(window.driver.rect_of(part).max()))
                << part << " at " << text;
        EXPECT_FALSE(window.driver.rect_of("stage.finding.access")
                         .overlaps(window.driver.rect_of("stage.finding.elements")));
        // The only finding is shown already: no message covers its sentence.
        window.driver.press('e');
        EXPECT_FALSE(window.driver.has("message.dismiss"));
        window.driver.press(Key::kEscape);
        EXPECT_FALSE(window.driver.has("stage.finding"));
    }
}

// An access out of bounds by all lanes makes no request: E says so instead of "no finding".
TEST(FindingScene, OfALineWithoutRequestsHasNoMoment) {
    WorkbenchOptions options;
    options.record_on_worker = false;
    options.playing = false;
    Result<Trace> trace = record_ladder(small_request("09_tiled"));
    ASSERT_TRUE(trace);
    RecordedFinding finding;
    finding.kind = RecordedFindingKind::kOutOfBounds;
    finding.line = 1;
    finding.block = 0;
    finding.thread = 5;
    finding.what = "Thread 5 of block 0 reads beyond A.";
    trace->findings.push_back(finding);
    options.trace = *std::move(trace);
    FrameWindow window(std::move(options), 1280, 720);
    for (const bool back : {false, true}) {
        window.driver.press('e', back);
        const auto texts = texts_of([&] { window.driver.frame(); });
        EXPECT_TRUE(std::ranges::any_of(texts, [](const DrawnText& each) {
            return each.text.starts_with("Nothing was recorded on the line of the listed finding,");
        }));
    }
}

// The line that is missing is seen on a projector, too, without scrolling. The trace is told that
// its barrier was never there, as in a program.
TEST(FindingScene, TheMissingBarrierIsInSight) {
    RecordRequest request = small_request("09_tiled");
    request.removed_barrier = static_cast<std::uint32_t>(barrier_line("09_tiled", 1));
    for (const int text : {14, 28, 32}) {
        Result<Trace> trace = record_built_in(request);
        ASSERT_TRUE(trace);
        trace->launch.removed_barrier = 0;
        FrameWindow window({.request = {},
                            .trace = std::move(trace).value(),
                            .playing = false,
                            .record_on_worker = false},
                           1280, 720);
        window.bench.apply(SetTextSize{text});
        window.driver.press('e');
        window.driver.frames(30);
        ASSERT_TRUE(window.driver.has("source.missing_barrier")) << text;
        const Rect line = window.driver.rect_of("source.missing_barrier");
        const Rect code = window.driver.rect_of("source.code");
        EXPECT_GE(line.y, code.y - 1) << text;
        EXPECT_LE(line.bottom(), code.bottom() + 1) << text;
    }
}

// The words on the arc of the timeline lie below the names of the phases.
TEST(FindingScene, TheWordsOnTheArcLeaveTheNamesOfThePhasesFree) {
    for (const auto& [width, height] :
         {std::pair{1280.0f, 720.0f}, {1366.0f, 768.0f}, {1920.0f, 1080.0f}})
        for (const int text : {14, 28}) {
            FrameWindow window(small_request("09_tiled"), width, height);
            window.bench.apply(SetTextSize{text});
            leave_out(window, barrier_line("09_tiled", 1));
            window.driver.press('e');
            ASSERT_TRUE(window.driver.has("timeline.finding"));
            if (!window.driver.has("timeline.finding.words")) continue;
            const Rect words = window.driver.rect_of("timeline.finding.words");
            int names = 0;
            const auto texts = texts_of([&] { window.driver.frames(1); });
            for (const DrawnText& drawn : texts)
                if (drawn.text.starts_with("compute ") && words.y - drawn.box.y < 200) {
                    ++names;
                    EXPECT_FALSE(words.overlaps(drawn.box)) << width << " " << text;
                }
            EXPECT_GT(names, 0) << width << " " << text;
        }
}

TEST(FindingScene, TellsWhatMayNotBeStoredYet) {
    FrameWindow window = window_of_05();
    leave_out(window, barrier_line("05_guide_ab_shared", 0));
    std::set<std::string> said;
    for (int i = 0; i < 4; ++i) {
        window.driver.press('e');
        if (const FindingScene* scene = window.bench.finding_scene())
            said.insert(plain_text(scene->sentence));
    }
    EXPECT_THAT(said, Contains(HasSubstr("may not have stored it yet")));
}

TEST(HazardStage, WithAllBarriersNoHazardIsShown) {
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
        window.driver.move_to({1, 1});  // after a key, a pointer that rests shows nothing
        window.driver.frame();
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

TEST(HazardStage, RightElementsAreNotCrossedOut) {
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
}  // namespace tilereel::frame_hazards_stage_test

// The whole frame of programs that are no matrix product: its pages, and their arrays at several
// sizes and text heights.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "tests/panels/frame_window.h"
#include "tests/panels/page_of_words.h"
#include "tests/panels/program/program_window.h"

namespace tilereel::frame_program_test {
namespace {

TEST(FrameProgram, ArraysLaunchesAndTheSentenceAreShownThroughout) {
    for (const Program& program : kPrograms)
        for (const auto& [width, height, text] :
             {std::tuple(1366.0f, 768.0f, 14), std::tuple(1920.0f, 1080.0f, 28)}) {
            FrameWindow window(options_for(program), width, height);
            window.bench.apply(SetTextSize{text});
            program::ProgramRequest request;
            request.file = "homework.cu";
            window.bench.apply(OpenProgram{request});
            ASSERT_TRUE(window.bench.shows_program());
            for (Tick tick = 0; tick <= window.bench.replay()->schedule().ticks; ++tick) {
                window.bench.apply(SeekTo{static_cast<double>(tick), false});
                window.driver.frames(1);
                ASSERT_FALSE(plain_text(window.bench.replay()->sentence()).empty()) << tick;
            }
            Rect array, launch;
            ASSERT_TRUE(find_widget("stage.global." + std::string(program.array), array));
            EXPECT_GT(array.w, 8);
            EXPECT_GT(array.h, 3);
            EXPECT_LE(array.right(), width);
            EXPECT_LE(array.bottom(), height);
            EXPECT_TRUE(find_widget("program.launch.1", launch));
            EXPECT_FALSE(find_widget("chip.tile", launch));
        }
}

TEST(FrameProgram, TheOutputStandsInPlaceOfTheLaunches) {
    FrameWindow window(options_for(kPrograms[0]));
    window.bench.apply(OpenProgram{});
    window.driver.frames(2);
    window.driver.click("program.output");
    window.driver.frames(2);
    Rect rect;
    EXPECT_FALSE(find_widget("program.launch.1", rect));
    window.driver.click("program.launches");
    window.driver.frames(2);
    EXPECT_TRUE(find_widget("program.launch.1", rect));
}

// Each page of a program: the request or the variables beside it, its launches, output and errors.
TEST(FrameProgram, EveryWordCanBeRead) {
    Faults faults;
    for (const Program& program : kPrograms)
        for (const auto& [width, height, text] :
             {std::tuple(1366.0f, 768.0f, 14), std::tuple(1920.0f, 1080.0f, 28)}) {
            FrameWindow window(options_for(program), width, height);
            window.bench.apply(SetTextSize{text});
            window.bench.apply(OpenProgram{});
            const double end = static_cast<double>(window.bench.replay()->schedule().ticks);
            for (const SideTab tab :
                 {SideTab::kSource, SideTab::kRequest, SideTab::kCounts, SideTab::kVariables})
                for (const double tick : {0.0, std::floor(0.6 * end), end}) {
                    window.bench.apply(SelectTab{tab});
                    window.bench.apply(SeekTo{tick, true});
                    window.driver.frames(2);
                    const auto texts = texts_of([&] { window.driver.frames(1); });
                    Page{texts,
                         window.look,
                         {0, 0, width, height},
                         std::string(program.array) + ", tab " +
                             std::to_string(static_cast<int>(tab)) + ", tick " +
                             std::to_string(tick) + ", text " + std::to_string(text)}
                        .find(faults);
                }
        }
    faults.report();
}

// The words around the banks keep clear of the buttons in the corner of the stage.
TEST(FrameProgram, NoButtonCoversWords) {
    Faults faults;
    for (const Program& program : kPrograms)
        for (const auto& [width, height, text] :
             {std::tuple(1280.0f, 720.0f, 14), std::tuple(1280.0f, 720.0f, 28),
              std::tuple(1366.0f, 768.0f, 14), std::tuple(1920.0f, 1080.0f, 28)}) {
            FrameWindow window(options_for(program), width, height);
            window.bench.apply(SetTextSize{text});
            window.bench.apply(OpenProgram{});
            const Replay& replay = *window.bench.replay();
            std::set<std::uint32_t> sites;
            for (const Step& step : replay.schedule().steps) {
                if (!sites.insert(step.site).second) continue;  // one request of each line
                window.bench.apply(SeekTo{static_cast<double>(step.begin), false});
                window.driver.frames(2);
                const auto texts = texts_of([&] { window.driver.frames(1); });
                Page{texts,
                     window.look,
                     {0, 0, width, height},
                     std::string(program.array) + ", " + std::to_string(static_cast<int>(width)) +
                         ", text " + std::to_string(text)}
                    .find_under_buttons(faults);
            }
        }
    faults.report();
}

// Of an array that is larger than its part of the stage, some cells are shown with their values.
TEST(FrameProgram, AWindowOntoALargeArrayShowsValues) {
    for (const auto& [width, height, text] :
         {std::tuple(1366.0f, 768.0f, 14), std::tuple(1920.0f, 1080.0f, 28)}) {
        FrameWindow window(options_for(kPrograms[0]), width, height);
        window.bench.apply(SetTextSize{text});
        window.bench.apply(OpenProgram{});
        window.driver.frames(2);
        const auto texts = texts_of([&] { window.driver.frames(1); });
        Rect cells;
        ASSERT_TRUE(find_widget("stage.global.in", cells));
        const auto values = std::ranges::count_if(
            texts, [&](const DrawnText& t) { return cells.contains(t.box.center()); });
        EXPECT_GE(values, 16);
    }
}

// Key 0: all of each array without values, and back to the windows.
TEST(FrameProgram, AllOfEachArrayIsShownWithoutValues) {
    FrameWindow window(options_for(kPrograms[0]), 1366, 768);
    window.bench.apply(OpenProgram{});
    window.driver.frames(2);
    window.state.stage.general.rows["in"] = 128;  // one row, wider than the stage
    window.driver.frames(2);
    ASSERT_TRUE(window.driver.has("stage.global.in.map"));
    window.driver.press('0');
    window.driver.frames(2);
    EXPECT_FALSE(window.driver.has("stage.global.in.map"));
    window.driver.press('0');
    window.driver.frames(2);
    EXPECT_TRUE(window.driver.has("stage.global.in.map"));
    // What the user has moved stays until 0 is pressed.
    window.driver.click("stage.global.in.map", 0.9f);
    window.driver.frames(2);
    EXPECT_TRUE(window.driver.has("stage.global.in.follow"));
    window.driver.press('0');
    window.driver.frames(2);
    EXPECT_FALSE(window.driver.has("stage.global.in.follow"));
    EXPECT_TRUE(window.driver.has("stage.global.in.map"));
}

TEST(FrameProgram, TheRowLengthIsChangedInThePicture) {
    FrameWindow window(options_for(kPrograms[0]));
    window.bench.apply(OpenProgram{});
    window.driver.frames(2);
    auto& rows = window.state.stage.general.rows;
    window.driver.click("stage.global.in.more");
    window.driver.frames(2);
    ASSERT_TRUE(rows.contains("in"));
    const std::uint32_t first = rows["in"];
    window.driver.click("stage.global.in.fewer");
    window.driver.frames(2);
    EXPECT_EQ(rows["in"], first - 1);
    Rect edge;
    ASSERT_TRUE(find_widget("stage.global.in.edge", edge));
    window.driver.drag(edge.center(), {edge.center().x - 120, edge.center().y},
                       [&] { EXPECT_LT(rows["in"], first - 1); });
    EXPECT_FALSE(window.state.stage.general.drag.has_value());
}

TEST(FrameProgram, TheRowLengthIsTyped) {
    for (const auto& [width, height, text] :
         {std::tuple(1366.0f, 768.0f, 14), std::tuple(1920.0f, 1080.0f, 28)}) {
        FrameWindow window(options_for(kPrograms[0]), width, height);
        window.bench.apply(SetTextSize{text});
        window.bench.apply(OpenProgram{});
        window.driver.frames(2);
        stage::GeneralView& view = window.state.stage.general;
        const auto type = [&](const char* typed) {
            window.driver.click("stage.global.in.rows");
            window.driver.frames(2);
            window.driver.press(Key::kEnd);  // the last choice: type a number
            window.driver.press(Key::kEnter);
            ASSERT_TRUE(window.driver.has("stage.global.in.field"));
            for (const char* c = typed; *c != 0; ++c) window.driver.press(*c);
            window.driver.press(Key::kEnter);
        };
        type("20");
        EXPECT_EQ(view.rows["in"], 20u);
        EXPECT_FALSE(window.driver.has("stage.global.in.field"));
        for (const char* wrong : {"0", "129", "1x", "-3"}) {  // it has 128 elements
            type(wrong);
            ASSERT_TRUE(view.row_edit.has_value()) << wrong;
            EXPECT_EQ(view.row_edit->refused, "type a whole number from 1 to 128") << wrong;
            window.driver.press(Key::kEscape);
            EXPECT_EQ(view.rows["in"], 20u) << wrong;
        }
    }
}

// Six arrays: those that are accessed stand large with values that can be read, the others as
// strips with their names. Only two arrays move at a time: the one that becomes large and the one
// that it replaces.
TEST(FrameProgram, WhatIsAccessedStandsLarge) {
    Faults faults;
    for (const auto& [width, height] :
         {std::pair(1280.0f, 720.0f), {1366.0f, 768.0f}, {1920.0f, 1080.0f}, {3840.0f, 2160.0f}})
        for (const int text : {14, 28}) {
            FrameWindow window(options_for(kSixArrays), width, height);
            window.bench.apply(SetTextSize{text});
            window.bench.apply(OpenProgram{});
            window.driver.frames(2);
            const Trace& trace = window.bench.replay()->trace();
            std::map<std::string, Rect> before;
            std::size_t moved = 0;
            for (Tick tick = 0; tick < window.bench.replay()->schedule().ticks; ++tick) {
                window.bench.apply(SeekTo{static_cast<double>(tick), true});
                const std::string where = std::to_string(width) + ", text " + std::to_string(text) +
                                          ", tick " + std::to_string(tick);
                const auto texts = texts_of([&] { window.driver.frames(1); });
                Page{texts, window.look, {0, 0, width, height}, where}.find(faults);
                const Step& step = window.bench.replay()
                                       ->schedule()
                                       .steps[window.bench.replay()->state().request.step];
                const Array& now = trace.arrays[trace.sites[step.site].array];
                const bool strip = window.driver.has("stage.global." + now.name + ".raise");
                EXPECT_FALSE(now.space == Space::kGlobal && strip) << where;
                std::map<std::string, Rect> places;
                for (const Array& array : trace.arrays) {
                    Rect place;
                    if (find_widget("stage.global." + array.name, place))
                        places[array.name] = place;
                }
                EXPECT_TRUE(places.size() == 6 || (height < 1000 && text > 14)) << where;
                std::size_t changed = 0;
                for (const auto& [name, place] : before)
                    if (const auto now_at = places.find(name); now_at != places.end())
                        changed += now_at->second.x != place.x || now_at->second.y != place.y;
                EXPECT_LE(changed, 2u) << where;  // one comes, one goes
                moved += changed;
                before = places;
            }
            EXPECT_TRUE(moved == 0 || text > 14 || width < 1920) << width;  // all have room
        }
    faults.report();
}

TEST(FrameProgram, AStripIsRaisedByAClickAndKey0LetsItGo) {
    std::size_t tried = 0;
    for (const auto& [width, height, text] :
         {std::tuple(1366.0f, 768.0f, 20), std::tuple(1440.0f, 810.0f, 24),
          std::tuple(1600.0f, 900.0f, 28), std::tuple(1920.0f, 1080.0f, 32)}) {
        FrameWindow window(options_for(kSixArrays), width, height);
        window.bench.apply(SetTextSize{text});
        window.bench.apply(OpenProgram{});
        window.driver.frames(2);
        std::string strip;  // of an array that this size of window has no room for
        for (const Array& array : window.bench.replay()->trace().arrays)
            if (window.driver.has("stage.global." + array.name + ".raise"))
                strip = "stage.global." + array.name + ".raise";
        if (strip.empty()) continue;
        ++tried;
        window.driver.click(strip);
        for (Tick tick = 0; tick < window.bench.replay()->schedule().ticks; ++tick) {
            window.bench.apply(SeekTo{static_cast<double>(tick), true});
            window.driver.frames(2);
            EXPECT_FALSE(window.driver.has(strip)) << tick << ", " << width;
        }
        window.bench.apply(SeekTo{0, true});
        window.driver.press('0');
        window.driver.frames(2);
        EXPECT_TRUE(window.driver.has(strip)) << width;
    }
    EXPECT_GT(tried, 0u);
}

// Another file opens at its start and at speed 1; the same file, run again, keeps its place.
TEST(OpenedFile, StartsAtItsStart) {
    FrameWindow window(options_for(kSixArrays));
    for (const char* const file : {"first.cu", "second.cu"}) {
        window.bench.apply(Commands{SetSpeed{4}, SeekTo{5, false}});
        program::ProgramRequest request;
        request.file = file;
        window.bench.apply(OpenProgram{request});
        window.driver.frames(2);
        ASSERT_TRUE(window.bench.shows_program());
        EXPECT_EQ(window.tick(), 0u) << file;
        EXPECT_EQ(window.bench.speed(), 1) << file;
    }
    window.bench.apply(Commands{SetSpeed{4}, SeekTo{5, false}, RunProgramAgain{}});
    window.driver.frames(2);
    EXPECT_GT(window.tick(), 0u);
    EXPECT_EQ(window.bench.speed(), 4);
}

}  // namespace
}  // namespace tilereel::frame_program_test

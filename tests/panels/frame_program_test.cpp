// The whole frame of programs that are no matrix product, at several sizes and text heights.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "tests/panels/frame_window.h"
#include "tests/panels/page_of_words.h"
#include "tests/trace/program_traces.h"

namespace tilereel {
namespace {

struct Program {
    const char* array;  // of global memory, that must be on the stage
    Trace (*trace)();
};
const Program kPrograms[] = {{"in", testing::reduction_trace},
                             {"out", testing::transpose_trace},
                             {"histogram", testing::histogram_trace},
                             {"in", testing::stencil_trace}};

WorkbenchOptions options_for(const Program& program) {
    WorkbenchOptions options;
    options.playing = false;
    options.record_on_worker = false;
    options.programs = std::make_unique<ProgramBench>(
        ProgramBenchOptions{.on_thread = false,
                            .run =
                                [](const auto&, auto*) {
                                    plain::ProgramRun run;
                                    run.launches.resize(2);
                                    run.launches[1].kernel = "second";
                                    run.launches[1].trace = "second.npz";
                                    return run;
                                },
                            .read = [&program](const std::filesystem::path&) -> Result<Trace> {
                                return program.trace();
                            }});
    return options;
}

TEST(FrameProgram, ArraysLaunchesAndTheSentenceAreShownThroughout) {
    for (const Program& program : kPrograms)
        for (const auto& [width, height, text] :
             {std::tuple(1366.0f, 768.0f, 14), std::tuple(1920.0f, 1080.0f, 28)}) {
            FrameWindow window(options_for(program), width, height);
            window.bench.view().text_px = text;
            plain::ProgramRequest request;
            request.file = "homework.cu";
            window.bench.apply(OpenProgram{request});
            ASSERT_TRUE(window.bench.shows_program());
            for (Tick tick = 0; tick <= window.bench.replay()->ticks(); ++tick) {
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
            window.bench.view().text_px = text;
            window.bench.apply(OpenProgram{});
            const double end = static_cast<double>(window.bench.replay()->ticks());
            for (const int tab : {0, 1, 2, 3})
                for (const double tick : {0.0, std::floor(0.6 * end), end}) {
                    window.bench.apply(SelectTab{tab});
                    window.bench.apply(SeekTo{tick, true});
                    window.driver.frames(2);
                    const auto texts = texts_of([&] { window.driver.frames(1); });
                    Page{texts,
                         window.look,
                         {0, 0, width, height},
                         std::string(program.array) + ", tab " + std::to_string(tab) + ", tick " +
                             std::to_string(tick) + ", text " + std::to_string(text)}
                        .find(faults);
                }
        }
    faults.report();
}

// Values can be read of an array that is larger than its part of the stage.
TEST(FrameProgram, AWindowOntoALargeArrayShowsValues) {
    for (const auto& [width, height, text] :
         {std::tuple(1366.0f, 768.0f, 14), std::tuple(1920.0f, 1080.0f, 28)}) {
        FrameWindow window(options_for(kPrograms[0]), width, height);
        window.bench.view().text_px = text;
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

TEST(FrameProgram, TheVariablesFollowTheChosenLane) {
    FrameWindow window(options_for(kPrograms[0]));
    window.bench.apply(OpenProgram{});
    window.bench.apply(GoToEnd{});
    window.driver.press('v');
    window.driver.frames(2);
    Rect rect;
    ASSERT_TRUE(find_widget("locals.s", rect));
    window.driver.click("locals.lane.7");
    window.driver.frames(2);
    EXPECT_EQ(window.state.stage.lanes.lane(), 7u);
    window.driver.press('v');
    window.driver.frames(2);
    EXPECT_FALSE(find_widget("locals.s", rect));
}

}  // namespace
}  // namespace tilereel

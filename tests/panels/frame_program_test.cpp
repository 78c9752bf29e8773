// The whole frame of programs that are no matrix product, at several sizes and text heights.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "instrumentation/plain/ladder.h"
#include "tests/panels/frame_window.h"
#include "tests/panels/page_of_words.h"
#include "tests/trace/program_traces.h"
#include "tests/trace/scratch_folder.h"

namespace tilereel {
namespace {

struct Program {
    const char* array;  // of global memory, that must be on the stage
    std::function<Trace()> trace;
};
const Program kPrograms[] = {{"in", testing::reduction_trace},
                             {"out", testing::transpose_trace},
                             {"histogram", testing::histogram_trace},
                             {"in", testing::stencil_trace},
                             {"weights", testing::six_arrays_trace}};

WorkbenchOptions options_for(Program program) {
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
                            .read = [program](const std::filesystem::path&) -> Result<Trace> {
                                return program.trace();
                            }});
    return options;
}

TEST(FrameProgram, ArraysLaunchesAndTheSentenceAreShownThroughout) {
    for (const Program& program : kPrograms)
        for (const auto& [width, height, text] :
             {std::tuple(1366.0f, 768.0f, 14), std::tuple(1920.0f, 1080.0f, 28)}) {
            FrameWindow window(options_for(program), width, height);
            window.bench.apply(SetTextSize{text});
            plain::ProgramRequest request;
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

// Values can be read of an array that is larger than its part of the stage.
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
            EXPECT_EQ(view.row_edit->refused, "a whole number from 1 to 128") << wrong;
            window.driver.press(Key::kEscape);
            EXPECT_EQ(view.rows["in"], 20u) << wrong;
        }
    }
}

// A trace of C = A B that nobody has recognised.
Trace unnamed_product() {
    Result<Trace> recorded = plain::record_built_in(small_request("02_naive"));
    Trace trace = std::move(recorded).value();
    const MatrixProduct ids = *std::exchange(trace.product, std::nullopt);
    trace.launch.m = trace.launch.n = trace.launch.k = trace.launch.tile = 0;
    trace.launch.integers = {{"n", 16}};
    trace.recorded_by.recorder = "plain";
    for (const auto& [id, name, values] :
         {std::tuple(ids.a, "x", &trace.a), std::tuple(ids.b, "w", &trace.b),
          std::tuple(ids.c, "y", &trace.c)}) {
        Array& array = trace.arrays[id];
        array = Array::of(name, Space::kGlobal, ElementType::kFloat32, 4, {{256}});
        const auto bytes = std::as_bytes(std::span(*values));
        array.last_bytes.assign(bytes.begin(), bytes.end());
        array.first_bytes = array.last_bytes;
    }
    trace.a.clear(), trace.b.clear(), trace.c.clear();
    return trace;
}

TEST(FrameProgram, TheUserSaysWhichArraysAreAProduct) {
    const auto unrecognised = [] {  // since A is not finite
        Trace trace = unnamed_product();
        const float infinite = std::numeric_limits<float>::infinity();
        std::memcpy(trace.arrays[0].first_bytes.data(), &infinite, sizeof infinite);
        return trace;
    };
    for (const auto& [width, height, text] :
         {std::tuple(1366.0f, 768.0f, 14), std::tuple(1920.0f, 1080.0f, 28)}) {
        FrameWindow window(options_for({"x", unrecognised}), width, height);
        window.bench.apply(SetTextSize{text});
        window.bench.apply(OpenProgram{});
        window.driver.frames(2);
        ASSERT_FALSE(window.bench.replay()->trace().product);
        window.driver.click("stage.name_product");
        window.driver.frames(2);
        Rect card, part;
        ASSERT_TRUE(find_widget("stage.product", card));
        for (const char* name : {"a", "b", "c", "sizes", "show", "close"}) {
            ASSERT_TRUE(find_widget("stage.product." + std::string(name), part)) << name;
            EXPECT_GE(part.x, card.x) << name;
            EXPECT_LE(part.right(), card.right()) << name;
            EXPECT_LE(part.bottom(), card.bottom()) << name;
        }
        stage::GeneralView::ProductCard& chosen = *window.state.stage.general.product_card;
        EXPECT_EQ(chosen.sizes[0], 16);
        chosen.sizes[0] = 17;
        window.driver.click("stage.product.show");
        window.driver.frames(2);
        EXPECT_NE(window.bench.message().find("C (y) has 256 elements, but 17 x 16 needs 272"),
                  std::string::npos)
            << window.bench.message();
        ASSERT_TRUE(window.driver.has("stage.product"));
        window.state.stage.general.product_card->sizes[0] = 16;
        window.driver.click("stage.product.show");
        window.driver.frames(2);
        ASSERT_TRUE(window.bench.replay()->trace().product);
        EXPECT_TRUE(window.driver.has("stage.c"));
        EXPECT_FALSE(window.driver.has("stage.product"));
        const auto& products = window.bench.program()->products;
        ASSERT_EQ(products.size(), 1u);
        EXPECT_EQ(text_of(products.begin()->second), "x,w,y,16,16,16");
        window.driver.click("stage.as_arrays");  // and back
        window.driver.frames(2);
        EXPECT_TRUE(window.driver.has("stage.global.x"));
        EXPECT_FALSE(window.driver.has("stage.product"));
        // What was named can be changed, or forgotten.
        window.driver.click("stage.name_product");
        window.driver.frames(2);
        ASSERT_TRUE(find_widget("stage.product", card));
        const auto texts = texts_of([&] { window.driver.frames(1); });
        Faults faults;
        Page{texts, window.look, {0, 0, width, height}, "card"}.find(faults);
        faults.report();
        ASSERT_TRUE(find_widget("stage.product.forget", part));
        EXPECT_GE(part.x, card.x);
        EXPECT_LE(part.right(), window.driver.rect_of("stage.product.close").x);
        EXPECT_EQ(window.state.stage.general.product_card->sizes[2], 16);
        window.driver.click("stage.product.forget");
        window.driver.frames(2);
        EXPECT_FALSE(window.bench.replay()->trace().product);
        EXPECT_TRUE(products.empty());
        EXPECT_FALSE(window.driver.has("stage.product.forget"));
        window.driver.click("stage.name_product");
        window.driver.frames(2);
        EXPECT_TRUE(window.driver.has("stage.product"));
        EXPECT_FALSE(window.driver.has("stage.product.forget"));  // nothing is named now
    }
}

// --product names it for every kernel that has such arrays.
TEST(FrameProgram, AProductOfTheCommandLineCanBeForgotten) {
    FrameWindow window(options_for({"x", unnamed_product}));
    window.bench.apply(OpenProgram{{}, {{"", parse_product("x,w,y^T").value()}}});
    window.driver.frames(2);
    ASSERT_TRUE(window.bench.program()->named.has_value());
    window.driver.click("stage.name_product");
    window.driver.frames(2);
    window.driver.click("stage.product.forget");
    window.driver.frames(2);
    EXPECT_TRUE(window.bench.program()->products.empty());
    EXPECT_FALSE(window.bench.program()->named.has_value());
}

// A trace of a program: its file, launch and block stand in the bar as where the program is open.
TEST(FrameProgram, TheBarOfATraceNamesFileLaunchAndBlock) {
    WorkbenchOptions options;
    options.playing = false;
    options.record_on_worker = false;
    options.trace = testing::transpose_trace();
    options.trace->source_name = "folder/homework.cu";
    options.trace->launch.number = 4;
    FrameWindow window(std::move(options));
    const auto texts = texts_of([&] { window.driver.frames(1); });
    for (const char* name : {"chip.program", "chip.launch", "chip.block"})
        EXPECT_TRUE(window.driver.has(name)) << name;
    for (const char* name : {"chip.kernel", "chip.extents", "chip.tile", "chip.pad"})
        EXPECT_FALSE(window.driver.has(name)) << name;
    for (const char* words : {"homework.cu", "5 transpose", "0 of 2"})
        EXPECT_TRUE(std::ranges::any_of(texts, [&](const DrawnText& t) { return t.text == words; }))
            << words;
    window.driver.click("chip.block");
    window.driver.frames(2);
    window.driver.click("chip.block.1");
    window.driver.frames(2);
    EXPECT_EQ(window.bench.replay()->block(), 1u);
    window.driver.click("chip.launch");
    window.driver.frames(2);
    window.driver.click("chip.launch.0");
    window.driver.frames(2);
    EXPECT_EQ(window.bench.replay()->block(), 1u);  // the only launch there is
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

const Program& kSixArrays = kPrograms[4];

// Six arrays: those that are accessed stand large with values that can be read, the others as
// strips with their names. Nothing but the array that takes a place moves.
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

// A launch of 4 x 3 blocks of which the first two were recorded. Once `waits` is set, a run goes on
// until it is cancelled.
struct InPart {
    std::vector<plain::LaunchBlock> asked;
    std::atomic<bool> waits{false};
    ProgramBenchOptions options(bool on_thread) {
        return {.on_thread = on_thread,
                .run =
                    [this](const plain::ProgramRequest& request, plain::ProgramProgress* progress) {
                        asked = request.more_blocks;
                        plain::ProgramRun run;
                        run.launches.resize(2);
                        plain::LaunchSummary& launch = run.launches[1];
                        launch.number = 1;
                        launch.kernel = "reduce";
                        launch.trace = "reduce.npz";
                        launch.grid = {4, 3, 1};
                        launch.chosen_blocks = {0, 1};
                        launch.recorded_blocks = 2;
                        for (const plain::LaunchBlock& more : asked)
                            launch.chosen_blocks.push_back(more.block);
                        while (waits && !progress->cancel) std::this_thread::yield();
                        return run;
                    },
                .read = [this](const std::filesystem::path&) -> Result<Trace> {
                    Trace trace = testing::reduction_trace();
                    trace.launch.number = 1;
                    trace.launch.grid = {4, 3, 1};
                    trace.chosen_blocks = {0, 1};
                    for (const plain::LaunchBlock& more : asked)
                        trace.chosen_blocks.push_back(more.block);
                    return trace;
                }};
    }
    WorkbenchOptions workbench(bool on_thread = false) {
        WorkbenchOptions made;
        made.playing = false;
        made.record_on_worker = false;
        made.programs = std::make_unique<ProgramBench>(options(on_thread));
        return made;
    }
};

TEST(FrameProgram, AClickOnTheMapRecordsABlock) {
    InPart program;
    FrameWindow window(program.workbench(), 1366, 768);
    window.bench.apply(OpenProgram{});
    window.driver.frames(2);
    window.driver.click("stage.map", 0.9f, 0.9f);
    window.driver.frames(2);
    EXPECT_EQ(program.asked, (std::vector{plain::LaunchBlock{1, 11}}));
    EXPECT_EQ(window.bench.replay()->block(), 11u);
}

// By keys alone: K opens the list, which takes a block's name.
TEST(FrameProgram, ABlockIsTyped) {
    InPart program;
    FrameWindow window(program.workbench());
    window.bench.apply(OpenProgram{});
    window.driver.frames(2);
    window.driver.press('k');
    window.driver.frames(2);
    ASSERT_TRUE(window.driver.has("chip.block.6"));
    EXPECT_TRUE(window.driver.has("chip.block.heading.unrecorded"));
    for (const char c : {'2', ',', '1'}) {
        window.driver.press(c);
        window.driver.frames(1);
    }
    window.driver.frames(1);
    window.driver.press(Key::kEnter);
    window.driver.frames(2);
    EXPECT_EQ(program.asked, (std::vector{plain::LaunchBlock{1, 6}}));
    EXPECT_EQ(window.bench.replay()->block(), 6u);
}

// While a block is being recorded: what is happening, and a way to stop it.
TEST(FrameProgram, RecordingABlockCanBeReadAndCancelled) {
    Faults faults;
    for (const auto& [width, height] :
         {std::pair(1280.0f, 720.0f), {1366.0f, 768.0f}, {1920.0f, 1080.0f}, {3840.0f, 2160.0f}})
        for (const int text : {14, 28}) {
            InPart program;
            FrameWindow window(program.workbench(true), width, height);
            window.bench.apply(SetTextSize{text});
            window.bench.apply(OpenProgram{});
            while (!window.bench.shows_program()) window.driver.frames(1);
            window.driver.frames(2);
            const auto read = [&](const char* state) {
                const auto texts = texts_of([&] { window.driver.frames(1); });
                Page{texts,
                     window.look,
                     {0, 0, width, height},
                     std::string(state) + ", " + std::to_string(width) + ", text " +
                         std::to_string(text)}
                    .find(faults);
                return texts;
            };
            read("recorded in part");
            program.waits = true;
            window.bench.apply(WatchBlock{3, 2});
            window.driver.frames(2);
            const auto texts = read("recording a block");
            EXPECT_TRUE(std::ranges::any_of(
                texts,
                [](const DrawnText& t) { return t.text.find("Compiling") != std::string::npos; }))
                << width << ", " << text;
            window.driver.click("program.cancel");
            window.driver.frames(2);
            EXPECT_FALSE(window.bench.program()->running);
            EXPECT_EQ(window.bench.replay()->block(), 0u);
        }
    faults.report();
}

// The loop in which the chosen variable changes, iteration by iteration.
TEST(FrameProgram, AVariableIsShownByTheIterationsOfItsLoop) {
    for (const auto& [width, height, text] :
         {std::tuple(1366.0f, 768.0f, 14), std::tuple(1920.0f, 1080.0f, 28)}) {
        FrameWindow window(options_for(kSixArrays), width, height);
        window.bench.apply(SetTextSize{text});
        window.bench.apply(OpenProgram{});
        window.driver.press('v');
        window.driver.frames(2);
        EXPECT_TRUE(window.driver.has("locals.iterations")) << text;
        window.driver.click("locals.k");  // it counts the trips itself
        window.driver.frames(2);
        EXPECT_FALSE(window.driver.has("locals.iterations")) << text;
    }
}

// Saved with another text: the lines that were edited say what stood there.
TEST(FrameProgram, EditedLinesSayWhatTheyWere) {
    for (const auto& [width, height, text] :
         {std::tuple(1366.0f, 768.0f, 14), std::tuple(1920.0f, 1080.0f, 14)}) {
        bool edited = false;
        WorkbenchOptions options = options_for(kPrograms[0]);
        options.programs = std::make_unique<ProgramBench>(
            ProgramBenchOptions{.on_thread = false,
                                .run =
                                    [](const auto&, auto*) {
                                        plain::ProgramRun run;
                                        run.launches.resize(1);
                                        run.launches[0].trace = "first.npz";
                                        return run;
                                    },
                                .read = [&](const auto&) -> Result<Trace> {
                                    Trace trace = testing::reduction_trace();
                                    const std::size_t at = trace.source.find("s *= 2");
                                    if (edited) trace.source.replace(at, 6, "s += s");
                                    return trace;
                                }});
        FrameWindow window(std::move(options), width, height);
        window.bench.apply(SetTextSize{text});
        window.bench.apply(OpenProgram{});
        window.driver.frames(2);
        const auto words_of_frame = [&] {
            window.bench.apply(SelectTab{SideTab::kSource});
            window.driver.frames(2);
            return texts_of([&] { window.driver.frames(1); });
        };
        const auto is_sign = [](const DrawnText& t) { return t.text == "~"; };
        EXPECT_EQ(std::ranges::count_if(words_of_frame(), is_sign), 0);
        window.bench.apply(SelectTab{SideTab::kRequest});
        edited = true;
        window.bench.apply(RunProgramAgain{true});
        window.driver.frames(2);
        const auto texts = words_of_frame();
        EXPECT_EQ(std::ranges::count_if(texts, is_sign), 1) << width;
        EXPECT_EQ(window.bench.before().label, "before");
        Faults faults;
        Page{texts, window.look, {0, 0, width, height}, "edited"}.find(faults);
        faults.report();
    }
}

// What is said of the cell at `place` ("byte 8,"), which lies in the left part of the widget.
std::vector<std::string> said_of(FrameWindow& window, const std::string& widget,
                                 const std::string& place) {
    const float height = window.driver.rect_of(widget).h;
    for (float x = 0.01f; x < 0.5f; x += 0.01f) {
        window.driver.hover(widget, x, std::min(8.0f / height, 0.25f));
        const std::vector<std::string>& said = window.state.stage.hover_lines;
        if (std::ranges::any_of(said, [&](const auto& line) { return line.starts_with(place); }))
            return said;
    }
    return {};
}

// While a write takes place, and after it: in[i] is i % 7, and partial[i] += partial[i + 1].
TEST(FrameProgram, ACellSaysWhatItWasBeforeAWrite) {
    using ::testing::Contains;
    const auto with_sevens = [] {
        Trace made = testing::reduction_trace();
        const std::vector<float> sevens = {7, 7};
        const auto bytes = std::as_bytes(std::span(sevens));
        made.arrays[1].first_bytes.assign(bytes.begin(), bytes.end());
        return made;
    };
    FrameWindow window(options_for({"out", with_sevens}));
    window.bench.apply(OpenProgram{});
    const Replay& replay = *window.bench.replay();
    const Trace& trace = replay.trace();
    ASSERT_EQ(trace.arrays[1].name, "out");
    std::string shared;
    Tick sums = 0, stored = 0;  // the first step that adds to shared memory; the store of the sum
    for (const Step& step : replay.schedule().steps) {
        const Site& site = trace.sites[step.site];
        if (site.operation != Operation::kStore) continue;
        const Array& array = trace.arrays[site.array];
        if (array.space == Space::kGlobal) stored = step.begin;
        if (array.space == Space::kShared && step.epoch == 1 && sums == 0)
            sums = step.begin, shared = array.name;
    }
    ASSERT_GT(sums, 0u);
    window.bench.apply(SeekTo{static_cast<double>(sums), false});
    window.driver.frames(2);
    EXPECT_THAT(said_of(window, "stage.shared." + shared, "byte 8,"), Contains("before 2, now 5"));
    int sum = 0;
    for (int i = 0; i < 64; ++i) sum += i % 7;
    window.bench.apply(SeekTo{static_cast<double>(stored), false});
    window.driver.frames(2);
    EXPECT_THAT(said_of(window, "stage.global.out", "byte 0 "),
                Contains("before 7, now " + std::to_string(sum)));
    window.bench.apply(GoToEnd{});
    window.driver.frames(2);
    EXPECT_THAT(said_of(window, "stage.global.out", "byte 0 "),
                Contains("was 7 until warp 0 wrote it, tick " + std::to_string(stored + 1)));
}

// By bank the number of a lane stands at each of the two values that it accesses.
TEST(FrameProgram, AHalf2LiesOnTwoCells) {
    const auto of_halves = [] {
        Trace made = testing::reduction_trace();
        Array& partial = made.arrays[2];
        partial = Array::of("partial", Space::kShared, ElementType::kFloat16, 2, {{128}});
        return made;
    };
    FrameWindow window(options_for({"in", of_halves}));
    window.bench.apply(OpenProgram{});
    const Replay& replay = *window.bench.replay();
    const auto reads_partial = [&](const Step& step) {
        const Site& site = replay.trace().sites[step.site];
        return site.array == 2 && site.operation == Operation::kLoad;
    };
    const auto step = std::ranges::find_if(replay.schedule().steps, reads_partial);
    ASSERT_NE(step, replay.schedule().steps.end());  // of warp 0, the even lanes: partial[tid]
    window.bench.apply(SeekTo{static_cast<double>(step->begin), false});
    window.driver.frames(2);
    const Rect cells = window.driver.rect_of("stage.shared.partial");
    const auto texts = texts_of([&] { window.driver.frames(1); });
    std::map<std::string, std::vector<float>> columns;  // of each number
    for (const DrawnText& text : texts)
        if (cells.contains(text.box.center()) && text.face == Face::kMonoBold &&
            text.color == window.look.colors().on)
            columns[text.text].push_back((text.box.center().x - cells.x) / (cells.w / 64));
    ASSERT_EQ(columns.size(), 16u);
    for (const auto& [lane, at] : columns) {
        ASSERT_EQ(at.size(), 2u) << lane;
        const float bank = std::stof(lane);
        EXPECT_EQ(std::floor(std::min(at[0], at[1])), 2 * bank) << lane;
        EXPECT_EQ(std::floor(std::max(at[0], at[1])), 2 * bank + 1) << lane;
    }
}

TEST(FrameProgram, TheBarChoosesLaunchAndBlock) {
    FrameWindow window(options_for(kPrograms[0]));
    window.bench.apply(OpenProgram{});
    window.driver.frames(2);
    EXPECT_TRUE(window.driver.has("chip.program"));
    EXPECT_FALSE(window.driver.has("chip.tile"));
    window.driver.click("chip.block");
    window.driver.frames(2);
    window.driver.click("chip.block.1");
    window.driver.frames(2);
    EXPECT_EQ(window.bench.replay()->block(), 1u);
    window.driver.press(Key::kTab);  // opens the launches
    window.driver.frames(2);
    ASSERT_TRUE(window.driver.has("chip.launch.1"));
    window.driver.click("chip.launch.1");
    window.driver.frames(2);
    EXPECT_EQ(window.bench.program()->launch, 1u);
    EXPECT_EQ(window.bench.replay()->block(), 1u);  // the same kernel: the same block
}

TEST(FrameProgram, AFileIsChosenFromTheList) {
    const testing::ScratchFolder folder;
    std::ofstream(folder / "one.cu") << "int main() {}";
    FrameWindow window(options_for(kPrograms[0]));
    window.state.panels.set_recent_files({folder / "one.cu"});
    window.driver.press(Key::kOpen);
    window.driver.frames(2);
    ASSERT_TRUE(window.driver.has("files"));
    window.driver.press(Key::kEscape);
    window.driver.frames(2);
    EXPECT_FALSE(window.driver.has("files"));
    window.driver.click("bar.open");
    window.driver.frames(2);
    window.driver.press(Key::kEnter);
    window.driver.frames(2);
    EXPECT_FALSE(window.driver.has("files"));
    EXPECT_EQ(window.state.panels.take_file(), folder / "one.cu");
}

// Saved without a semicolon: the errors come first, and what ran before can still be watched.
TEST(FrameProgram, ErrorsStandAtTheirLines) {
    const testing::ScratchFolder folder;
    std::ofstream(folder / "broken.cu") << "int a\n\nint main() {}\n";
    bool broken = false;
    WorkbenchOptions options = options_for(kPrograms[0]);
    options.programs = std::make_unique<ProgramBench>(ProgramBenchOptions{
        .on_thread = false,
        .run =
            [&](const auto&, auto*) {
                plain::ProgramRun run;
                run.launches.resize(1);
                run.launches[0].trace = "first.npz";
                if (broken)
                    run.compile_errors.push_back(
                        {"broken.cu", 3, 1, "expected ',' or ';' before 'int'"});
                return run;
            },
        .read = [](const auto&) -> Result<Trace> { return kPrograms[0].trace(); }});
    FrameWindow window(std::move(options));
    plain::ProgramRequest request;
    request.file = folder / "broken.cu";
    window.bench.apply(OpenProgram{request});
    window.driver.frames(2);
    EXPECT_FALSE(window.driver.has("program.errors"));
    EXPECT_FALSE(window.driver.has("stage.former"));
    broken = true;
    window.bench.apply(RunProgramAgain{true});
    window.driver.frames(2);
    EXPECT_TRUE(window.driver.has("program.errors"));
    const auto texts = texts_of([&] { window.driver.frames(1); });
    // The compiler sees it in line 3; it is missing at the end of line 1.
    EXPECT_TRUE(std::ranges::any_of(
        texts, [](const DrawnText& t) { return t.text.starts_with("Line 1: A ; is missing"); }));
    EXPECT_TRUE(window.bench.shows_program());
    EXPECT_TRUE(window.driver.has("stage.former"));
    Faults faults;
    for (const auto& [width, height] :
         {std::pair(1280.0f, 720.0f), {1366.0f, 768.0f}, {1920.0f, 1080.0f}, {3840.0f, 2160.0f}})
        for (const int text : {14, 28}) {
            window.bench.apply(SetTextSize{text});
            window.driver.resize(width, height);
            window.driver.frames(14);  // it has faded
            const auto of_frame = texts_of([&] { window.driver.frames(1); });
            Page{of_frame,
                 window.look,
                 {0, 0, width, height},
                 "former replay, " + std::to_string(width) + ", text " + std::to_string(text)}
                .find(faults);
        }
    faults.report();
    const Tick before = window.tick();
    window.driver.press(Key::kRight);
    window.finish_step();
    EXPECT_GT(window.tick(), before);  // the former replay still plays
    window.driver.click("program.launches");
    window.driver.frames(2);
    EXPECT_TRUE(window.driver.has("program.launch.0"));
    broken = false;
    window.bench.apply(RunProgramAgain{true});
    window.driver.frames(2);
    EXPECT_FALSE(window.driver.has("stage.former"));
}

}  // namespace
}  // namespace tilereel

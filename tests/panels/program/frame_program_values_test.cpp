// What the frame says of a program's values: products that the user names, variables, and cells
// before and after a write.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "app/ladder/ladder.h"
#include "tests/panels/frame_window.h"
#include "tests/panels/page_of_words.h"
#include "tests/panels/program/program_window.h"
#include "tests/trace/matrix_values.h"
#include "tests/trace/program_traces.h"

namespace tilereel::frame_program_values_test {
namespace {

// A trace of a product C = A B of which it is not known that it is one.
Trace unnamed_product() {
    Result<Trace> recorded = record_built_in(small_request("02_naive"));
    Trace trace = std::move(recorded).value();
    const std::vector<float> a = values_of(trace, MatrixRole::kA),
                             b = values_of(trace, MatrixRole::kB),
                             c = values_of(trace, MatrixRole::kC);
    const MatrixProduct ids = *std::exchange(trace.product, std::nullopt);
    trace.launch.m = trace.launch.n = trace.launch.k = trace.launch.tile = 0;
    trace.launch.integers = {{"n", 16}};
    trace.recorded_by.recorder = "cpu";
    for (const auto& [id, name, values] :
         {std::tuple(ids.a, "x", a), std::tuple(ids.b, "w", b), std::tuple(ids.c, "y", c)}) {
        Array& array = trace.arrays[id];
        array = Array::of(name, Space::kGlobal, ElementType::kFloat32, 4, {{256}});
        const auto bytes = std::as_bytes(std::span(values));
        array.last_bytes.assign(bytes.begin(), bytes.end());
        array.first_bytes = array.last_bytes;
    }
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
        // A named product can be changed or forgotten.
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
    options.trace = tests::transpose_trace();
    options.trace->source_name = "folder/homework.cu";
    options.trace->launch.number = 4;
    FrameWindow window(std::move(options));
    const auto texts = texts_of([&] { window.driver.frames(1); });
    for (const char* name : {"chip.program", "chip.launch", "chip.block"})
        EXPECT_TRUE(window.driver.has(name)) << name;
    for (const char* name : {"chip.kernel", "chip.extents", "chip.tile", "chip.pad"})
        EXPECT_FALSE(window.driver.has(name)) << name;
    for (const char* words : {"homework.cu", "4 transpose", "0 of 2"})
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
    EXPECT_EQ(window.bench.watched_thread().lane(), 7u);
    window.driver.press('v');
    window.driver.frames(2);
    EXPECT_FALSE(find_widget("locals.s", rect));
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

// The hover text of the cell at `place` ("byte 8,"), which lies in the left part of the widget.
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
        Trace made = tests::reduction_trace();
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

// In the view by bank, the number of a lane stands at each of the two values that it accesses.
TEST(FrameProgram, AHalf2LiesOnTwoCells) {
    const auto of_halves = [] {
        Trace made = tests::reduction_trace();
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

}  // namespace
}  // namespace tilereel::frame_program_values_test

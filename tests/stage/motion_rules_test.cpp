// The rules for what moves, in whole frames of every kernel at the sizes and text heights of a
// laptop, a desktop and a projector: at most three objects, inside the stage, off all headings.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/catalog.h"
#include "tests/stage/stage_frame.h"
#include "tests/trace/program_traces.h"

namespace tilereel::motion_rules_test {
namespace {

struct Size {
    Rect stage;
    float text;
};
// The stage of windows of 1280 x 720, 1366 x 768 and 1920 x 1080, at text 14 and 28, and one side
// of a comparison.
const Size kSizes[] = {{{0, 0, 936, 532}, 1}, {{0, 0, 1022, 552}, 1}, {{0, 0, 1048, 800}, 1},
                       {{0, 0, 754, 377}, 2}, {{0, 0, 840, 420}, 2},  {{0, 0, 1400, 675}, 2},
                       {{0, 0, 502, 700}, 1}, {{0, 0, 550, 440}, 1}};

constexpr float kFromTheSides = 4;  // pixels: what is nearer seems to leave the stage
constexpr std::size_t kMost = 3;    // more objects that move at once cannot be followed

class MotionRules : public StageFrame {
  protected:
    // Checks frames of the first ticks of a replay that plays.
    void expect_rules(Workbench& bench, const Size& size, const std::string& name,
                      double apart = 2.7) {
        view_ = StageView{};
        const auto ticks = static_cast<double>(bench.replay()->schedule().ticks);
        for (double tick = 1.4; tick < std::min(ticks, 80.0); tick += apart) {
            const std::vector<DrawnText> texts = frame_at(bench, tick, size.stage, size.text);
            expect_rules_in_frame(size.stage, texts,
                                  name + " at tick " + std::to_string(tick) + ", stage " +
                                      std::to_string(size.stage.w) + ", text " +
                                      std::to_string(size.text));
            if (HasFatalFailure()) return;
        }
    }
    // `glides`: headings move with the words of their arrays, on plates above what flies.
    void expect_rules_in_frame(const Rect& stage, const std::vector<DrawnText>& texts,
                               const std::string& where, bool glides = false) {
        const auto moving = moving_objects();
        // Rows pass over the cells of C with the names of its blocks, and below the texts of small
        // buffers, which then have a plate.
        Rect c;
        static_cast<void>(find_widget("stage.c", c));
        std::vector<Rect> buffers, plates;
        for_each_widget([&](std::string_view name, const Rect& box) {
            if (name.starts_with("stage.ring.")) buffers.push_back(box);
            if (name.starts_with("stage.plate.")) plates.push_back(box.inset(-1));
        });
        const auto may_pass = [&](const DrawnText& words) {
            const auto holds = [&](const Rect& box) { return box.contains(words.box.center()); };
            const std::size_t number = words.text.starts_with("block ") ? 6 : 0;
            const bool of_block =
                words.text.find_first_not_of("0123456789,", number) == std::string::npos;
            return (holds(c) && of_block) || ((glides || std::ranges::any_of(buffers, holds)) &&
                                              std::ranges::any_of(plates, holds));
        };
        ASSERT_LE(moving.size(), kMost) << where;
        objects_ += moving.size();
        for (const auto& [name, box] : moving) {
            ASSERT_TRUE(box.x >= stage.x + kFromTheSides &&
                        box.right() <= stage.right() - kFromTheSides && box.y >= stage.y - 0.5f &&
                        box.bottom() <= stage.bottom() + 0.5f)
                << name << " leaves the stage, " << where;
            for (const DrawnText& words : texts)
                ASSERT_FALSE(is_words(words) && cross(box, words.box) && !may_pass(words))
                    << name << " at " << box.x << "," << box.y << " " << box.w << " x " << box.h
                    << " on \"" << words.text << "\" at " << words.box.x << "," << words.box.y
                    << ", " << where;
        }
        expect_registers_stand_alone(texts, where);
        Rect label;
        if (!find_widget("stage.route", label)) return;
        ++labels_;
        ASSERT_TRUE(label.x >= stage.x && label.right() <= stage.right() + 0.5f &&
                    label.y >= stage.y && label.bottom() <= stage.bottom() + 0.5f)
            << "the label leaves the stage, " << where;
        for (const DrawnText& words : texts) {
            const bool own = std::abs(words.box.x - label.x) < 1 &&
                             std::abs(words.box.center().y - label.center().y) < 4;
            ASSERT_FALSE(is_words(words) && !own && cross(label, words.box))
                << "the label on \"" << words.text << "\", " << where;
        }
        expect_label_of_its_array(label, texts, where);
    }
    // Behind the name of a shared array the label speaks of that array.
    static void expect_label_of_its_array(const Rect& label, const std::vector<DrawnText>& texts,
                                          const std::string& where) {
        const auto words = std::ranges::find_if(texts, [&](const DrawnText& each) {
            return is_words(each) && each.text.find(" to ") != std::string::npos &&
                   label.contains(each.box.center());
        });
        for (const DrawnText& name : texts) {
            Rect array;
            if (words == texts.end() || !find_widget("stage.shared." + name.text, array)) continue;
            const bool behind = std::abs(name.box.center().y - label.center().y) < label.h / 2 &&
                                label.x > name.box.x && label.x < array.right();
            ASSERT_FALSE(behind && words->text.find(" " + name.text) == std::string::npos)
                << '"' << words->text << "\" behind \"" << name.text << "\", " << where;
        }
    }
    // The name of the rack, in the line of other words, would read as their first word.
    static void expect_registers_stand_alone(const std::vector<DrawnText>& texts,
                                             const std::string& where) {
        constexpr float kApart = 9;  // pixels
        for (const DrawnText& name : texts) {
            if (name.text != "registers") continue;
            const Rect alone{name.box.x - kApart, name.box.y, name.box.w + 2 * kApart, name.box.h};
            for (const DrawnText& other : texts)
                ASSERT_FALSE(is_words(other) && &other != &name && cross(alone, other.box))
                    << "\"registers\" beside \"" << other.text << "\", " << where;
        }
    }
    std::size_t objects_ = 0, labels_ = 0;  // that were checked
};

TEST_F(MotionRules, HoldInEveryKernelAtEverySize) {
    for (const KernelInfo& kernel : catalog()) {
        Workbench bench = workbench(std::string(kernel.id).c_str(), opening_of(kernel));
        for (const Size& size : kSizes) {
            expect_rules(bench, size, std::string(kernel.id));
            if (HasFatalFailure()) return;
        }
    }
    EXPECT_GT(objects_, 1000u);
    EXPECT_GT(labels_, 1000u);
}

// With other TILEs and PADs than those that a kernel opens with, and on a GPU of 16 banks: objects
// of other shapes, and other layouts. At the smallest and the largest stage.
TEST_F(MotionRules, HoldForEveryTileAndOnTheOldestGpu) {
    for (const KernelInfo& kernel : catalog())
        for (const int tile : kernel.tiles) {
            KernelParameters parameters = opening_of(kernel);
            if (parameters.tile == tile || tile > 32) continue;
            parameters = {.m = 32, .n = 64, .k = 32, .tile = tile, .pad = kernel.pads.back()};
            if (!validate(kernel, parameters)) parameters.k = tile;
            if (!validate(kernel, parameters)) continue;
            Workbench bench = workbench(std::string(kernel.id).c_str(), parameters);
            const std::string name = std::string(kernel.id) + " TILE " + std::to_string(tile);
            for (const char* const generation : {"9.0", "1.3"}) {
                bench.apply(Command{SetGeneration{generation}});
                bench.advance(0.01);
                const std::size_t of = generation == std::string_view("1.3") ? 3 : 5;
                expect_rules(bench, kSizes[of], name + " on " + generation, 13.7);
                if (HasFatalFailure()) return;
            }
        }
    EXPECT_GT(objects_, 200u);
}

// While the words of shared memory slide after another TILE, and back, the replay goes on.
TEST_F(MotionRules, HoldWhileTileGlides) {
    for (const KernelInfo& kernel : catalog()) {
        const KernelParameters one = opening_of(kernel);
        for (const int tile : kernel.tiles) {
            KernelParameters other = one;
            other.tile = tile;
            if (tile == one.tile || tile > 32 || !validate(kernel, other)) continue;
            Workbench bench = workbench(std::string(kernel.id).c_str(), one);
            for (const std::size_t of : {0u, 2u, 3u, 5u}) {
                const Size& size = kSizes[of];
                view_ = StageView{};
                bench.apply(Command{SetParameters{one}});
                static_cast<void>(frame_at(bench, 21, size.stage, size.text));
                bench.apply(Command{PlayPause{}});
                for (const KernelParameters& next : {other, one}) {
                    bench.apply(Command{SetParameters{next}});
                    for (const double seconds : {0.0, 0.07, 0.07, 0.07, 0.07, 0.07, 0.2}) {
                        bench.advance(seconds);
                        std::vector<DrawnText> texts;
                        record_drawn_text(&texts);
                        frame(bench, seconds, size.stage, size.text);
                        record_drawn_text(nullptr);
                        expect_rules_in_frame(size.stage, texts,
                                              std::string(kernel.id) + " to TILE " +
                                                  std::to_string(next.tile) + ", stage " +
                                                  std::to_string(size.stage.w) + ", text " +
                                                  std::to_string(size.text),
                                              true);
                        if (HasFatalFailure()) return;
                    }
                }
                bench.apply(Command{PlayPause{}});
            }
        }
    }
    EXPECT_GT(objects_, 200u);
}

// Both sides of a comparison move in lock-step, each in its own picture.
TEST_F(MotionRules, HoldOnBothSidesOfAComparison) {
    Workbench bench = workbench("08_tiled_b_transposed", {32, 32, 32, 32, 0});
    const Subject padded{
        .kernel = "08_tiled_b_transposed", .m = 32, .n = 32, .k = 32, .tile = 32, .pad = 1};
    bench.apply(Command{Compare{{}, padded}});
    bench.advance(0.01);
    ASSERT_NE(bench.lock_step(), nullptr);
    const Rect half{0, 0, 502, 700};
    StageView right;
    for (double tick = 60.4; tick < 260; tick += 7.3) {
        bench.apply(Command{SeekTo{tick - 16, false}});
        bench.apply(Command{PlayPause{}});
        bench.advance(16 * kSecondsATick);
        for (const Workbench* const side : {static_cast<const Workbench*>(&bench), bench.other()}) {
            std::vector<DrawnText> texts;
            record_drawn_text(&texts);
            frame(*side, 0.5, half);
            record_drawn_text(nullptr);
            expect_rules_in_frame(half, texts, "tick " + std::to_string(tick));
            if (HasFatalFailure()) return;
            std::swap(view_, right);
        }
        bench.apply(Command{PlayPause{}});
    }
    EXPECT_GT(objects_, 20u);
}

// In a small stage the numbers of a heat map stand below shared memory.
TEST_F(MotionRules, HoldWithAHeatMap) {
    for (const auto& [kernel, tile] : {std::pair("08_tiled_b_transposed", 32), {"09_tiled", 16}}) {
        Workbench bench = workbench(kernel, {32, 32, 32, tile, 0});
        bench.apply(Command{ShowHeat{Heat::kGlobal}});
        for (const Size& size : kSizes) {
            expect_rules(bench, size, std::string(kernel) + " with heat");
            if (HasFatalFailure()) return;
        }
    }
    EXPECT_GT(labels_, 50u);
}

// While the replay stands where a load begins, the sentence is about this load, and so is the
// route, though others are still on their way; also where three of them move, so that its own
// values wait or do not move.
TEST_F(StageFrame, TheRouteIsThatOfTheRequestThatBegins) {
    std::size_t routes = 0;
    const KernelParameters large{32, 32, 32, 32, 0};
    for (const auto& [kernel, parameters] :
         {std::pair{"08_tiled_b_transposed", large}, std::pair{"09_tiled", large},
          std::pair{"09_tiled", opening_of(*find_kernel("09_tiled"))}}) {
        Workbench bench = workbench(kernel, parameters);
        const Replay& replay = *bench.replay();
        std::map<std::uint32_t, std::vector<Element>> sources;  // by load
        for (const Flight& flight : replay.flights())
            sources[flight.load_step].push_back(flight.source());
        for (const auto& [step, elements] : sources) {
            const Tick begin = replay.schedule().steps[step].begin;
            if (begin > 90) continue;
            bench.apply(Command{SeekTo{static_cast<double>(begin), false}});
            std::vector<DrawnText> texts;
            record_drawn_text(&texts);
            frame(bench, 0.5, {0, 0, 1400, 675}, 2);
            record_drawn_text(nullptr);
            const auto flight = std::ranges::find(replay.flights(), step, &Flight::load_step);
            const std::string expected =
                stage::part_words(replay.trace().arrays[flight->from], 0, elements) + " to ";
            for (const DrawnText& each : texts) {
                if (each.text.find(" of A to ") == std::string::npos &&
                    each.text.find(" of B to ") == std::string::npos)
                    continue;
                ++routes;
                EXPECT_TRUE(each.text.starts_with(expected))
                    << kernel << ", tick " << begin << ": " << each.text << ", not " << expected;
            }
        }
    }
    EXPECT_GE(routes, 60u);
}

// On the way through a narrow strip, a bar has no room for the values of its cells.
TEST_F(StageFrame, ValuesInTheAirDoNotLieOnEachOther) {
    std::size_t seen = 0;
    for (const char* const kernel : {"16_vectorized", "19_async_pipeline", "09_tiled"}) {
        Workbench bench = workbench(kernel, opening_of(*find_kernel(kernel)));
        for (double tick = 0.4; tick < 40; tick += 0.7) {
            std::vector<DrawnText> values = frame_at(bench, tick, {0, 0, 1022, 552}, 1);
            std::erase_if(values, [](const DrawnText& each) {
                return !each.in_motion || each.face != Face::kMonoBold;
            });
            seen += values.size();
            for (std::size_t i = 0; i < values.size(); ++i)
                for (std::size_t j = 0; j < i; ++j)
                    ASSERT_FALSE(cross(values[i].box, values[j].box))
                        << kernel << ", tick " << tick << ": " << values[i].text << " on "
                        << values[j].text;
        }
    }
    EXPECT_GT(seen, 100u);
}

// Where all words would lie on cells, fewer words stand beside them: these cells are the conflict.
TEST_F(StageFrame, TheRouteLeavesTheCellsOfAConflictFree) {
    Workbench bench = workbench("08_tiled_b_transposed", {32, 32, 32, 32, 0});
    static_cast<void>(frame_at(bench, 96.2, {0, 0, 754, 377}, 2));
    Rect label, cells;
    ASSERT_TRUE(find_widget("stage.route", label));
    for (const char* const array : {"stage.shared.As", "stage.shared.Bs"}) {
        ASSERT_TRUE(find_widget(array, cells));
        EXPECT_FALSE(cross(label, cells)) << array;
    }
}

TEST_F(MotionRules, HoldInProgramsAtEverySize) {
    for (Trace (*program)() : {tests::reduction_trace, tests::transpose_trace,
                               tests::histogram_trace, tests::stencil_trace}) {
        WorkbenchOptions options;
        options.trace = program();
        options.record_on_worker = false;
        options.playing = false;
        Workbench bench(std::move(options));
        for (const Size& size : kSizes) {
            expect_rules(bench, size, bench.replay()->trace().launch.kernel);
            if (HasFatalFailure()) return;
        }
    }
    EXPECT_GT(objects_, 20u);
    EXPECT_GT(labels_, 10u);
}

// What flies past the picture of another array would look as if it were read there.
TEST_F(MotionRules, ObjectsPassBehindThePicturesOfOtherArrays) {
    std::size_t behind = 0;
    WorkbenchOptions options;
    options.trace = tests::transpose_trace();
    options.record_on_worker = false;
    options.playing = false;
    Workbench bench(std::move(options));
    const Trace& trace = bench.replay()->trace();
    std::set<std::string> sources;
    for (const Flight& flight : bench.replay()->flights())
        sources.insert(trace.arrays[flight.from].name);
    for (const Size& size : kSizes)
        for (double tick = 0.4; tick < 40; tick += 0.7) {
            static_cast<void>(frame_at(bench, tick, size.stage, size.text));
            for (const Array& array : trace.arrays) {
                Rect picture;
                if (array.space != Space::kGlobal || sources.contains(array.name) ||
                    !find_widget("stage.global." + array.name, picture))
                    continue;
                for (const auto& [name, box] : moving_objects())
                    behind += box.x < picture.x && box.bottom() > picture.y;
                for (const MovingCell& cell : moving_cells())
                    ASSERT_FALSE(cross(cell.rect, picture))
                        << array.name << " at tick " << tick << ", stage " << size.stage.w;
            }
        }
    EXPECT_GT(behind, 10u);
}

// A request of two and a half rows moves as its cells, with their values.
TEST_F(StageFrame, ARequestOfRaggedRowsCarriesItsValues) {
    Workbench bench = workbench("09_tiled", {13, 26, 26, 13, 0});
    const std::vector<DrawnText> texts = frame_at(bench, 1.5, {0, 0, 936, 532}, 1);
    ASSERT_EQ(moving_objects().size(), 1u);
    const Rect object = moving_objects().front().second;
    const auto values = std::ranges::count_if(texts, [&](const DrawnText& each) {
        return each.in_motion && each.face == Face::kMonoBold && object.contains(each.box.center());
    });
    EXPECT_GE(values, 10);  // the strip cuts the rest
    EXPECT_LE(values, 32);
}

// Nothing can be followed at eight times the speed, and nothing flies without motion: loaded values
// appear where they rest.
TEST_F(StageFrame, NothingMovesWhereItCannotBeFollowed) {
    Workbench bench = workbench("08_tiled_b_transposed", {32, 32, 32, 32, 0});
    static_cast<void>(frame_at(bench, 68.5, {0, 0, 1048, 800}, 1));
    EXPECT_EQ(moving_objects().size(), 3u);
    bench.apply(Command{SetMotion{false}});
    static_cast<void>(frame_at(bench, 68.5, {0, 0, 1048, 800}, 1));
    EXPECT_EQ(moving_objects().size(), 0u);
    Rect rack;
    EXPECT_TRUE(find_widget("stage.rack", rack));
    bench.apply(Commands{SetMotion{true}, SetSpeed{8}});
    static_cast<void>(frame_at(bench, 68.5, {0, 0, 1048, 800}, 1));
    EXPECT_EQ(moving_objects().size(), 0u);
}

// Row 3 of B leaves as a row, and stands as a column before it lands in column 3 of Bs.
TEST_F(StageFrame, ATransposedStoreTurnsARowIntoAColumn) {
    Workbench bench = workbench("08_tiled_b_transposed", {32, 32, 32, 32, 0});
    const Rect stage{0, 0, 1400, 800};
    const std::string words = "row 3 of B to column 3 of Bs";
    // Row 3 is loaded at tick 68 as the timeline counts, which is 67 from 0.
    std::vector<DrawnText> texts = frame_at(bench, 67.5, stage, 1);
    EXPECT_TRUE(std::ranges::any_of(texts, [&](const DrawnText& t) { return t.text == words; }));
    auto moving = moving_objects();
    ASSERT_FALSE(moving.empty());
    EXPECT_GT(moving.back().second.w, 4 * moving.back().second.h);
    // The store of row 3 begins at tick 97 + 3 * 32 as the timeline counts.
    texts = frame_at(bench, 191.5, stage, 1);
    moving = moving_objects();
    ASSERT_EQ(moving.size(), 1u);
    EXPECT_GT(moving.back().second.h, 4 * moving.back().second.w);
    EXPECT_TRUE(std::ranges::any_of(texts, [&](const DrawnText& t) { return t.text == words; }));
    // When the replay stands, the route is that of the store which the sentence tells of.
    texts.clear();
    record_drawn_text(&texts);
    frame(bench, 0.5, stage, 1);
    record_drawn_text(nullptr);
    const std::string stored = "row 2 of B to column 2 of Bs";
    EXPECT_TRUE(std::ranges::any_of(texts, [&](const DrawnText& t) { return t.text == stored; }));
}

// On a projector few rows are visible. A row outside the window leaves from the edge beyond which
// it lies, as a bar of its length: a single cell would look like one of another row.
TEST_F(StageFrame, ARowOutsideTheWindowLeavesFromItsEdge) {
    struct Case {
        const char* kernel;
        KernelParameters parameters;
        double tick;
        const char* window;
    };
    const Rect projector{0, 0, 754, 377};
    for (const Case& each :
         {Case{"08_tiled_b_transposed", {32, 32, 32, 32, 0}, 9.5, "stage.a"},  // row 9 of A
          {"08_tiled_b_transposed", {32, 32, 32, 32, 0}, 84.5, "stage.b"},     // row 20 of B
          {"09_tiled", {32, 32, 32, 16, 0}, 10.5, "stage.a"},                  // rows 10 and 11
          {"18_warp_tiled", {32, 32, 16, 32, 0}, 9.5, "stage.a"}}) {           // rows 16 to 31
        Workbench bench = workbench(each.kernel, each.parameters);
        static_cast<void>(frame_at(bench, each.tick, projector, 2));
        Rect source, window;
        ASSERT_TRUE(find_widget("stage.source", source)) << each.kernel;
        ASSERT_TRUE(find_widget(each.window, window)) << each.kernel;
        EXPECT_NEAR(source.bottom(), window.bottom(), 1) << each.kernel;
        EXPECT_GT(source.w, 0.8f * window.w) << each.kernel;
        EXPECT_LT(source.h, 10) << each.kernel << ": lower than a row";
    }
}

}  // namespace
}  // namespace tilereel::motion_rules_test

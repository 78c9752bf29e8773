// After a change of PAD, TILE or swizzle each word slides to its new bank in 400 ms, and the number
// of wavefronts counts to its new value.
#include <gtest/gtest.h>

#include "app/stage/word_glide.h"
#include "kernels/catalog.h"
#include "tests/stage/stage_frame.h"

namespace tilereel::glide_test {
namespace {

const Rect kStage{0, 0, 1048, 800};

class Glide : public StageFrame {
  protected:
    // The texts of a frame `seconds` after the one before.
    std::vector<DrawnText> texts_after(const Workbench& bench, double seconds) {
        std::vector<DrawnText> texts;
        record_drawn_text(&texts);
        frame(bench, seconds, kStage);
        record_drawn_text(nullptr);
        return texts;
    }
    static bool shows(const std::vector<DrawnText>& texts, const std::string& words) {
        return std::ranges::any_of(texts, [&](const DrawnText& t) { return t.text == words; });
    }
    // Where a cell of an array lies in the last frame.
    [[nodiscard]] Rect word(const char* array = "Bs", Element at = {5, 3}) const {
        for (std::size_t i = 0; i < view_.glide.last.views.size(); ++i)
            if (view_.glide.last.names[i] == array) return view_.glide.last.views[i].cell_of(at);
        return {};
    }
    // Its column in the picture, from its bank where a column is a bank.
    [[nodiscard]] std::uint32_t column(const char* array, Element at, std::uint32_t width) const {
        for (std::size_t i = 0; i < view_.glide.last.views.size(); ++i) {
            const stage::SharedView& view = view_.glide.last.views[i];
            if (view_.glide.last.names[i] != array) continue;
            const std::uint32_t bank = (at.row * width + at.column) % 32;
            if (view.by_bank) {
                EXPECT_EQ(view.place(at).column, bank);
            }
            return view.by_bank ? at.column : view.place(at).column;
        }
        return stage::kNoIndex;
    }
    static bool a_cell_is_at(ImVec2 center) {
        return std::ranges::any_of(moving_cells(), [&](const MovingCell& cell) {
            return std::abs(cell.rect.center().x - center.x) < 0.6f &&
                   std::abs(cell.rect.center().y - center.y) < 0.6f;
        });
    }
    // The first request of a kind to a shared array; in 08 the first read of Bs takes 32 words of
    // one bank.
    void go_to_first(Workbench& bench, Operation operation, const char* array) {
        const Replay& replay = *bench.replay();
        for (const Step& step : replay.schedule().steps)
            if (const Site& site = replay.trace().sites[step.site];
                site.operation == operation && site.array != kNoArray &&
                replay.trace().arrays[site.array].name == array) {
                bench.apply(Command{SeekTo{static_cast<double>(step.begin), false}});
                break;
            }
        frame(bench, 0.5, kStage);
    }
    void go_to_conflict(Workbench& bench) { go_to_first(bench, Operation::kLoad, "Bs"); }
    // Without the cells of requests that move.
    static std::vector<MovingCell> gliding_cells() {
        std::vector<MovingCell> cells = moving_cells();
        for (const auto& [name, box] : moving_objects())
            std::erase_if(cells, [&box = box](const MovingCell& cell) {
                return box.inset(-1).contains(cell.rect.center());
            });
        return cells;
    }
    static Rect rect_of(const char* widget) {
        Rect rect;
        static_cast<void>(find_widget(widget, rect));
        return rect;
    }
    // No word covers A, B or C, and no heading without a plate.
    static void expect_readable(const std::vector<DrawnText>& texts, const std::string& where) {
        std::vector<Rect> plates;
        for_each_widget([&](std::string_view name, const Rect& box) {
            if (name.starts_with("stage.plate.")) plates.push_back(box.inset(-1));
        });
        for (const MovingCell& cell : gliding_cells())
            for (const char* const grid : {"stage.a", "stage.b", "stage.c"})
                ASSERT_FALSE(cross(cell.rect, rect_of(grid))) << grid << ", " << where;
        for (const DrawnText& text : texts) {
            const auto has_plate = [&](const Rect& plate) {
                return plate.contains(text.box.min()) &&
                       plate.contains({text.box.right(), text.box.bottom()});
            };
            if (!is_words(text) || std::ranges::any_of(plates, has_plate)) continue;
            for (const MovingCell& cell : moving_cells())
                ASSERT_FALSE(cross(cell.rect, text.box))
                    << cell.rect.x << "," << cell.rect.y << " " << cell.rect.w << " x "
                    << cell.rect.h << " on \"" << text.text << "\" at " << text.box.x << ","
                    << text.box.y << ", " << where;
        }
    }
};

TEST_F(Glide, WordsSlideToTheirBanksAndTheQueueShrinks) {
    Workbench bench = workbench("08_tiled_b_transposed", {32, 32, 32, 32, 0});
    go_to_conflict(bench);
    const Rect before = word();
    bench.apply(Command{TogglePad{}});
    EXPECT_TRUE(shows(texts_after(bench, 0), "32 banks: 32 wavefronts"));
    const Rect after = word();
    // With a word of padding element (5, 3) lies in bank (5 * 33 + 3) % 32 = 8.
    EXPECT_NEAR(after.x - before.x, 5 * after.w, 1);
    EXPECT_TRUE(a_cell_is_at(before.center()));
    const std::vector<DrawnText> half_way = texts_after(bench, 0.2);
    EXPECT_TRUE(shows(half_way, "32 banks: 17 wavefronts"));  // from 32 to 1
    EXPECT_FALSE(shows(half_way, "every lane has a bank of its own"));
    EXPECT_TRUE(a_cell_is_at(
        {(before.center().x + after.center().x) / 2, (before.center().y + after.center().y) / 2}));
    const std::vector<DrawnText> texts = texts_after(bench, 0.3);
    EXPECT_TRUE(shows(texts, "32 banks: 1 wavefront, no conflict"));
    EXPECT_TRUE(shows(texts, "every lane has a bank of its own"));
    EXPECT_FALSE(a_cell_is_at(after.center()));  // the grid is drawn again
}

// Word (r, c) of rows of w words lies in bank (r * w + c) mod 32. The request at this moment is
// another one after the change, so its number of wavefronts is shown at once.
TEST_F(Glide, WordsSlideAfterAnotherTile) {
    Workbench bench = workbench("08_tiled_b_transposed", {32, 32, 32, 16, 0});
    go_to_conflict(bench);
    EXPECT_EQ(column("Bs", {5, 3}, 16), 3u);
    const Rect before = word();
    bench.apply(Command{SetParameters{{32, 32, 32, 32, 0}}});
    EXPECT_TRUE(shows(texts_after(bench, 0), "32 banks: 1 wavefront, no conflict"));
    EXPECT_EQ(column("Bs", {5, 3}, 32), 3u);
    EXPECT_EQ(column("Bs", {5, 19}, 32), 19u);
    const Rect after = word();
    EXPECT_NE(before.w, after.w);
    EXPECT_TRUE(a_cell_is_at(before.center()));
    texts_after(bench, 0.2);
    EXPECT_TRUE(a_cell_is_at(
        {(before.center().x + after.center().x) / 2, (before.center().y + after.center().y) / 2}));
    texts_after(bench, 0.3);
    EXPECT_FALSE(a_cell_is_at(after.center()));
}

// 16 stores k 0 and k 4 of 16 rows of A at once, to the same 16 banks. 17 swaps the halves of rows
// 4 to 7 of As: what lay in column c lies in column c XOR 16.
TEST_F(Glide, WordsSlideToTheirSwizzledPlaces) {
    Workbench bench = workbench("16_vectorized", {32, 32, 32, 32, 0});
    go_to_first(bench, Operation::kStore, "As");
    const Rect whole = word("As", {4, 2});
    bench.apply(Command{SetKernel{"17_swizzled"}});
    EXPECT_TRUE(shows(texts_after(bench, 0), "32 banks: 2 wavefronts"));
    ASSERT_EQ(bench.replay()->trace().launch.kernel, "17_swizzled");
    ASSERT_EQ(view_.glide.begun, now_);
    EXPECT_NEAR(word("As", {4, 2}).x, whole.x, 0.01);
    EXPECT_TRUE(a_cell_is_at(word("As", {4, 2}).center()));
    texts_after(bench, 0.2);  // half of the way: all words of row 4 are in columns 8 to 23
    EXPECT_FALSE(a_cell_is_at(word("As", {4, 2}).center()));
    EXPECT_TRUE(a_cell_is_at(word("As", {4, 10}).center()));
    EXPECT_FALSE(a_cell_is_at(word("As", {4, 30}).center()));
    EXPECT_TRUE(a_cell_is_at(word("As", {3, 2}).center()));  // row 3 keeps its places
    EXPECT_TRUE(shows(texts_after(bench, 0.3), "32 banks: 1 wavefront, no conflict"));
}

// The way of each word, from the elements that the kernels load.
TEST_F(Glide, FormerPlacesAreThoseOfTheSameElements) {
    const auto form = [](const char* kernel, KernelParameters parameters) {
        return form_of(*workbench(kernel, parameters).replay());
    };
    const SharedForm padded = form("16_vectorized", {32, 32, 32, 32, 4});
    const SharedForm swizzled = form("17_swizzled", {32, 32, 32, 32, 0});
    EXPECT_TRUE(slides(padded, swizzled));
    const auto places = former_places(*padded.find("As"), *swizzled.find("As"));
    for (std::uint32_t k = 0; k < 8; ++k)
        for (std::uint32_t column = 0; column < 32; ++column)
            EXPECT_EQ(places[k * 32 + column], (Element{k, column ^ (k / 4 * 16)}));
    // 08 holds a tile of B transposed; 10 holds what 09 holds, so nothing slides.
    const SharedForm tiled = form("09_tiled", {16, 16, 16, 8, 0});
    const SharedForm transposed = form("08_tiled_b_transposed", {16, 16, 16, 8, 0});
    EXPECT_TRUE(slides(tiled, transposed));
    EXPECT_EQ(former_places(*tiled.find("Bs"), *transposed.find("Bs"))[2 * 8 + 5], (Element{5, 2}));
    EXPECT_FALSE(slides(tiled, form("10_tiled_any_size", {16, 16, 16, 8, 0})));
    EXPECT_FALSE(slides(tiled, form("02_naive", {16, 16, 16, 8, 0})));
}

TEST_F(Glide, WithoutMotionThePictureChangesAtOnce) {
    Workbench bench = workbench("08_tiled_b_transposed", {32, 32, 32, 32, 0});
    go_to_conflict(bench);
    bench.apply(Commands{SetMotion{false}, TogglePad{}});
    EXPECT_TRUE(shows(texts_after(bench, 0), "32 banks: 1 wavefront, no conflict"));
}

// As when a scene of a lesson shows two replays side by side: words from the former, larger picture
// would lie outside.
TEST_F(Glide, InAStageOfAnotherSizeThePictureChangesAtOnce) {
    Workbench bench = workbench("08_tiled_b_transposed", {32, 32, 32, 32, 0});
    go_to_conflict(bench);
    bench.apply(Command{TogglePad{}});
    bench.advance(0.01);
    const Rect half{0, 0, 502, 700};
    frame(bench, 0.1, half);
    const std::size_t begun = gliding_cells().size();
    frame(bench, 1, half);
    EXPECT_EQ(gliding_cells().size(), begun);
}

TEST_F(Glide, AKernelWithTheSamePlacesDoesNotGlide) {
    Workbench bench = workbench("09_tiled", {32, 32, 32, 32, 0});
    go_to_conflict(bench);
    bench.apply(Command{SetKernel{"10_tiled_any_size"}});
    frame(bench, 0, kStage);
    EXPECT_LT(view_.glide.begun, 0);
}

// From the TILE of the opening to each other one, and back. Words that slide pass behind headings:
// a heading that one crosses has a plate of its own.
// The words of one array do not cross the heading of another on their way, because the heading
// moves, too. So it needs no plate.
TEST_F(Glide, AHeadingMovesWithItsWords) {
    const Rect laptop{0, 0, 936, 532};
    Workbench bench = workbench("09_tiled", {32, 32, 32, 8, 0});
    bench.apply(Command{SeekTo{21.0, false}});
    const auto heading = [&](double seconds) {
        std::vector<DrawnText> texts;
        record_drawn_text(&texts);
        frame(bench, seconds, laptop);
        record_drawn_text(nullptr);
        for_each_widget([](std::string_view name, const Rect&) {
            EXPECT_FALSE(name.starts_with("stage.plate.")) << name;
        });
        for (const DrawnText& text : texts)
            if (text.text == "Bs" && text.face == Face::kSemiBold) return text.box.center().y;
        return 0.0f;
    };
    for (const int tile : {16, 8}) {
        const float before = heading(0.5);
        bench.apply(Command{SetParameters{{32, 32, 32, tile, 0}}});
        const float begin = heading(0), half_way = heading(0.2), end = heading(0.5);
        EXPECT_EQ(begin, before) << tile;
        EXPECT_GT(std::abs(end - before), 20) << tile;
        EXPECT_NEAR(half_way, (before + end) / 2, 1) << tile;
    }
}

TEST_F(Glide, NoHeadingIsLostBehindWordsAtAnySize) {
    struct Size {
        Rect stage;
        float text;
    };
    std::size_t glides = 0;
    for (const KernelInfo& kernel : catalog()) {
        if (kernel.tiles.size() < 2) continue;
        Workbench bench = workbench(std::string(kernel.id).c_str(), opening_of(kernel));
        const KernelParameters one = opening_of(kernel);
        for (const int tile : kernel.tiles) {
            KernelParameters other = one;
            other.tile = tile;
            if (tile == one.tile || tile > 32 || !validate(kernel, other)) continue;
            for (const Size& size : {Size{{0, 0, 754, 377}, 2},
                                     {{0, 0, 936, 532}, 1},
                                     {{0, 0, 1022, 552}, 1},
                                     {{0, 0, 1048, 800}, 1},
                                     {{0, 0, 1400, 675}, 2}}) {
                view_ = StageView{};
                bench.apply(Command{SetParameters{one}});
                bench.apply(Command{SeekTo{21.0, false}});
                frame(bench, 0.5, size.stage, size.text);
                for (const KernelParameters& next : {other, one}) {
                    bench.apply(Command{SetParameters{next}});
                    for (const double seconds : {0.0, 0.1, 0.1, 0.1}) {
                        std::vector<DrawnText> texts;
                        record_drawn_text(&texts);
                        frame(bench, seconds, size.stage, size.text);
                        record_drawn_text(nullptr);
                        glides += view_.glide.begun > 0 ? 1 : 0;
                        expect_readable(texts, std::string(kernel.id) + " to TILE " +
                                                   std::to_string(next.tile) + ", stage " +
                                                   std::to_string(size.stage.w) + ", text " +
                                                   std::to_string(size.text));
                        if (HasFatalFailure()) return;
                    }
                    frame(bench, 0.5, size.stage, size.text);
                }
            }
        }
    }
    EXPECT_GT(glides, 100u);
}

}  // namespace
}  // namespace tilereel::glide_test

// The layout of the stage: its measures, and that nothing lies outside or overlaps.
#include <gtest/gtest.h>

#include <algorithm>

#include "app/ladder/ladder.h"
#include "app/stage/lane_view.h"
#include "app/stage/layout/layout_parts.h"

namespace tilereel::stage::layout_test {
namespace {

struct Case {
    const char* kernel;
    KernelParameters parameters;
};

struct RecordedStage {
    Trace trace;
    StagePlan plan;
    Watched watched;
    explicit RecordedStage(const Case& c) {
        RecordRequest request;
        request.kernel = c.kernel;
        request.parameters = c.parameters;
        trace = std::move(record_built_in(request)).value();
        const Replay replay = Replay::of_block(trace, 0).value();
        plan.refresh(replay);
        LaneView lanes;
        watched = watched_part(replay, plan, {}, lanes);
    }
    [[nodiscard]] StageLayout at(const Look& look, const Rect& rect, float zoom = 1,
                                 std::uint32_t banks = 32) const {
        Zoom z;
        z.zoom = zoom;
        return layout_stage(look, rect, trace, plan, z, banks);
    }
};

TEST(StageLayout, HasThePitchAndPlacesOfTheDesignAt1920x1080) {
    const StageLayout layout =
        RecordedStage({"09_tiled", {16, 16, 16, 4, 0}}).at({}, {464, 64, 1048, 800});
    EXPECT_EQ(layout.a.pitch_x, 21);
    EXPECT_EQ(layout.a.window.x, 488);
    EXPECT_EQ(layout.c.window.x, 852);
    EXPECT_EQ(layout.shared.x, 1228);
    EXPECT_EQ(layout.arrays.at(0).pitch_x, 48);
    EXPECT_EQ(layout.banks, BanksForm::kTwoRows);
    const StageLayout eight =
        RecordedStage({"09_tiled", {16, 16, 16, 8, 0}}).at({}, {464, 64, 1048, 800});
    EXPECT_EQ(eight.arrays.at(0).pitch_x, 28);
}

TEST(StageLayout, HasThePitchOfTheDesignAt1280x720) {
    const StageLayout layout =
        RecordedStage({"09_tiled", {16, 16, 16, 8, 0}}).at({}, {8, 54, 936, 502});
    EXPECT_EQ(layout.a.pitch_y, 14);
    EXPECT_EQ(layout.a.window.x, 28);
    EXPECT_GE(layout.arrays.at(0).pitch_x, 19);
    EXPECT_EQ(layout.banks, BanksForm::kEightRows);
}

// A few elements fill the stage, so that they can be read from the back of a lecture hall.
TEST(StageLayout, SmallMatricesHaveLargeCells) {
    const std::pair<KernelParameters, float> cases[] = {
        {{1, 1, 1, 2, 0}, 90}, {{3, 3, 3, 2, 0}, 60}, {{5, 7, 3, 4, 0}, 32}, {{8, 8, 8, 4, 0}, 27}};
    for (const Rect& rect : {Rect{464, 64, 1048, 800}, Rect{8, 54, 936, 502}})
        for (const auto& [parameters, least] : cases) {
            const StageLayout layout =
                RecordedStage({"10_tiled_any_size", parameters}).at({}, rect);
            EXPECT_GE(layout.a.pitch_x, least) << parameters.m << " at " << rect.w;
            const float of_tile = std::min(layout.a.pitch_x, 48.0f);
            EXPECT_GE(layout.arrays.at(0).pitch_x, of_tile) << parameters.m << " at " << rect.w;
        }
}

// The presenter's view has text of twice the size.
TEST(StageLayout, MatricesKeepRoomBelowALargeCorner) {
    Look look;
    look.text = 2;
    const StageLayout layout =
        RecordedStage({"18_warp_tiled", {32, 32, 16, 32, 0}}).at(look, {8, 8, 1904, 954});
    EXPECT_GE(layout.c.pitch_y, 11) << "no values";
}

// A digit is 0.6 times as wide as the font size. A font size of 10 pixels can still be read.
TEST(StageLayout, CellsAreWideIfValuesDoNotFitSquareOnes) {
    const RecordedStage staged({"09_tiled", {16, 16, 16, 4, 0}});
    const StageLayout layout = staged.at({}, {8, 54, 1022, 548});  // 1366 x 768
    const auto digits = static_cast<float>(staged.plan.digits_of_sums());
    EXPECT_FALSE(layout.cropped);
    EXPECT_GE(layout.c.pitch_x, 0.6f * 10 * digits);
    EXPECT_GE(layout.c.pitch_y, 13.5f);
    EXPECT_GE(cell_type({}, layout.c.pitch_x, layout.c.pitch_y, staged.plan.digits_of_sums()), 10);
    EXPECT_EQ(layout.c.visible(), (CellRect{0, 0, 16, 16}));
}

// The matrix is shown whole if it fits, else page by page.
TEST(StageLayout, TheWatchedPartIsVisible) {
    EXPECT_EQ(first_in_sight(4, 8, 4, 10, 16), 0) << "two parts of 4 to a page";
    EXPECT_EQ(first_in_sight(8, 12, 8, 10, 16), 6) << "the last page ends with the matrix";
    EXPECT_EQ(first_in_sight(8, 12, 8, 16, 16), 0);
    EXPECT_EQ(first_in_sight(32, 64, 40, 10, 128), 32) << "longer than what fits: by the focus";
    EXPECT_EQ(first_in_sight(32, 64, 45, 10, 128), 42);
    EXPECT_EQ(first_in_sight(32, 64, 63, 10, 128), 54) << "no further than its end";
}

// The matrices have few rows. A's tile gets enough room for its values, and the matrices get the
// rest.
TEST(StageLayout, TheOuterProductShowsItsTileAndItsRegisters) {
    for (const char* kernel :
         {"12_outer_product", "13_outer_product_unrolled", "14_outer_product_prefetch"}) {
        const RecordedStage staged({kernel, {16, 64, 16, 16, 0}});
        for (const Rect& rect : {Rect{464, 64, 1048, 800}, Rect{8, 54, 936, 502}}) {
            const StageLayout layout = staged.at({}, rect);
            EXPECT_GE(layout.arrays.at(0).pitch_x, kTileValuesFrom) << kernel << rect.w;
            EXPECT_GE(layout.c.pitch_x, 3.3f) << kernel << rect.w;
            EXPECT_GE(layout.registers.h, 60) << kernel << rect.w;
            EXPECT_GE(layout.registers.w / 32, kTileValuesFrom) << "room for a digit a lane";
        }
    }
    EXPECT_EQ(
        RecordedStage({"09_tiled", {16, 16, 16, 4, 0}}).at({}, {464, 64, 1048, 800}).registers.w,
        0);
}

// A lane's operands and sums have room for their values in a window of the usual size.
TEST(StageLayout, TheSumsOfALaneHaveRoom) {
    const std::pair<Case, float> cases[] = {{{"15_register_tile", {16, 16, 16, 8, 0}}, 5},
                                            {{"16_vectorized", {32, 32, 16, 16, 0}}, 5},
                                            {{"18_warp_tiled", {128, 128, 16, 128, 0}}, 9}};
    for (const auto& [c, rows] : cases)
        for (const Rect& rect : {Rect{464, 64, 1048, 800}, Rect{8, 54, 936, 502}}) {
            const StageLayout layout = RecordedStage(c).at({}, rect);
            EXPECT_GE(layout.fragments.h, rows * 11 + 30) << c.kernel << rect.w;
            EXPECT_GE(layout.fragments.w, rows * 11 + 30) << c.kernel << rect.w;
        }
    EXPECT_EQ(
        RecordedStage({"09_tiled", {16, 16, 16, 4, 0}}).at({}, {464, 64, 1048, 800}).fragments.w,
        0);
}

// Of several buffers of one array, one is drawn large with its values. All are drawn small, in
// order.
TEST(StageLayout, OneOfSeveralBuffersIsLarge) {
    for (const char* kernel : {"19_async_pipeline", "20_champion"}) {
        const RecordedStage staged({kernel, {64, 64, 32, 16, 0}});
        for (const Rect& rect : {Rect{464, 64, 1048, 800}, Rect{8, 54, 936, 502}}) {
            const StageLayout layout = staged.at({}, rect);
            ASSERT_EQ(layout.arrays.size(), 2u * (1 + 3)) << kernel;
            for (const std::size_t large : {0, 4}) {
                EXPECT_FALSE(layout.arrays[large].small);
                EXPECT_GE(layout.arrays[large].pitch_x, kTileValuesFrom) << kernel << rect.w;
                for (std::uint32_t plane = 0; plane < 3; ++plane) {
                    const SharedView& view = layout.arrays[large + 1 + plane];
                    EXPECT_TRUE(view.small);
                    EXPECT_EQ(view.plane, plane);
                    EXPECT_GE(view.box.w - view.window.w, 60) << "room for words";
                    const SharedView& first = layout.arrays[large + 1];
                    EXPECT_TRUE(plane == 0 || view.box.x > first.box.x || view.box.y > first.box.y);
                }
            }
            EXPECT_GT(layout.fragments.w, 0) << kernel << rect.w;
        }
        // Another buffer is drawn large in the same place.
        Zoom zoom;
        const StageLayout first =
            layout_stage({}, {464, 64, 1048, 800}, staged.trace, staged.plan, zoom);
        zoom.planes = {2, 2};
        const StageLayout last =
            layout_stage({}, {464, 64, 1048, 800}, staged.trace, staged.plan, zoom);
        EXPECT_EQ(last.arrays[0].plane, 2u);
        EXPECT_EQ(last.arrays[0].window.x, first.arrays[0].window.x);
        EXPECT_EQ(last.arrays[0].window.y, first.arrays[0].window.y);
        EXPECT_EQ(last.arrays[3].box.y, first.arrays[3].box.y);
    }
    // Two buffers that have room for their values are both drawn at their own size.
    const StageLayout both = RecordedStage({"14_outer_product_prefetch", {16, 64, 16, 16, 0}})
                                 .at({}, {464, 64, 1048, 800});
    EXPECT_EQ(both.arrays.size(), 2u);
}

bool inside(const Rect& outer, const Rect& inner) {
    return inner.x >= outer.x - 0.5f && inner.y >= outer.y - 0.5f &&
           inner.right() <= outer.right() + 0.5f && inner.bottom() <= outer.bottom() + 0.5f;
}
bool apart(const Rect& a, const Rect& b) {
    return a.right() <= b.x + 0.5f || b.right() <= a.x + 0.5f || a.bottom() <= b.y + 0.5f ||
           b.bottom() <= a.y + 0.5f;
}

void expect_no_overlap(const StageLayout& layout, const Rect& rect) {
    std::vector<Rect> parts{layout.a.window, layout.b.window, layout.c.window};
    for (const SharedView& view : layout.arrays) {
        parts.push_back(view.small ? view.box : view.window);
        if (view.small) {
            EXPECT_TRUE(inside(view.box, view.window)) << view.plane;
        }
    }
    if (layout.banks != BanksForm::kNone) parts.push_back(layout.bank_area);
    if (layout.registers.w > 0) parts.push_back(layout.registers);
    if (layout.fragments.w > 0) parts.push_back(layout.fragments);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        EXPECT_TRUE(inside(rect, parts[i])) << i;
        EXPECT_GT(parts[i].w, 0) << i;
        EXPECT_GT(parts[i].h, 0) << i;
        for (std::size_t j = 0; j < i; ++j) EXPECT_TRUE(apart(parts[i], parts[j])) << i << " " << j;
    }
    for (const Rect& matrix : {layout.b.window, layout.c.window})
        EXPECT_TRUE(apart(layout.corner, matrix));
    EXPECT_TRUE(inside(rect, layout.corner));
    EXPECT_EQ(layout.a.window.y, layout.c.window.y);
    EXPECT_EQ(layout.b.window.x, layout.c.window.x);
}

TEST(StageLayout, HasNoOverlapAtAnyShapeWindowAndTextSize) {
    const std::vector<Case> cases{{"09_tiled", {16, 16, 16, 4, 0}},
                                  {"09_tiled", {64, 64, 64, 16, 0}},
                                  {"09_tiled", {64, 32, 96, 32, 0}},
                                  {"08_tiled_b_transposed", {32, 32, 32, 32, 1}},
                                  {"08_tiled_b_transposed", {32, 32, 32, 16, 2}},
                                  {"12_outer_product", {32, 64, 32, 16, 0}},
                                  {"14_outer_product_prefetch", {32, 64, 48, 16, 1}},
                                  {"15_register_tile", {32, 32, 16, 8, 0}},
                                  {"16_vectorized", {64, 64, 32, 16, 4}},
                                  {"17_swizzled", {64, 64, 16, 64, 0}},
                                  {"18_warp_tiled", {64, 64, 32, 32, 0}},
                                  {"18_warp_tiled", {256, 128, 16, 128, 0}},
                                  {"19_async_pipeline", {32, 32, 32, 8, 0}},
                                  {"19_async_pipeline", {64, 64, 32, 16, 0}},
                                  {"19_async_pipeline", {64, 64, 32, 32, 0}},
                                  {"19_async_pipeline", {128, 128, 32, 128, 0}},
                                  {"20_champion", {64, 64, 64, 16, 0}},
                                  {"20_champion", {100, 64, 64, 32, 0}},
                                  {"20_champion", {256, 128, 64, 256, 0}},
                                  {"02_naive", {100, 37, 65, 16, 0}},
                                  {"02_naive", {1, 1, 70, 4, 0}},
                                  {"02_naive", {512, 8, 64, 8, 0}},
                                  {"02_naive", {2, 300, 3, 16, 0}},
                                  {"01_naive_by_column", {1, 1, 1, 2, 0}}};
    const std::vector<std::pair<Rect, float>> windows{
        {{464, 64, 1048, 800}, 1}, {{8, 54, 936, 502}, 1},      {{8, 71, 754, 377}, 1},
        {{8, 80, 1394, 677}, 1},   {{928, 128, 2096, 1600}, 2}, {{464, 64, 2000, 800}, 1}};
    for (const Case& c : cases) {
        const RecordedStage staged(c);
        for (const auto& [rect, scale] : windows) {
            for (const float text : {1.0f, 1.6f, 2.0f}) {
                SCOPED_TRACE(testing::Message()
                             << c.kernel << " " << c.parameters.m << "x" << c.parameters.n << "x"
                             << c.parameters.k << " window " << rect.w << " text " << text);
                Look look;
                look.scale = scale;
                look.text = std::min(text, std::min(rect.w / look.px(470), rect.h / look.px(235)));
                look.text = std::max(look.text, 1.0f);
                expect_no_overlap(staged.at(look, rect), rect);
                expect_no_overlap(staged.at(look, rect, 4), rect);
                expect_no_overlap(staged.at(look, rect, 1, 16), rect);
                Zoom watching;
                watching.follows = true;
                watching.watched = staged.watched;
                expect_no_overlap(layout_stage(look, rect, staged.trace, staged.plan, watching),
                                  rect);
            }
        }
    }
}

TEST(StageLayout, ZoomKeepsWhatIsShownInsideTheMatrices) {
    const RecordedStage staged({"09_tiled", {64, 64, 64, 16, 0}});
    const Rect rect{464, 64, 1048, 800};
    Zoom zoom{{.zoom = 6, .pan = {1000, -5}, .pan_k = 1000}};
    const StageLayout layout = layout_stage({}, rect, staged.trace, staged.plan, zoom);
    for (const MatrixView* m : {&layout.a, &layout.b, &layout.c}) {
        const CellRect seen = m->visible();
        EXPECT_LE(seen.row1, m->rows);
        EXPECT_LE(seen.column1, m->columns);
        EXPECT_FALSE(seen.empty());
    }
    EXPECT_EQ(layout.c.visible().column1, 64u);  // pushed to the right end, and no farther
    EXPECT_EQ(layout.c.visible().row0, 0u);
    EXPECT_EQ(layout.a.row0, layout.c.row0);
    EXPECT_EQ(layout.b.column0, layout.c.column0);
}

TEST(SharedView, ByBankPutsEachWordUnderItsBank) {
    const RecordedStage staged({"08_tiled_b_transposed", {32, 32, 32, 32, 1}});
    const StageLayout layout = staged.at({}, {464, 64, 1048, 800});
    ASSERT_TRUE(layout.by_bank());
    const SharedView& bs = layout.arrays.at(1);
    for (std::uint32_t row = 0; row < 32; ++row) {
        // rows of 33 words: one bank further each
        EXPECT_EQ(bs.place({row, 5}).column, (row + 5) % 32);
        EXPECT_EQ(bs.element_at(bs.cell_of({row, 5}).center()), (Element{row, 5}));
    }
}

TEST(SharedView, ByBankHas16ColumnsWith16Banks) {
    const RecordedStage staged({"08_tiled_b_transposed", {32, 32, 32, 32, 1}});
    const StageLayout layout = staged.at({}, {464, 64, 1048, 800}, 1, 16);
    ASSERT_TRUE(layout.by_bank());
    const SharedView& bs = layout.arrays.at(1);
    EXPECT_EQ(bs.columns, 16u);
    for (std::uint32_t row = 0; row < 32; ++row) {
        EXPECT_EQ(bs.place({row, 5}).column, (row * 33 + 5) % 16);
        EXPECT_EQ(bs.element_at(bs.cell_of({row, 5}).center()), (Element{row, 5}));
    }
}

TEST(SharedView, ExistsOnceForEachBuffer) {
    const RecordedStage staged({"14_outer_product_prefetch", {16, 64, 32, 16, 1}});
    const StageLayout layout = staged.at({}, {464, 64, 1048, 800});
    ASSERT_EQ(layout.arrays.size(), 2u);
    for (std::uint32_t buffer = 0; buffer < 2; ++buffer) {
        const SharedView& view = layout.arrays[buffer];
        EXPECT_EQ(view.plane, buffer);
        EXPECT_EQ(view.rows, 16u);
        for (std::uint32_t row = 0; row < 32; ++row)
            EXPECT_EQ(view.shows(view.array, row), row / 16 == buffer);
        const Element wanted{16 * buffer + 3, 5};
        EXPECT_EQ(view.element_at(view.cell_of(wanted).center()), wanted);
    }
    EXPECT_LT(layout.arrays[0].window.bottom(), layout.arrays[1].window.y);
}

// In the view by bank, a column of 4 bytes is a bank: two halves share one, a double takes two.
TEST(StageLayout, ByBankEachElementStandsAtItsBank) {
    constexpr std::uint32_t kBanks = 32;
    for (const auto& [type, size] : {std::pair(ElementType::kUint8, 1u),
                                     {ElementType::kFloat16, 2u},
                                     {ElementType::kFloat32, 4u},
                                     {ElementType::kFloat64, 8u},
                                     {ElementType::kFloat32, 16u}}) {
        Array array = Array::of("tile", Space::kShared, type, size, {{6, 50}, 53});
        array.base_bytes = 208;
        const SharedView view = views_of(array, 0, kBanks).front();
        EXPECT_EQ(view.columns * size, 4 * kBanks);
        for (std::uint32_t row = 0; row < 6; ++row)
            for (std::uint32_t column = 0; column < 50; ++column) {
                const Element place = view.place({row, column});
                const std::uint32_t byte = array.base_bytes + (row * 53 + column) * size;
                EXPECT_EQ(place.column * size, byte % (4 * kBanks))
                    << size << ", " << row << ", " << column;
                EXPECT_LT(place.row, view.rows);
            }
    }
}

}  // namespace
}  // namespace tilereel::stage::layout_test

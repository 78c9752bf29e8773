// How the cells of an array lie in a picture, and which of them a window shows.
#include "app/replay/arrays/array_shape.h"

#include <gtest/gtest.h>

#include <set>

#include "app/replay/arrays/array_uses.h"
#include "tests/trace/program_traces.h"

namespace tilereel::tests::array_shape_test {
namespace {

Array floats(const Array::Shape& shape) {
    return Array::of("x", Space::kGlobal, ElementType::kFloat32, 4, shape);
}

ArrayId array_named(const Trace& trace, const std::string& name) {
    for (ArrayId id = 0; id < trace.arrays.size(); ++id)
        if (trace.arrays[id].name == name) return id;
    ADD_FAILURE() << "no array " << name;
    return 0;
}

TEST(ArrayShape, RowsOfAChosenLengthAndAShortLastOne) {
    const ArrayShape shape(floats({{100}}), 16);
    EXPECT_EQ(shape.rows(), 7u);
    EXPECT_EQ(shape.columns(), 16u);
    EXPECT_EQ(shape.place(35).row, 2u);
    EXPECT_EQ(shape.place(35).column, 3u);
    EXPECT_EQ(shape.at({6, 3}), 99u);
    EXPECT_FALSE(shape.at({6, 4}));  // the last row is short
}

TEST(ArrayShape, ADeclaredRowLengthIsKeptAndItsPaddingKnown) {
    const ArrayShape shape(floats({{8, 16}, 17}), 5);
    EXPECT_EQ(shape.row_length(), 17u);
    EXPECT_EQ(shape.rows(), 8u);
    EXPECT_FALSE(shape.is_padding(15));
    EXPECT_TRUE(shape.is_padding(16));
}

TEST(ArrayShape, PlanesStandBesideEachOther) {
    const Array array = floats({{3, 4, 5}});
    const ArrayShape shape(array, 1);
    EXPECT_EQ(shape.rows(), 4u);
    EXPECT_EQ(shape.columns(), 3u * 5 + 2);
    EXPECT_EQ(shape.place(20).row, 0u);  // the first cell of the second plane
    EXPECT_EQ(shape.place(20).column, 6u);
    EXPECT_FALSE(shape.at({0, 5}));  // between two planes
    EXPECT_EQ(shape.plane(2), (CellRect{0, 12, 4, 17}));
}

TEST(ArrayShape, EachCellHasAPlaceOfItsOwn) {
    for (const Array::Shape& extents :
         {Array::Shape{{60}}, Array::Shape{{6, 10}}, Array::Shape{{7, 3, 4}},
          Array::Shape{{2, 3, 2, 5}}, Array::Shape{{50, 2, 3}}, Array::Shape{{1}}}) {
        const Array array = floats(extents);
        const ArrayShape shape(array, 7);
        std::set<std::pair<std::uint64_t, std::uint64_t>> places;
        for (std::uint64_t cell = 0; cell < shape.cells(); ++cell) {
            const Element at = shape.place(cell);
            ASSERT_LT(at.row, shape.rows());
            ASSERT_LT(at.column, shape.columns());
            EXPECT_TRUE(places.emplace(at.row, at.column).second);
            EXPECT_EQ(shape.at(at), cell);
        }
    }
}

// A block of 8 x 8 threads reads 8 columns of in[8][16].
TEST(ArrayUses, TheCellsThatABlockAccessesAreARectangle) {
    const Trace trace = transpose_trace();
    const Result<Replay> replay = Replay::of_block(trace, 1);
    ASSERT_TRUE(replay) << replay.error().message;
    ArrayUses uses(*replay);
    const ArrayId in = array_named(trace, "in"), out = array_named(trace, "out");
    const ArrayShape shape(trace.arrays[in], 1);
    EXPECT_EQ(uses.of_block(in, shape), (CellRect{0, 8, 8, 16}));
    EXPECT_EQ(uses.of_block(out, ArrayShape(trace.arrays[out], 1)), (CellRect{8, 0, 16, 8}));
    ASSERT_FALSE(uses.steps(in).empty());
    const std::uint32_t first = uses.steps(in).front();
    EXPECT_EQ(uses.of_step(in, shape, first), (CellRect{0, 8, 4, 16}));  // warp 0: 4 rows
    EXPECT_EQ(uses.of_lane(in, shape, first, 9), (CellRect{1, 9, 2, 10}));
    EXPECT_TRUE(uses.of_step(out, ArrayShape(trace.arrays[out], 1), first).empty());
    EXPECT_EQ(uses.nearest(out, 0), uses.steps(out).front());
    EXPECT_EQ(uses.nearest(in, 1000), uses.steps(in).back());
}

TEST(ArrayUses, AnotherRowLengthMakesAnotherRectangle) {
    const Trace trace = reduction_trace();
    const Result<Replay> replay = Replay::of_block(trace, 1);
    ASSERT_TRUE(replay) << replay.error().message;
    ArrayUses uses(*replay);
    const ArrayId in = array_named(trace, "in");  // block 1 reads in[64] to in[127]
    EXPECT_EQ(uses.of_block(in, ArrayShape(trace.arrays[in], 32)), (CellRect{2, 0, 4, 32}));
    EXPECT_EQ(uses.of_block(in, ArrayShape(trace.arrays[in], 16)), (CellRect{4, 0, 8, 16}));
}

TEST(WindowBegin, ShowsTheLargestSpanThatFits) {
    const std::vector<PictureSpan> spans{{100, 300}, {120, 140}, {130, 132}};
    EXPECT_EQ(window_begin(spans, 500, 400), 0u);  // all of it
    for (const std::uint32_t shown : {200u, 250u}) {
        const std::uint32_t begin = window_begin(spans, shown, 1000);
        EXPECT_LE(begin, 100u);
        EXPECT_GE(begin + shown, 300u);
    }
    const std::uint32_t begin = window_begin(spans, 30, 1000);
    EXPECT_LE(begin, 120u);
    EXPECT_GE(begin + 30, 140u);
    EXPECT_EQ(window_begin({{0, 5000}, {990, 1000}}, 20, 1000), 980u);  // not beyond the end
    EXPECT_EQ(window_begin({{0, 5000}, {500, 900}}, 20, 1000), 500u);   // none fits
}

TEST(WindowBegin, StaysWhileItsSpanMovesLittle) {
    EXPECT_EQ(window_begin({{100, 104}}, 40, 1000), window_begin({{104, 108}}, 40, 1000));
}

}  // namespace
}  // namespace tilereel::tests::array_shape_test

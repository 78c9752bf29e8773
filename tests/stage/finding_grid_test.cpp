#include "app/stage/plan/finding_grid.h"

#include <gtest/gtest.h>

namespace tilereel::finding_grid_test {
namespace {

using stage::GridPart;
using stage::part_of_grid;

Array array_of(std::uint32_t rows, std::uint32_t columns) {
    Array array;
    array.rows = rows;
    array.columns = array.leading_dimension = columns;
    array.one_extent = rows == 1;
    return array;
}

TEST(FindingGrid, ShowsAllOfASmallArray) {
    const GridPart part = part_of_grid(array_of(16, 16), {3, 5}, {20, 40});
    EXPECT_EQ(part.shown, (CellRect{0, 0, 16, 16}));
    EXPECT_EQ(part.cell, (Element{3, 5}));
    EXPECT_EQ(part.fold, 0u);
}

TEST(FindingGrid, ShowsTheSurroundingsInALargeArray) {
    const Array array = array_of(1024, 512);
    const auto contains_cell = [&](Element at) {
        const GridPart part = part_of_grid(array, at, {20, 40});
        EXPECT_EQ(part.shown.row1 - part.shown.row0, 20u);
        EXPECT_EQ(part.shown.column1 - part.shown.column0, 40u);
        EXPECT_LE(part.shown.row1, 1024u);
        EXPECT_LE(part.shown.column1, 512u);
        EXPECT_TRUE(contains(part.shown, at));
    };
    for (const Element at : {Element{0, 0}, Element{500, 250}, Element{1023, 511}, Element{1, 510}})
        contains_cell(at);
}

TEST(FindingGrid, LaysAnArrayOfOneExtentOutInRowsOf32) {
    const GridPart part = part_of_grid(array_of(1, 100), {0, 70}, {20, 40});
    EXPECT_EQ(part.fold, 32u);
    EXPECT_EQ(part.shown, (CellRect{0, 0, 4, 32}));
    EXPECT_EQ(part.cell, (Element{2, 6}));
    EXPECT_EQ(part_of_grid(array_of(1, 20), {0, 7}, {20, 40}).cell, (Element{0, 7}));
    // A cell beyond the array (an access out of bounds) does not leave the grid.
    EXPECT_EQ(part_of_grid(array_of(4, 4), {9, 9}, {20, 40}).cell, (Element{3, 3}));
}

}  // namespace
}  // namespace tilereel::finding_grid_test

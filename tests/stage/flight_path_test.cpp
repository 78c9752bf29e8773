// The paths of cells from a matrix to shared memory: cells of one tile never cover each other.
#include "app/stage/flight_path.h"

#include <gtest/gtest.h>

#include <vector>

namespace tilereel::stage::flight_path_test {
namespace {

constexpr float kGap = 2;

// A tile at `from` with cells of `pitch`, and its place in shared memory.
std::vector<FlyingCell> tile(int rows, int columns, ImVec2 from, ImVec2 pitch, ImVec2 to,
                             ImVec2 pitch_to, float bow, const Rect& corner) {
    std::vector<FlyingCell> cells;
    const FlightCurve curve = curve_of({from.x + pitch.x / 2, from.y + pitch.y / 2},
                                       {to.x + pitch_to.x / 2, to.y + pitch_to.y / 2}, bow, corner);
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            const auto x = static_cast<float>(column), y = static_cast<float>(row);
            cells.push_back({{from.x + x * pitch.x, from.y + y * pitch.y, pitch.x, pitch.y},
                             {to.x + x * pitch_to.x, to.y + y * pitch_to.y, pitch_to.x, pitch_to.y},
                             curve});
        }
    return cells;
}

void expect_apart(const std::vector<Rect>& cells, const Rect& corner, float t) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const ImVec2 at = cells[i].center();
        ASSERT_TRUE(at.x >= corner.right() || at.y >= corner.bottom() - 0.1f) << t;
        for (std::size_t j = 0; j < i; ++j)
            ASSERT_FALSE(cells[i].overlaps(cells[j])) << i << " and " << j << " at " << t;
    }
}

// From just below the corner, or far below it, to a tile beside it that is larger or smaller.
TEST(FlightPath, CellsOfATileStayApartAndOutOfTheCorner) {
    const Rect corner{0, 0, 400, 300};
    std::size_t turning = 0;
    for (const float from_y : {305.0f, 330.0f, 500.0f})
        for (const float to_y : {20.0f, 250.0f, 600.0f})
            for (const float to_x : {410.0f, 900.0f})
                for (const float pitch_to : {8.0f, 20.0f, 40.0f}) {
                    const std::vector<FlyingCell> cells =
                        tile(6, 8, {20, from_y}, {20, 20}, {to_x, to_y}, {pitch_to, pitch_to}, 100,
                             corner);
                    turning += cells[0].curve.turn > 1;
                    for (float t = 0; t <= 1; t += 0.02f) {
                        std::vector<Rect> at;
                        for (const FlyingCell& cell : cells) at.push_back(cell.at(t, kGap));
                        for (int i = 0; i < 48; ++i)
                            ASSERT_NEAR(at[i].center().y, at[i / 8 * 8].center().y, 1e-3)
                                << "not level at " << t;
                        expect_apart(at, corner, t);
                        if (testing::Test::HasFatalFailure()) return;
                    }
                }
    EXPECT_GT(turning, 9u);
}

// The upper rows leave first and are ahead. Behind the corner all of them fly upwards, so a row is
// never reached by the one below it.
TEST(FlightPath, RowsThatTurnBehindTheCornerStayInOrder) {
    const Rect corner{0, 0, 400, 300};
    const std::vector<FlyingCell> rows =
        tile(6, 1, {20, 310}, {20, 20}, {410, 20}, {20, 20}, 100, corner);
    ASSERT_GT(rows[0].curve.turn, 1);
    for (float t = 0; t <= 1; t += 0.01f)
        for (int row = 1; row < 6; ++row)
            EXPECT_LE(rows[row - 1].at(std::min(1.0f, t + 0.1f), kGap).bottom(),
                      rows[row].at(t, kGap).y)
                << t;
}

TEST(FlightPath, TheBowIsOnlyAsLowAsTheCornerNeeds) {
    const Rect corner{0, 0, 400, 300};
    EXPECT_EQ(curve_of({20, 900}, {900, 850}, 100, corner).bow, 100);
    const FlightCurve lower = curve_of({20, 400}, {900, 300}, 160, corner);
    EXPECT_GT(lower.bow, 0);
    EXPECT_LT(lower.bow, 160);
    EXPECT_EQ(lower.turn, 1);
    // From beside the corner nothing is in the way.
    EXPECT_EQ(curve_of({410, 20}, {900, 20}, 100, corner).bow, 100);
}

// A column of A becomes a row of As, as where a vector load is stored transposed. Its cells neither
// overlap nor cross the corner, wherever they are.
TEST(FlightPath, AColumnThatBecomesARowStaysApart) {
    constexpr float kPitch = 20;
    const Rect corner{0, 0, 300, 260};
    const FlightCurve curve = curve_of({200, 290}, {700, 160}, 100, corner);
    std::vector<FlyingCell> column;
    for (int i = 0; i < 8; ++i) {
        const float at = kPitch * static_cast<float>(i);
        const ImVec2 size{kPitch, kPitch};
        column.push_back(
            {Rect::around({200, 290 + at}, size), Rect::around({700 + at, 160}, size), curve});
    }
    for (float t = 0; t <= 1; t += 0.02f) {
        std::vector<Rect> cells;
        for (const FlyingCell& cell : column) cells.push_back(cell.at(t, kGap, true));
        expect_apart(cells, corner, t);
    }
}

}  // namespace
}  // namespace tilereel::stage::flight_path_test

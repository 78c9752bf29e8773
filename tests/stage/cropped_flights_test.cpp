// Flights from cells outside the visible part of a matrix: they come out of its edge in order, and
// do not cover each other on their way.
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "app/stage/cropped_start.h"
#include "app/stage/flight_path.h"
#include "app/stage/stage_layout.h"

namespace tilereel::cropped_flights_test {
namespace {

using stage::CellWindow;
using stage::CroppedStart;
using stage::FlyingCell;

// A matrix of 40 x 40 cells of which 10 x 10 are visible, from `first` on. A tile of 16 x 16 cells
// from `tile` on flies to the right.
struct Crop {
    const char* edge;
    ImVec2 first;
    Element tile;
};
constexpr float kPitch = 20;

struct Drawn {
    Element at;
    Rect rect;
};

// The cells that are drawn at time `t` of flights that begin together at 0 and end at 1.
std::vector<Drawn> drawn(const Crop& crop, ImVec2 to, float pitch_to, float t) {
    CellWindow matrix{.window = {300, 400, 10 * kPitch, 10 * kPitch},
                      .pitch_x = kPitch,
                      .pitch_y = kPitch,
                      .row0 = crop.first.y,
                      .column0 = crop.first.x,
                      .rows = 40,
                      .columns = 40};
    const CellRect tile{crop.tile.row, crop.tile.column, crop.tile.row + 16, crop.tile.column + 16};
    std::vector<Drawn> found;
    for (std::uint32_t row = tile.row0; row < tile.row1; ++row)
        for (std::uint32_t column = tile.column0; column < tile.column1; ++column) {
            const Rect target{to.x + static_cast<float>(column - tile.column0) * pitch_to,
                              to.y + static_cast<float>(row - tile.row0) * pitch_to, pitch_to,
                              pitch_to};
            const CroppedStart start(matrix, {row, column}, tile, target);
            FlyingCell cell{start.cell(), target, {}};
            cell.curve.upright = start.leaves_upright();
            const Rect rect = start.unrolled(t, cell.curve.shares(t).x, cell.at(t, 2));
            if (start.is_out(t, rect)) found.push_back({{row, column}, rect});
        }
    return found;
}

const Crop kCrops[] = {{"right", {0, 0}, {0, 0}},         {"below", {0, 0}, {0, 0}},
                       {"left", {6, 0}, {0, 0}},          {"above", {0, 6}, {0, 0}},
                       {"all outside", {0, 0}, {20, 20}}, {"above, left", {6, 6}, {0, 0}}};

TEST(CroppedFlights, CellsNeitherCoverEachOtherNorVanish) {
    for (const Crop& crop : kCrops)
        for (const float to_y : {100.0f, 420.0f, 800.0f})
            for (const float pitch_to : {9.0f, 24.0f}) {
                std::size_t before = 0;
                for (float t = 0; t <= 1; t += 0.04f) {
                    const std::vector<Drawn> cells = drawn(crop, {900, to_y}, pitch_to, t);
                    ASSERT_GE(cells.size(), before) << crop.edge << ": a cell vanishes at " << t;
                    before = cells.size();
                    for (std::size_t i = 0; i < cells.size(); ++i)
                        for (std::size_t j = 0; j < i; ++j)
                            ASSERT_FALSE(cells[i].rect.inset(0.5f).overlaps(cells[j].rect))
                                << crop.edge << " at " << t << ": row " << cells[i].at.row
                                << ", column " << cells[i].at.column << " and row "
                                << cells[j].at.row << ", column " << cells[j].at.column;
                }
                EXPECT_EQ(before, 256u) << crop.edge;
            }
}

// Rows 10 to 15 lie below the window, whose lower edge is at 600.
TEST(CroppedFlights, RowsComeOutOfTheEdgeInOrder) {
    std::map<std::uint32_t, float> came_out;  // by row: the time
    for (float t = 0; t <= 1; t += 0.002f)
        for (const Drawn& cell : drawn(kCrops[1], {900, 100}, 20, t))
            if (cell.at.column == 0 && cell.at.row >= 10 &&
                came_out.try_emplace(cell.at.row, t).second) {
                EXPECT_LE(cell.rect.bottom(), 600);
                EXPECT_GT(cell.rect.bottom(), 595) << "appears above the edge: " << cell.at.row;
            }
    ASSERT_EQ(came_out.size(), 6u);
    for (std::uint32_t row = 11; row < 16; ++row) EXPECT_GT(came_out[row], came_out[row - 1]);
    EXPECT_LT(came_out[15], 0.4f);
}

// The right part of each row of B is outside the window. These cells unroll from its edge: those of
// a row appear together, and at no time is a cell much narrower than another.
TEST(CroppedFlights, ColumnsUnrollFromTheEdge) {
    for (float t = 0; t < 1; t += 0.01f) {
        float least = 1e9f, most = 0;
        std::size_t outside = 0;
        for (const Drawn& cell : drawn(kCrops[0], {900, 400}, 20, t)) {
            least = std::min(least, cell.rect.w);
            most = std::max(most, cell.rect.w);
            outside += cell.at.column >= 10;
        }
        EXPECT_TRUE(outside == 0 || outside % 6 == 0) << t;
        EXPECT_GT(least, 0.6f * most) << t;
        EXPECT_TRUE(t < 0.3f || outside > 0) << t;
    }
}

}  // namespace
}  // namespace tilereel::cropped_flights_test

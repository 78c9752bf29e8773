// The picture of a global request shows what its generation counts.
#include "app/stage/plan/request_rows.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <functional>
#include <random>

#include "app/ladder/ladder.h"
#include "tests/analysis/random_access.h"

namespace tilereel::stage::request_rows_test {
namespace {

constexpr std::array kGenerations = {"1.0", "1.1", "1.2", "1.3", "2.0", "3.0", "5.2", "9.0"};

void expect_shows_what_is_counted(const WarpAccess& access, const Generation& generation) {
    const RequestCost cost = cost_of(access, generation);
    const std::vector<RequestRow> rows = request_rows(access, generation.global);
    std::uint32_t boxes = 0, bytes = 0, words = 0;
    for (const RequestRow& row : rows) {
        ASSERT_FALSE(row.boxes.empty());
        for (const RequestBox& box : row.boxes) {
            ++boxes;
            bytes += box.bytes;
            words += static_cast<std::uint32_t>(std::popcount(box.words));
            ASSERT_EQ(box.begin % box.bytes, 0u) << "an aligned segment";
            ASSERT_LE(box.begin + box.bytes, kRowBytes);
            const std::uint64_t inside = ((std::uint64_t{1} << box.bytes / 4) - 1) << box.begin / 4;
            ASSERT_EQ(box.words & ~inside, 0u) << "words outside their transaction";
        }
    }
    EXPECT_EQ(boxes, cost.transactions);
    EXPECT_EQ(bytes, cost.bytes_moved);
    EXPECT_EQ(words * 4, cost.bytes_used);
    EXPECT_EQ(rows.size(), cost.lines) << "a row is a pass of the memory pipe";
}

TEST(RequestRows, ShowWhatIsCountedForEveryRequestOfTheKernels) {
    for (const char* kernel : {"01_naive_by_column", "02_naive", "03_guide_simple",
                               "07_tiled_b_uncoalesced", "08_tiled_b_transposed"}) {
        for (const int tile : {8, 16, 32}) {
            RecordRequest request;
            request.kernel = kernel;
            request.parameters = {.m = 32, .n = 32, .k = tile, .tile = tile, .pad = 0};
            const Trace trace = record_built_in(request).value();
            for (const char* id : kGenerations)
                for (std::size_t record = 0; record < trace.records.size(); ++record) {
                    const Site& site = site_at(trace, record);
                    if (site.operation != Operation::kLoad && site.operation != Operation::kStore)
                        continue;
                    if (trace.arrays[site.array].space == Space::kShared) continue;
                    SCOPED_TRACE(testing::Message() << kernel << " TILE " << tile << " on " << id);
                    ASSERT_NO_FATAL_FAILURE(expect_shows_what_is_counted(access_of(trace, record),
                                                                         *find_generation(id)));
                }
        }
    }
}

TEST(RequestRows, ShowWhatIsCountedForAnyAccess) {
    std::mt19937 random(3);
    for (int i = 0; i < 3000; ++i) {
        const WarpAccess access = random_access(random, Space::kGlobal);
        for (const char* id : kGenerations) {
            SCOPED_TRACE(testing::Message() << "access " << i << " on " << id);
            ASSERT_NO_FATAL_FAILURE(expect_shows_what_is_counted(access, *find_generation(id)));
        }
    }
}

WarpAccess load(const std::function<std::uint32_t(std::uint32_t)>& byte) {
    WarpAccess access;
    access.lanes.mask = 0xffffffff;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) access.lanes.bytes[lane] = byte(lane);
    return access;
}

struct Shape {
    const char* id;
    std::size_t rows;
    std::uint32_t first_box_bytes, last_row_first_lane;
};
void expect_shapes(const WarpAccess& access, std::initializer_list<Shape> shapes) {
    for (const Shape& shape : shapes) {
        const std::vector<RequestRow> rows =
            request_rows(access, find_generation(shape.id)->global);
        ASSERT_EQ(rows.size(), shape.rows) << shape.id;
        EXPECT_EQ(rows.front().boxes.front().bytes, shape.first_box_bytes) << shape.id;
        EXPECT_EQ(rows.back().first_lane, shape.last_row_first_lane) << shape.id;
    }
}

// 03 at TILE 16: each half-warp reads one word of A, from rows of 64 bytes. 1.0 moves 32 bytes for
// every lane, 1.3 one segment shrunk to 32 bytes a half-warp.
TEST(RequestRows, ShowAWordReadByEveryLaneOfAHalfWarp) {
    expect_shapes(load([](std::uint32_t lane) { return lane / 16 * 64; }),
                  {{"1.0", 32, 32, 16}, {"1.3", 2, 32, 16}, {"2.0", 1, 128, 0}, {"9.0", 1, 32, 0}});
}

// 02 reads a row of B in order: two half-warps of 64 bytes each, in one line.
TEST(RequestRows, ShowARowInOrder) {
    const WarpAccess access = load([](std::uint32_t lane) { return 4 * lane; });
    expect_shapes(access,
                  {{"1.0", 2, 64, 16}, {"1.3", 2, 64, 16}, {"3.0", 1, 128, 0}, {"9.0", 1, 32, 0}});
    const std::vector<RequestRow> halves = request_rows(access, find_generation("1.0")->global);
    EXPECT_EQ(halves[1].boxes[0].begin, 64u);
    EXPECT_EQ(halves[1].boxes[0].words, 0xffff0000u);
    EXPECT_EQ(request_rows(access, find_generation("9.0")->global)[0].boxes.size(), 4u);
}

// 01 reads a column of A, whose rows are 128 bytes long. On all these generations, each lane has a
// row of its own in the picture.
TEST(RequestRows, ShowAColumn) {
    expect_shapes(
        load([](std::uint32_t lane) { return 128 * lane + 4; }),
        {{"1.0", 32, 32, 16}, {"1.3", 32, 32, 16}, {"2.0", 32, 128, 0}, {"9.0", 32, 32, 0}});
}

TEST(RequestRows, SayWhyTheyHaveTheirShape) {
    const auto why = [](const WarpAccess& access, const char* id) {
        return why_transactions(access, find_generation(id)->global);
    };
    const WarpAccess in_order = load([](std::uint32_t lane) { return 4 * lane; });
    const WarpAccess one_word = load([](std::uint32_t) { return 0; });
    EXPECT_EQ(why(in_order, "1.0"), "coalesced: lane k is at word k");
    EXPECT_EQ(why(in_order, "1.3"), "coalesced: every byte moved is used");
    EXPECT_EQ(why(in_order, "9.0"), "coalesced: every byte moved is used");
    EXPECT_EQ(why(one_word, "1.0"), "lane k is not at word k: one transaction a lane");
    EXPECT_EQ(why(one_word, "1.3"),
              "segments of 128 bytes, reduced to the half or quarter that is used");
    EXPECT_EQ(why(one_word, "2.0"), "every lane wants the same word");
}

}  // namespace
}  // namespace tilereel::stage::request_rows_test

// The requests that access an element. 09 tiled: a block loads each element of its rows of A and of
// its columns of B once. The TILE threads of a row read each element of that row of A's tile from
// shared memory.
#include "app/replay/arrays/element_uses.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/ladder/ladder.h"
#include "tests/replay/kernel_script.h"

namespace tilereel::element_uses_test {
namespace {

TEST(ElementUses, AreTheRequestsThatAccessTheElement) {
    const Trace trace = trace_of("09", {16, 16, 16, 8, 0});
    const Result<Replay> replay = Replay::of_block(trace, 0);
    const auto of = [&](const char* name, std::uint32_t row, std::uint32_t column) {
        for (ArrayId id = 0; id < trace.arrays.size(); ++id) {
            const Array& array = trace.arrays[id];
            if (array.name != name) continue;
            const std::uint64_t byte =
                array.base_bytes +
                std::uint64_t{row * array.leading_dimension + column} * array.element_bytes;
            return uses_of_element(*replay, id, byte, array.element_bytes);
        }
        return std::vector<ElementUse>();
    };
    // A[3][5]: thread (5, 3) loads it in phase 0: warp 0, lane 3*8 + 5.
    const std::vector<ElementUse> a = of("A", 3, 5);
    ASSERT_EQ(a.size(), 1u);
    EXPECT_FALSE(a[0].writes);
    EXPECT_EQ(a[0].first_lane, 29u);
    EXPECT_EQ(a[0].lanes, 1u);
    EXPECT_TRUE(of("A", 8, 0).empty());  // the blocks below read it
    // As[3][5]: written in each of the two phases, and read by the 8 lanes of row 3 in each.
    const std::vector<ElementUse> shared = of("As", 3, 5);
    ASSERT_EQ(shared.size(), 4u);
    EXPECT_TRUE(shared[0].writes);
    EXPECT_FALSE(shared[1].writes);
    EXPECT_EQ(shared[1].lanes, 8u);
    EXPECT_EQ(shared[1].first_lane, 24u);
    EXPECT_EQ(uses_text(shared), "in this block read by 2 requests, written by 2 requests");
    // Bs[5][3]: read by lanes of both warps, column 3 of 4 rows each.
    const std::vector<ElementUse> column = of("Bs", 5, 3);
    ASSERT_EQ(column.size(), 6u);
    EXPECT_EQ(column[1].lanes, 4u);
    const Step& first = replay->schedule().steps[shared[0].step];
    EXPECT_EQ(next_use(*replay, shared, first.begin)->step, shared[1].step);
    const Step& last = replay->schedule().steps[shared[3].step];
    EXPECT_EQ(next_use(*replay, shared, last.begin)->step, shared[0].step);
    EXPECT_FALSE(next_use(*replay, {}, 0));
    EXPECT_EQ(use_text(*replay, a[0]),
              "lane 29 of warp 0 reads it, line 3, tick " +
                  std::to_string(replay->schedule().steps[a[0].step].begin + 1));
}

}  // namespace
}  // namespace tilereel::element_uses_test

// Rows of a matrix are told by the runs of consecutive elements that a launch accesses. The traces
// are written by hand, so the rows' length and distance are known.
#include "instrumentation/analysis/products/product_accesses.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "tests/analysis/trace_builder.h"

namespace tilereel::tests::product_accesses_test {
namespace {

struct Run {
    std::uint32_t begin, length;
};

// One block that loads the elements of `runs` of an array of `rows` by `columns` elements.
std::optional<StoredMatrix> found(const std::vector<Run>& runs, std::uint32_t rows,
                                  std::uint32_t columns) {
    TraceBuilder builder;
    const ArrayId array = builder.add_array("x", Space::kGlobal, rows, columns);
    builder.begin_segment(0, 0, 0);
    for (const auto& [begin, length] : runs)
        for (std::uint32_t at = 0; at < length; at += 32) {
            const std::uint32_t lanes = std::min(length - at, 32u);
            builder.access(
                Operation::kLoad, array,
                [&](int lane) { return 4 * (begin + at + std::uint32_t(lane)); },
                TraceBuilder::kAllLanes >> (32 - lanes));
        }
    const Trace trace = builder.take();
    return ProductAccesses(trace).runs(array);
}

std::vector<Run> equal_runs(std::uint32_t count, std::uint32_t length, std::uint32_t pitch) {
    std::vector<Run> runs;
    for (std::uint32_t i = 0; i < count; ++i) runs.push_back({i * pitch, length});
    return runs;
}

TEST(ProductAccesses, RunsOfAnyLengthAndDistanceAreRows) {
    for (const std::uint32_t length : {1u, 31u, 32u, 33u, 63u, 64u, 65u, 128u, 200u})
        for (const std::uint32_t gap : {1u, 2u, 63u, 64u, 65u, 500u})
            for (const std::uint32_t count : {2u, 3u, 17u}) {
                const std::uint32_t pitch = length + gap;
                const auto rows = found(equal_runs(count, length, pitch), count, pitch);
                ASSERT_TRUE(rows) << length << ' ' << gap << ' ' << count;
                EXPECT_EQ(*rows, (StoredMatrix{count, length, pitch, false}));
            }
}

TEST(ProductAccesses, TheLastRowMayEndWithTheArray) {
    EXPECT_EQ(found({{0, 64}, {128, 64}}, 1, 192), (StoredMatrix{2, 64, 128, false}));
    EXPECT_EQ(found({{0, 10}, {15, 10}, {30, 10}}, 1, 40), (StoredMatrix{3, 10, 15, false}));
}

TEST(ProductAccesses, UnequalRunsAreNoRows) {
    EXPECT_FALSE(found({}, 1, 1000));
    EXPECT_FALSE(found({{0, 64}}, 1, 1000));                        // a single one
    EXPECT_FALSE(found({{64, 64}, {192, 64}}, 1, 1000));            // not from element 0 on
    EXPECT_FALSE(found({{0, 64}, {128, 63}}, 1, 1000));             // one is shorter
    EXPECT_FALSE(found({{0, 64}, {128, 65}}, 1, 1000));             // one is longer
    EXPECT_FALSE(found({{0, 64}, {128, 64}, {257, 64}}, 1, 1000));  // one is farther away
}

// What is read of a file must not decide how much memory the search takes.
TEST(ProductAccesses, AnArrayCanBeFarLargerThanItsRows) {
    EXPECT_EQ(found(equal_runs(3, 40, 100), 1u << 20, 1u << 20), (StoredMatrix{3, 40, 100, false}));
}

}  // namespace
}  // namespace tilereel::tests::product_accesses_test

// Which loads of shared memory a compiler joins.
#include "instrumentation/analysis/time/joined_loads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/analysis/trace_builder.h"

namespace tilereel::joined_loads_test {
namespace {

// The loads of two warps: for each of `trips`, of the word `trip` behind what `offset` says.
std::vector<std::uint8_t> joined(const std::function<std::uint32_t(int warp, int lane)>& offset,
                                 std::uint32_t trips, bool store_between = false,
                                 AddressKind address = AddressKind::kLinear) {
    TraceBuilder builder;
    const ArrayId array = builder.add_array("As", Space::kShared, 64, 64);
    for (std::uint16_t warp = 0; warp < 2; ++warp) {
        builder.begin_segment(0, 0, warp);
        for (std::uint32_t trip = 0; trip < trips; ++trip) {
            builder.access(Operation::kLoad, array,
                           [&](int lane) { return offset(warp, lane) + 4 * trip; });
            builder.multiply_add();
            if (store_between && trip == 0)
                builder.access(Operation::kStore, array,
                               [](int lane) { return static_cast<std::uint32_t>(4 * lane); });
        }
    }
    Trace trace = builder.take();
    for (Site& site : trace.sites) site.address = address;
    write_patterns_once(trace);
    std::vector<std::uint64_t> records(trace.segments.record_begin[1]);
    std::iota(records.begin(), records.end(), 0);
    const std::vector<std::uint8_t> words =
        join_loads(trace, records, words_allowed(trace, {0, 2}));
    std::vector<std::uint8_t> loads;
    for (const std::uint64_t record : records)
        if (site_at(trace, record).operation == Operation::kLoad) loads.push_back(words[record]);
    return loads;
}
using Words = std::vector<std::uint8_t>;

TEST(JoinedLoads, FourWordsOfARowAreOneLoad) {
    const auto row = [](int, int lane) { return static_cast<std::uint32_t>(64 * lane); };
    EXPECT_EQ(joined(row, 8), (Words{4, 0, 0, 0, 4, 0, 0, 0}));
    EXPECT_EQ(joined(row, 6), (Words{4, 0, 0, 0, 2, 0}));
    EXPECT_EQ(joined(row, 3), (Words{2, 0, 1}));
}

// As[(i + turn) % 64]: a compiler does not know that the next word is the neighbour.
TEST(JoinedLoads, AComputedAddressIsNotJoined) {
    const auto row = [](int, int lane) { return static_cast<std::uint32_t>(64 * lane); };
    EXPECT_EQ(joined(row, 4, false, AddressKind::kComputed), (Words{1, 1, 1, 1}));
    EXPECT_EQ(joined(row, 4, false, AddressKind::kLoaded), (Words{1, 1, 1, 1}));
}

TEST(JoinedLoads, AWordOfPaddingEndsIt) {
    const auto row = [](int, int lane) { return static_cast<std::uint32_t>(68 * lane); };
    EXPECT_EQ(joined(row, 4), (Words{1, 1, 1, 1}));
    const auto two_words = [](int, int lane) { return static_cast<std::uint32_t>(72 * lane); };
    EXPECT_EQ(joined(two_words, 4), (Words{2, 0, 2, 0}));
}

TEST(JoinedLoads, AllWarpsHaveToBeAligned) {
    const auto row_of_warp = [](int warp, int) { return static_cast<std::uint32_t>(132 * warp); };
    EXPECT_EQ(joined(row_of_warp, 4), (Words{1, 1, 1, 1}));
    const auto aligned = [](int warp, int) { return static_cast<std::uint32_t>(128 * warp); };
    EXPECT_EQ(joined(aligned, 4), (Words{4, 0, 0, 0}));
}

TEST(JoinedLoads, AStoreToSharedMemoryIsBetween) {
    const auto row = [](int, int lane) { return static_cast<std::uint32_t>(64 * lane); };
    EXPECT_EQ(joined(row, 5, true), (Words{1, 1, 2, 0, 1}));
}

}  // namespace
}  // namespace tilereel::joined_loads_test

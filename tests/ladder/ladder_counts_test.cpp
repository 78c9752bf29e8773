// Compares the counts of each line of each kernel of the ladder with ladder_counts.csv.
// tests/README.md says where the table comes from.
#include <gtest/gtest.h>

#include <string>

#include "app/ladder/ladder.h"
#include "kernels/catalog.h"
#include "tests/ladder/ladder_table.h"

namespace tilereel::ladder_counts_test {
namespace {

RecordRequest request_of(const KernelInfo& kernel, const KernelParameters& p) {
    RecordRequest request;
    request.kernel = kernel.id;
    request.parameters = p;
    return request;
}

// Compares every `every`th TILE and PAD of each kernel.
void compare(std::size_t every) {
    const LadderTable table = read_ladder_table();
    std::size_t compared = 0;
    for (const KernelInfo& kernel : catalog()) {
        if (!has_rows(table, kernel)) continue;
        std::size_t number = 0;
        for (const int tile : kernel.tiles)
            for (const int pad : kernel.pads) {
                const KernelParameters p = size_in_table(kernel, tile, pad);
                const auto expected = table.find(key_of(kernel, p));
                ASSERT_NE(expected, table.end()) << key_of(kernel, p);
                if (number++ % every != 0) continue;
                const Result<Trace> trace = record_built_in(request_of(kernel, p));
                ASSERT_TRUE(trace) << trace.error().message;
                EXPECT_EQ(trace->wrong_elements, 0u) << key_of(kernel, p);
                EXPECT_EQ(rows_of(*trace), expected->second) << key_of(kernel, p);
                ++compared;
            }
    }
    EXPECT_GE(compared, 22u);  // kernels
}

TEST(LadderCounts, OfSampledTilesAndPadsAreThoseOfTheTable) { compare(7); }

// On request: ctest -C all -L oracle-all
TEST(LadderCounts, DISABLED_OfEveryTileAndPadAreThoseOfTheTable) { compare(1); }

}  // namespace
}  // namespace tilereel::ladder_counts_test

// The table of estimated and measured times as the window reads it, against the table read another
// way.
#include "app/workbench/tables/checked_times.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "instrumentation/analysis/time/time_estimate.h"
#include "tests/hardware/csv_rows.h"

namespace tilereel::checked_times_test {
namespace {

double factor_of(const CsvRow& row) {
    const double ratio = std::stod(row.at("estimated_us")) / std::stod(row.at("measured_us"));
    return std::max(ratio, 1 / ratio);
}

TEST(CheckedTimes, ErrorsAreThoseOfTheTable) {
    for (const bool of_ladder : {true, false}) {
        std::size_t all = 0, inside = 0;
        double product = 0, worst = 1;
        for (const CsvRow& row : read_rows("estimate.csv")) {
            if ((row.at("gpu") == "H100") != of_ladder || row.at("kind") != "about") continue;
            ++all;
            inside += factor_of(row) <= (of_ladder ? kBandOfProducts : kBandOfOthers) ? 1u : 0u;
            product += std::log2(factor_of(row));
            worst = std::max(worst, factor_of(row));
        }
        const EstimateErrors& errors = estimate_errors(of_ladder);
        EXPECT_EQ(errors.all, all);
        EXPECT_EQ(errors.inside, inside);
        EXPECT_NEAR(errors.typical, std::exp2(product / static_cast<double>(all)), 1e-9);
        EXPECT_NEAR(errors.worst, worst, 1e-9);
    }
    EXPECT_GT(estimate_errors(true).faster_named, 0.94);
}

TEST(CheckedTimes, FindsALaunchByItsParameters) {
    const CheckedTime* const found =
        find_checked("01_naive_by_column", {.m = 2048, .n = 2048, .k = 2048, .tile = 16});
    ASSERT_NE(found, nullptr);
    EXPECT_NEAR(found->measured, 17.55e-3, 1e-9);
    EXPECT_NEAR(found->estimated, 17.48e-3, 1e-9);
    EXPECT_EQ(find_checked("01_naive_by_column", {.m = 2048, .n = 2048, .k = 1024, .tile = 16}),
              nullptr);
}

}  // namespace
}  // namespace tilereel::checked_times_test

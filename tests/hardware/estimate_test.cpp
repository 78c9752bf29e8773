// The table of estimated and measured times: that it is true of today's estimates, and that what
// the program says of its own error holds in it.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <set>

#include "app/ladder/sample/time_sample.h"
#include "app/workbench/tables/registers.h"
#include "tests/hardware/csv_rows.h"

namespace tilereel::estimate_test {
namespace {

double number(const CsvRow& row, const char* column) { return std::stod(row.at(column)); }
double factor(const CsvRow& row) {
    return std::exp(std::abs(std::log(number(row, "estimated_us") / number(row, "measured_us"))));
}
bool is_product(const CsvRow& row) { return row.at("gpu") == "H100"; }

double share_within(const std::vector<CsvRow>& rows, bool products, double band) {
    std::size_t inside = 0, all = 0;
    for (const CsvRow& row : rows) {
        if (is_product(row) != products || row.at("kind") != "about") continue;
        ++all;
        inside += factor(row) <= band ? 1 : 0;
    }
    EXPECT_GT(all, 10u);
    return static_cast<double>(inside) / static_cast<double>(all);
}

// One size for each kernel, TILE and PAD: all of them would take a minute.
TEST(Estimate, IsThatOfTheTable) {
    std::set<std::string> seen;
    std::size_t compared = 0;
    for (const CsvRow& row : read_rows("estimate.csv")) {
        if (row.at("from") != "h100_ladder") continue;
        const std::string variant = row.at("launch") + row.at("tile") + "+" + row.at("pad");
        const int size = static_cast<int>(number(row, "m"));
        // 512, 1024 and 2048 by turns.
        if (seen.contains(variant) || size != 512 << seen.size() % 3) continue;
        seen.insert(variant);
        RecordRequest request;
        request.kernel = row.at("launch");
        request.parameters = {.m = size,
                              .n = size,
                              .k = size,
                              .tile = static_cast<int>(number(row, "tile")),
                              .pad = static_cast<int>(number(row, "pad"))};
        const GpuModel& gpu = *find_gpu_model("h100");
        const auto sample = sample_for_time(
            request,
            registers_of(request.kernel, request.parameters.tile, request.parameters.pad).a_thread,
            &gpu);
        ASSERT_TRUE(sample) << sample.error().message;
        const auto found = estimate_time(sample->launch(true), gpu);
        ASSERT_TRUE(found) << found.error().message;
        EXPECT_NEAR(found->seconds * 1e6 / number(row, "estimated_us"), 1, 0.02) << variant;
        EXPECT_EQ(found->kind == EstimateKind::kAbout ? "about" : "at least", row.at("kind"))
            << variant;
        if (found->kind == EstimateKind::kAbout) {
            EXPECT_NEAR(found->high / found->seconds, kBandOfProducts, 1e-9);
            EXPECT_NEAR(found->seconds / found->low, kBandOfProducts, 1e-9);
        }
        ++compared;
    }
    EXPECT_EQ(compared, 25u);
}

TEST(Estimate, NineOfTenLieInTheBandThatIsShown) {
    const std::vector<CsvRow> rows = read_rows("estimate.csv");
    EXPECT_GE(share_within(rows, true, kBandOfProducts), 0.9);
    EXPECT_GE(share_within(rows, false, kBandOfOthers), 0.8);
}

// What is called a bound is one: the launch took longer, but for what the clocks of a race vary.
TEST(Estimate, ABoundIsNotAboveTheMeasurement) {
    for (const CsvRow& row : read_rows("estimate.csv")) {
        if (row.at("kind") != "at least") continue;
        EXPECT_LE(number(row, "estimated_us"), 1.05 * number(row, "measured_us"))
            << row.at("launch") << " " << row.at("m");
    }
}

TEST(Estimate, ChoosesTheFasterOfTwo) {
    const std::vector<CsvRow> rows = read_rows("estimate.csv");
    std::size_t pairs = 0, right = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const CsvRow &a = rows[i], &b = rows[j];
            if (!is_product(a) || a.at("kind") != "about" || b.at("kind") != "about") continue;
            if (a.at("from") != b.at("from") || a.at("m") != b.at("m") || a.at("n") != b.at("n") ||
                a.at("k") != b.at("k"))
                continue;
            const double measured = number(a, "measured_us") / number(b, "measured_us");
            if (std::abs(std::log(measured)) < std::log(1.1)) continue;
            ++pairs;
            right += (measured < 1) == (number(a, "estimated_us") < number(b, "estimated_us"));
        }
    EXPECT_GT(pairs, 1000u);
    EXPECT_GE(static_cast<double>(right), 0.94 * static_cast<double>(pairs));
}

}  // namespace
}  // namespace tilereel::estimate_test

// How busy the pipes are: the estimates of pipes.csv beside what Nsight Compute counted on a GPU.
// The floors are what holds today; pipes.py prints every miss.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "instrumentation/analysis/time/time_estimate.h"
#include "tests/hardware/csv_rows.h"

namespace tilereel::pipes_test {
namespace {

double number(const CsvRow& row, const std::string& column) { return std::stod(row.at(column)); }

std::vector<CsvRow> rows_of(const std::string& set) {
    std::vector<CsvRow> rows = read_rows("pipes.csv");
    std::erase_if(rows, [&](const CsvRow& row) { return row.at("set") != set; });
    return rows;
}

struct Agreement {
    std::size_t launches = 0, about = 0, close = 0, in_band = 0, limiters = 0, dram = 0;
    double hits_off = 0, l2_hits_off = 0;  // points of the hit rates, on average
};

Agreement agreement_of(const std::string& set, double band) {
    Agreement found;
    std::size_t with_loads = 0, with_l2 = 0;
    for (const CsvRow& row : rows_of(set)) {
        ++found.launches;
        found.limiters += row.at("limiter") == row.at("busiest") ? 1u : 0u;
        const double counted = number(row, "DRAM MB counted"), most = 1.15;
        const double bytes = number(row, "DRAM MB estimated") / std::max(counted, 1e-9);
        found.dram += bytes <= most && bytes >= 1 / most ? 1u : 0u;
        if (row.at("kind") != "about") continue;
        ++found.about;
        const double off =
            std::abs(std::log(number(row, "estimated_us") / number(row, "measured_us")));
        found.close += off <= std::log(1.25) ? 1u : 0u;
        found.in_band += off <= std::log(band) ? 1u : 0u;
        if (!row.at("L2 hits estimated").empty()) {
            ++with_l2;  // Nsight Compute shows up to 103 %
            found.l2_hits_off += std::abs(number(row, "L2 hits estimated") -
                                          std::min(100.0, number(row, "L2 hits counted")));
        }
        if (row.at("L1 hits counted").empty()) continue;
        ++with_loads;
        found.hits_off +=
            std::abs(number(row, "L1 hits estimated") - number(row, "L1 hits counted"));
    }
    found.hits_off /= static_cast<double>(std::max<std::size_t>(with_loads, 1));
    found.l2_hits_off /= static_cast<double>(std::max<std::size_t>(with_l2, 1));
    return found;
}

TEST(Pipes, ProductsAreLimitedByThePipeThatNsightComputeShowsBusiest) {
    const Agreement found = agreement_of("products", kBandOfProducts);
    EXPECT_EQ(found.launches, 50u);
    EXPECT_GE(found.about, 50u);
    EXPECT_GE(found.limiters, 49u);
    EXPECT_GE(found.close, 47u);
    EXPECT_GE(found.in_band, 47u);
    EXPECT_LE(found.hits_off, 5);
    EXPECT_LE(found.l2_hits_off, 9.5);
    EXPECT_GE(found.dram, 41u);
}

// Constants and rules were chosen by these.
TEST(Pipes, LaunchesThatWereSeen) {
    const Agreement found = agreement_of("seen", kBandOfOthers);
    EXPECT_EQ(found.launches, 32u);
    EXPECT_GE(found.about, 31u);
    EXPECT_GE(found.limiters, 24u);
    EXPECT_GE(found.close, 24u);
    EXPECT_GE(found.in_band, 29u);
    EXPECT_LE(found.hits_off, 3.5);
    EXPECT_LE(found.l2_hits_off, 8);
    EXPECT_GE(found.dram, 27u);
}

// By these no constant was chosen, but some rules were written after they were measured.
TEST(Pipes, LaunchesThatWereSetAside) {
    const Agreement found = agreement_of("aside", kBandOfOthers);
    EXPECT_EQ(found.launches, 38u);
    EXPECT_GE(found.about, 37u);
    EXPECT_GE(found.limiters, 26u);
    EXPECT_GE(found.close, 28u);
    EXPECT_GE(found.in_band, 36u);
    EXPECT_LE(found.hits_off, 4);
    EXPECT_LE(found.l2_hits_off, 7);
    EXPECT_GE(found.dram, 30u);
}

// These and the next were measured before anybody had estimated them. README.md says how far off
// the model was when it met them first; since then they are known.
TEST(Pipes, LaunchesThatNobodyHadSeen) {
    const Agreement found = agreement_of("fresh", kBandOfOthers);
    EXPECT_EQ(found.launches, 34u);
    EXPECT_GE(found.about, 33u);
    EXPECT_GE(found.limiters, 24u);
    EXPECT_GE(found.close, 28u);
    EXPECT_GE(found.in_band, 33u);
    EXPECT_LE(found.hits_off, 3);
    EXPECT_LE(found.l2_hits_off, 3.5);
    EXPECT_GE(found.dram, 27u);
}

TEST(Pipes, LaunchesOfCoursesThatNobodyHadSeen) {
    const Agreement found = agreement_of("blind", kBandOfOthers);
    EXPECT_EQ(found.launches, 67u);
    EXPECT_GE(found.about, 67u);
    EXPECT_GE(found.limiters, 52u);
    EXPECT_GE(found.close, 47u);
    EXPECT_GE(found.in_band, 66u);
    EXPECT_LE(found.hits_off, 3);
    EXPECT_LE(found.l2_hits_off, 5);
    EXPECT_GE(found.dram, 50u);
}

TEST(Pipes, LaunchesOfHomework) {
    const Agreement found = agreement_of("homework", kBandOfOthers);
    EXPECT_EQ(found.launches, 31u);
    EXPECT_GE(found.about, 31u);
    EXPECT_GE(found.limiters, 28u);
    EXPECT_GE(found.close, 19u);
    EXPECT_GE(found.in_band, 30u);
    EXPECT_LE(found.hits_off, 7);
    EXPECT_LE(found.l2_hits_off, 9.5);
    EXPECT_GE(found.dram, 27u);
}

TEST(Pipes, LaunchesOfCoursework) {
    const Agreement found = agreement_of("coursework", kBandOfOthers);
    EXPECT_EQ(found.launches, 80u);
    EXPECT_GE(found.about, 79u);
    EXPECT_GE(found.limiters, 58u);
    EXPECT_GE(found.close, 47u);
    EXPECT_GE(found.in_band, 71u);
    EXPECT_LE(found.hits_off, 3);
    EXPECT_LE(found.l2_hits_off, 8.5);
    EXPECT_GE(found.dram, 62u);
}

// No pipe is busier than it can be, but for what a step more in a block is thought to cost.
TEST(Pipes, NoneIsMuchBusierThanAllTheTime) {
    for (const CsvRow& row : read_rows("pipes.csv"))
        for (const char* const pipe : {"memory pipe", "FMA pipe", "issue slots", "L2", "DRAM"})
            EXPECT_LE(number(row, pipe + std::string(" estimated")), 105)
                << row.at("launch") << " " << pipe;
}

}  // namespace
}  // namespace tilereel::pipes_test

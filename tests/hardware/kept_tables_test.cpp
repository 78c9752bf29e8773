// Compares the tables measured on a GPU with today's recorder and analysis, so that a change that
// breaks the agreement with the hardware also fails on a machine without a GPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "app/ladder/ladder.h"
#include "app/workbench/tables/as_compiled.h"
#include "instrumentation/analysis/cost/counters.h"
#include "kernels/facts.h"
#include "tests/hardware/cases.h"
#include "tests/hardware/csv_rows.h"

namespace tilereel::kept_tables_test {
namespace {

using Row = CsvRow;

RecordRequest request_of(const Row& row) {
    const auto number = [&](const char* column) { return std::stoi(row.at(column)); };
    RecordRequest request;
    request.kernel = row.at("kernel");
    request.parameters = {.m = number("m"),
                          .n = number("n"),
                          .k = number("k"),
                          .tile = number("tile"),
                          .pad = number("pad")};
    return request;
}

std::string launch_of(const Row& row) {
    std::string text;
    for (const char* column : {"kernel", "tile", "pad", "m", "n", "k"})
        text += row.at(column) + " ";
    return text;
}

// In the order of CompiledCounter.
CompiledCounts counts_of(const Trace& trace) {
    const KernelCounts c = count_warps(trace);
    return {c.shared_load.requests,  c.shared_load.wavefronts,  c.shared_load.bank_conflicts,
            c.shared_store.requests, c.shared_store.wavefronts, c.shared_store.bank_conflicts,
            c.global_load.requests,  c.global_load.sectors,     c.global_store.requests,
            c.global_store.sectors};
}

void expect_counts(const Row& row, const CompiledCounts& today) {
    EXPECT_EQ(row.at("differs"), "") << launch_of(row);
    for (std::size_t i = 0; i < kCompiledCounters; ++i) {
        const std::string key(key_of(static_cast<CompiledCounter>(i)));
        EXPECT_EQ(row.at(key + "_counted"), std::to_string(today[i])) << launch_of(row) << key;
    }
}

// A launch is recorded once for all tables.
TEST(KeptTables, CurrentRecordsAndCountsEqualThoseOfTheGpu) {
    std::map<std::string, Row> as_written;
    for (const Row& row : read_rows("as_written.csv")) as_written[launch_of(row)] = row;
    const std::vector<Row> recorder = read_rows("recorder.csv");
    constexpr std::size_t kFewest = 180;  // every kernel, TILE and PAD, and more shapes
    ASSERT_GE(recorder.size(), kFewest);
    EXPECT_EQ(recorder.size(), as_written.size());
    for (const Row& row : recorder) {
        EXPECT_EQ(row.at("difference"), "none") << launch_of(row);
        const RecordRequest request = request_of(row);
        const Result<Trace> trace = record_built_in(request);
        ASSERT_TRUE(trace.has_value()) << launch_of(row) << trace.error().message;
        EXPECT_EQ(row.at("records"), std::to_string(trace->records.size())) << launch_of(row);
        EXPECT_EQ(row.at("accesses"), std::to_string(access_count(*trace))) << launch_of(row);
        ASSERT_TRUE(as_written.contains(launch_of(row))) << launch_of(row);
        const CompiledCounts today = counts_of(*trace);
        expect_counts(as_written[launch_of(row)], today);
        const AsCompiledRow* compiled =
            as_compiled_table().find(request.kernel, request.parameters);
        ASSERT_NE(compiled, nullptr) << launch_of(row);
        EXPECT_EQ(compiled->written, today) << launch_of(row);
    }
}

TEST(KeptTables, ContainEveryKernel) {
    const std::vector<Row> rows = read_rows("as_written.csv");
    for (const KernelInfo& kernel : catalog())
        for (const int tile : kernel.on_cpu ? std::span<const int>() : kernel.tiles)
            for (const int pad : kernel.pads)
                EXPECT_TRUE(std::ranges::any_of(rows,
                                                [&](const Row& row) {
                                                    return row.at("kernel") == kernel.id &&
                                                           row.at("tile") == std::to_string(tile) &&
                                                           row.at("pad") == std::to_string(pad);
                                                }))
                    << kernel.id << " TILE " << tile << " PAD " << pad;
}

// Faster than cuBLAS (pedantic FP32), interleaved in one process; small sizes 20 launches back to
// back.
TEST(KeptTables, TheChampionIsFasterThanCublas) {
    const std::vector<Row> rows = read_rows("champion.csv");
    EXPECT_EQ(rows.size(), 16u);
    for (const Row& row : rows) {
        const int m = std::stoi(row.at("m"));
        const bool cube = row.at("m") == row.at("n") && row.at("n") == row.at("k");
        const bool large = cube && (m == 1024 || m == 2048 || m == 4096 || m == 8192);
        const std::string size = row.at("m") + "x" + row.at("n") + "x" + row.at("k");
        EXPECT_EQ(row.at("verified"), "yes") << size;
        EXPECT_GE(std::stod(row.at("ratio_back_to_back")), large ? 1.05 : 1.0) << size;
        EXPECT_GE(std::stod(row.at("ratio")), 1.0) << size;
    }
}

// The gain of each idea as stated in 20_champion's header and in the facts about registers.
TEST(KeptTables, TheChampionsHeaderStatesTheMeasuredGains) {
    const std::vector<Row> rows = read_rows("champion_steps.csv");
    ASSERT_EQ(rows.size(), 32u);  // two sizes, 14 variants, the kernel itself, cuBLAS
    // The header as one line
    std::ifstream words(TILEREEL_SOURCE_DIR "/kernels/cuda/champion/champion_bulk.cuh");
    std::string header;
    for (std::string word; words >> word && word != "#include";)
        if (word != "//") header += word + " ";
    std::map<std::string, double> tflops;
    for (const Row& row : rows) {
        const std::string& variant = row.at("variant");
        EXPECT_EQ(row.at("verified"), "yes") << variant;
        const double n = std::stod(row.at("n")), gflops = std::stod(row.at("gflops"));
        EXPECT_NEAR(2 * n * n * n / std::stod(row.at("us")) / 1e3, gflops, 1e-4 * gflops);
        const bool ours = variant != "cuBLAS";
        // No variant is faster than the whole kernel, but for noise.
        EXPECT_LE(std::stod(row.at("of_whole")), ours ? 1.002 : 1) << variant;
        if (n != 8192) continue;
        tflops[variant] = gflops / 1e3;
        std::string figure = row.at("gflops");
        figure.insert(2, 1, ',');  // 55,446
        const std::string before = variant == "as it is" ? "the file as it is reaches "
                                   : variant == "cuBLAS" ? "and cuBLAS "
                                                         : variant + ": ";
        figure = before + figure;
        EXPECT_NE(header.find(figure), std::string::npos) << figure;
    }
    tflops["serpentine"] = tflops["as it is"];
    const std::vector<Fact> facts = facts_about("20_champion", 32);
    const auto order = std::ranges::find(facts, "multiply_add_order", &Fact::id);
    ASSERT_NE(order, facts.end());
    EXPECT_EQ(order->figures.size(), 4u);
    for (const FactFigure& figure : order->figures)
        EXPECT_NEAR(tflops[std::string(figure.name)], figure.value, 0.05) << figure.name;
}

// Each rung is at least as fast as the one before. 17_swizzled is not: its file says why.
TEST(KeptTables, EachRungIsAtLeastAsFastAsThePreviousOne) {
    double before = 0;
    int rungs = 0;
    for (const Row& row : read_rows("upper_ladder.csv")) {
        if (row.at("n") != "4096" || row.at("kernel") == "cublas") continue;
        const double gflops = std::stod(row.at("gflops"));
        EXPECT_GE(gflops, row.at("kernel") == "17_swizzled" ? 0.99 * before : before)
            << row.at("kernel");
        before = gflops;
        ++rungs;
    }
    EXPECT_EQ(rungs, 8);  // 09, 14 to 20
}

TEST(KeptTables, RecordingIsFastAndTheSanitizerFoundNoError) {
    const std::vector<Row> speeds = read_rows("speed.csv");
    ASSERT_FALSE(speeds.empty());
    for (const Row& row : speeds) EXPECT_GE(std::stod(row.at("gpu_gaccesses_s")), 1.0);
    const std::vector<Row> checks = read_rows("sanitizer.csv");
    // As written, as compiled, while recorded, and 20 as it races; four tools
    EXPECT_EQ(checks.size(), 16u);
    for (const Row& row : checks) EXPECT_EQ(row.at("errors"), "0") << row.at("tool");
}

// compute-sanitizer runs all variants of 20_champion, with rows of any alignment.
TEST(KeptTables, SmallLaunchesOfTheChampionCoverEveryConfiguration) {
    const std::vector<hardware::ChampionCase> cases = hardware::champion_cases();
    for (const hardware::ChampionCase& each : cases)
        EXPECT_TRUE(expected_time(each.size, each.choice, 132).has_value());
    for (int config = 0; config < static_cast<int>(champion_configs().size()); ++config) {
        const ChampionConfig& of = champion_configs()[static_cast<std::size_t>(config)];
        const std::string_view name = of.name;
        const auto has = [&](auto what) {
            return std::ranges::any_of(cases, [&](const hardware::ChampionCase& each) {
                return each.choice.config == config && what(each.choice, each);
            });
        };
        using Choice = const ChampionChoice&;
        using Case = const hardware::ChampionCase&;
        EXPECT_TRUE(has([](Choice c, Case) { return c.cluster * c.rounds == 1; })) << name;
        EXPECT_TRUE(has([](Choice c, Case) { return c.cluster > 1 && c.rounds > 1; })) << name;
        EXPECT_EQ(has([](Choice c, Case) { return c.stream_k; }),
                  of.kernel == ChampionKernel::kBulk);
        EXPECT_TRUE(has([](Choice, Case each) { return each.offset > 0; })) << name;
        EXPECT_TRUE(has([](Choice, Case each) { return each.size.k % 4 > 0; })) << name;
        EXPECT_TRUE(has([](Choice, Case each) { return each.size.n % 4 > 0; })) << name;
    }
}

}  // namespace
}  // namespace tilereel::kept_tables_test

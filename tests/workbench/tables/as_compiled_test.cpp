// The table of compiled kernels: what is read, and what it explains.
#include "app/workbench/tables/as_compiled.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/ladder/ladder.h"
#include "app/workbench/tables/tables_text.h"

namespace tilereel::as_compiled_test {
namespace {

std::string line_of(const std::string& launch, const CompiledCounts& written,
                    const CompiledCounts& compiled) {
    std::string line = launch;
    for (const CompiledCounts* counts : {&written, &compiled})
        for (const std::uint64_t count : *counts) {
            line += ',';
            line += std::to_string(count);
        }
    return line + ",Some GPU,1.2,13.0,2026-01-02\n";
}

std::string header() {
    const std::string_view text = as_compiled_text();
    return std::string(text.substr(0, text.find('\n') + 1));
}

TEST(AsCompiledTable, TheOneThatShipsIsSound) {
    const Result<AsCompiledTable> table = read_as_compiled(as_compiled_text());
    ASSERT_TRUE(table.has_value()) << table.error().message;
    for (const AsCompiledRow& row : table->rows) EXPECT_FALSE(row.gpu.empty()) << row.kernel;
    for (const KernelInfo& kernel : catalog())
        for (const int tile : kernel.on_cpu ? std::span<const int>() : kernel.tiles)
            EXPECT_TRUE(std::ranges::any_of(table->rows,
                                            [&](const AsCompiledRow& row) {
                                                return row.kernel == kernel.id &&
                                                       row.parameters.tile == tile;
                                            }))
                << kernel.id << " TILE " << tile;
}

TEST(AsCompiledTable, EachMistakeIsReportedWithItsLine) {
    const std::string good = line_of("09_tiled,4,0,16,16,16", {1, 2}, {3, 4});
    ASSERT_TRUE(read_as_compiled(header() + good).has_value());
    const Result<AsCompiledTable> table = read_as_compiled(header() + good);
    EXPECT_EQ(table->rows.front().written[1], 2u);
    EXPECT_EQ(table->rows.front().compiled[0], 3u);
    EXPECT_EQ(table->rows.front().toolkit, "13.0");
    std::string not_a_number = line_of("02_naive,4,0,16,16,16", {}, {});
    not_a_number[60] = '?';
    for (const std::string& bad :
         {line_of("99_none,4,0,16,16,16", {}, {}), line_of("09_tiled,4,0,16,16,x", {}, {}),
          line_of("09_tiled,4,0,16,16,-16", {}, {}), line_of("09_tiled,4,0,16,16", {}, {}), good,
          std::string("\n"), good.substr(0, good.size() - 12), not_a_number}) {
        const Result<AsCompiledTable> read = read_as_compiled(header() + good + bad);
        ASSERT_FALSE(read.has_value()) << bad;
        EXPECT_NE(read.error().message.find("line 3"), std::string::npos) << bad;
    }
    EXPECT_FALSE(read_as_compiled("").has_value());
    EXPECT_FALSE(read_as_compiled("kernel,tile\n").has_value());
    // Each kernel was measured on one GPU.
    for (const auto& [kernel, reads] : {std::pair{"02_naive", true}, {"09_tiled", false}}) {
        std::string elsewhere = line_of(std::string(kernel) + ",8,0,16,16,16", {}, {});
        elsewhere.replace(elsewhere.find("Some"), 4, "Else");
        EXPECT_EQ(read_as_compiled(header() + good + elsewhere).has_value(), reads) << kernel;
    }
}

// The explanation of a table's row for a 64 x 64 x 64 product. `written`: the row's first two
// counts as written. `compiled`: its first count as compiled.
AsCompiled explained(const std::string& kernel, int tile, int pad, std::uint64_t written,
                     std::uint64_t compiled) {
    RecordRequest request;
    request.kernel = kernel;
    request.parameters = {.m = 64, .n = 64, .k = 64, .tile = tile, .pad = pad};
    const Trace trace = record_built_in(request).value();
    static AsCompiledTable table;  // static because the result points to its row
    const std::string launch =
        kernel + "," + std::to_string(tile) + "," + std::to_string(pad) + ",64,64,64";
    table = read_as_compiled(header() + line_of(launch, {written, written}, {compiled, written}))
                .value();
    return as_compiled(trace, count_sites(trace), table);
}

TEST(AsCompiled, SaysWhatARecordingOnAGpuLacks) {
    Trace trace;
    trace.recorded_by = {"gpu", "NVIDIA H200", "580.1", "nvcc 13.0"};
    EXPECT_EQ(as_compiled(trace, {}, {}).sentences.size(), 1u);
    trace.recorded_by.accesses_only = true;
    const AsCompiled said = as_compiled(trace, {}, {});
    ASSERT_EQ(said.sentences.size(), 2u);
    EXPECT_NE(said.sentences[1].find("no shuffles, votes or values of variables"),
              std::string::npos);
}

// A trace that another program has written: its kernel is none of the ladder.
TEST(AsCompiled, SaysNothingOfMeasurementsOfAKernelThatIsNotOfTheLadder) {
    Trace trace;
    trace.launch.kernel = "column";
    trace.recorded_by.recorder = "another";
    const AsCompiled said = as_compiled(trace, {}, {});
    ASSERT_EQ(said.sentences.size(), 1u);
    EXPECT_EQ(said.sentences[0].find("measured"), std::string::npos) << said.sentences[0];
}

// 09 and 08 make 8,192 read requests of As and 8,192 of Bs. A thread reads neighbouring words for
// successive k: in 09 only in As, in 08 in both. PAD lengthens the rows of As and Bs in 09, and
// only those of Bs in 08. Rows of 32 floats are aligned to 16 bytes, rows of 34 only to 8.
TEST(AsCompiled, SaysWhatWasMerged) {
    const auto first = [](const AsCompiled& said) { return said.sentences.front(); };
    EXPECT_EQ(first(explained("09_tiled", 32, 0, 16384, 10240)),
              "The compiler merged 4 reads of As into one 16-byte load.");
    EXPECT_EQ(first(explained("09_tiled", 32, 2, 16384, 12288)),
              "The compiler merged 2 reads of As into one 8-byte load.");
    EXPECT_EQ(first(explained("08_tiled_b_transposed", 32, 0, 16384, 4096)),
              "The compiler merged 4 reads of As into one 16-byte load, and 4 of Bs into one "
              "16-byte load.");
    EXPECT_EQ(first(explained("08_tiled_b_transposed", 32, 2, 16384, 6144)),
              "The compiler merged 4 reads of As into one 16-byte load, and 2 of Bs into one "
              "8-byte load.");
    EXPECT_EQ(first(explained("09_tiled", 32, 0, 16384, 10000)),
              "The compiler merged neighbouring reads of As into wider loads where they are "
              "aligned: 10,000 requests do the work of 16,384.");
    EXPECT_EQ(first(explained("09_tiled", 32, 0, 16384, 20000)),
              "The compiled code makes 20,000 shared load requests where the source has 16,384.");
    EXPECT_EQ(first(explained("09_tiled", 32, 0, 16384, 16384)),
              "The compiler left every access as it is written.");
}

TEST(AsCompiled, ALaunchThatWasNotMeasuredNamesTheMeasuredOnes) {
    RecordRequest request;
    request.kernel = "09_tiled";
    request.parameters = {.m = 8, .n = 8, .k = 8, .tile = 4, .pad = 0};
    const Trace trace = record_built_in(request).value();
    const AsCompiledTable table =
        read_as_compiled(header() + line_of("09_tiled,4,0,16,16,16", {}, {})).value();
    const AsCompiled said = as_compiled(trace, count_sites(trace), table);
    EXPECT_EQ(said.row, nullptr);
    EXPECT_EQ(said.sentences.front(),
              "The compiled kernel was not measured at 8x8x8, but at 16x16x16.");
}

}  // namespace
}  // namespace tilereel::as_compiled_test

// What each line of each kernel of the ladder does, against a table (ladder_counts.csv) that
// another recorder of the same kernels has written: the emulator of the dialect.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "instrumentation/analysis/counters.h"
#include "instrumentation/plain/ladder.h"
#include "kernels/catalog.h"
#include "tests/plain/ladder_sizes.h"

namespace tilereel::plain {
namespace {

constexpr const char* kColumns =
    "kernel,tile,pad,m,n,k,line,operation,array,accesses,requests,sectors,lines,bytes_requested,"
    "bytes_moved,bytes_used,wavefronts,bank_conflicts,multiply_adds";

// Where A and B have rows of multiples of 16 bytes, the copy engine needs no copy of them.
KernelParameters size_of(const KernelInfo& kernel, int tile, int pad) {
    if (!kernel.boxes) return parameters_for(kernel, tile, pad);
    return {.m = tile + 1, .n = tile, .k = tile + 4, .tile = tile, .pad = pad};
}

std::string key_of(const KernelInfo& kernel, const KernelParameters& p) {
    std::string key(kernel.id);
    for (const int number : {p.tile, p.pad, p.m, p.n, p.k}) key += "," + std::to_string(number);
    return key;
}

// One row for each line, operation and array, without the key. Lines count from the first that does
// anything: the two recorders run different files.
std::vector<std::string> rows_of(const Trace& trace) {
    using Sums = std::pair<AccessCounts, std::uint64_t>;
    std::map<std::uint32_t, std::map<std::tuple<int, std::string>, Sums>> lines;
    for (const SiteCounts& counted : count_sites(trace)) {
        const tilereel::Site& site = trace.sites[counted.site];
        const std::string array = site.array == kNoArray ? "" : trace.arrays[site.array].name;
        auto& [counts, multiply_adds] = lines[site.line][{static_cast<int>(site.operation), array}];
        counts += counted.counts;
        multiply_adds += counted.multiply_adds;
    }
    std::vector<std::string> rows;
    std::size_t number = 0;
    for (const auto& [line, sums] : lines) {
        ++number;
        for (const auto& [what, sum] : sums) {
            const AccessCounts& c = sum.first;
            std::string& row =
                rows.emplace_back(std::to_string(number) + "," + std::to_string(std::get<0>(what)) +
                                  "," + std::get<1>(what));
            for (const std::uint64_t count :
                 {c.accesses, c.requests, c.sectors, c.lines, c.bytes_requested, c.bytes_moved,
                  c.bytes_used, c.wavefronts, c.bank_conflicts, sum.second})
                row += "," + std::to_string(count);
        }
    }
    return rows;
}

using Table = std::map<std::string, std::vector<std::string>>;  // rows by key

Table read_table() {
    std::ifstream file(TILEREEL_SOURCE_DIR "/tests/plain/ladder_counts.csv");
    Table table;
    std::string row;
    std::getline(file, row);
    EXPECT_EQ(row, kColumns);
    while (std::getline(file, row)) {
        std::size_t end = 0;
        for (int column = 0; column < 6; ++column) end = row.find(',', end) + 1;
        table[row.substr(0, end - 1)].push_back(row.substr(end));
    }
    return table;
}

RecordRequest request_of(const KernelInfo& kernel, const KernelParameters& p) {
    RecordRequest request;
    request.kernel = kernel.id;
    request.parameters = p;
    return request;
}

// Of each kernel every `every`th of its TILEs and PADs.
void compare(std::size_t every) {
    const Table table = read_table();
    std::size_t compared = 0;
    for (const KernelInfo& kernel : catalog()) {
        std::size_t number = 0;
        for (const int tile : kernel.tiles)
            for (const int pad : kernel.pads) {
                const KernelParameters p = size_of(kernel, tile, pad);
                const auto expected = table.find(key_of(kernel, p));
                ASSERT_NE(expected, table.end()) << key_of(kernel, p);
                if (number++ % every != 0) continue;
                const Result<Trace> trace = record_built_in(request_of(kernel, p));
                ASSERT_TRUE(trace) << trace.error().message;
                EXPECT_EQ(rows_of(*trace), expected->second) << key_of(kernel, p);
                ++compared;
            }
    }
    EXPECT_GT(compared, catalog().size() - 1);
}

TEST(LadderCounts, AreThoseOfTheTable) { compare(7); }

// On request: ctest -C all -L oracle-all
TEST(LadderCounts, DISABLED_OfEveryTileAndPadAreThoseOfTheTable) { compare(1); }

// On request, as long as there is an emulator: TILEREEL_LADDER_COUNTS names the file.
TEST(LadderCounts, DISABLED_TheEmulatorWritesTheTable) {
    const char* const path = std::getenv("TILEREEL_LADDER_COUNTS");
    if (path == nullptr) GTEST_SKIP() << "TILEREEL_LADDER_COUNTS names no file";
    std::ofstream file(path);
    file << kColumns << '\n';
    for (const KernelInfo& kernel : catalog())
        for (const int tile : kernel.tiles)
            for (const int pad : kernel.pads) {
                const KernelParameters p = size_of(kernel, tile, pad);
                const Result<Trace> trace = record_with_emulator(request_of(kernel, p));
                ASSERT_TRUE(trace) << trace.error().message;
                for (const std::string& row : rows_of(*trace))
                    file << key_of(kernel, p) << ',' << row << '\n';
            }
}

}  // namespace
}  // namespace tilereel::plain

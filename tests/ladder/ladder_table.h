#pragma once
// ladder_counts.csv: the operations of each line of each ladder kernel, at every built-in TILE and
// PAD.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "instrumentation/analysis/cost/counters.h"
#include "tests/ladder/ladder_sizes.h"

namespace tilereel {

using LadderTable = std::map<std::string, std::vector<std::string>>;  // rows by key

// If the rows of A and B are multiples of 16 bytes, the TMA needs no copy of them.
inline KernelParameters size_in_table(const KernelInfo& kernel, int tile, int pad) {
    if (!kernel.boxes) return parameters_for(kernel, tile, pad);
    return {.m = tile + 1, .n = tile, .k = tile + 4, .tile = tile, .pad = pad};
}

inline std::string key_of(const KernelInfo& kernel, const KernelParameters& p) {
    std::string key(kernel.id);
    for (const int number : {p.tile, p.pad, p.m, p.n, p.k}) key += "," + std::to_string(number);
    return key;
}

inline LadderTable read_ladder_table() {
    std::ifstream file(TILEREEL_SOURCE_DIR "/tests/ladder/ladder_counts.csv");
    LadderTable table;
    std::string row;
    std::getline(file, row);
    EXPECT_EQ(row,
              "kernel,tile,pad,m,n,k,line,operation,array,accesses,requests,sectors,lines,"
              "bytes_requested,bytes_moved,bytes_used,wavefronts,bank_conflicts,multiply_adds");
    while (std::getline(file, row)) {
        std::size_t end = 0;
        for (int column = 0; column < 6; ++column) end = row.find(',', end) + 1;
        table[row.substr(0, end - 1)].push_back(row.substr(end));
    }
    return table;
}

// A kernel that was added later may have no rows.
inline bool has_rows(const LadderTable& table, const KernelInfo& kernel) {
    const auto first = table.lower_bound(std::string(kernel.id) + ",");
    return first != table.end() && first->first.starts_with(std::string(kernel.id) + ",");
}

// One row for each line, operation and array, without the key. Lines are counted from the first one
// with a record, so that text above the kernel may change.
inline std::vector<std::string> rows_of(const Trace& trace) {
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

}  // namespace tilereel

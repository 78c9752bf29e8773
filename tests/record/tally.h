#pragma once
// Counts taken from a trace's columns directly, without the analysis.
#include <bit>
#include <cstdint>
#include <map>
#include <utility>

#include "instrumentation/trace/trace.h"

namespace tilereel {

struct Tally {
    std::uint64_t accesses = 0;  // per thread
    std::uint64_t requests = 0;  // per warp
};

// By what was done and where: {operation, space}; multiply-adds and barriers count as global.
using Tallies = std::map<std::pair<Operation, Space>, Tally>;

inline Tallies tally(const Trace& trace) {
    Tallies tallies;
    for (std::size_t i = 0; i < trace.records.size(); ++i) {
        const Site& site = trace.sites[site_of(trace, i)];
        const Space space =
            site.array == kNoArray ? Space::kGlobal : trace.arrays[site.array].space;
        Tally& entry = tallies[{site.operation, space}];
        entry.accesses += static_cast<std::uint64_t>(
            std::popcount(trace.patterns[trace.records.pattern[i]].mask));
        ++entry.requests;
    }
    return tallies;
}

}  // namespace tilereel

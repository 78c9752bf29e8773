#pragma once
// Recordings of the ladder, and counts taken from their columns directly, without the analysis.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "app/ladder/ladder.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

inline Trace record(const std::string& kernel, const KernelParameters& p) {
    RecordRequest request;
    request.kernel = kernel;
    request.parameters = p;
    Result<Trace> trace = record_built_in(request);
    EXPECT_TRUE(trace.has_value()) << trace.error().message;
    return trace ? std::move(trace).value() : Trace{};
}

struct Tally {
    std::uint64_t accesses = 0;  // per thread
    std::uint64_t requests = 0;  // per warp
};

// By {operation, space}; multiply-adds and barriers count as global.
using Tallies = std::map<std::pair<Operation, Space>, Tally>;

inline constexpr std::pair kGlobalLoad{Operation::kLoad, Space::kGlobal};
inline constexpr std::pair kGlobalStore{Operation::kStore, Space::kGlobal};
inline constexpr std::pair kSharedLoad{Operation::kLoad, Space::kShared};
inline constexpr std::pair kSharedStore{Operation::kStore, Space::kShared};
inline constexpr std::pair kMultiplyAdd{Operation::kMultiplyAdd, Space::kGlobal};
inline constexpr std::pair kBarrier{Operation::kBarrier, Space::kGlobal};
inline constexpr std::pair kWarpBarrier{Operation::kWarpBarrier, Space::kGlobal};

inline Tallies tally(const Trace& trace) {
    Tallies tallies;
    for (std::size_t i = 0; i < trace.records.size(); ++i) {
        const Site& site = site_at(trace, i);
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

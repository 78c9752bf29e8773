#pragma once
// A profiler's counts of the native build beside the counts of the source as it is written. They
// were measured for some launches of each kernel and are in assets/as_compiled.csv.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/analysis/cost/counters.h"
#include "instrumentation/base/result.h"
#include "instrumentation/trace/trace.h"
#include "kernels/catalog.h"

namespace tilereel {

enum class CompiledCounter : std::uint8_t {
    kSharedLoadRequests,
    kSharedLoadWavefronts,
    kSharedLoadConflicts,
    kSharedStoreRequests,
    kSharedStoreWavefronts,
    kSharedStoreConflicts,
    kGlobalLoadRequests,
    kGlobalLoadSectors,
    kGlobalStoreRequests,
    kGlobalStoreSectors,
};
inline constexpr std::size_t kCompiledCounters = 10;
// "shared_load_requests"
[[nodiscard]] std::string_view key_of(CompiledCounter counter);
// "shared load requests"
[[nodiscard]] std::string text_of(CompiledCounter counter);

using CompiledCounts = std::array<std::uint64_t, kCompiledCounters>;  // by CompiledCounter

struct AsCompiledRow {
    std::string kernel;  // catalogue id
    KernelParameters parameters;
    CompiledCounts written{}, compiled{};
    std::string gpu{}, driver{}, toolkit{}, date{};
};

struct AsCompiledTable {
    std::vector<AsCompiledRow> rows;
    [[nodiscard]] const AsCompiledRow* find(std::string_view kernel,
                                            const KernelParameters& parameters) const;
};

// The columns are those of native.csv, which tests/hardware/measure.py writes. kFailed for any
// other header, a field that is not a number, an unknown kernel, a repeated launch, or rows of a
// kernel from two GPUs.
Result<AsCompiledTable> read_as_compiled(std::string_view csv);
// The table in assets/.
[[nodiscard]] const AsCompiledTable& as_compiled_table();

// The measured counts of a launch.
struct AsCompiled {
    const AsCompiledRow* row = nullptr;  // nullptr: not measured
    std::vector<std::string> sentences;  // why the columns differ; or how to measure a missing row
};
// `sites`: of the whole trace, for any generation.
[[nodiscard]] AsCompiled as_compiled(const Trace& trace, const std::vector<SiteCounts>& sites,
                                     const AsCompiledTable& table = as_compiled_table());

}  // namespace tilereel

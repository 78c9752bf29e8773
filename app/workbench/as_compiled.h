#pragma once
// What a profiler counts of the native build, beside the counts of the source as it is written:
// measured on one GPU for some launches of each kernel, shipped in assets/as_compiled.csv.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/analysis/counters.h"
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
[[nodiscard]] std::string words_of(CompiledCounter counter);

using CompiledCounts = std::array<std::uint64_t, kCompiledCounters>;  // by CompiledCounter

struct AsCompiledRow {
    std::string kernel;  // catalogue id
    KernelParameters parameters;
    CompiledCounts written{}, compiled{};
};

struct AsCompiledTable {
    std::string gpu, driver, toolkit, date;  // of all rows
    std::vector<AsCompiledRow> rows;
    [[nodiscard]] const AsCompiledRow* find(std::string_view kernel,
                                            const KernelParameters& parameters) const;
};

// Columns as tests/hardware/measure.py writes native.csv. kFailed for any other header, a field
// that is no number, a kernel that the catalogue has not, a launch twice, or rows of two GPUs.
Result<AsCompiledTable> read_as_compiled(std::string_view csv);
// The table that ships.
[[nodiscard]] const AsCompiledTable& as_compiled_table();

// What the table has to say of a launch.
struct AsCompiled {
    const AsCompiledRow* row = nullptr;  // nullptr: not measured
    std::vector<std::string> sentences;  // why the columns differ; or that there is no row, and how
                                         // to measure one
};
// `sites` of the whole trace, by any generation.
[[nodiscard]] AsCompiled as_compiled(const Trace& trace, const std::vector<SiteCounts>& sites,
                                     const AsCompiledTable& table = as_compiled_table());

}  // namespace tilereel

#pragma once
// Writes a trace out the way a traced kernel would: the recorder's opposite, made independently.
#include <array>
#include <cstdint>
#include <vector>

#include "instrumentation/trace/trace.h"
#include "kernels/dialect/device_trace.h"

namespace tilereel::testing {

struct WarpRecords {
    std::vector<device::DeviceRecord> records;
    std::vector<std::array<std::uint32_t, 32>> lane_words;  // one a record
};

// How the lanes of a warp run.
enum class Convergence {
    kTogether,   // as the trace has them
    kInGroups,   // a few neighbours after another, record by record
    kScattered,  // any lane or lanes, in any order that each lane's own program allows
};

// By warp of the launch. The trace must have been recorded with accumulator_interval 1. `seed`
// decides how lanes are scattered, `group` how many neighbours go together; clocks grow by 3 cycles
// a record.
[[nodiscard]] std::vector<WarpRecords> as_device_records(const Trace& trace,
                                                         Convergence convergence,
                                                         std::uint32_t seed = 1,
                                                         std::uint32_t group = 8);

}  // namespace tilereel::testing

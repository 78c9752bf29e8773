#pragma once
// Reads tests/hardware/h100_warp_accesses.csv.
#include <cstdint>
#include <optional>
#include <vector>

#include "instrumentation/analysis/cost/request_cost.h"

namespace tilereel {

struct HardwareRow {
    int id = 0;
    WarpAccess access;
    std::optional<std::uint32_t> requests, wavefronts, bank_conflicts, sectors, l1_line_accesses;
};
[[nodiscard]] std::vector<HardwareRow> hardware_table();

}  // namespace tilereel

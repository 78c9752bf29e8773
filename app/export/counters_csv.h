#pragma once
// The counters of a launch as CSV.
#include <filesystem>
#include <string>

#include "instrumentation/analysis/generations/generation.h"
#include "instrumentation/base/result.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// A header row, then a row for each place in the source that accesses memory, with the sums of all
// recorded blocks (RFC 4180). Counters are named as in `report --json`. A cell is empty if a
// counter does not apply to the memory space.
[[nodiscard]] std::string counters_csv(const Trace& trace, const Generation& generation);

// kFailed if the file cannot be written. An existing file is replaced only by a complete one.
Status export_csv(const Trace& trace, const Generation& generation,
                  const std::filesystem::path& path);

}  // namespace tilereel

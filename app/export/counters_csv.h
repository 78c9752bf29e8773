#pragma once
// The counters of a launch as a table, for a spreadsheet.
#include <filesystem>
#include <string>

#include "instrumentation/analysis/generation.h"
#include "instrumentation/base/result.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// A row for each place in the source that accesses memory, over all recorded blocks, with the
// fields of `report --json`; a cell is empty where a counter does not apply to the memory. The
// first row names the columns (RFC 4180).
[[nodiscard]] std::string counters_csv(const Trace& trace, const Generation& generation);

// kFailed for a file that cannot be written. An old file stays until the new one is whole.
Status export_csv(const Trace& trace, const Generation& generation,
                  const std::filesystem::path& path);

}  // namespace tilereel

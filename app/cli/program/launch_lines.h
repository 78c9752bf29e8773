#pragma once
// The lines of `tilereel report` that say what was recorded of a program's launches.
#include <string>
#include <vector>

#include "instrumentation/program/program_run.h"

namespace tilereel {

// "FINDING: ...", a line for each.
[[nodiscard]] std::string finding_lines(const std::vector<RecordedFinding>& findings);
// Kernel, place and extents, and how many blocks were recorded.
[[nodiscard]] std::string launch_head(const program::LaunchSummary& launch);
// What the blocks that were not recorded need, or would have needed; empty: they need few seconds.
[[nodiscard]] std::string rest_lines(const program::LaunchSummary& launch);
// Why a launch that was recorded has no counts, and what to do.
[[nodiscard]] std::string not_counted_text(const program::LaunchSummary& launch);
// The launches that the budget left out, by kernel and line.
[[nodiscard]] std::string unrecorded_lines(const std::vector<program::LaunchSummary>& launches);

}  // namespace tilereel

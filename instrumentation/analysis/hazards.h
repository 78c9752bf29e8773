#pragma once
// What may go wrong when the same block runs in another order: races in shared memory, barriers
// that not all threads share, reads of shared memory that nobody wrote. Found in the trace alone:
// which thread the recorder happened to run first changes nothing.
#include <cstdint>
#include <string>
#include <vector>

#include "instrumentation/analysis/finding.h"
#include "instrumentation/analysis/generation.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// Errors before warnings, then by lines.
[[nodiscard]] std::vector<Finding> find_hazards(
    const Trace& trace, const Generation& generation = default_generation());
// "thread (3,1) of warp 0", in a block of three dimensions "thread (3,1,0) of warp 0"; by its
// number within the block.
[[nodiscard]] std::string name_of_thread(const Trace& trace, std::uint32_t thread);
// One sentence that names both sides and what to do.
[[nodiscard]] std::string sentence_of(const Trace& trace, const Finding& finding);
// What happened and what to do about it.
[[nodiscard]] std::string sentence_of(const RecordedFinding& finding);

}  // namespace tilereel

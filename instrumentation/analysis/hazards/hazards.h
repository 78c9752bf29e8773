#pragma once
// Hazards of a launch: races in shared and global memory, barriers that not all threads reach,
// reads of shared memory that was never written, lanes that store different values to one word.
// They are found in the trace, and do not depend on the order in which the recorder ran the
// threads.
#include <cstdint>
#include <string>
#include <vector>

#include "instrumentation/analysis/generations/generation.h"
#include "instrumentation/analysis/hazards/finding.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// Sorted: errors before warnings, then by line.
[[nodiscard]] std::vector<Finding> find_hazards(
    const Trace& trace, const Generation& generation = default_generation());
// "thread (3,1) of warp 0"; in a block of three extents "thread (3,1,0) of warp 0", in one of one
// extent "thread 7 of warp 0". `thread`: its number within the block.
[[nodiscard]] std::string name_of_thread(const Trace& trace, std::uint32_t thread);
// One sentence that names both parties and what to do.
[[nodiscard]] std::string sentence_of(const Trace& trace, const Finding& finding);
// The same in two parts, neither with a full stop: what is wrong and where, and what to do.
struct FindingText {
    std::string what, advice;
};
[[nodiscard]] FindingText text_of(const Trace& trace, const Finding& finding);
// What happened and what to do about it.
[[nodiscard]] std::string sentence_of(const RecordedFinding& finding);

}  // namespace tilereel

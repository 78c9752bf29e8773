#pragma once
// The trace of a launch whose other blocks take long is written before they run, and large launches
// of the ladder run only the recorded blocks. Then only the elements that the recorded blocks store
// have been computed.
#include <optional>
#include <vector>

#include "instrumentation/trace/trace.h"

namespace tilereel {

// For each scalar of the array: whether a recorded block stores it. nullopt if all elements can be
// judged: all blocks are recorded, or some other element changed, so the other blocks have run, or
// the contents are unknown.
[[nodiscard]] std::optional<std::vector<bool>> elements_computed_so_far(const Trace& trace,
                                                                        ArrayId array);
// How many elements of C these are; nullopt: all can be judged, or there is no product.
[[nodiscard]] std::optional<std::uint64_t> judged_elements(const Trace& trace);

}  // namespace tilereel

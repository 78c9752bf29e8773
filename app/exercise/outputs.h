#pragma once
// Compares the arrays that a submission wrote with the right ones.
#include <cstdint>
#include <string>
#include <vector>

#include "app/exercise/exercise.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

struct OutputFacts {
    std::string name;
    std::uint64_t elements = 0, wrong = 0;
    std::string sentence;    // about the first wrong element; empty: all are right
    std::uint32_t line = 0;  // that stored it; 0: none did
};

// `after`: the harness's last launch. `launches`: those of the submission, in order.
[[nodiscard]] std::vector<OutputFacts> compare_outputs(const Exercise& exercise, const Trace& after,
                                                       const std::vector<Trace>& launches);

// Whether an array of the launch has changed where no record stores. Such a launch has written
// memory in a way that is not counted. Empty, or a sentence.
[[nodiscard]] std::string uncounted_change(const Trace& launch);

}  // namespace tilereel

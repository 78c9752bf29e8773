#pragma once
// Questions about the cost of the next request. The answer comes from the trace.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/replay/replay.h"

namespace tilereel {

struct Prediction {
    std::uint32_t step = 0;  // index of the step in the schedule
    std::string question;    // "Warp 3 reads Bs on line 27. How many wavefronts will ...?"
    std::vector<std::uint32_t> choices;  // ascending, 2 to 4 different values; one is right
    std::size_t right = 0;               // index into `choices`
    std::string unit;                    // "wavefronts", "sectors"
};

// Asks for the wavefronts of a request to shared memory, or for the sectors of a request to global
// memory (or the unit that the generation moves instead). nullopt for any other step.
[[nodiscard]] std::optional<Prediction> prediction_of(const Replay& replay, std::uint32_t step);

// The first step from position `from` on with a new question: no earlier step has the same source
// line, array and cost. nullopt if there is none. So a whole replay asks each question once.
[[nodiscard]] std::optional<std::uint32_t> next_to_predict(const Replay& replay, double from);

}  // namespace tilereel

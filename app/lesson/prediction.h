#pragma once
// Questions about the next request, made from the trace: what will it cost? The recording answers.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/replay/replay.h"

namespace tilereel {

struct Prediction {
    std::uint32_t step = 0;  // of the schedule, that the question is about
    std::string question;    // "Warp 3 reads Bs on line 27. How many wavefronts will ...?"
    std::vector<std::uint32_t> choices;  // ascending, all different, 2 to 4; one of them is right
    std::size_t right = 0;               // index into the choices
    std::string unit;                    // "wavefronts", "sectors"
};

// Asks for the wavefronts of a request to shared memory, or for the sectors of a request to global
// memory (or what the generation moves in place of sectors). nullopt for a step that costs neither.
[[nodiscard]] std::optional<Prediction> prediction_of(const Replay& replay, std::uint32_t step);

// The first step from `from` on whose request has not been asked about: of another source line,
// array or cost than all before it. nullopt: there is none. A whole replay then asks each thing
// once.
[[nodiscard]] std::optional<std::uint32_t> next_to_predict(const Replay& replay, double from);

}  // namespace tilereel

#pragma once
// What a compiler knows of the trips of a loop, read from the text.
//
//     for (int i = t; i < n; i += 256)                      a step that is known: unrolled, with
//     what
//                                                           is left over apart
//     for (int i = t; i < n; i += gridDim.x * blockDim.x)   not known: one trip after another
//     for (int k = 0; k < 16; ++k)                          the trips are known, too
#include <cstdint>
#include <string_view>
#include <vector>

namespace tilereel {

enum class LoopStep : std::uint8_t { kConstantTrips, kConstantStep, kVariableStep };

// A `for`, `while` or `do`, on these lines, its head included.
struct Loop {
    std::uint32_t first_line = 0, last_line = 0;
    LoopStep step = LoopStep::kVariableStep;
};

// In the order of their heads: an inner loop comes behind the one around it.
[[nodiscard]] std::vector<Loop> loops_of(std::string_view source);
// The innermost loop of a line; nullptr: it is in none.
[[nodiscard]] const Loop* loop_around(const std::vector<Loop>& loops, std::uint32_t line);

}  // namespace tilereel

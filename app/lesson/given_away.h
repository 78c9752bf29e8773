#pragma once
// Questions whose answer is on the screen before it is given.
#include <string>
#include <string_view>

namespace tilereel {

// Whether `shown`, the words beside a question, has every number that the answer adds to the
// question. An answer without such numbers is not judged.
[[nodiscard]] bool gives_away(std::string_view shown, std::string_view question,
                              std::string_view answer);
// Whether the words name this cost: "32 wavefronts" for 32 and "wavefront".
[[nodiscard]] bool names_cost(std::string_view words, double value, std::string_view unit);

}  // namespace tilereel

#pragma once
#include <optional>
#include <string_view>

#include "instrumentation/contract/messages.h"

namespace tilereel::program {

// A message of the recorder (instrumentation/contract). nullopt: the recorder writes no such line:
// a field is missing, has another type or exceeds its bound. The program can write any line there.
[[nodiscard]] std::optional<contract::AnyMessage> read_message(std::string_view line);

}  // namespace tilereel::program

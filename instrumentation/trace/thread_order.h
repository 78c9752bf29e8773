#pragma once
// The names of thread orders (for recordings with a left-out barrier) in the command line.
#include <optional>
#include <string_view>

#include "instrumentation/trace/trace.h"

namespace tilereel {

// "turns", "warps", "warps-backward", "lanes".
[[nodiscard]] const char* name_of(ThreadOrder order);
// nullopt if no order has this name.
[[nodiscard]] std::optional<ThreadOrder> order_named(std::string_view name);

}  // namespace tilereel

#pragma once
// The orders in which threads run where a barrier is left out, by the names that users type.
#include <optional>
#include <string_view>

#include "instrumentation/trace/trace.h"

namespace tilereel {

// "turns", "warps", "warps-backward", "lanes".
[[nodiscard]] const char* name_of(ThreadOrder order);
// nullopt: no order has this name.
[[nodiscard]] std::optional<ThreadOrder> order_named(std::string_view name);

}  // namespace tilereel

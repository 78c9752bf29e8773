#pragma once
// The names of thread orders in the command line, in reports, lessons and saved views. A recording
// with a left-out barrier runs its threads in one of them.
#include <optional>
#include <string_view>

#include "instrumentation/trace/trace.h"

namespace tilereel {

// "round-robin", "warps", "warps-backward", "lanes".
[[nodiscard]] const char* name_of(ThreadOrder order);
// Also accepts "turns", the former name of "round-robin". nullopt if no order has this name.
[[nodiscard]] std::optional<ThreadOrder> order_named(std::string_view name);

// The name that selects a search for an order in which C is wrong
// (RecordRequest::find_failing_order).
inline constexpr const char* kAdversarialOrder = "adversarial";
// Also accepts "harm", its former name.
[[nodiscard]] bool is_adversarial_order(std::string_view name);

}  // namespace tilereel

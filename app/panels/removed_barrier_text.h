#pragma once
// Text about barriers that are left out and about the order in which threads run.
#include <span>
#include <string>
#include <string_view>

#include "instrumentation/trace/trace.h"

namespace tilereel {

struct OrderChoice {
    ThreadOrder order;
    std::string_view label, widget;
    std::string_view runs;  // "warps take turns"
    std::string_view tip;
};
[[nodiscard]] std::span<const OrderChoice> order_choices();

// "Line 25's barrier is left out"; empty if all barriers are in.
[[nodiscard]] std::string left_out_text(const Launch& launch);
// "Line 25's barrier is left out; warps run one after another".
[[nodiscard]] std::string left_out_and_order_text(const Launch& launch);

}  // namespace tilereel

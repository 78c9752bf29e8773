#include "app/panels/removed_barrier_text.h"

#include <algorithm>
#include <array>

namespace tilereel {

// CUDA C++ Programming Guide, "SIMT Architecture", "Independent Thread Scheduling": warps are
// scheduled in any order; since compute capability 7.0 so are the threads of a warp.
std::span<const OrderChoice> order_choices() {
    static constexpr std::array<OrderChoice, 4> kChoices = {{
        {ThreadOrder::kRoundRobin, "round-robin", "order.round_robin", "warps take turns",
         "The warps take turns, one request each, and the lanes of a warp run together. Every GPU "
         "may do so; it hides many races."},
        {ThreadOrder::kWarpsForward, "warp by warp", "order.warps", "warps run one after another",
         "Each warp runs on to the next barrier before the next one starts, warp 0 first. Every "
         "GPU may do so: nothing but a barrier orders warps."},
        {ThreadOrder::kWarpsBackward, "last warp first", "order.warps_backward",
         "warps run one after another, last one first",
         "Each warp runs on to the next barrier before another starts, the last one first. Every "
         "GPU may do so: nothing but a barrier orders warps."},
        {ThreadOrder::kLanes, "lane by lane", "order.lanes", "threads run one after another",
         "Each thread runs on by itself, even apart from its warp. GPUs of compute capability 7.0 "
         "and later may do so (CUDA C++ Programming Guide, Independent Thread Scheduling); before, "
         "the lanes of a warp ran together."},
    }};
    return kChoices;
}

std::string left_out_text(const Launch& launch) {
    if (launch.removed_barrier == 0) return {};
    return "Line " + std::to_string(launch.removed_barrier) + "'s barrier is left out";
}

std::string left_out_and_order_text(const Launch& launch) {
    if (launch.removed_barrier == 0) return {};
    const std::span<const OrderChoice> choices = order_choices();
    const auto found = std::ranges::find(choices, launch.order, &OrderChoice::order);
    const OrderChoice& order = found == choices.end() ? choices.front() : *found;
    return left_out_text(launch) + "; " + std::string(order.runs);
}

}  // namespace tilereel

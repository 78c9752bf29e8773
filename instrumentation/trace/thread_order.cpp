#include "instrumentation/trace/thread_order.h"

#include <array>

namespace tilereel {
namespace {

constexpr std::array kOrderNames = {"round-robin", "warps", "warps-backward",
                                    "lanes"};  // index: ThreadOrder
constexpr std::string_view kFormerRoundRobin = "turns", kFormerAdversarial = "harm";

}  // namespace

const char* name_of(ThreadOrder order) { return kOrderNames[static_cast<std::size_t>(order)]; }

std::optional<ThreadOrder> order_named(std::string_view name) {
    if (name == kFormerRoundRobin) return ThreadOrder::kRoundRobin;
    for (std::size_t i = 0; i < kOrderNames.size(); ++i)
        if (name == kOrderNames[i]) return static_cast<ThreadOrder>(i);
    return std::nullopt;
}

bool is_adversarial_order(std::string_view name) {
    return name == kAdversarialOrder || name == kFormerAdversarial;
}

}  // namespace tilereel

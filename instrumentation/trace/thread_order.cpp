#include "instrumentation/trace/thread_order.h"

#include <array>

namespace tilereel {
namespace {

constexpr std::array kOrderNames = {"turns", "warps", "warps-backward", "lanes"};  // by number

}  // namespace

const char* name_of(ThreadOrder order) { return kOrderNames[static_cast<std::size_t>(order)]; }

std::optional<ThreadOrder> order_named(std::string_view name) {
    for (std::size_t i = 0; i < kOrderNames.size(); ++i)
        if (name == kOrderNames[i]) return static_cast<ThreadOrder>(i);
    return std::nullopt;
}

}  // namespace tilereel

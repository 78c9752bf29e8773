// --without-barrier and --order.
#include <array>
#include <string>

#include "app/cli/options/options.h"
#include "app/cli/typed_numbers.h"
#include "instrumentation/trace/thread_order.h"

namespace tilereel {
namespace {

constexpr std::array kOrderChoices = {ThreadOrder::kRoundRobin, ThreadOrder::kWarpsForward,
                                      ThreadOrder::kWarpsBackward, ThreadOrder::kLanes};

}  // namespace

void add_removed_barrier_options(CLI::App& app, KernelOptions& options) {
    CLI::Option* const line =
        add_whole_option(app, "--without-barrier", options.without_barrier, 1, 65535,
                         "Leave out the __syncthreads(), __syncwarp(), __pipeline_wait_prior() or "
                         "mbarrier_try_wait_parity() on this line of the kernel's file");
    std::string names;
    for (const ThreadOrder each : kOrderChoices) names += std::string(name_of(each)) + "|";
    const auto parse = [&options](const std::string& text) -> std::string {
        options.find_failing_order = is_adversarial_order(text);
        if (options.find_failing_order) return "";
        options.order = order_named(text);
        if (options.order) return "";
        std::string known;
        for (const ThreadOrder each : kOrderChoices) known += std::string(name_of(each)) + ", ";
        return "one of " + known + "or " + kAdversarialOrder;
    };
    add_checked_option(app, "--order", parse,
                       "Order in which threads then run: round-robin (default), warps, "
                       "warps-backward, lanes, or adversarial to search for one that makes C wrong",
                       names + kAdversarialOrder)
        ->needs(line);
}

}  // namespace tilereel

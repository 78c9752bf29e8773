#include "instrumentation/record/harmful_order.h"

#include <vector>

#include "instrumentation/base/check.h"

namespace tilereel {
namespace {

std::vector<ThreadOrder> orders_to_try(ThreadOrder first, bool lanes_may_part) {
    std::vector<ThreadOrder> orders{first};
    for (const ThreadOrder order : {ThreadOrder::kTurns, ThreadOrder::kWarpsForward,
                                    ThreadOrder::kWarpsBackward, ThreadOrder::kLanes}) {
        if (order == first || (order == ThreadOrder::kLanes && !lanes_may_part)) continue;
        orders.push_back(order);
    }
    return orders;
}

}  // namespace

Result<HarmSearch> find_harmful_order(EmulatedLaunch launch, bool lanes_may_part, Inputs inputs,
                                      RecordProgress* progress) {
    check(launch.launch.removed_barrier != 0);
    HarmSearch search{.order = launch.launch.order, .inputs = std::move(inputs)};
    launch.keeps_records = false;
    const std::vector<ThreadOrder> orders = orders_to_try(search.order, lanes_may_part);
    const std::uint32_t blocks = launch.launch.blocks();
    auto left = static_cast<std::uint32_t>(orders.size());
    if (progress != nullptr) progress->blocks += left * blocks;
    const auto extent = [](std::uint32_t size) { return static_cast<int>(size); };
    const Launch& shape = launch.launch;
    for (const ThreadOrder order : orders) {
        launch.launch.order = order;
        Result<Trace> run = emulate(launch, std::move(search.inputs), progress);
        if (!run) return run.error();
        --left;
        Trace& trace = run.value();
        search.harms = !check_product(trace.a, trace.b, trace.c, extent(shape.m), extent(shape.n),
                                      extent(shape.k));
        search.inputs = {
            .a = std::move(trace.a), .b = std::move(trace.b), .c = std::move(trace.c_before)};
        if (!search.harms) continue;
        search.order = order;
        break;
    }
    if (progress != nullptr) progress->blocks_done += left * blocks;  // that need not be run
    return search;
}

}  // namespace tilereel

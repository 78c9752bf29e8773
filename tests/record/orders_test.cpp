// The exact orders of threads (programs/orders.cu). Each runs threads as its name says, and changes
// nothing in a kernel without a race.
#include <gmock/gmock.h>

#include "tests/record/recorded_programs.h"
#include "tests/trace/same_trace.h"

namespace tilereel::orders_test {
namespace {

using ::testing::ElementsAre;

// The launches of orders.cu: as any program runs, then in each order.
const Trace& in_order(std::string_view kernel, ThreadOrder order) {
    return launches_of(kernel).at(1 + static_cast<std::size_t>(order));
}

std::vector<float> counted(ThreadOrder order) { return stored_in_c(in_order("count", order), 8); }

TEST(Orders, AreThoseAskedFor) {
    // In turn, both warps read the cell before either writes it.
    EXPECT_THAT(counted(ThreadOrder::kRoundRobin), ElementsAre(0, 1, 2, 3, 0, 1, 2, 3));
    EXPECT_THAT(counted(ThreadOrder::kWarpsForward), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
    EXPECT_THAT(counted(ThreadOrder::kWarpsBackward), ElementsAre(4, 5, 6, 7, 0, 1, 2, 3));
    EXPECT_THAT(counted(ThreadOrder::kLanes), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

TEST(Orders, LanesGoTogetherOrOneByOne) {
    for (const ThreadOrder order :
         {ThreadOrder::kRoundRobin, ThreadOrder::kWarpsForward, ThreadOrder::kLanes}) {
        const std::vector<float> c = stored_in_c(in_order("add_one", order), 48);
        for (std::uint32_t i = 0; i < 48; ++i) {
            const std::uint32_t after_the_warp_before =
                order == ThreadOrder::kWarpsForward && i >= 32 ? 1 : 0;
            EXPECT_EQ(c[i], float(order == ThreadOrder::kLanes ? i : after_the_warp_before));
        }
    }
}

TEST(Orders, ChangeNothingWhereThereIsNoRace) {
    for (const char* const kernel :
         {"irregular", "guide_a_shared<8, 1>", "tiled_any_size<4, 0>",
          "outer_product_prefetch<16, 1>", "vectorized<16, 0>", "async_pipeline<16>"}) {
        const Trace& freely = trace_of(kernel);
        ASSERT_GT(freely.records.size(), 0u) << kernel;
        for (const ThreadOrder order :
             {ThreadOrder::kRoundRobin, ThreadOrder::kWarpsForward, ThreadOrder::kWarpsBackward}) {
            SCOPED_TRACE(std::string(kernel) + ", order " +
                         std::to_string(static_cast<int>(order)));
            Trace ordered = in_order(kernel, order);
            // Only the requested order differs.
            ordered.launch.order = freely.launch.order;
            ordered.launch.removed_barrier = freely.launch.removed_barrier;
            ordered.launch.number = freely.launch.number;
            EXPECT_EQ(first_difference(freely, ordered), "");
        }
        const Trace& lanes = in_order(kernel, ThreadOrder::kLanes);
        EXPECT_EQ(access_count(freely), access_count(lanes)) << kernel;
        const std::vector<float> of_warps = stored_in_c(freely, 4096),
                                 of_lanes = stored_in_c(lanes, 4096);
        EXPECT_TRUE(std::ranges::equal(std::as_bytes(std::span(of_warps)),
                                       std::as_bytes(std::span(of_lanes))))
            << kernel;  // by their bits, so that NaN equals itself
        for (std::size_t i = 0; i < lanes.records.size(); ++i)
            if (is_access(site_at(lanes, i).operation)) {
                EXPECT_EQ(std::popcount(lanes.patterns[lanes.records.pattern[i]].mask), 1);
            }
    }
}

}  // namespace
}  // namespace tilereel::orders_test

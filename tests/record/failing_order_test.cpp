// The search for an order that makes C wrong: what it finds, its limits, and how it is cancelled.
#include <gmock/gmock.h>

#include <iterator>
#include <thread>

#include "app/ladder/ladder.h"
#include "tests/record/without_barrier.h"
#include "tests/trace/matrix_values.h"

namespace tilereel::failing_order_test {
namespace {

using ::testing::HasSubstr;

Trace with_failing_order(RecordRequest request) {
    request.find_failing_order = true;
    return recorded(request);
}

TEST(FailingOrder, IsTheFirstThatMakesCWrong) {
    // Two warps a block: in round-robin order C is right; if the first runs before the second, C is
    // wrong.
    const Trace two_warps = with_failing_order(request_without("09_tiled", 0, {16, 16, 16, 8, 0}));
    EXPECT_EQ(two_warps.launch.order, ThreadOrder::kWarpsForward);
    EXPECT_FALSE(wrong_elements(two_warps).empty());
    EXPECT_GT(two_warps.records.size(), 0u);
    // Blocks of one warp, or warps that read only what they wrote: C is wrong only if one lane runs
    // after another.
    for (const RecordRequest& request :
         {request_without("09_tiled", 0, {8, 8, 8, 4, 0}),
          request_without("04_guide_a_shared", 0, {16, 16, 8, 8, 0})}) {
        const Trace lanes = with_failing_order(request);
        EXPECT_EQ(lanes.launch.order, ThreadOrder::kLanes);
        EXPECT_FALSE(wrong_elements(lanes).empty());
    }
}

TEST(FailingOrder, ARequestedOrderThatMakesCWrongStays) {
    const Trace trace = with_failing_order(
        request_without("09_tiled", 0, {16, 16, 16, 8, 0}, ThreadOrder::kWarpsBackward));
    EXPECT_EQ(trace.launch.order, ThreadOrder::kWarpsBackward);
}

TEST(FailingOrder, TheRequestedOrderStaysIfNoOrderFails) {
    // With one phase nothing is overwritten after the second barrier, so C is right without it.
    for (const ThreadOrder order : kAllOrders) {
        const Trace trace =
            with_failing_order(request_without("09_tiled", 1, {16, 16, 8, 8, 0}, order));
        EXPECT_EQ(trace.launch.order, order);
        EXPECT_TRUE(wrong_elements(trace).empty());
    }
}

// Before compute capability 7.0 the lanes of a warp cannot run one by one.
TEST(FailingOrder, LanesThatCannotDivergeAreNotRunOneByOne) {
    RecordRequest request = request_without("04_guide_a_shared", 0, {16, 16, 8, 8, 0});
    request.lanes_may_diverge = false;
    const Trace trace = with_failing_order(request);
    EXPECT_EQ(trace.launch.order, ThreadOrder::kRoundRobin);
    EXPECT_TRUE(wrong_elements(trace).empty());
}

TEST(FailingOrder, TheTraceIsThatOfARequestForTheOrder) {
    RecordRequest request = request_without("05_guide_ab_shared", 0, {16, 16, 8, 8, 0});
    const Trace found = with_failing_order(request);
    request.order = found.launch.order;
    const Trace asked = recorded(request);
    EXPECT_EQ(found.records.base, asked.records.base);
    EXPECT_EQ(values_of(found, MatrixRole::kA), values_of(asked, MatrixRole::kA));
    EXPECT_EQ(found.words.size(), asked.words.size());
}

TEST(FailingOrder, ProgressEndsWithAllBlocks) {
    for (const int k : {8, 16}) {  // without and with a failing order
        RecordRequest request = request_without("09_tiled", 1, {16, 32, k, 8, 0});
        request.find_failing_order = true;
        RecordProgress progress;
        ASSERT_TRUE(record_built_in(request, &progress));
        EXPECT_EQ(progress.blocks, 4u * 8);  // in each of four orders
        EXPECT_EQ(progress.blocks_done, progress.blocks);
    }
}

TEST(FailingOrder, ASearchCanBeCancelled) {
    RecordRequest request = request_without("09_tiled", 1, {256, 256, 256, 16, 0});
    request.find_failing_order = true;
    request.workers = 2;
    RecordProgress progress;
    std::jthread canceller([&] {
        while (progress.blocks_done == 0) std::this_thread::yield();
        progress.cancel = true;
    });
    const Result<Trace> trace = record_built_in(request, &progress);
    ASSERT_FALSE(trace);
    EXPECT_EQ(trace.error().kind, ErrorKind::kCancelled);
    EXPECT_LT(progress.blocks_done, progress.blocks);
}

TEST(FailingOrder, ABlockCanBeCancelledBeforeItsEnd) {
    RecordRequest request =
        request_without("06_single_block", 0, {32, 32, 32, 16, 0}, ThreadOrder::kLanes);
    RecordProgress progress;
    progress.cancel = true;
    const Result<Trace> trace = record_built_in(request, &progress);
    ASSERT_FALSE(trace);
    EXPECT_EQ(trace.error().kind, ErrorKind::kCancelled);
}

// The estimate is an upper bound and at most 30 % too large: for each kernel without bulk copies,
// each of its barriers and several shapes. Each case takes the next of the four orders.
TEST(FailingOrder, TheEstimateIsAnUpperBoundInEveryOrder) {
    std::size_t number = 0;
    for (const KernelInfo& info : catalog()) {
        if (info.boxes) continue;  // without a barrier or a wait the kernel may never end
        for (std::size_t barrier = 0; barrier < info.barriers.size(); ++barrier) {
            for (const KernelParameters& p :
                 {KernelParameters{32, 64, 16, 16, 0}, KernelParameters{16, 64, 160, 16, 1},
                  KernelParameters{24, 16, 16, 16, 0}}) {
                if (!validate(info, p)) continue;
                const ThreadOrder order = kAllOrders[number++ % std::size(kAllOrders)];
                const RecordRequest request =
                    request_without(std::string(info.id), barrier, p, order);
                const Result<std::uint64_t> estimate = estimate_trace_bytes(request);
                const Trace trace = recorded(request);
                ASSERT_TRUE(estimate);
                EXPECT_GE(*estimate, memory_bytes(trace)) << info.id;
                EXPECT_LE(double(*estimate), 1.3 * double(memory_bytes(trace)) + 65536)
                    << info.id << " order " << static_cast<int>(order);
            }
        }
    }
}

TEST(FailingOrder, LogsCountAgainstTheLimit) {
    // Without the barrier at the end of a phase, a block's whole loop is one epoch. Its events stay
    // in the logs of the warps until the epoch ends.
    RecordRequest request =
        request_without("14_outer_product_prefetch", 1, {16, 64, 2048, 16, 0}, ThreadOrder::kLanes);
    const Result<std::uint64_t> estimate = estimate_trace_bytes(request);
    ASSERT_TRUE(estimate);
    request.memory_limit_bytes = *estimate * 3 / 2;
    const Result<Trace> refused = record_built_in(request);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("the recording would take about"));
    request.memory_limit_bytes = *estimate * 6;
    EXPECT_TRUE(record_built_in(request));
}

}  // namespace
}  // namespace tilereel::failing_order_test

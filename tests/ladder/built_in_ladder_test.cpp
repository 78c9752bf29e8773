// Recordings of the ladder's built-in kernels, which are compiled with Tilereel: without a barrier,
// too large for memory, and on several cores.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include "app/ladder/ladder.h"
#include "kernels/catalog.h"
#include "tests/ladder/ladder_sizes.h"
#include "tests/trace/same_trace.h"

namespace tilereel::built_in_ladder_test {
namespace {

constexpr ThreadOrder kOrders[] = {ThreadOrder::kRoundRobin, ThreadOrder::kWarpsForward,
                                   ThreadOrder::kWarpsBackward, ThreadOrder::kLanes};

// Records a kernel without one of its barriers: "records,accesses,wrong_elements", as in the table.
std::string counts_without(const KernelInfo& kernel, std::size_t barrier, ThreadOrder order) {
    RecordRequest request;
    request.kernel = kernel.id;
    request.parameters = parameters_for(kernel, kernel.tiles[0], kernel.pads[0]);
    request.removed_barrier = static_cast<std::uint32_t>(kernel.barriers[barrier].line);
    request.order = order;
    const Result<Trace> trace = record_built_in(request);
    EXPECT_TRUE(trace) << (trace ? "" : trace.error().message);
    if (!trace) return "";
    return std::to_string(trace->records.size()) + "," + std::to_string(access_count(*trace)) +
           "," + std::to_string(trace->wrong_elements.value_or(0));
}

// ladder_orders.csv: kernels without each of their barriers, counted from the top, in each order of
// threads; at the first TILE and PAD. Compares every `every`th row.
void compare_without_barriers(std::size_t every) {
    std::ifstream file(TILEREEL_SOURCE_DIR "/tests/ladder/ladder_orders.csv");
    std::string row;
    std::getline(file, row);
    EXPECT_EQ(row, "kernel,barrier,order,records,accesses,wrong_elements");
    std::size_t rows = 0;
    while (std::getline(file, row)) {
        if (rows++ % every != 0) continue;
        std::istringstream fields(row);
        std::string id, barrier, order, counts;
        std::getline(fields, id, ',');
        std::getline(fields, barrier, ',');
        std::getline(fields, order, ',');
        std::getline(fields, counts);
        const KernelInfo* const kernel = find_kernel(id);
        ASSERT_NE(kernel, nullptr) << row;
        EXPECT_EQ(counts_without(*kernel, std::stoul(barrier), kOrders[std::stoul(order)]), counts)
            << row;
    }
    EXPECT_EQ(rows, 116u);  // 29 barriers in 4 orders
}

// The table repeats the 4 orders, so every 5th row meets all of them.
TEST(BuiltInLadder, WithoutABarrierDoesWhatTheTableSays) { compare_without_barriers(5); }

std::uint32_t first_barrier(const char* kernel) {
    return static_cast<std::uint32_t>(find_kernel(kernel)->barriers[0].line);
}

// Without the barrier, C is right if the warps take turns: each stores before the other reads. It
// is wrong if they run one after another: the first reads what the second has not stored yet.
TEST(BuiltInLadder, FindsTheFirstOrderThatMakesCWrong) {
    RecordRequest request;
    request.kernel = "09_tiled";
    request.parameters = {.m = 16, .n = 16, .k = 16, .tile = 8};
    request.removed_barrier = first_barrier("09_tiled");
    request.find_failing_order = true;
    const Result<Trace> trace = record_built_in(request);
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->launch.order, ThreadOrder::kWarpsForward);
    EXPECT_EQ(trace->launch.removed_barrier, request.removed_barrier);
    EXPECT_EQ(trace->wrong_elements, 128u);  // the rows of the first warp of two
    // A warp of 04 reads only what its own lanes have stored. C is wrong only if the lanes run one
    // by one.
    request.kernel = "04_guide_a_shared";
    request.parameters = {.m = 16, .n = 16, .k = 8, .tile = 8};
    request.removed_barrier = first_barrier("04_guide_a_shared");
    const Result<Trace> lanes = record_built_in(request);
    ASSERT_TRUE(lanes) << lanes.error().message;
    EXPECT_EQ(lanes->launch.order, ThreadOrder::kLanes);
    request.lanes_may_diverge = false;
    const Result<Trace> together = record_built_in(request);
    ASSERT_TRUE(together) << together.error().message;
    EXPECT_EQ(together->wrong_elements, 0u);
    request.removed_barrier = 1;
    const Result<Trace> none = record_built_in(request);
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().kind, ErrorKind::kWrongCall);
}

// The champion's threads wait at barriers in shared memory. Without the first wait, the warps read
// their tiles before the boxes have come.
TEST(BuiltInLadder, TheChampionWithoutAWaitReadsTooEarly) {
    RecordRequest request;
    request.kernel = "20_champion";
    request.parameters = {.m = 32, .n = 32, .k = 32, .tile = 16};
    for (const ThreadOrder order : kOrders) {
        request.order = order;
        request.removed_barrier = 0;
        for (const KernelBarrier& barrier : find_kernel("20_champion")->barriers) {
            if (barrier.function.what != WaitFor::kPhase) continue;
            request.removed_barrier = static_cast<std::uint32_t>(barrier.line);
            break;
        }
        ASSERT_NE(request.removed_barrier, 0u);
        const Result<Trace> trace = record_built_in(request);
        ASSERT_TRUE(trace) << trace.error().message;
        EXPECT_GT(trace->wrong_elements, 0u) << static_cast<int>(order);
    }
}

// The champion's launch copies a matrix whose rows are not a multiple of 16 bytes long to padded
// rows. The trace has their contents, though the program does not send them back.
TEST(BuiltInLadder, TheChampionsPaddedRowsHoldItsMatrices) {
    RecordRequest request;
    request.kernel = "20_champion";
    request.parameters = {.m = 17, .n = 18, .k = 20, .tile = 16};
    const Result<Trace> trace = record_built_in(request);
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->arrays[0].leading_dimension, 20u);  // 20 floats are 80 bytes
    EXPECT_EQ(trace->arrays[0].first_bytes.size(), 17u * 80);
    const MatrixElements of_b = matrix_of(*trace, MatrixRole::kB);
    const Array& b = trace->arrays[1];
    ASSERT_EQ(b.leading_dimension, 20u);
    ASSERT_EQ(b.first_bytes.size(), b.size_bytes());
    for (std::uint32_t row = 0; row < b.rows; ++row)
        for (std::uint32_t column = 0; column < b.leading_dimension; ++column) {
            float value = 0;
            std::memcpy(&value, &b.first_bytes[b.index_of({row, column}) * sizeof value],
                        sizeof value);
            EXPECT_EQ(value, column < 18 ? of_b[row * 18 + column] : 0.0f);
        }
}

// The size is estimated from a sample, which runs without the same barrier and in the same order of
// threads as the request.
TEST(BuiltInLadder, RefusesWhatDoesNotFit) {
    for (const char* const kernel : {"09_tiled", "20_champion", "cpu_naive"}) {
        RecordRequest request;
        request.kernel = kernel;
        request.parameters = {.m = 16384, .n = 16384, .k = 16384, .tile = 16};
        const Result<Trace> large = record_built_in(request);
        ASSERT_FALSE(large) << kernel;
        EXPECT_EQ(large.error().kind, ErrorKind::kFailed);
        EXPECT_THAT(large.error().message, ::testing::HasSubstr("the recording would take about"));
        EXPECT_THAT(large.error().message, ::testing::HasSubstr("the limit is 4096 MiB"));
    }
    RecordRequest small;
    small.parameters = {.m = 64, .n = 64, .k = 64, .tile = 16};
    small.memory_limit_bytes = 1 << 17;  // not even some of its blocks
    EXPECT_FALSE(record_built_in(small));
    small.memory_limit_bytes = 6 << 20;
    EXPECT_TRUE(record_built_in(small));
    small.removed_barrier = first_barrier("09_tiled");
    small.order = ThreadOrder::kLanes;  // a record for each lane
    EXPECT_FALSE(record_built_in(small));
}

// Large enough that other cores take part.
TEST(BuiltInLadder, IsTheSameForAnyNumberOfCores) {
    for (const char* const kernel : {"10_tiled_any_size", "18_warp_tiled"}) {
        SCOPED_TRACE(kernel);
        RecordRequest request;
        request.kernel = kernel;
        request.parameters = {.m = 192, .n = 160, .k = 96, .tile = 32};
        request.workers = 1;
        const Result<Trace> alone = record_built_in(request);
        request.workers = 3;
        const Result<Trace> together = record_built_in(request);
        ASSERT_TRUE(alone) << alone.error().message;
        ASSERT_TRUE(together) << together.error().message;
        EXPECT_EQ(alone->wrong_elements, 0u);
        EXPECT_EQ(first_difference(*alone, *together), "");
    }
}

// On request: ctest -C all -L oracle-all
TEST(BuiltInLadder, DISABLED_EveryBarrierInEveryOrder) { compare_without_barriers(1); }

}  // namespace
}  // namespace tilereel::built_in_ladder_test

// C without a barrier, for each order of the threads. The expected C follows from the kernels'
// index arithmetic. A warp is 32 consecutive threads: at TILE 8, warp 0 has the rows 0 to 3 of a
// tile and warp 1 the rows 4 to 7.
#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <set>

#include "app/ladder/ladder.h"
#include "tests/record/without_barrier.h"
#include "tests/trace/same_trace.h"

namespace tilereel::removed_barrier_test {
namespace {

using ::testing::HasSubstr;

constexpr auto kRoundRobin = ThreadOrder::kRoundRobin, kForward = ThreadOrder::kWarpsForward,
               kBackward = ThreadOrder::kWarpsBackward, kLanes = ThreadOrder::kLanes;

// Selects elements of C by row and column.
using Where = std::function<bool(int, int)>;

bool nowhere(int, int) { return false; }

struct Case {
    const char* kernel;
    std::size_t barrier;
    KernelParameters parameters;
    ThreadOrder order;
    Where unwritten;  // elements whose sums read shared memory that nobody had written
};

const std::vector<Case>& cases() {
    const Where warp_0 = [](int row, int) { return row % 8 < 4; };
    const Where warp_1 = [](int row, int) { return row % 8 >= 4; };
    // Thread by thread, each needs elements that later threads store. Only the last one has all.
    const Where all_but_the_last_of_8 = [](int row, int column) {
        return row % 8 != 7 || column % 8 != 7;
    };
    const Where all_but_the_last_of_4 = [](int row, int column) {
        return row % 4 != 3 || column % 4 != 3;
    };
    // The outer products: thread i stores rows i / 16, i / 16 + 4, ... of A's tile, so warp 0 lacks
    // the rows that warp 1 stores, 2 and 3 of every 4, for its 32 columns of 64.
    const Where warp_0_of_64 = [](int row, int column) { return row % 4 >= 2 && column % 64 < 32; };
    const Where warp_1_of_64 = [](int row, int column) { return row % 4 < 2 && column % 64 >= 32; };
    static const std::vector<Case> all = {
        {"05_guide_ab_shared", 0, {24, 16, 8, 8, 0}, kRoundRobin, nowhere},
        {"05_guide_ab_shared", 0, {24, 16, 8, 8, 0}, kForward, warp_0},
        {"05_guide_ab_shared", 0, {24, 16, 8, 8, 1}, kBackward, warp_1},
        {"05_guide_ab_shared", 0, {24, 16, 8, 8, 2}, kLanes, all_but_the_last_of_8},
        // One warp: only the order of its lanes can make C wrong.
        {"05_guide_ab_shared", 0, {8, 12, 4, 4, 0}, kForward, nowhere},
        {"05_guide_ab_shared", 0, {8, 12, 4, 4, 0}, kBackward, nowhere},
        {"05_guide_ab_shared", 0, {8, 12, 4, 4, 0}, kLanes, all_but_the_last_of_4},
        {"09_tiled", 0, {4, 4, 8, 4, 0}, kForward, nowhere},
        {"09_tiled", 0, {4, 4, 8, 4, 0}, kLanes, all_but_the_last_of_4},
        // A thread reads its own row of A's tile: the last lane of each row finds all of it.
        {"04_guide_a_shared", 0, {16, 24, 8, 8, 0}, kRoundRobin, nowhere},
        {"04_guide_a_shared", 0, {16, 24, 8, 8, 0}, kForward, nowhere},
        {"04_guide_a_shared", 0, {16, 24, 8, 8, 0}, kBackward, nowhere},
        {"04_guide_a_shared",
         0,
         {16, 24, 8, 8, 1},
         kLanes,
         [](int, int column) { return column % 8 != 7; }},
        {"04_guide_a_shared",
         0,
         {32, 32, 32, 32, 0},
         kLanes,
         [](int, int column) { return column != 31; }},
        {"06_single_block", 0, {8, 8, 8, 16, 0}, kRoundRobin, nowhere},
        {"06_single_block", 0, {8, 8, 8, 16, 0}, kForward, warp_0},
        {"06_single_block", 0, {8, 8, 8, 16, 1}, kBackward, warp_1},
        // K = 4: all of B's matrix lies in the rows of warp 0.
        {"06_single_block", 0, {8, 8, 4, 16, 0}, kForward, nowhere},
        // Bs[tx][ty]: warp 0 stores the columns 0 to 3 of B's tile.
        {"07_tiled_b_uncoalesced",
         0,
         {16, 8, 16, 8, 0},
         kForward,
         [](int row, int column) { return row % 8 < 4 && column % 8 >= 4; }},
        {"08_tiled_b_transposed", 0, {8, 16, 16, 8, 1}, kForward, warp_0},
        {"09_tiled", 0, {16, 8, 24, 8, 0}, kRoundRobin, nowhere},
        {"09_tiled", 0, {16, 8, 24, 8, 0}, kForward, warp_0},
        {"09_tiled", 0, {16, 8, 24, 8, 0}, kBackward, warp_1},
        {"09_tiled", 1, {16, 8, 8, 8, 0}, kForward, nowhere},  // one phase: nothing follows it
        {"09_tiled", 1, {16, 8, 8, 8, 0}, kLanes, nowhere},
        {"10_tiled_any_size", 0, {5, 7, 9, 8, 0}, kForward, warp_0},
        {"10_tiled_any_size", 0, {5, 7, 9, 8, 0}, kBackward, warp_1},
        {"10_tiled_any_size", 0, {100, 37, 65, 8, 0}, kForward, warp_0},
        {"10_tiled_any_size", 0, {1, 1, 1, 8, 0}, kForward, warp_0},
        {"10_tiled_any_size", 0, {1, 1, 1, 8, 0}, kRoundRobin, nowhere},
        {"11_tiled_dynamic", 0, {16, 16, 16, 8, 1}, kForward, warp_0},
        {"11_tiled_dynamic", 0, {16, 16, 16, 8, 1}, kRoundRobin, nowhere},
        {"12_outer_product", 0, {32, 64, 32, 16, 0}, kRoundRobin, nowhere},
        {"12_outer_product", 0, {32, 64, 32, 16, 0}, kForward, warp_0_of_64},
        {"12_outer_product", 0, {16, 128, 32, 16, 1}, kBackward, warp_1_of_64},
        {"13_outer_product_unrolled", 0, {16, 64, 48, 16, 0}, kForward, warp_0_of_64},
        {"14_outer_product_prefetch", 0, {16, 64, 16, 16, 0}, kForward, warp_0_of_64},
        // The second of two tiles goes to the other buffer, which nobody wrote before.
        {"14_outer_product_prefetch", 1, {16, 64, 32, 16, 0}, kRoundRobin, nowhere},
        {"14_outer_product_prefetch", 1, {32, 64, 32, 16, 0}, kForward, warp_0_of_64},
        {"14_outer_product_prefetch", 1, {16, 64, 32, 16, 2}, kBackward, warp_1_of_64},
        {"14_outer_product_prefetch", 1, {16, 64, 16, 16, 0}, kForward, nowhere},
    };
    return all;
}

TEST(RemovedBarrier, UnwrittenReadsMakeNaNInC) {
    for (const Case& test : cases()) {
        const Trace trace =
            recorded(request_without(test.kernel, test.barrier, test.parameters, test.order));
        const std::string name = std::string(test.kernel) + ", barrier " +
                                 std::to_string(test.barrier) + ", order " +
                                 std::to_string(static_cast<int>(test.order));
        std::set<std::pair<int, int>> found, expected;
        for (const WrongElement& wrong : wrong_elements(trace)) {
            found.emplace(wrong.row, wrong.column);
            EXPECT_TRUE(std::isnan(wrong.found)) << name;
        }
        for (int row = 0; row < test.parameters.m; ++row)
            for (int column = 0; column < test.parameters.n; ++column)
                if (test.unwritten(row, column)) expected.emplace(row, column);
        EXPECT_EQ(found, expected) << name;
    }
}

double element(const MatrixElements& matrix, int columns, int row, int column) {
    return matrix[static_cast<std::size_t>(row) * columns + column];
}

// 09 without its second barrier, TILE 8: the warp that runs first computes, then stores its four
// rows of the next tile of B before the other has read them.
TEST(RemovedBarrier, ReadsAfterAnEarlyOverwriteAreOfTheNextTile) {
    const KernelParameters p{.m = 16, .n = 24, .k = 32, .tile = 8, .pad = 0};
    for (const ThreadOrder order : kAllOrders) {
        if (order == kLanes) continue;
        const Trace trace = recorded(request_without("09_tiled", 1, p, order));
        for (int row = 0; row < p.m; ++row) {
            const bool warp_0 = row % 8 < 4;
            const bool late = (order == kForward && !warp_0) || (order == kBackward && warp_0);
            for (int column = 0; column < p.n; ++column) {
                double sum = 0;
                for (int k = 0; k < p.k; ++k) {
                    const bool others_row = (k % 8 < 4) != warp_0;
                    const bool next_tile = late && others_row && k + 8 < p.k;
                    sum += element(matrix_of(trace, MatrixRole::kA), p.k, row, k) *
                           element(matrix_of(trace, MatrixRole::kB), p.n, next_tile ? k + 8 : k,
                                   column);
                }
                ASSERT_EQ(
                    matrix_of(trace, MatrixRole::kC)[static_cast<std::size_t>(row) * p.n + column],
                    sum)
                    << "order " << static_cast<int>(order) << " C[" << row << "][" << column << "]";
            }
        }
    }
}

// The same for 12: its warp 0 stores the rows 0 and 1 of every 4 rows of A's tile.
TEST(RemovedBarrier, OuterProductsReadTheNextTileOfA) {
    const KernelParameters p{.m = 16, .n = 128, .k = 48, .tile = 16, .pad = 1};
    for (const char* kernel : {"12_outer_product", "13_outer_product_unrolled"}) {
        for (const ThreadOrder order : {kRoundRobin, kForward, kBackward}) {
            const Trace trace = recorded(request_without(kernel, 1, p, order));
            for (int row = 0; row < p.m; ++row)
                for (int column = 0; column < p.n; ++column) {
                    const bool warp_0 = column % 64 < 32, row_of_warp_0 = row % 4 < 2;
                    const bool late =
                        (order == kForward && !warp_0) || (order == kBackward && warp_0);
                    double sum = 0;
                    for (int k = 0; k < p.k; ++k) {
                        const bool next_tile = late && row_of_warp_0 != warp_0 && k + 16 < p.k;
                        sum += element(matrix_of(trace, MatrixRole::kA), p.k, row,
                                       next_tile ? k + 16 : k) *
                               element(matrix_of(trace, MatrixRole::kB), p.n, k, column);
                    }
                    ASSERT_EQ(
                        matrix_of(trace,
                                  MatrixRole::kC)[static_cast<std::size_t>(row) * p.n + column],
                        sum)
                        << kernel << " order " << static_cast<int>(order);
                }
        }
    }
}

// 09 without its second barrier, thread by thread: each computes with the tiles as they are and
// then stores its own element of the next ones.
TEST(RemovedBarrier, LanesOneByOneAreASerialProgram) {
    const KernelParameters p{.m = 8, .n = 8, .k = 32, .tile = 8, .pad = 0};
    const Trace trace = recorded(request_without("09_tiled", 1, p, kLanes));
    double as[8][8], bs[8][8], sums[8][8] = {};
    const auto load = [&](int row, int column, int phase) {
        as[row][column] = element(matrix_of(trace, MatrixRole::kA), p.k, row, 8 * phase + column);
        bs[row][column] = element(matrix_of(trace, MatrixRole::kB), p.n, 8 * phase + row, column);
    };
    for (int thread = 0; thread < 64; ++thread) load(thread / 8, thread % 8, 0);
    for (int phase = 0; phase < 4; ++phase)
        for (int thread = 0; thread < 64; ++thread) {
            const int row = thread / 8, column = thread % 8;
            for (int k = 0; k < 8; ++k) sums[row][column] += as[row][k] * bs[k][column];
            if (phase < 3) load(row, column, phase + 1);
        }
    for (int row = 0; row < 8; ++row)
        for (int column = 0; column < 8; ++column)
            EXPECT_EQ(matrix_of(trace, MatrixRole::kC)[static_cast<std::size_t>(row) * 8 + column],
                      sums[row][column]);
    EXPECT_FALSE(wrong_elements(trace).empty());
}

TEST(RemovedBarrier, TheBarrierLeavesNoRecordAndEpochsMerge) {
    const KernelParameters p{.m = 16, .n = 16, .k = 32, .tile = 8, .pad = 0};
    RecordRequest request = request_without("09_tiled", 0, p);
    const Trace without = recorded(request);
    EXPECT_EQ(without.launch.removed_barrier, request.removed_barrier);
    request.removed_barrier = 0;
    const Trace with = recorded(request);
    EXPECT_EQ(with.segments.epoch.back(), 8u);     // four phases of two barriers, then C
    EXPECT_EQ(without.segments.epoch.back(), 4u);  // four phases of one barrier, then C
    for (const Site& site : without.sites) EXPECT_NE(site.line, without.launch.removed_barrier);
    // 4 blocks, 2 warps, 4 phases.
    EXPECT_EQ(with.records.size() - without.records.size(), 4u * 2 * 4);
    EXPECT_EQ(access_count(with), access_count(without));
}

TEST(RemovedBarrier, TheTraceIsTheSameForAnyNumberOfWorkers) {
    for (const ThreadOrder order : kAllOrders) {
        RecordRequest request = request_without("10_tiled_any_size", 0, {41, 30, 19, 8, 1}, order);
        request.workers = 1;
        const Trace one = recorded(request);
        for (const unsigned workers : {1u, 2u, 5u}) {
            request.workers = workers;
            const Trace many = recorded(request);
            EXPECT_EQ(first_difference(one, many), "") << workers << " workers";
        }
    }
}

TEST(RemovedBarrier, ALineWithoutABarrierIsAnErrorThatListsTheBarriers) {
    RecordRequest request;
    request.kernel = "09_tiled";
    request.removed_barrier = 1;
    const Result<Trace> none = record_built_in(request);
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().kind, ErrorKind::kWrongCall);
    for (const KernelBarrier& barrier : find_kernel("09_tiled")->barriers)
        EXPECT_THAT(none.error().message, HasSubstr(std::to_string(barrier.line)));
    EXPECT_FALSE(estimate_trace_bytes(request));
    request.kernel = "02_naive";
    EXPECT_EQ(record_built_in(request).error().kind, ErrorKind::kWrongCall);
    request.removed_barrier = 0;
    request.order = kLanes;
    EXPECT_EQ(record_built_in(request).error().kind, ErrorKind::kWrongCall);
    request.order = kRoundRobin;
    request.find_failing_order = true;
    EXPECT_EQ(record_built_in(request).error().kind, ErrorKind::kWrongCall);
}

}  // namespace
}  // namespace tilereel::removed_barrier_test

// What the lanes of a warp hold for the tensor cores at each moment. Expected: the elements of A, B
// and C by their indices, and the order of the requests of the handmade trace.
#include "app/replay/tensor/tensor_moment.h"

#include <gtest/gtest.h>

#include "instrumentation/trace/check/trace_check.h"
#include "tests/trace/tensor_traces.h"

namespace tilereel::tensor_moment_test {
namespace {

using tests::TensorTraceOptions;

struct Moments {
    explicit Moments(const TensorTraceOptions& options = {}) : trace(tests::tensor_trace(options)) {
        check(check_trace(trace).has_value());
        auto made = Replay::of_block(trace, 0);
        check(made.has_value());
        replay.emplace(std::move(made).value());
    }
    // The moment of wavefront `wavefront` of the n-th request on a line.
    std::optional<TensorMoment> at(std::uint32_t line, int n, Tick wavefront = 0) {
        for (const Step& step : replay->schedule().steps)
            if (trace.sites[step.site].line == line && n-- == 0) {
                replay->seek(step.begin + wavefront);
                return tensor_moment(*replay, std::nullopt, 0, 0);
            }
        return std::nullopt;
    }

    Trace trace;
    std::optional<Replay> replay;
};

void expect_all(const HeldFragment& held, HeldSince since) {
    for (const HeldSince each : held.since) EXPECT_EQ(each, since);
}

// Calls visit(element's row and column, value) for all elements.
template <class Visit>
void for_each_value(const HeldFragment& held, Visit&& visit) {
    for (const FragmentCell& cell : held.grid.cells)
        for (int i = 0; i < cell.count; ++i)
            visit(cell.at.row + (cell.rows > 1 ? i : 0),
                  cell.at.column + (cell.columns > 1 ? i : 0),
                  held.value(cell.lane, cell.first + i));
}

TEST(TensorMoment, ALoadOfAFillsAWhileBIsNotThere) {
    Moments moments;
    const auto moment = moments.at(7, 0);
    ASSERT_TRUE(moment && moment->product);
    ASSERT_EQ(moment->fragments.size(), 3u);
    expect_all(moment->fragments[0], HeldSince::kNow);
    expect_all(moment->fragments[1], HeldSince::kLater);
    EXPECT_TRUE(moment->fragments[0].touched);
    EXPECT_FALSE(moment->fragments[1].touched);
    EXPECT_FALSE(moment->computes);
    EXPECT_TRUE(moment->fragments[2].former.empty());
    ASSERT_EQ(moment->matrices.size(), 4u);
    // The swizzle gives each matrix a wavefront of its own, and matrix r goes to register r.
    for (int i = 0; i < 4; ++i) {
        EXPECT_EQ(moment->matrices[std::size_t(i)].fragment, 0u);
        EXPECT_EQ(moment->matrices[std::size_t(i)].lane_register, i);
        for (int lane = 0; lane < 32; ++lane)
            EXPECT_EQ(moment->fragments[0].wavefront[std::size_t(lane * 4 + i)], std::uint32_t(i));
    }
    EXPECT_EQ(moment->product_line, 9u);
}

TEST(TensorMoment, ValuesAreTheElementsOfTheMatrices) {
    for (const bool transposes : {false, true}) {
        const TensorTraceOptions options{.transposes = transposes};
        Moments moments(options);
        for (int kk = 0; kk < 2; ++kk) {
            const auto moment = moments.at(8, kk);
            ASSERT_TRUE(moment && moment->product);
            std::size_t seen = 0;
            for_each_value(moment->fragments[0], [&](int row, int k, double value) {
                EXPECT_EQ(value, tests::tensor_a(options, row, 16 * kk + k));
                ++seen;
            });
            for_each_value(moment->fragments[1], [&](int k, int column, double value) {
                EXPECT_EQ(value, tests::tensor_b(options, 16 * kk + k, column));
                ++seen;
            });
            for_each_value(moment->fragments[2], [&](int row, int column, double value) {
                EXPECT_EQ(value, tests::tensor_sum(options, row, column, 16 * kk + 16));
                ++seen;
            });
            EXPECT_EQ(seen, 16u * 16 + 16 * 8 + 16 * 8);
        }
    }
}

TEST(TensorMoment, TheLastLoadComputesTheProduct) {
    Moments moments;
    for (int kk = 0; kk < 2; ++kk) {
        const auto moment = moments.at(8, kk);
        ASSERT_TRUE(moment);
        EXPECT_TRUE(moment->computes);
        expect_all(moment->fragments[0], HeldSince::kBefore);
        expect_all(moment->fragments[1], HeldSince::kNow);
        expect_all(moment->fragments[2], HeldSince::kNow);
    }
    EXPECT_EQ(moments.replay->tensor().products().size(), 2u);
}

// D of the first product is C of the second.
TEST(TensorMoment, SumsSoFarAreThoseOfTheProductBefore) {
    Moments moments;
    EXPECT_TRUE(moments.at(8, 0)->fragments[2].former.empty());
    for (const std::uint32_t line : {7u, 8u}) {
        const auto moment = moments.at(line, 1);
        const HeldFragment& sums = moment->fragments[2];
        ASSERT_FALSE(sums.former.empty());
        for (const FragmentCell& cell : sums.grid.cells)
            for (int i = 0; i < cell.count; ++i)
                EXPECT_EQ(sums.former_value(cell.lane, cell.first + i),
                          tests::tensor_sum({}, cell.at.row, cell.at.column + i, 16));
    }
}

// The values cannot tell A from B; the arrays do.
TEST(TensorMoment, MatricesOfOnesAreToldApart) {
    Moments moments({.all_ones = true});
    for (int kk = 0; kk < 2; ++kk) {
        EXPECT_TRUE(moments.at(7, kk)->fragments[0].touched) << kk;
        EXPECT_FALSE(moments.at(7, kk)->fragments[1].touched) << kk;
        EXPECT_FALSE(moments.at(8, kk)->fragments[0].touched) << kk;
        EXPECT_TRUE(moments.at(8, kk)->fragments[1].touched) << kk;
    }
}

TEST(TensorMoment, AStoreOfTheSumsShowsTheProduct) {
    Moments moments;
    const auto moment = moments.at(11, 0);
    ASSERT_TRUE(moment && moment->product);
    EXPECT_TRUE(moment->stores_sums);
    EXPECT_TRUE(moment->fragments[2].touched);
    expect_all(moment->fragments[2], HeldSince::kBefore);
}

// A register of a load without a product shows its matrix, transposed or not.
TEST(TensorMoment, ALoadWithoutAProductShowsItsMatrices) {
    for (const bool transposes : {false, true}) {
        const TensorTraceOptions options{.multiplies = false, .transposes = transposes};
        Moments moments(options);
        const auto moment = moments.at(8, 1);
        ASSERT_TRUE(moment);
        EXPECT_FALSE(moment->product);
        ASSERT_EQ(moment->fragments.size(), 1u);
        const HeldFragment& held = moment->fragments[0];
        EXPECT_EQ(held.grid.rows, 16);
        EXPECT_EQ(held.grid.columns, 8);
        for_each_value(held, [&](int row, int column, double value) {
            // Two matrices, one below the other: columns of B, or rows of B if transposed.
            const float expected =
                transposes ? tests::tensor_b(options, 16 + row, column)
                           : tests::tensor_b(options, 16 + row / 8 * 8 + column, row % 8);
            EXPECT_EQ(value, expected) << row << ", " << column;
        });
    }
}

TEST(TensorMoment, OtherRequestsHaveNone) {
    Moments moments;
    EXPECT_FALSE(moments.at(3, 0));
    EXPECT_FALSE(moments.at(4, 0));
}

TEST(TensorMoment, InstructionsAreNamedAsInPtx) {
    EXPECT_EQ(matrix_instruction(Operation::kMatrixLoad, 4, false), "ldmatrix.x4");
    EXPECT_EQ(matrix_instruction(Operation::kMatrixStore, 1, true), "stmatrix.x1.trans");
    EXPECT_EQ(matrix_instruction(Operation::kLoad, 0, false), "");
}

// 8 rows of a matrix in one slot of 16 bytes take 8 wavefronts; by XOR with the row's number each
// has a slot of its own.
TEST(TensorMoment, TheSentenceSaysWhatPlainRowsWouldTake) {
    Moments swizzled;
    ASSERT_TRUE(swizzled.at(7, 0));
    EXPECT_EQ(
        plain_text(swizzled.replay->sentence()),
        "Warp 0 loads four matrices of As: ldmatrix gives each lane 8 elements in 4 registers. "
        "Swizzled rows take 4 wavefronts, plain ones would take 32.");
    ASSERT_TRUE(swizzled.at(8, 0));
    EXPECT_EQ(
        plain_text(swizzled.replay->sentence()),
        "Warp 0 loads two matrices of Bs: ldmatrix gives each lane 4 elements in 2 registers. "
        "Swizzled rows take 2 wavefronts, plain ones would take 16; 1 matrix product "
        "follows.");
    Moments plain({.swizzled = false});
    ASSERT_TRUE(plain.at(7, 0));
    EXPECT_EQ(
        plain_text(plain.replay->sentence()),
        "Warp 0 loads four matrices of As: ldmatrix gives each lane 8 elements in 4 registers. "
        "Their rows take 32 wavefronts instead of 4: rows of a matrix lie in the same banks.");
}

// Cells of every product cover each element once.
TEST(FragmentGrid, CellsCoverTheMatrix) {
    for (const WarpProduct& product : every_warp_product())
        for (const MatrixOperand operand :
             {MatrixOperand::kA, MatrixOperand::kB, MatrixOperand::kD})
            for (int part = 0; part < product.count(); ++part) {
                const FragmentGrid grid = fragment_grid(product, operand, part);
                std::vector<int> covered(std::size_t(grid.rows * grid.columns));
                for (const FragmentCell& cell : grid.cells) {
                    EXPECT_EQ(cell.rows * cell.columns, cell.count);
                    for (int i = 0; i < cell.count; ++i) {
                        const MatrixElement at =
                            element_of(product, operand, cell.lane, cell.first + i);
                        EXPECT_EQ(at.row, cell.at.row + (cell.rows > 1 ? i : 0));
                        EXPECT_EQ(at.column, cell.at.column + (cell.columns > 1 ? i : 0));
                        ++covered[std::size_t(at.row * grid.columns + at.column)];
                    }
                }
                EXPECT_TRUE(std::ranges::all_of(covered, [](int times) { return times == 1; }))
                    << instruction_of(product);
            }
}

}  // namespace
}  // namespace tilereel::tensor_moment_test

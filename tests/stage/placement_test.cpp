// The position of each element in a shared tile.
#include "app/stage/shared/placement.h"

#include <gtest/gtest.h>

#include "kernels/catalog.h"
#include "kernels/openings.h"

namespace tilereel::stage::placement_test {
namespace {

class Placed {
  public:
    Placed(const char* kernel, const KernelParameters& parameters)
        : Placed(options(kernel, parameters)) {}
    // At a tick, or at the end.
    explicit Placed(WorkbenchOptions options, std::optional<double> tick = std::nullopt)
        : bench_(std::move(options)) {
        view_.plan.refresh(*bench_.replay());
        const auto end = static_cast<double>(bench_.replay()->schedule().ticks);
        bench_.apply(Command{SeekTo{tick.value_or(end), false}});
        layout_ =
            layout_stage(look_, {464, 64, 1048, 800}, bench_.replay()->trace(), view_.plan, zoom_);
    }
    [[nodiscard]] Placement of(std::size_t array) {
        const Replay& replay = *bench_.replay();
        const Scene scene{look_,          bench_, replay,     replay.trace(),
                          replay.state(), view_,  view_.plan, layout_};
        const SharedView& view = layout_.arrays.at(array);
        return placement_of(scene, view, picture_of(scene, replay.state().shared[array], view));
    }
    [[nodiscard]] const SharedView& view(std::size_t array) const {
        return layout_.arrays.at(array);
    }

    static WorkbenchOptions options(const char* kernel, const KernelParameters& parameters) {
        WorkbenchOptions options;
        options.request.kernel = kernel;
        options.request.parameters = parameters;
        options.record_on_worker = false;
        options.playing = false;
        return options;
    }

  private:
    Workbench bench_;
    Look look_;
    StageView view_;
    StageLayout layout_;
    Zoom zoom_;
};

// The kernel's header says: rows k = 0 to 3 of the array As stay in place; in rows k = 4 to 7 the
// two halves, 8 elements each, are swapped.
TEST(Placement, TheSwizzledKernelMovesPiecesByXor) {
    Placed placed("17_swizzled", {16, 16, 16, 16, 0});
    const Placement as = placed.of(0), bs = placed.of(1);
    EXPECT_TRUE(as.moved);
    EXPECT_TRUE(as.transposed);
    EXPECT_EQ(as.matrix, 0u);
    for (std::uint32_t k = 0; k < 8; ++k) {
        EXPECT_EQ(as.row_xor[k], k < 4 ? 0u : 2u);
        for (std::uint32_t y = 0; y < 16; ++y)
            EXPECT_EQ(as.along[k * 16 + y], k < 4 ? y : (y + 8) % 16);
    }
    EXPECT_EQ(swizzle_text(placed.view(0), as, {5, 4}),
              "piece 3 of row 5 lies in slot 3 XOR 2 = 1");
    EXPECT_EQ(swizzle_text(placed.view(0), as, {0, 4}), "");
    EXPECT_EQ(some_swizzle_text(placed.view(0), as), "piece 3 of row 4 lies in slot 3 XOR 2 = 1");
    EXPECT_FALSE(bs.moved);
    EXPECT_FALSE(bs.transposed);
}

// Rows are counted in the plane. A row of A's tile has 8 elements, in two pieces of 16 bytes; in
// rows 4 to 7 and 12 to 15 these are swapped.
TEST(Placement, RowsCountFromTheStartOfTheirPlane) {
    Placed placed("20_champion", {16, 16, 32, 16, 0});
    const Placement as = placed.of(0);
    EXPECT_TRUE(as.moved);
    EXPECT_FALSE(as.transposed);
    EXPECT_EQ(some_swizzle_text(placed.view(0), as), "piece 1 of row 4 lies in slot 1 XOR 1 = 0");
}

// Without the barrier on line 31, warps 0 and 1 have stored rows 0 to 3 of the second tile of A,
// and columns 0 to 3 of that of B, while the other warps still read the first tiles. (A
// half-overwritten tile looks as if its pieces were moved by an XOR.)
TEST(Placement, ATileOfTwoPhasesIsNoLayout) {
    WorkbenchOptions options = Placed::options("08_tiled_b_transposed", {32, 32, 32, 16, 0});
    options.request.removed_barrier = 31;
    options.request.order = ThreadOrder::kWarpsForward;
    Placed placed(std::move(options), 562);
    const Placement as = placed.of(0), bs = placed.of(1);
    EXPECT_EQ(as.mixed_texts.at(0), "rows 0 to 3 hold phase 2 already");
    EXPECT_EQ(bs.mixed_texts.at(0), "columns 0 to 3 hold phase 2 already");
    EXPECT_EQ(some_swizzle_text(placed.view(0), as), "");
    EXPECT_EQ(some_swizzle_text(placed.view(1), bs), "");
    EXPECT_FALSE(as.moved);
}

TEST(Placement, PaddingMovesNothingWithinItsRow) {
    for (const int pad : {0, 4}) {
        Placed placed("16_vectorized", {16, 16, 16, 16, pad});
        const Placement as = placed.of(0);
        EXPECT_FALSE(as.moved) << pad;
        EXPECT_TRUE(as.transposed);
        EXPECT_EQ(some_swizzle_text(placed.view(0), as), "");
    }
}

// A tile of bf16 that the TMA has written with the 128-byte swizzle: in row r, the 16-byte piece p
// lies at p XOR (r mod 8) (CUDA C++ Programming Guide, "Tensor Memory Access (TMA) swizzle modes").
// Eight elements of two bytes are one piece.
TEST(Placement, PiecesOfTwoByteElementsHaveEight) {
    const KernelParameters p = opening_of(*find_kernel("24_wgmma"));
    std::size_t known = 0;
    for (double tick = 50; tick <= 1000; tick += 50) {
        WorkbenchOptions options = Placed::options("24_wgmma", p);
        Placed placed(std::move(options), tick);
        const Placement found = placed.of(0);
        const SharedView& view = placed.view(0);
        EXPECT_EQ(found.piece, 8u);
        for (std::uint32_t row = 0; row < found.row_xor.size(); ++row) {
            if (found.row_xor[row] == kNoIndex) continue;  // on its way
            ++known;
            ASSERT_EQ(found.row_xor[row], row % 8) << "row " << row << " at tick " << tick;
            if (row != 3) continue;
            EXPECT_EQ(swizzle_text(view, found, {view.first_row + 3, 0}),
                      "piece 3 of row 3 lies in slot 3 XOR 3 = 0");
        }
    }
    EXPECT_GT(known, 32u);
}

}  // namespace
}  // namespace tilereel::stage::placement_test

// Each kernel opens at sizes that show the "Watch" of its header. Expected counts follow from the
// kernels' index arithmetic and the rules of compute capability 9.0: sectors of 32 bytes, 32 banks
// of 4 bytes.
#include "kernels/openings.h"

#include <gtest/gtest.h>


#include "app/workbench/workbench.h"
#include "tests/workbench/bench.h"

namespace tilereel::openings_test {
namespace {

// Chooses the kernel as the window's menu does.
const Recording& opened(Workbench& workbench, const std::string& id) {
    workbench.apply(SetKernel{id});
    EXPECT_EQ(workbench.recording()->request.kernel, id) << workbench.message();
    EXPECT_TRUE(workbench.message().empty()) << id << ": " << workbench.message();
    return *workbench.recording();
}

class Openings : public testing::Test {
  protected:
    static WorkbenchOptions options() {
        WorkbenchOptions options = paused(request("09_tiled", 16, 4));
        options.sizes_chosen = false;
        return options;
    }
    Workbench workbench_{options()};
};

TEST_F(Openings, EveryKernelTakesItsOpening) {
    ASSERT_EQ(openings().size(), catalog().size());
    for (std::size_t i = 0; i < openings().size(); ++i) {
        const KernelOpening& opening = openings()[i];
        EXPECT_EQ(opening.kernel, catalog()[i].id);
        EXPECT_TRUE(validate(catalog()[i], opening.parameters)) << opening.kernel;
        EXPECT_FALSE(opening.shows.empty());
        const std::string kernel(opening.kernel);
        const Recording& recording = opened(workbench_, kernel);
        EXPECT_EQ(recording.request.parameters, opening.parameters);
    }
}

TEST_F(Openings, AKernelWithoutARowOpensAtASizeThatItTakes) {
    for (const KernelInfo& kernel : catalog()) {
        KernelInfo added = kernel;
        added.id = "21_added";
        EXPECT_TRUE(validate(added, opening_of(added))) << kernel.id;
    }
}

// The sectors of one warp, two rows of 16 threads, for one k. 02: one in each of 2 rows of A, and 2
// for 64 bytes of B. 01: one in each of 16 rows of A, and 1 for two words of B. There are 8 warps
// and 8 k.
TEST_F(Openings, NaiveByColumnMovesFourTimesTheSectorsOfNaive) {
    EXPECT_EQ(opened(workbench_, "02_naive").counts.global_load.sectors, 8u * 8 * (2 + 2));
    EXPECT_EQ(opened(workbench_, "01_naive_by_column").counts.global_load.sectors,
              8u * 8 * (16 + 1));
}

// All 32 lanes of a read of Bs want one bank: 31 wavefronts too many, for each of 32 warps and
// 32 k. One word of padding leaves none.
TEST_F(Openings, TransposedOpensWithConflictsThatOneWordOfPaddingCures) {
    EXPECT_EQ(opened(workbench_, "08_tiled_b_transposed").counts.shared_load.bank_conflicts,
              31u * 32 * 32);
    workbench_.apply(TogglePad{});
    EXPECT_EQ(workbench_.recording()->counts.shared_load.bank_conflicts, 0u);
    EXPECT_EQ(workbench_.recording()->counts.shared_store.bank_conflicts, 0u);
}

// The stores As[k][row] = ... of 16 put two rows of k into the same banks. PAD 4 moves the rows
// apart. The stores of 17 have no conflict even without padding.
TEST_F(Openings, VectorizedStoresConflictUntilPaddedAndSwizzledOnesDoNot) {
    EXPECT_GT(opened(workbench_, "16_vectorized").counts.shared_store.bank_conflicts, 0u);
    workbench_.apply(TogglePad{});
    EXPECT_EQ(workbench_.recording()->counts.shared_store.bank_conflicts, 0u);
    Workbench fresh(options());
    EXPECT_EQ(opened(fresh, "17_swizzled").counts.shared_store.bank_conflicts, 0u);
}

TEST_F(Openings, KernelsThatShowBarriersOpenWithSeveralWarps) {
    for (const char* id :
         {"04_guide_a_shared", "05_guide_ab_shared", "06_single_block", "07_tiled_b_uncoalesced",
          "08_tiled_b_transposed", "09_tiled", "10_tiled_any_size", "11_tiled_dynamic",
          "12_outer_product", "14_outer_product_prefetch", "18_warp_tiled"})
        EXPECT_GE(opened(workbench_, id).trace->launch.warps(), 2u) << id;
}

// Reads of shared memory per multiply-add: 2 for 09 (As and Bs), 1 for 12 (only As). A thread of 15
// reads 4 + 4 values for 4 x 4 multiply-adds: 0.5.
TEST_F(Openings, RegisterTilesReadLessSharedMemory) {
    const auto reads = [&](const char* id) {
        const KernelCounts& counts = opened(workbench_, id).counts;
        return static_cast<double>(counts.shared_load.accesses) /
               static_cast<double>(counts.multiply_adds);
    };
    EXPECT_DOUBLE_EQ(reads("09_tiled"), 2);
    EXPECT_DOUBLE_EQ(reads("12_outer_product"), 1);
    EXPECT_DOUBLE_EQ(reads("15_register_tile"), 0.5);
}

// M, N and K are no multiples of TILE, so some lanes lie outside of A, B and C.
TEST_F(Openings, AnySizeHasLanesOutside) {
    const KernelParameters p = opened(workbench_, "10_tiled_any_size").request.parameters;
    for (const int extent : {p.m, p.n, p.k}) EXPECT_NE(extent % p.tile, 0);
}

// What someone chose stays when the kernel changes; the rest follows the kernel.
TEST_F(Openings, AChosenTileIsKept) {
    opened(workbench_, "02_naive");
    KernelParameters p = workbench_.request().parameters;
    p.tile = 4;
    workbench_.apply(SetParameters{p});
    workbench_.apply(SetKernel{"01_naive_by_column"});
    EXPECT_EQ(workbench_.request().parameters,
              (KernelParameters{.m = 16, .n = 16, .k = 8, .tile = 4, .pad = 0}));
    workbench_.apply(SetParameters{{.m = 20, .n = 16, .k = 8, .tile = 4, .pad = 0}});
    workbench_.apply(SetKernel{"02_naive"});
    EXPECT_EQ(workbench_.request().parameters.m, 20);
}

}  // namespace
}  // namespace tilereel::openings_test

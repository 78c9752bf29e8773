// The operands that 12 to 14 keep in registers: an element of B for each thread, for all rows of
// As.
#include <gtest/gtest.h>

#include "app/ladder/ladder.h"
#include "app/replay/replay.h"

namespace tilereel::held_operands_test {
namespace {

Trace recorded(const char* kernel, const KernelParameters& parameters) {
    RecordRequest request;
    request.kernel = kernel;
    request.parameters = parameters;
    return record_built_in(request).value();
}

// For each k: one load of B[k][col], then As[r][k] for 16 rows, each multiplied with it.
TEST(HeldOperands, OfTheOuterProductAreUsed16Times) {
    for (const char* kernel :
         {"12_outer_product", "13_outer_product_unrolled", "14_outer_product_prefetch"}) {
        const Trace trace = recorded(kernel, {.m = 16, .n = 128, .k = 32, .tile = 16, .pad = 0});
        const Replay replay = Replay::of_block(trace, 1).value();
        ASSERT_FALSE(replay.held_operands().empty()) << kernel;
        std::uint32_t reads = 0;
        for (std::uint32_t index = 0; index < replay.schedule().steps.size(); ++index) {
            const Step& step = replay.schedule().steps[index];
            const Array& array = trace.arrays[trace.sites[step.site].array];
            const HeldOperand held = held_at(replay.held_operands(), index);
            if (array.name == "B") {
                EXPECT_EQ(held.load_step, index);
                EXPECT_EQ(held.used, 0u);
            }
            if (array.space != Space::kShared ||
                trace.sites[step.site].operation == Operation::kStore)
                continue;
            ++reads;
            const LaneOffsets as = lane_offsets(trace, step.record);
            const std::uint32_t word = (as.bytes[0] - array.base_bytes) / 4 % 256;
            EXPECT_EQ(held.used, word / 16) << "read of row " << word / 16;
            EXPECT_EQ(held.of_all, 16u);
            ASSERT_NE(held.load_step, kNoStep);
            const Step& load = replay.schedule().steps[held.load_step];
            EXPECT_EQ(load.warp, step.warp);
            const LaneOffsets b = lane_offsets(trace, load.record);
            EXPECT_EQ(b.bytes[0] / 4 / 128 % 16, word % 16) << "the row of B is As's column";
        }
        EXPECT_EQ(reads, 2u * 32 * 16);
    }
}

TEST(HeldOperands, AreNoneWhereEachIsUsedOnce) {
    for (const char* kernel : {"02_naive", "04_guide_a_shared", "09_tiled"}) {
        const Trace trace = recorded(kernel, {.m = 16, .n = 16, .k = 8, .tile = 8, .pad = 0});
        const Replay replay = Replay::of_block(trace, 0).value();
        EXPECT_TRUE(replay.held_operands().empty()) << kernel;
        EXPECT_EQ(held_at(replay.held_operands(), 0).load_step, kNoStep);
    }
}

}  // namespace
}  // namespace tilereel::held_operands_test

#include "app/workbench/launch/block_by_occupancy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/workbench/bench.h"

namespace tilereel::block_by_occupancy_test {
namespace {

using testing::HasSubstr;

std::optional<Registers> given(int registers) {
    if (registers == 0) return std::nullopt;
    return Registers{registers, Registers::From::kGiven};
}

int suggested_tile(std::string_view generation, int registers = 0, int pad = 0) {
    const Result<BlockByOccupancy> block = block_by_occupancy(
        *find_kernel("11_tiled_dynamic"), pad, *find_generation(generation), given(registers));
    EXPECT_TRUE(block) << generation;
    return block ? block->tile : 0;
}

// The rule must compute the same size as the launch.
TEST(BlockByOccupancy, SharedMemoryIsWhatTheLaunchRequests) {
    const KernelInfo& kernel = *find_kernel("11_tiled_dynamic");
    for (const int tile : kernel.tiles)
        for (const int pad : kernel.pads) {
            const Result<LaunchShape> shape =
                validate(kernel, {.m = 64, .n = 64, .k = 64, .tile = tile, .pad = pad});
            ASSERT_TRUE(shape);
            const auto floats = static_cast<std::uint32_t>(2 * tile * (tile + pad));
            EXPECT_EQ(shape->dynamic_shared_bytes, 4 * floats);
            EXPECT_EQ(kernel.shared_bytes_of_block(tile * tile, pad), 4 * floats);
        }
}

// An SM of 2048 or 1024 threads is filled by blocks of 1024: edge 32. One of 1536 by blocks of 768,
// and 4^floor(log4(768)) = 256: edge 16. 1.x has no more than 512 threads a block: edge 16.
TEST(BlockByOccupancy, TheTileFollowsTheGeneration) {
    for (const char* id : {"9.0", "8.0", "7.5", "7.0", "6.1", "6.0", "5.2", "5.0", "3.5"})
        EXPECT_EQ(suggested_tile(id), 32) << id;
    for (const char* id : {"8.9", "8.6", "1.3", "1.2", "1.1", "1.0"})
        EXPECT_EQ(suggested_tile(id), 16) << id;
    EXPECT_EQ(suggested_tile("9.0", 37), 16);  // blocks of 768 threads then hold the most
    EXPECT_EQ(suggested_tile("9.0", 200), 16);
    EXPECT_EQ(suggested_tile("2.0", 20), 16);  // 1536 threads
}

TEST(BlockByOccupancy, OtherKernelsHaveTheirBlockCompiledIn) {
    for (const KernelInfo& kernel : catalog()) {
        const Result<BlockByOccupancy> block = block_by_occupancy(kernel, 0, default_generation());
        EXPECT_EQ(block.has_value(), kernel.id == "11_tiled_dynamic") << kernel.id;
        if (block) continue;
        EXPECT_THAT(block.error().message, HasSubstr("give TILE a number"));
    }
}

TEST(BlockByOccupancy, TheSentenceNamesTheSourceOfTheRegisterCount) {
    const auto sentence = [](std::string_view id, int registers) {
        const Generation& generation = *find_generation(id);
        return sentence_of(
            block_by_occupancy(*find_kernel("11_tiled_dynamic"), 0, generation, given(registers))
                .value(),
            generation);
    };
    EXPECT_EQ(sentence("9.0", 0),
              "TILE 32 by occupancy on H100 (9.0): blocks of 1,024 threads fill 64 of 64 warps (32 "
              "registers a thread as compiled for 9.0)");
    EXPECT_EQ(sentence("8.6", 24),
              "TILE 16 by occupancy on RTX 3090 (8.6): blocks of 768 threads fill 48 of 48 warps; "
              "the largest power-of-two square in them has 256 threads and fills 48 of 48 warps "
              "(24 registers a thread)");
}

TEST(BlockByOccupancy, TheWorkbenchUsesTheShownGeneration) {
    Workbench workbench(paused(request("11_tiled_dynamic", 64, 8)));
    workbench.apply(SetTileByOccupancy{});
    EXPECT_EQ(workbench.recording()->request.parameters.tile, 32);
    EXPECT_THAT(workbench.message(), HasSubstr("TILE 32 by occupancy on H100 (9.0)"));
    workbench.apply(Commands{SetGeneration{"8.6"}, SetTileByOccupancy{}});
    EXPECT_EQ(workbench.recording()->request.parameters.tile, 16);
    workbench.apply(Commands{SetKernel{"09_tiled"}, SetTileByOccupancy{}});
    EXPECT_THAT(workbench.message(), HasSubstr("09 tiled has its block size compiled in"));
    EXPECT_EQ(workbench.request().parameters.tile, 16);
}

TEST(BlockByOccupancy, SizesThatDoNotFitItsTileGetSuggestions) {
    Workbench workbench(paused(request("11_tiled_dynamic", 48, 16)));
    workbench.apply(SetTileByOccupancy{});
    ASSERT_NE(workbench.size_suggestions(), nullptr);
    EXPECT_EQ(workbench.size_suggestions()->choices[0].label, "Round M, N, K up to 64");
    EXPECT_EQ(workbench.request().parameters.tile, 16);
}

}  // namespace
}  // namespace tilereel::block_by_occupancy_test

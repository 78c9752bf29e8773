// Which plane is drawn large at which tick, and the text about the planes.
#include "app/stage/shared/ring.h"

#include <gtest/gtest.h>

#include "app/ladder/ladder.h"
#include "app/replay/elements.h"

namespace tilereel::stage::ring_test {
namespace {

struct PlannedStage {
    Trace trace;
    std::optional<Replay> replay;
    StagePlan plan;
    PlannedStage(const char* kernel, const KernelParameters& parameters) {
        RecordRequest request;
        request.kernel = kernel;
        request.parameters = parameters;
        trace = record_built_in(request).value();
        replay.emplace(Replay::of_block(trace, 0).value());
        plan.refresh(*replay);
    }
    // The plane that a step reads; kNoIndex: it reads none.
    [[nodiscard]] std::uint32_t plane_read(const Step& step) const {
        const Site& site = trace.sites[step.site];
        const Array& array = trace.arrays[site.array];
        if (site.operation != Operation::kLoad || array.space != Space::kShared) return kNoIndex;
        const LaneOffsets lanes = lane_offsets(trace, step.record);
        return plane_of(array, element_at(array, lanes.bytes[0]).row);
    }
};

// For each tile the large plane changes once, to the next one of the ring, in all arrays at once.
TEST(Ring, TheLargePlaneChangesOnceForEachTile) {
    for (const auto& [kernel, tile] :
         {std::pair{"19_async_pipeline", 16}, {"20_champion", 16}, {"20_champion", 32}}) {
        PlannedStage staged(kernel, {32, 32, 64, tile, 0});
        constexpr std::uint32_t kTiles = 64 / 8, kStages = 3;
        std::uint32_t changes = 0, before = 0;
        for (const Step& step : staged.replay->schedule().steps) {
            staged.replay->seek(step.begin);
            const auto planes = large_planes(*staged.replay, staged.plan, {});
            ASSERT_EQ(planes.size(), 2u);
            EXPECT_EQ(planes[0], planes[1]);
            if (planes[0] == before) continue;
            EXPECT_EQ(planes[0], (before + 1) % kStages) << kernel;
            before = planes[0];
            ++changes;
        }
        EXPECT_EQ(changes, kTiles - 1) << kernel << tile;
    }
}

TEST(Ring, TheLargePlaneIsThePlaneThatTheChosenWarpReads) {
    PlannedStage staged("20_champion", {32, 32, 64, 32, 0});
    for (std::uint32_t warp = 0; warp < 4; ++warp) {
        std::size_t looked = 0;
        for (const Step& step : staged.replay->schedule().steps) {
            const std::uint32_t read = staged.plane_read(step);
            if (step.warp != warp || read == kNoIndex) continue;
            staged.replay->seek(step.begin);
            const auto planes = large_planes(*staged.replay, staged.plan, warp);
            const std::size_t array = staged.trace.sites[step.site].array - std::size_t{3};
            EXPECT_EQ(planes[array], read) << "warp " << warp;
            ++looked;
        }
        EXPECT_GT(looked, 0u);
    }
}

// The grid is one row of 12 blocks, which compute 3 x 4 tiles of C in column-major order.
TEST(Ring, BlocksInColumnMajorOrderHaveTheirPlaces) {
    PlannedStage staged("20_champion", {40, 50, 8, 16, 0});
    const BlockMap& map = staged.plan.map();
    ASSERT_EQ(map.rows, 3u);
    ASSERT_EQ(map.columns, 4u);
    for (std::uint32_t block = 0; block < 12; ++block) {
        const std::uint32_t row = block % 3, column = block / 3;
        EXPECT_EQ(staged.plan.blocks().at(block, 0, staged.trace.launch),
                  (CellRect{row * 16, column * 16, std::min(row * 16 + 16, 40u),
                            std::min(column * 16 + 16, 50u)}));
        EXPECT_EQ(map.block_at(row, column), block);
        EXPECT_EQ(map.place_of(block), row * 4 + column);
    }
    PlannedStage straight("09_tiled", {32, 48, 16, 16, 0});
    EXPECT_EQ(straight.plan.map().columns, 3u);
    EXPECT_EQ(straight.plan.map().block_at(1, 2), 5u);
    EXPECT_TRUE(straight.plan.blocks().each.empty());
}

}  // namespace
}  // namespace tilereel::stage::ring_test

// Findings about a warpgroup's products, on traces written by hand: one warpgroup, A and B as
// consecutive core matrices of shared memory. Rules: PTX ISA, "wgmma.fence", "wgmma.commit_group",
// "wgmma.wait_group", "Async proxy", "setmaxnreg".
#include <gtest/gtest.h>

#include "instrumentation/analysis/hazards/hazards.h"
#include "tests/analysis/trace_builder.h"

namespace tilereel::product_hazards_test {
namespace {

// What each of the warps does. `before`, `after`: a store of warp 1 to A in the epoch before the
// product, and after it in the same epoch.
struct Steps {
    bool stores_before = true, proxy_fence = true, barrier = true, products_fence = true,
         commits = true, waits = true, stores_after = false, waits_first = true;
    std::uint32_t newest = 0;  // groups that the wait leaves
};

constexpr std::uint32_t kStoreLine = 3, kProductLine = 5, kWaitLine = 7, kLaterLine = 9;

Trace trace_of(const Steps& steps) {
    TraceBuilder builder;
    const ArrayId tile = builder.add_array("tile", Space::kShared, 1, 1024);
    const auto product =
        *find_warpgroup_product("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16");
    const auto at = [](std::uint32_t start) {
        return descriptor_bits({.start_bytes = start,
                                .leading_bytes = 128,
                                .stride_bytes = 256,
                                .base_offset = 0,
                                .swizzle = Swizzle::kNone});
    };
    const auto store = [&](std::uint32_t line, std::uint16_t warp, int count) {
        builder.set_line(line);
        for (int i = 0; i < count; ++i)
            builder.access(
                Operation::kStore, tile,
                [&](int lane) {
                    return static_cast<std::uint32_t>(16 * (128 * i + 32 * warp + lane));
                },
                TraceBuilder::kAllLanes, 16);
    };
    std::uint32_t epoch = 0;
    if (steps.stores_before) {
        for (std::uint16_t warp = 0; warp < 4; ++warp) {
            builder.begin_segment(0, 0, warp);
            store(kStoreLine, warp, 2);
            if (steps.proxy_fence) builder.fence(FenceKind::kAsyncProxy);
            if (steps.barrier) builder.barrier();
        }
        epoch = 1;
    }
    for (std::uint16_t warp = 0; warp < 4; ++warp) {
        builder.begin_segment(0, epoch, warp);
        if (steps.products_fence) builder.fence(FenceKind::kProducts);
        builder.set_line(kProductLine);
        builder.product(product, {.a_descriptor = at(0), .b_descriptor = at(2048)});
        if (steps.commits) builder.barrier(Operation::kCommitProducts);
        if (steps.stores_after && !steps.waits_first && warp == 1) store(kLaterLine, 1, 1);
        builder.set_line(kWaitLine);
        if (steps.waits) builder.barrier(Operation::kWaitProducts, steps.newest);
        if (steps.stores_after && steps.waits_first && warp == 1) store(kLaterLine, 1, 1);
    }
    Trace trace = builder.take();
    trace.launch.block = {128, 1, 1};
    trace.complete = true;
    return trace;
}

std::vector<Hazard> hazards_of(const Trace& trace) {
    std::vector<Hazard> kinds;
    for (const Finding& finding : find_hazards(trace))
        if (kinds.empty() || kinds.back() != finding.hazard) kinds.push_back(finding.hazard);
    return kinds;
}

TEST(ProductHazards, AProductInOrderHasNone) { EXPECT_TRUE(hazards_of(trace_of({})).empty()); }

TEST(ProductHazards, AStoreThatIsNotFencedIsFound) {
    const Trace trace = trace_of({.proxy_fence = false});
    const std::vector<Finding> found = find_hazards(trace);
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found[0].hazard, Hazard::kNotFenced);
    EXPECT_EQ(trace.sites[found[0].first.site].line, kStoreLine);
    EXPECT_EQ(trace.sites[found[0].second.site].line, kProductLine);
    // 64 x 16 halves of A and 16 x 8 of B, as floats.
    EXPECT_EQ(found[0].cells, (64u * 16 + 16 * 8) / 2);
}

TEST(ProductHazards, AReadOfWhatNobodyWroteIsFound) {
    EXPECT_EQ(hazards_of(trace_of({.stores_before = false})),
              std::vector<Hazard>{Hazard::kNeverWritten});
}

TEST(ProductHazards, GroupsThatAreNotMadeOrNotWaitedForAreFound) {
    EXPECT_EQ(hazards_of(trace_of({.products_fence = false})),
              std::vector<Hazard>{Hazard::kRegistersNotFenced});
    EXPECT_EQ(hazards_of(trace_of({.commits = false})),
              std::vector<Hazard>{Hazard::kProductNotCommitted});
    EXPECT_EQ(hazards_of(trace_of({.waits = false})),
              std::vector<Hazard>{Hazard::kProductNotWaited});
    EXPECT_EQ(hazards_of(trace_of({.newest = 1})), std::vector<Hazard>{Hazard::kProductNotWaited});
}

// Warp 1 reads its own rows of A and stores to them.
TEST(ProductHazards, AStoreBeforeTheWaitOverwritesWhatIsRead) {
    EXPECT_TRUE(hazards_of(trace_of({.stores_after = true})).empty());
    const Trace trace = trace_of({.stores_after = true, .waits_first = false});
    const std::vector<Finding> found = find_hazards(trace);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].hazard, Hazard::kProductUnderWay);
    EXPECT_EQ(trace.sites[found[0].first.site].line, kProductLine);
    EXPECT_EQ(trace.sites[found[0].second.site].line, kLaterLine);
    EXPECT_NE(sentence_of(trace, found[0]).find("(modelled)"), std::string::npos);
}

TEST(ProductHazards, AllWarpsOfAWarpgroupMustSetTheirRegisters) {
    for (const bool all : {true, false}) {
        TraceBuilder builder;
        for (std::uint16_t warp = 0; warp < 4; ++warp) {
            builder.begin_segment(0, 0, warp);
            if (all || warp == 2) builder.barrier(Operation::kSetRegisters, 40);
            builder.multiply_add();
        }
        Trace trace = builder.take();
        trace.launch.block = {128, 1, 1};
        trace.complete = true;
        const std::vector<Finding> found = find_hazards(trace);
        ASSERT_EQ(found.size(), all ? 0u : 1u);
        if (all) continue;
        EXPECT_EQ(found[0].hazard, Hazard::kSomeWarpsOnly);
        EXPECT_EQ(found[0].first.thread / kWarpSize, 2u);
        EXPECT_EQ(found[0].second.thread / kWarpSize, 0u);
    }
}

}  // namespace
}  // namespace tilereel::product_hazards_test

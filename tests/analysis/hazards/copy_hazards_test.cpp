// Accesses to memory that a copy under way may write: 19_async_pipeline, with and without its
// waits. program_hazards_test.cpp has small programs.
#include <gtest/gtest.h>

#include <algorithm>

#include "app/ladder/ladder.h"
#include "instrumentation/analysis/cost/counters.h"
#include "instrumentation/analysis/hazards/hazards.h"

namespace tilereel::copy_hazards_test {
namespace {

std::vector<std::pair<Hazard, Severity>> kinds(const std::vector<Finding>& findings) {
    std::vector<std::pair<Hazard, Severity>> list;
    for (const Finding& finding : findings) list.emplace_back(finding.hazard, finding.severity);
    return list;
}
using Kinds = std::vector<std::pair<Hazard, Severity>>;

Trace pipeline(const KernelParameters& p, std::uint32_t removed = 0) {
    RecordRequest request;
    request.kernel = "19_async_pipeline";
    request.parameters = p;
    request.removed_barrier = removed;
    return record_built_in(request).value();
}

TEST(PipelineHazards, ThePipelineHasNone) {
    for (const int tile : {8, 16, 32, 64})
        EXPECT_EQ(kinds(find_hazards(
                      pipeline({.m = 2 * tile, .n = tile, .k = 80, .tile = tile, .pad = 0}))),
                  Kinds{})
            << tile;
}

TEST(PipelineHazards, ThePipelineWithoutItsWaitHasSome) {
    for (const KernelBarrier& barrier : find_kernel("19_async_pipeline")->barriers) {
        const Trace trace = pipeline({.m = 32, .n = 32, .k = 64, .tile = 32, .pad = 0},
                                     static_cast<std::uint32_t>(barrier.line));
        const std::vector<Finding> findings = find_hazards(trace);
        ASSERT_FALSE(findings.empty()) << barrier.line;
        EXPECT_EQ(findings.front().severity, Severity::kError);
        if (barrier.function.what == WaitFor::kCopies) {
            EXPECT_TRUE(std::ranges::any_of(findings, [](const Finding& finding) {
                return finding.hazard == Hazard::kCopyUnderWay;
            }));
        }
    }
}

// Each of the K / 8 tiles of A and of B has 256 floats, of which each of the 64 threads copies 16
// bytes. A warp copies 16 rows of 32 bytes of A, or 4 rows of 128 bytes of B.
TEST(CopyCounts, OfThePipeline) {
    const KernelCounts counts =
        count_kernel(pipeline({.m = 32, .n = 32, .k = 64, .tile = 32, .pad = 0}));
    const std::uint64_t tiles = 64 / 8;
    EXPECT_EQ(counts.shared_copy.accesses, tiles * 2 * 64);
    EXPECT_EQ(counts.shared_copy.requests, tiles * 2 * 2);
    EXPECT_EQ(counts.global_load.requests, tiles * 2 * 2);
    EXPECT_EQ(counts.global_load.sectors, tiles * 2 * 2 * 16);
    EXPECT_EQ(counts.global_load.bytes_requested, tiles * 2 * 64 * 16);
    EXPECT_EQ(counts.shared_store.requests, 0u);
    EXPECT_EQ(counts.barriers, tiles);
    EXPECT_EQ(counts.multiply_adds, 32u * 32 * 64);
    // A wavefront copies from one 128-byte line (copy_cost.h). The 16 rows of A lie in 16 lines,
    // the 4 rows of B in 4.
    EXPECT_EQ(counts.shared_copy.wavefronts, tiles * 2 * (16 + 4));
}

}  // namespace
}  // namespace tilereel::copy_hazards_test

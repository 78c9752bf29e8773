// Hazards of kernels whose threads wait at barriers in shared memory.
#include <gmock/gmock.h>

#include <set>

#include "app/ladder/ladder.h"
#include "instrumentation/analysis/hazards/affected_cells.h"
#include "instrumentation/analysis/hazards/hazards.h"
#include "kernels/catalog.h"

namespace tilereel::box_hazards_test {
namespace {

using testing::HasSubstr;

constexpr int kTwoByTwoWarps = 32;

Trace champion(int m, int n, int k, int tile, std::uint32_t removed = 0) {
    RecordRequest request;
    request.kernel = "20_champion";
    request.parameters = {.m = m, .n = n, .k = k, .tile = tile, .pad = 0};
    request.removed_barrier = removed;
    Result<Trace> trace = record_built_in(request);
    EXPECT_TRUE(trace) << trace.error().message;
    return std::move(trace).value();
}

// The line of the kernel's `number`-th barrier of this kind, counted from 0.
std::uint32_t line_of(WaitFor what, int number) {
    for (const KernelBarrier& barrier : find_kernel("20_champion")->barriers)
        if (barrier.function.what == what && number-- == 0)
            return static_cast<std::uint32_t>(barrier.line);
    return 0;
}

TEST(BoxHazards, NoneWithAllBarriers) {
    for (const int tile : {16, 32})
        for (const auto& [m, n, k] :
             {std::array{32, 32, 64}, {16, 16, 8}, {33, 17, 13}, {1, 1, 1}, {5, 70, 25}})
            EXPECT_TRUE(find_hazards(champion(m, n, k, tile)).empty()) << m << ' ' << tile;
}

// K = 192 takes 6 stages, which share 4 buffers.
TEST(BoxHazards, NoneInTheLargeTile) {
    EXPECT_TRUE(find_hazards(champion(256, 128, 192, 256)).empty());
    EXPECT_TRUE(find_hazards(champion(270, 140, 50, 256)).empty());
}

TEST(BoxHazards, AReadWithoutAWaitIsACopyUnderWay) {
    for (const int wait : {0, 2}) {  // the first tile's, a later one's
        const Trace trace = champion(32, 32, 64, kTwoByTwoWarps, line_of(WaitFor::kPhase, wait));
        const auto findings = find_hazards(trace);
        ASSERT_FALSE(findings.empty());
        EXPECT_EQ(findings[0].severity, Severity::kError);
        bool reads_early = false;
        for (const Finding& finding : findings)
            if (finding.hazard == Hazard::kCopyUnderWay &&
                trace.sites[finding.second.site].operation == Operation::kLoad) {
                reads_early = true;
                EXPECT_THAT(sentence_of(trace, finding),
                            HasSubstr("let the thread wait for the phase"));
            }
        EXPECT_TRUE(reads_early);
    }
}

TEST(BoxHazards, ABoxThatOverwritesDataStillReadIsAFinding) {
    for (const std::uint32_t line : {line_of(WaitFor::kPhase, 1),    // until empty
                                     line_of(WaitFor::kWarp, 0)}) {  // until all read
        const Trace trace = champion(32, 32, 64, kTwoByTwoWarps, line);
        bool overwrites = false;
        for (const Finding& finding : find_hazards(trace))
            overwrites =
                overwrites || (finding.hazard == Hazard::kRace &&
                               trace.sites[finding.first.site].operation == Operation::kLoad &&
                               trace.sites[finding.second.site].operation == Operation::kCopyStore);
        EXPECT_TRUE(overwrites) << line;
    }
}

// One block: its affected cells are those that the findings count.
TEST(BoxHazards, EveryAffectedCellIsListed) {
    const Trace trace = champion(32, 32, 64, kTwoByTwoWarps, line_of(WaitFor::kPhase, 0));
    const auto findings = find_hazards(trace);
    ASSERT_FALSE(findings.empty());
    std::vector<std::set<std::tuple<ArrayId, std::uint32_t, std::uint32_t>>> affected(
        findings.size());
    for (const AffectedCell& cell : affected_cells(trace, findings, 0))
        affected[cell.finding].insert({cell.array, cell.row, cell.column});
    for (std::size_t i = 0; i < findings.size(); ++i)
        EXPECT_EQ(affected[i].size(), findings[i].cells) << sentence_of(trace, findings[i]);
}

TEST(BoxHazards, ABarrierMustBeInitialisedBeforeItIsUsed) {
    const Trace trace = champion(32, 32, 32, kTwoByTwoWarps, line_of(WaitFor::kBlock, 0));
    const auto findings = find_hazards(trace);
    ASSERT_FALSE(findings.empty());
    EXPECT_EQ(findings[0].hazard, Hazard::kNotInitialised);
    EXPECT_THAT(sentence_of(trace, findings[0]), HasSubstr("put __syncthreads()"));
}

}  // namespace
}  // namespace tilereel::box_hazards_test

// Hazards in recordings of small CUDA programs (tests/record/programs): races with and without
// barriers, and accesses to memory that a copy under way may write.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "instrumentation/analysis/hazards/hazards.h"
#include "tests/record/recorded_programs.h"

namespace tilereel::program_hazards_test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Lines of programs/races.cu.
constexpr int kStoreB = 15, kReads = 17;
constexpr std::uint64_t kTile = 8;

// The lines of the errors between two warps.
std::set<std::pair<int, int>> lines_of_errors(const Trace& trace) {
    std::set<std::pair<int, int>> lines;
    for (const Finding& finding : find_hazards(trace)) {
        if (finding.severity != Severity::kError) continue;
        EXPECT_EQ(finding.hazard, Hazard::kRace);
        EXPECT_NE(finding.first.thread / 32, finding.second.thread / 32);
        const auto a = static_cast<int>(trace.sites[finding.first.site].line);
        const auto b = static_cast<int>(trace.sites[finding.second.site].line);
        lines.emplace(std::min(a, b), std::max(a, b));
    }
    return lines;
}

TEST(ProgramHazards, WithBothBarriersThereIsNone) {
    EXPECT_THAT(find_hazards(trace_of("small_tiled<true, true>")), IsEmpty());
}

// A warp holds four rows of the tile: it reads only its own rows of As, but all rows of Bs.
TEST(ProgramHazards, WithoutOneOrBothBarriersTheTileOfBRaces) {
    const std::set<std::pair<int, int>> expected{{kStoreB, kReads}};
    EXPECT_EQ(lines_of_errors(trace_of("small_tiled<false, true>")), expected);
    EXPECT_EQ(lines_of_errors(trace_of("small_tiled<true, false>")), expected);
    EXPECT_EQ(lines_of_errors(trace_of("small_tiled<false, false>")), expected);
}

TEST(ProgramHazards, WithinAWarpTheTilesOfAAndBAreWarnings) {
    const Trace& trace = trace_of("small_tiled<false, true>");
    int warnings = 0;
    for (const Finding& finding : find_hazards(trace)) {
        if (finding.severity == Severity::kError) continue;
        ++warnings;
        EXPECT_EQ(finding.first.thread / 32, finding.second.thread / 32);
        EXPECT_THAT(sentence_of(trace, finding), HasSubstr("__syncwarp()"));
    }
    EXPECT_EQ(warnings, 2);  // As and Bs, each written on its line and read on one line
    for (const Finding& finding : find_hazards(trace, *find_generation("6.1")))
        EXPECT_EQ(finding.severity, Severity::kError);
}

TEST(ProgramHazards, AFindingNamesSitesThreadsAndCell) {
    const Trace& trace = trace_of("small_tiled<false, true>");
    const std::vector<Finding> findings = find_hazards(trace);
    ASSERT_FALSE(findings.empty());
    // Warp 0 wrote rows 0 to 3 of Bs, warp 1 the rest; either reads all.
    const std::string sentence = sentence_of(trace, findings[0]);
    EXPECT_THAT(sentence, HasSubstr("Bs["));
    EXPECT_THAT(sentence, HasSubstr("of warp 0"));
    EXPECT_THAT(sentence, HasSubstr("of warp 1"));
    EXPECT_THAT(sentence, HasSubstr("line " + std::to_string(kStoreB)));
    EXPECT_THAT(sentence, HasSubstr("line " + std::to_string(kReads)));
    EXPECT_THAT(sentence, HasSubstr("put __syncthreads() between"));
    EXPECT_EQ(findings[0].cells, kTile * kTile);
}

TEST(ProgramHazards, WarpsAtDifferentBarriers) {
    const Trace& trace = trace_of("apart");
    const std::vector<Finding> findings = find_hazards(trace);
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].hazard, Hazard::kBarrierDivergence);
    EXPECT_THAT(sentence_of(trace, findings[0]), HasSubstr("the same barrier"));
}

using Kinds = std::vector<std::pair<Hazard, Severity>>;
Kinds kinds(const std::string& kernel) {
    Kinds list;
    for (const Finding& finding : find_hazards(trace_of(kernel)))
        list.emplace_back(finding.hazard, finding.severity);
    return list;
}
const Kinds kUnderWay{{Hazard::kCopyUnderWay, Severity::kError}};

TEST(CopyHazards, NoneIfThreadsWaitAndPassABarrier) {
    for (const char* const kernel :
         {"copy_to_neighbour<0>", "copy_to_self<true>", "copy_in_groups", "copy_again<true>"})
        EXPECT_EQ(kinds(kernel), Kinds{}) << kernel;
}

TEST(CopyHazards, ABarrierWithoutAWaitIsAnError) {
    const Trace& trace = trace_of("copy_to_neighbour<1>");
    ASSERT_EQ(kinds("copy_to_neighbour<1>"), kUnderWay);
    const std::vector<Finding> findings = find_hazards(trace);
    const Finding& found = findings.front();
    EXPECT_EQ(found.cells, 64u);
    EXPECT_EQ(trace.sites[found.first.site].operation, Operation::kCopyStore);
    EXPECT_EQ(trace.sites[found.second.site].operation, Operation::kLoad);
    EXPECT_NE(found.first.thread, found.second.thread);
    const std::string sentence = sentence_of(trace, found);
    EXPECT_THAT(sentence, HasSubstr("thread 0 of warp 0 reads As[1]"));
    EXPECT_THAT(sentence, HasSubstr("the copy into it that thread 1 of warp 0 began on line"));
    EXPECT_THAT(sentence, HasSubstr("__pipeline_wait_prior(0), and then __syncthreads()"));
}

TEST(CopyHazards, AWaitDoesNotCoverUncommittedCopies) {
    EXPECT_EQ(kinds("copy_to_neighbour<4>"), kUnderWay);
}

TEST(CopyHazards, AWaitWithoutABarrierIsARaceBetweenWarps) {
    // Threads 31 and 63 read what the other warp copies; the lanes of a warp advance independently.
    const Kinds wanted{{Hazard::kRace, Severity::kError}, {Hazard::kRace, Severity::kWarning}};
    EXPECT_EQ(kinds("copy_to_neighbour<2>"), wanted);
    EXPECT_EQ(find_hazards(trace_of("copy_to_neighbour<2>")).front().cells, 2u);
}

TEST(CopyHazards, AThreadMustWaitForItsOwnCopies) {
    const Trace& trace = trace_of("copy_to_self<false>");
    const std::vector<Finding> findings = find_hazards(trace);
    ASSERT_EQ(kinds("copy_to_self<false>"), kUnderWay);
    EXPECT_EQ(findings.front().first.thread, findings.front().second.thread);
    EXPECT_THAT(sentence_of(trace, findings.front()),
                HasSubstr("__pipeline_wait_prior(0), between the two"));
}

TEST(CopyHazards, FillingABufferAgainWhileOthersReadItIsARace) {
    const Kinds found = kinds("copy_again<false>");
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found.front(), std::pair(Hazard::kRace, Severity::kError));
}

}  // namespace
}  // namespace tilereel::program_hazards_test

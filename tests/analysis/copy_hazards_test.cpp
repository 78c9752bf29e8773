// Copies that may be under way when somebody touches what they write.
#define TILEREEL_BUILD_EMULATED
#include <gmock/gmock.h>

#include "instrumentation/analysis/counters.h"
#include "instrumentation/analysis/hazards.h"
#include "instrumentation/plain/ladder.h"
#include "tests/record/async_copy_kernels.h"
#include "tests/record/emulate.h"

namespace tilereel {
namespace {

using ::testing::HasSubstr;

template <void (*kKernel)(Global<const float>, Global<const float>, Global<float>, Shape)>
Trace run() {
    Trace trace = emulate_kernel<kKernel>({.block = {kCopyThreads, 1, 1}}).value();
    return trace;
}

std::vector<std::pair<Hazard, Severity>> kinds(const std::vector<Finding>& findings) {
    std::vector<std::pair<Hazard, Severity>> list;
    for (const Finding& finding : findings) list.emplace_back(finding.hazard, finding.severity);
    return list;
}
using Kinds = std::vector<std::pair<Hazard, Severity>>;
const Kinds kUnderWay{{Hazard::kCopyUnderWay, Severity::kError}};

TEST(CopyHazards, NoneWhereThreadsWaitAndThenMeet) {
    EXPECT_EQ(kinds(find_hazards(run<copy_to_neighbour<0>>())), Kinds{});
    EXPECT_EQ(kinds(find_hazards(run<copy_to_self<true>>())), Kinds{});
    EXPECT_EQ(kinds(find_hazards(run<copy_in_groups>())), Kinds{});
    EXPECT_EQ(kinds(find_hazards(run<copy_again<true>>())), Kinds{});
}

TEST(CopyHazards, ABarrierWithoutAWaitIsAnError) {
    const Trace trace = run<copy_to_neighbour<1>>();
    const std::vector<Finding> findings = find_hazards(trace);
    ASSERT_EQ(kinds(findings), kUnderWay);
    const Finding& found = findings.front();
    EXPECT_EQ(found.cells, 64u);
    EXPECT_EQ(trace.sites[found.first.site].operation, Operation::kCopyStore);
    EXPECT_EQ(trace.sites[found.second.site].operation, Operation::kLoad);
    EXPECT_NE(found.first.thread, found.second.thread);
    const std::string sentence = sentence_of(trace, found);
    EXPECT_THAT(sentence, HasSubstr("thread (0,0) of warp 0 reads As[1]"));
    EXPECT_THAT(sentence, HasSubstr("the copy into it that thread (1,0) of warp 0 began on line"));
    EXPECT_THAT(sentence, HasSubstr("wait_copies()"));
}

TEST(CopyHazards, NotCommittedIsNotWaitedFor) {
    EXPECT_EQ(kinds(find_hazards(run<copy_to_neighbour<4>>())), kUnderWay);
}

TEST(CopyHazards, AWaitWithoutABarrierIsARaceBetweenWarps) {
    const std::vector<Finding> findings = find_hazards(run<copy_to_neighbour<2>>());
    // Threads 31 and 63 read what the other warp copies; within a warp lanes go their own ways.
    const Kinds wanted{{Hazard::kRace, Severity::kError}, {Hazard::kRace, Severity::kWarning}};
    EXPECT_EQ(kinds(findings), wanted);
    EXPECT_EQ(findings.front().cells, 2u);
}

TEST(CopyHazards, AThreadMustWaitForItsOwn) {
    const Trace trace = run<copy_to_self<false>>();
    const std::vector<Finding> findings = find_hazards(trace);
    ASSERT_EQ(kinds(findings), kUnderWay);
    EXPECT_EQ(findings.front().first.thread, findings.front().second.thread);
    EXPECT_THAT(sentence_of(trace, findings.front()), HasSubstr("put wait_copies() between"));
}

TEST(CopyHazards, ABufferIsNotFilledAgainWhileOthersReadIt) {
    const std::vector<Finding> findings = find_hazards(run<copy_again<false>>());
    ASSERT_FALSE(findings.empty());
    EXPECT_EQ(findings.front().hazard, Hazard::kRace);
    EXPECT_EQ(findings.front().severity, Severity::kError);
}

Trace pipeline(const KernelParameters& p, std::uint32_t removed = 0) {
    RecordRequest request;
    request.kernel = "19_async_pipeline";
    request.parameters = p;
    request.removed_barrier = removed;
    return plain::record_built_in(request).value();
}

TEST(CopyHazards, ThePipelineHasNone) {
    for (const int tile : {8, 16, 32, 64})
        EXPECT_EQ(kinds(find_hazards(
                      pipeline({.m = 2 * tile, .n = tile, .k = 80, .tile = tile, .pad = 0}))),
                  Kinds{})
            << tile;
}

TEST(CopyHazards, ThePipelineWithoutItsWaitHas) {
    for (const KernelBarrier& barrier : find_kernel("19_async_pipeline")->barriers) {
        const Trace trace = pipeline({.m = 32, .n = 32, .k = 64, .tile = 32, .pad = 0},
                                     static_cast<std::uint32_t>(barrier.line));
        const std::vector<Finding> findings = find_hazards(trace);
        ASSERT_FALSE(findings.empty()) << barrier.line;
        EXPECT_EQ(findings.front().severity, Severity::kError);
        if (barrier.kind == KernelBarrier::Kind::kCopies) {
            EXPECT_TRUE(std::ranges::any_of(findings, [](const Finding& finding) {
                return finding.hazard == Hazard::kCopyUnderWay;
            }));
        }
    }
}

// By arithmetic: each of K / 8 tiles of A and of B is copied by 16 bytes a thread, as 64 threads
// have 256 floats each way; 32 lanes copy 16 rows of 32 bytes of A, or 4 rows of 128 bytes of B.
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
    // A: 4 rows of 32 bytes into each of 4 rows of banks, each crossed in its own way. B: straight.
    EXPECT_EQ(counts.shared_copy.wavefronts, tiles * 2 * (16 + 4));
}

}  // namespace
}  // namespace tilereel

// The workbench counts its recording by the chosen GPU generation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/workbench/workbench.h"
#include "tests/workbench/bench.h"

namespace tilereel::workbench_generation_test {
namespace {

using testing::HasSubstr;

TEST(Workbench, AnotherGenerationCountsTheSameTraceAtTheSamePlace) {
    Workbench workbench(paused(request("09_tiled", 32, 16)));
    const Trace* const trace = workbench.recording()->trace.get();
    const KernelCounts modern = workbench.recording()->counts;
    workbench.apply(SeekTo{.tick = 25});
    const LogicalPlace place = place_at(*workbench.replay(), 25);
    workbench.apply(SetGeneration{"1.3"});
    EXPECT_EQ(workbench.generation().id, "1.3");
    EXPECT_EQ(workbench.recording()->generation->id, "1.3");
    EXPECT_EQ(workbench.recording()->trace.get(), trace);  // nothing was recorded anew
    // The store of C: each half-warp stores 64 bytes in one transaction.
    EXPECT_EQ(workbench.recording()->counts.global_store.transactions, 32u * 32 / 16);
    EXPECT_EQ(workbench.recording()->counts.global_store.bytes_moved, 4u * 32 * 32);
    // Each half-warp reads one word of As, a broadcast, and a row of Bs: two passes a request.
    EXPECT_EQ(workbench.recording()->counts.shared_load.wavefronts,
              2 * workbench.recording()->counts.shared_load.requests);
    EXPECT_EQ(workbench.before().label, "H100 (9.0)");
    EXPECT_EQ(workbench.before().counts, modern);
    EXPECT_EQ(workbench.changed_seconds_ago(), 0);
    const LogicalPlace now = place_at(*workbench.replay(), static_cast<Tick>(workbench.position()));
    EXPECT_EQ(now.part, place.part);
    EXPECT_NEAR(now.phase, place.phase, 0.5);
    EXPECT_NEAR(now.within, place.within, 0.1);
    // The generation stays when another block or another kernel is chosen.
    workbench.apply(WatchBlock{.x = 1, .y = 1});
    EXPECT_EQ(workbench.replay()->block(), 3u);
    workbench.apply(SetGeneration{"9.0"});
    EXPECT_EQ(workbench.recording()->counts, modern);
    workbench.apply(Commands{SetGeneration{"1.0"}, SetKernel{"02_naive"}});
    EXPECT_EQ(workbench.recording()->generation->id, "1.0");
    EXPECT_EQ(workbench.before().label, "09 tiled");
}

TEST(Workbench, AGenerationChosenWhileRecordingIsUsedForCounting) {
    Workbench workbench(paused(request("09_tiled", 16, 4), true));
    workbench.apply(Commands{SetGeneration{"2.0"}, SetGeneration{"9.9"}});
    EXPECT_THAT(workbench.message(), HasSubstr("choose one"));
    ASSERT_TRUE(wait_until_recorded(workbench));
    EXPECT_EQ(workbench.recording()->generation->id, "2.0");
    // Cancelled in time or not, the request is again the one that is shown.
    workbench.apply(Commands{SetGeneration{"1.0"}, CancelRecording{}});
    EXPECT_EQ(workbench.generation().id, workbench.recording()->generation->id);
    workbench.apply(Commands{SetGeneration{"1.0"}, SetGeneration{"1.2"}});
    ASSERT_TRUE(wait_until_recorded(workbench));
    EXPECT_EQ(workbench.recording()->generation->id, "1.2");
    EXPECT_EQ(workbench.request().kernel, "09_tiled");
}

TEST(Workbench, TheSentenceNamesTheTransactionsOfTheGeneration) {
    Workbench workbench(paused(request("09_tiled", 16, 16)));
    const auto sentence = [&workbench] {
        std::string text;
        for (const auto& part : workbench.replay()->sentence()) text += part.text;
        return text;
    };
    // A warp loads two rows of A, 64 bytes each, which follow on one another.
    EXPECT_THAT(sentence(), HasSubstr("4 sectors move 128 bytes"));
    workbench.apply(SetGeneration{"2.0"});
    EXPECT_THAT(sentence(), HasSubstr("1 line moves 128 bytes"));
    workbench.apply(SetGeneration{"1.3"});
    EXPECT_THAT(sentence(), HasSubstr("2 transactions move 128 bytes"));
}

}  // namespace
}  // namespace tilereel::workbench_generation_test

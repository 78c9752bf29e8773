// Records of lanes that diverged on the GPU: the lanes of a warp are joined as on the CPU.
#include <gtest/gtest.h>

#include "instrumentation/gpu/convert/gpu_trace.h"
#include "tests/gpu/written_records.h"

namespace tilereel::gpu::gpu_diverged_test {
namespace {

TEST(GpuTrace, DivergedLanesAddToTheSameSumTogether) {
    Written written;
    written.sum(0, 0x0000ffff, 16, 100);
    written.sum(0, 0xffff0000, 16, 100);
    written.sum(0, 0x0000ffff, 20, 200);
    const Trace trace = converted(written);
    ASSERT_EQ(trace.records.size(), 2u);
    EXPECT_EQ(mask_of(trace, 0), kAll);
    EXPECT_EQ(trace.words[31], 131u);
    EXPECT_EQ(mask_of(trace, 1), 0x0000ffffu);
}

TEST(GpuTrace, LanesMayReachABarrierOneAfterAnother) {
    Written written;
    written.barrier(0, 0x0000ffff);
    written.load(0, 0xffff0000);
    written.barrier(0, 0xffff0000);
    written.load(0, kAll);
    const Trace trace = converted(written);
    ASSERT_EQ(trace.records.size(), 3u);
    EXPECT_EQ(mask_of(trace, 0), 0xffff0000u);
    EXPECT_EQ(site_at(trace, 1).operation, Operation::kBarrier);
    EXPECT_EQ(mask_of(trace, 1), kAll);
    EXPECT_EQ(trace.segments.epoch, (std::vector<std::uint32_t>{0, 1}));
}

TEST(GpuTrace, EachBarrierAtWhichLanesWaitHasARecord) {
    Written written;
    written.barrier(0, 0x0000ffff);
    written.add(0, kOtherBarrierSite, 0xffff0000, 0, 0, 0);
    written.load(0, kAll);
    const Trace trace = converted(written);
    ASSERT_EQ(trace.records.size(), 3u);
    EXPECT_EQ(mask_of(trace, 0), 0x0000ffffu);
    EXPECT_EQ(site_at(trace, 0).line, 12u);
    EXPECT_EQ(mask_of(trace, 1), 0xffff0000u);
    EXPECT_EQ(site_at(trace, 1).line, 15u);
    EXPECT_EQ(trace.segments.epoch, (std::vector<std::uint32_t>{0, 1}));
}

TEST(GpuTrace, DivergedLanesThatDoTheSameAreJoined) {
    Written written;
    written.load(0, 0x55555555);
    written.store_shared(0, 0x55555555, 7);
    written.load(0, 0xaaaaaaaa);
    written.store_shared(0, 0xaaaaaaaa, 7);
    const Trace trace = converted(written);
    ASSERT_EQ(trace.records.size(), 2u);
    EXPECT_EQ(mask_of(trace, 0), kAll);
    EXPECT_EQ(mask_of(trace, 1), kAll);
    EXPECT_EQ(trace.words[31], 7u + 31);
    // The clocks are those of the lanes that ran first.
    EXPECT_EQ(trace.records.clock, (std::vector<std::uint64_t>{100, 101}));
}

TEST(GpuTrace, IterationsOfALoopAreNotMixed) {
    Written written;  // site 0 is in a loop; half of the lanes do it twice
    written.load(0, 0x0000ffff);
    written.load(0, 0x0000ffff);
    written.load(0, 0xffff0000);
    const Trace trace = converted(written);
    ASSERT_EQ(trace.records.size(), 2u);
    EXPECT_EQ(mask_of(trace, 0), kAll);
    EXPECT_EQ(mask_of(trace, 1), 0x0000ffffu);
}

TEST(GpuTrace, LanesThatMeetInDifferentIterationsAreNotJoined) {
    Written written;  // site 0 is in a loop, site 1 after it
    written.load(0, 0x55555555);
    written.load(0, kAll);
    written.load(0, 0xaaaaaaaa);
    written.store_shared(0, kAll, 7);
    const Trace trace = converted(written);
    ASSERT_EQ(trace.records.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(mask_of(trace, i), kAll) << i;
    EXPECT_EQ(trace.records.clock, (std::vector<std::uint64_t>{100, 101, 103}));
}

TEST(GpuTrace, LanesThatSkipTheRestOfAnIterationAreJoinedInTheNext) {
    Written written;
    written.load(0, kAll);
    written.store_shared(0, kAll, 7);
    written.load(0, kAll);
    written.load(0, 0x55555555);
    written.store_shared(0, 0xaaaaaaaa, 7);
    written.load(0, 0xaaaaaaaa);
    GpuFacts facts = facts_of_test();
    facts.loops = {{kLoadA, kBarrierSite}};
    const Trace trace = converted(written, facts);
    ASSERT_EQ(trace.records.size(), 5u);
    EXPECT_EQ(site_at(trace, 3).operation, Operation::kStore);
    EXPECT_EQ(mask_of(trace, 3), 0xaaaaaaaau);
    EXPECT_EQ(mask_of(trace, 4), kAll);
}

// Behind a barrier in a loop lane 0 has something left to do in the trip, while the others go on to
// the next one.
TEST(GpuTrace, LanesThatLeftABarrierTogetherAreJoinedBehindIt) {
    Written written;
    written.load(0, kAll);
    written.barrier(0, kAll);
    written.load(0, 0xfffffffe);
    written.sum(0, 1, 16, 100);  // its site comes behind the barrier
    written.load(0, 1);
    GpuFacts facts = facts_of_test();
    facts.loops = {{kLoadA, kDoubleSum}};
    const Trace trace = converted(written, facts);
    ASSERT_EQ(trace.records.size(), 4u);
    EXPECT_EQ(site_at(trace, 2).operation, Operation::kMultiplyAdd);
    EXPECT_EQ(mask_of(trace, 2), 1u);
    EXPECT_EQ(site_at(trace, 3).operation, Operation::kLoad);
    EXPECT_EQ(mask_of(trace, 3), kAll);
}

TEST(GpuTrace, LanesThatMeetInTheSameIterationAreJoinedFromThere) {
    Written written;
    written.load(0, 0x55555555);
    written.load(0, 0xaaaaaaaa);
    written.load(0, kAll);
    written.store_shared(0, 0x55555555, 7);
    written.store_shared(0, 0xaaaaaaaa, 7);
    const Trace trace = converted(written);
    ASSERT_EQ(trace.records.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(mask_of(trace, i), kAll) << i;
    EXPECT_EQ(trace.words[31], 7u + 31);
}

}  // namespace
}  // namespace tilereel::gpu::gpu_diverged_test

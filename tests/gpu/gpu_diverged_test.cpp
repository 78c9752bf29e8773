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

// A kernel loads A (site 1), calls a function (site 2) whose only statement loads A (site 0),
// stores (site 3), and calls the function again (site 4): the function stands before the kernel in
// the file.
GpuFacts facts_with_a_function() {
    GpuFacts facts = facts_of_test();
    const PtxSite load = facts.sites[kLoadA], store = facts.sites[kStoreShared];
    PtxSite call;
    call.is_call = true;
    facts.sites = {load, load, call, store, call};
    for (std::uint32_t i = 0; i < facts.sites.size(); ++i) facts.sites[i].place.line = 20 + i;
    facts.functions = {{0, 1, {{0, 2}, {1, 4}}}, {1, 5, {}}};
    facts.loops.clear();
    return facts;
}

TEST(GpuTrace, LanesThatDivergeInAFunctionAreJoinedBehindItsCall) {
    Written written;  // only half of the lanes call the function the first time
    for (const std::uint32_t lanes : {0x0000ffffu, 0xffff0000u}) {
        written.load(0, lanes, 1);
        if (lanes == 0xffff0000u) written.load(0, lanes, 0, 1);
        written.add(0, 3, lanes, kInSharedMemory, 64, 4);
        written.add(0, 0, 0, 0, 7, 1);
        written.load(0, lanes, 0, 2);
    }
    const Trace trace = converted(written, facts_with_a_function());
    ASSERT_EQ(trace.records.size(), 4u);
    const std::uint32_t lines[] = {21, 20, 23, 20};
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(site_at(trace, i).line, lines[i]) << i;
        EXPECT_EQ(mask_of(trace, i), i == 1 ? 0xffff0000u : kAll) << i;
    }
}

// The function has a loop of its own; half of the lanes go through it twice.
TEST(GpuTrace, LoopsOfAFunctionAreThoseOfEachOfItsCalls) {
    GpuFacts facts = facts_with_a_function();
    facts.loops = {{0, 1}};
    Written written;
    for (const std::uint32_t lanes : {0x0000ffffu, 0xffff0000u}) {
        written.load(0, lanes, 1);
        written.load(0, lanes, 0, 1);
        if (lanes == 0xffff0000u) written.load(0, lanes, 0, 1);
        written.load(0, lanes, 0, 2);
    }
    const Trace trace = converted(written, facts);
    ASSERT_EQ(trace.records.size(), 4u);
    const std::uint32_t masks[] = {kAll, kAll, 0xffff0000u, kAll};
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(mask_of(trace, i), masks[i]) << i;
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

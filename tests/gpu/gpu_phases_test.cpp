#include "instrumentation/gpu/convert/gpu_phases.h"

#include <gtest/gtest.h>

#include <deque>

#include "instrumentation/trace/site.h"

namespace tilereel::gpu::gpu_phases_test {
namespace {

using tilereel_gpu::kParityUnknown;

constexpr std::uint32_t kFull = 64, kEmpty = 96;  // addresses in shared memory
enum SiteNumber : std::uint32_t { kMake, kArriveSite, kStart, kWait };

class NoMemory final : public GpuMemory {
  public:
    [[nodiscard]] const Place* find(bool, std::uint64_t) const override { return nullptr; }
    [[nodiscard]] const std::byte* content(std::uint64_t, std::uint32_t) const override {
        return nullptr;
    }
    [[nodiscard]] const runtime::TensorMap* map(std::uint64_t) const override { return nullptr; }
};

GpuFacts facts_of_test() {
    GpuFacts facts;
    for (const Operation operation : {Operation::kInitBarrier, Operation::kArrive,
                                      Operation::kStartBulkCopy, Operation::kWaitPhase}) {
        PtxSite site;
        site.operation = operation;
        facts.sites.push_back(site);
    }
    return facts;
}

// Lane 0 of a warp does one operation after another, each at its own clock.
class GpuPhasesTest : public testing::Test {
  protected:
    GpuPhasesTest() : facts_(facts_of_test()), phases_(facts_, memory_) { phases_.begin_block(); }

    // `first`, `second`: rows kPhaseCount and kPhaseBytes of dump.h; `second` of a copy: its bytes.
    // `ranks`: of a copy.
    std::uint32_t at(std::uint64_t clock, SiteNumber site, std::uint32_t barrier,
                     std::uint32_t first = 0, std::uint32_t second = 0, std::uint32_t mask = 1,
                     std::uint32_t ranks = 0) {
        auto& words = words_.emplace_back();
        words.resize(10 * kWarpSize);
        for (unsigned lane = 0; lane < kWarpSize; ++lane) {
            words[lane] = barrier;
            words[kWarpSize + lane] = first;
            words[2 * kWarpSize + lane] = second;
            words[4 * kWarpSize + lane] = second;  // row kBoxFirst of a copy: its bytes
            words[(1 + tilereel_gpu::kBoxRanks) * kWarpSize + lane] = ranks;
        }
        const std::uint32_t high = owner_ == rank_ ? 0 : tilereel_gpu::kInCluster + owner_;
        const tilereel_gpu::DeviceRecord record{site, 0, mask, high, clock};
        phases_.add(records_, 0, record, words.data(), rank_);
        return records_++;
    }
    [[nodiscard]] std::uint32_t base_of(std::uint32_t record, unsigned lane = 0) const {
        return phases_.rows_of(record)[lane];
    }
    static std::uint32_t base(std::uint32_t barrier, std::uint32_t phase) {
        return MBarrierPhase{barrier, phase}.base();
    }

    GpuFacts facts_;
    NoMemory memory_;
    GpuPhases phases_;
    std::deque<std::vector<std::uint32_t>> words_;
    std::uint32_t records_ = 0;
    std::uint32_t rank_ = 0, owner_ = 0;  // of the block, and of the barrier's block
};

// Two blocks: thread 0 of each arrives at the barrier of block 0, whose thread waits. The clocks of
// the blocks have nothing to do with each other.
TEST_F(GpuPhasesTest, ABarrierOfSeveralBlocksCountsThreadByThread) {
    at(1000, kMake, kFull, 2);
    const std::uint32_t before = at(1001, kWait, kFull, 1);
    const std::uint32_t own = at(1002, kArriveSite, kFull, 1), wait = at(1003, kWait, kFull, 0);
    const std::uint32_t own_next = at(1004, kArriveSite, kFull, 1),
                        wait_next = at(1005, kWait, kFull, 1);
    rank_ = 1;
    const std::uint32_t other = at(1, kArriveSite, kFull, 1),
                        other_next = at(2, kArriveSite, kFull, 1);
    rank_ = 1, owner_ = 1;
    const std::uint32_t apart = at(3, kMake, kFull, 1);  // block 1's own barrier at the same place
    phases_.find();
    EXPECT_EQ(base_of(before), GpuPhases::kNone);
    EXPECT_EQ(base_of(own), base(0, 0));
    EXPECT_EQ(base_of(wait), base(0, 0));
    EXPECT_EQ(base_of(own_next), base(0, 1));
    EXPECT_EQ(base_of(wait_next), base(0, 1));
    EXPECT_EQ(base_of(other), base(1, 0));  // block 1 has one of its own at that place: number 0
    EXPECT_EQ(base_of(other_next), base(1, 1));
    EXPECT_EQ(base_of(apart), base(0, 0));
    EXPECT_EQ(phases_.rows_of(other)[kWarpSize], other | GpuPhases::kOfOtherBlock);
    EXPECT_EQ(phases_.rows_of(own)[kWarpSize], own);
}

// A copy to blocks 0 and 1 counts in its own block, and lands in the other one.
TEST_F(GpuPhasesTest, ACopyToSeveralBlocksLandsInTheOthers) {
    at(1, kMake, kFull, 1);
    at(2, kArriveSite, kFull, 1, 32);
    const std::uint32_t both = at(3, kStart, kFull, 0, 16, 1, 0b11);
    const std::uint32_t other = at(4, kStart, kFull, 0, 16, 1, 0b10);
    phases_.find();
    EXPECT_EQ(base_of(both), base(0, 0));
    EXPECT_EQ(base_of(other), GpuPhases::kNone);
    ASSERT_EQ(phases_.landings().size(), 2u);
    EXPECT_EQ(phases_.landings()[0].rank, 1u);
    EXPECT_EQ(phases_.landings()[0].phase, base(0, 0));
    EXPECT_EQ(phases_.landings()[0].record, both);
    EXPECT_EQ(phases_.landings()[1].record, other);
}

TEST_F(GpuPhasesTest, BarriersAreNumberedByAddress) {
    const std::uint32_t second = at(1, kMake, kEmpty, 1), first = at(2, kMake, kFull, 1);
    phases_.find();
    EXPECT_EQ(base_of(first), base(0, 0));
    EXPECT_EQ(base_of(second), base(1, 0));
}

TEST_F(GpuPhasesTest, TheExpectedArrivalsCompleteAPhase) {
    at(1, kMake, kFull, 3);
    const std::uint32_t two = at(2, kArriveSite, kFull, 1, 0, 0b11),
                        third = at(3, kArriveSite, kFull, 1);
    const std::uint32_t next = at(4, kArriveSite, kFull, 1);
    phases_.find();
    EXPECT_EQ(base_of(two, 1), base(0, 0));
    EXPECT_EQ(base_of(third), base(0, 0));
    EXPECT_EQ(base_of(next), base(0, 1));
}

// bar.sync 3, 2: two threads a phase, without an initialisation.
TEST_F(GpuPhasesTest, ABarrierWithANumberExpectsItsThreads) {
    const std::uint32_t named = tilereel_gpu::kNamedBarrier | 3u << tilereel_gpu::kNamedShift | 2;
    const std::uint32_t both = at(1, kArriveSite, named, 1, 0, 0b11);
    const std::uint32_t wait = at(2, kWait, named, kParityUnknown);
    const std::uint32_t next = at(3, kArriveSite, named, 1);
    phases_.find();
    EXPECT_EQ(base_of(both, 1), base(0, 0));
    EXPECT_EQ(base_of(wait), base(0, 0));
    EXPECT_EQ(base_of(next), base(0, 1));
}

TEST_F(GpuPhasesTest, AWaitIsForTheLastCompletedPhaseOfItsParity) {
    at(1, kMake, kFull, 1);
    const std::uint32_t before = at(2, kWait, kFull, 1);  // the phase before the first
    at(3, kArriveSite, kFull, 1);
    const std::uint32_t first = at(4, kWait, kFull, 0);
    at(5, kArriveSite, kFull, 1);
    const std::uint32_t late = at(6, kWait, kFull, 0), second = at(7, kWait, kFull, 1);
    const std::uint32_t by_state = at(8, kWait, kFull, kParityUnknown);
    phases_.find();
    EXPECT_EQ(base_of(before), GpuPhases::kNone);
    EXPECT_EQ(base_of(first), base(0, 0));
    EXPECT_EQ(base_of(late), base(0, 0));
    EXPECT_EQ(base_of(second), base(0, 1));
    EXPECT_EQ(base_of(by_state), base(0, 1));
}

// The arrival that would complete the phase expects the copy's bytes, before the copy begins or
// after it.
TEST_F(GpuPhasesTest, ACopyCountsTowardsThePhaseThatExpectsItsBytes) {
    at(1, kMake, kFull, 1);
    at(2, kArriveSite, kFull, 1, 32);
    const std::uint32_t first = at(3, kStart, kFull, 0, 16), rest = at(4, kStart, kFull, 0, 16);
    const std::uint32_t next = at(5, kStart, kFull, 0, 16);
    at(6, kArriveSite, kFull, 1, 16);
    const std::uint32_t after = at(7, kStart, kFull, 0, 16);
    phases_.find();
    EXPECT_EQ(base_of(first), base(0, 0));
    EXPECT_EQ(base_of(rest), base(0, 0));
    EXPECT_EQ(base_of(next), base(0, 1));
    EXPECT_EQ(base_of(after), base(0, 2));
}

// An operation that only expects bytes is not an arrival.
TEST_F(GpuPhasesTest, ClocksGiveTheOrderOfWarps) {
    const std::uint32_t wait = at(9, kWait, kFull, 0), expects = at(3, kArriveSite, kFull, 0, 64);
    const std::uint32_t arrival = at(5, kArriveSite, kFull, 1);
    at(1, kMake, kFull, 1);
    phases_.find();
    EXPECT_EQ(base_of(wait), base(0, 0));
    EXPECT_EQ(base_of(expects), GpuPhases::kNone);
    EXPECT_EQ(base_of(arrival), base(0, 0));
}

}  // namespace
}  // namespace tilereel::gpu::gpu_phases_test

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
    std::uint32_t at(std::uint64_t clock, SiteNumber site, std::uint32_t barrier,
                     std::uint32_t first = 0, std::uint32_t second = 0, std::uint32_t mask = 1) {
        auto& words = words_.emplace_back();
        words.resize(10 * kWarpSize);
        for (unsigned lane = 0; lane < kWarpSize; ++lane) {
            words[lane] = barrier;
            words[kWarpSize + lane] = first;
            words[2 * kWarpSize + lane] = second;
            words[4 * kWarpSize + lane] = second;  // row kBoxFirst of a copy: its bytes
        }
        const tilereel_gpu::DeviceRecord record{site, 0, mask, 0, clock};
        phases_.add(records_, 0, record, words.data());
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
};

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

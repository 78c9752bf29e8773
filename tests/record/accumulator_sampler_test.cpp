// Compares the multiply-adds whose sum is recorded with a count for each lane by itself.
#include "instrumentation/record/accumulator_sampler.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <utility>

namespace tilereel::tests::accumulator_sampler_test {
namespace {

constexpr std::uint32_t kInterval = 3, kWarps = 2;

class CountedLanes {
  public:
    // Whether this is the kInterval-th multiply-add into the sum for any lane of `mask`.
    bool is_due(std::uint32_t warp, std::uint32_t sum, std::uint32_t mask) {
        bool due = false;
        for (unsigned lane = 0; lane < 32; ++lane)
            if ((mask >> lane & 1u) != 0) due = ++made_[{warp, sum}][lane] % kInterval == 0 || due;
        return due;
    }

  private:
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::array<std::uint32_t, 32>> made_;
};

TEST(AccumulatorSampler, CountsEachLane) {
    std::mt19937 random(5);
    constexpr std::array<std::uint32_t, 4> kMasks = {0xffffffff, 0x0000ffff, 0x000000f0,
                                                     0x80000001};
    for (int block = 0; block < 200; ++block) {
        AccumulatorSampler sampler(kInterval);
        sampler.begin_block(kWarps);
        CountedLanes counted;
        // In most kernels the first multiply-adds are all made by the same lanes.
        const std::uint32_t first = kMasks[random() % kMasks.size()];
        const int alike = static_cast<int>(random() % 10);
        for (int i = 0; i < 60; ++i) {
            const std::uint32_t mask = i < alike ? first : kMasks[random() % kMasks.size()];
            const auto warp = static_cast<std::uint32_t>(random() % kWarps);
            const auto sum = static_cast<std::uint32_t>(random() % 3);
            ASSERT_EQ(sampler.is_due(warp, sum, mask), counted.is_due(warp, sum, mask))
                << "block " << block << ", multiply-add " << i;
        }
    }
}

TEST(AccumulatorSampler, CountsBeginAgainInEachBlock) {
    AccumulatorSampler sampler(kInterval);
    for (int block = 0; block < 2; ++block) {
        sampler.begin_block(1);
        EXPECT_FALSE(sampler.is_due(0, 0, 0xffffffff));
        EXPECT_FALSE(sampler.is_due(0, 0, 0xffffffff));
    }
}

}  // namespace
}  // namespace tilereel::tests::accumulator_sampler_test

// Which arrays are drawn large if not all have room.
#include "app/replay/arrays/array_placement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace tilereel::array_placement_test {
namespace {

using Steps = std::vector<std::vector<std::uint32_t>>;

ArrayPlacement placement_of(const Steps& steps, std::size_t places,
                            std::vector<std::size_t> kept = {}) {
    std::vector<const std::vector<std::uint32_t>*> each;
    for (const auto& of_array : steps) each.push_back(&of_array);
    return ArrayPlacement(each, places, kept);
}

TEST(ArrayPlacement, AnArrayHasAPlaceAtEachStepThatAccessesIt) {
    std::mt19937 random(3);
    for (int round = 0; round < 50; ++round) {
        Steps steps(2 + random() % 7);
        for (std::uint32_t step = 0; step < 200; ++step) {
            const std::size_t array = random() % (steps.size() + 1);  // or none of them
            if (array < steps.size()) steps[array].push_back(step);
        }
        const std::size_t places = 1 + random() % steps.size();
        const ArrayPlacement placement = placement_of(steps, places);
        for (std::size_t array = 0; array < steps.size(); ++array)
            for (const std::uint32_t step : steps[array]) {
                EXPECT_LT(placement.at(step)[array], places);
                std::vector<std::size_t> all = placement.at(step);  // each place once
                std::ranges::sort(all);
                for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], i);
            }
    }
}

// 0 is accessed again sooner than 1: 1 makes room for 2, and 0 stays where it is.
TEST(ArrayPlacement, TheArrayWithTheLatestNextUseLosesItsPlace) {
    const ArrayPlacement placement = placement_of({{0, 3, 5}, {1, 9}, {2, 4}}, 2);
    EXPECT_THAT(placement.at(1), testing::ElementsAre(0, 1, 2));
    EXPECT_THAT(placement.at(2), testing::ElementsAre(0, 2, 1));
    EXPECT_THAT(placement.at(8), testing::ElementsAre(0, 2, 1));
    EXPECT_LT(placement.at(9)[1], 2u);
    EXPECT_EQ(placement.changes(), 3u);
}

TEST(ArrayPlacement, NothingChangesIfAllHaveAPlace) {
    const ArrayPlacement placement = placement_of({{0, 4}, {1}, {2, 3}}, 3);
    EXPECT_EQ(placement.changes(), 1u);
}

TEST(ArrayPlacement, AKeptArrayKeepsItsPlace) {
    const ArrayPlacement placement = placement_of({{0, 4}, {1, 5}, {2, 6}, {}}, 2, {3});
    for (const std::uint32_t step : {0u, 1u, 2u, 4u, 5u, 6u, 7u}) {
        EXPECT_LT(placement.at(step)[3], 2u) << step;
        EXPECT_EQ(placement.at(step)[3], placement.at(0)[3]) << step;
    }
    EXPECT_LT(placement.at(5)[1], 2u);
    EXPECT_LT(placement_of({{0}, {1}}, 1, {1}).at(0)[1], 1u);  // the only place
}

}  // namespace
}  // namespace tilereel::array_placement_test

#pragma once
// Compares two races: which contenders became faster.
#include <vector>

#include "app/race/race.h"

namespace tilereel {

struct ComparedSpeed {
    Contender contender;
    ProductSize size;
    double before_gflops = 0, after_gflops = 0;  // medians
    double ratio = 0;                            // after / before
    // The interquartile ranges of the samples do not overlap, so the difference is more than noise.
    bool ranges_are_apart = false;
};

// Compares every contender and size for which both races have samples, in the order of `after`.
[[nodiscard]] std::vector<ComparedSpeed> compare_races(const Race& before, const Race& after);
// A sentence about different conditions of the races, such as another device, or cold against warm
// caches; empty if there are none.
[[nodiscard]] std::string difference_of_conditions(const Race& before, const Race& after);

}  // namespace tilereel

#pragma once
// Two races held against each other: what became faster.
#include <vector>

#include "app/race/race.h"

namespace tilereel {

struct ComparedSpeed {
    Contender contender;
    ProductSize size;
    double before_gflops = 0, after_gflops = 0;  // medians
    double ratio = 0;                            // after / before
    // The middle halves of the samples do not overlap: more than noise.
    bool apart = false;
};

// Compares every contender and size of which both races have samples, in the order of `after`.
[[nodiscard]] std::vector<ComparedSpeed> compare_races(const Race& before, const Race& after);
// What makes the two hard to compare, as a sentence: another device, cold against warm, ...; empty
// if nothing does.
[[nodiscard]] std::string difference_of_terms(const Race& before, const Race& after);

}  // namespace tilereel

#pragma once
// Sizes of products drawn at random, for races at sizes that nobody chose.
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "app/race/race.h"

namespace tilereel {

// Draws `count` sizes. Each extent is log-uniform in 16 .. 8192. Every third size has multiples of
// 32. The same seed gives the same sizes with every compiler.
inline std::vector<ProductSize> random_sizes(int count, unsigned seed) {
    constexpr double kLeast = 16, kMost = 8192;
    std::mt19937 random(seed);
    const auto draw = [&](bool in_32s) {
        const double share =
            static_cast<double>(random()) / 4294967296.0;  // of the numbers that mt19937 gives
        const int extent = static_cast<int>(std::lround(kLeast * std::pow(kMost / kLeast, share)));
        return in_32s ? std::max(32, (extent + 16) / 32 * 32) : extent;
    };
    std::vector<ProductSize> sizes;
    for (int i = 0; i < count; ++i) {
        const bool in_32s = i % 3 == 2;
        const int m = draw(in_32s), n = draw(in_32s), k = draw(in_32s);
        sizes.push_back({m, n, k});
    }
    return sizes;
}

}  // namespace tilereel

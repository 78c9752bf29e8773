#include "app/race/other_kernels/work_sizes.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace tilereel {

std::vector<ProductSize> sizes_of_work(long long recorded_n, int multiple, int dimensions) {
    // By dimensions, from 64 Ki to 64 Mi elements.
    static constexpr std::array<std::array<int, 6>, 3> kSizes = {
        {{1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24, 1 << 26},
         {256, 512, 1024, 2048, 4096, 8192},
         {48, 64, 96, 128, 256, 384}}};
    std::vector<int> all;
    if (recorded_n > 0 && recorded_n <= kLargestCount) all.push_back(static_cast<int>(recorded_n));
    for (const int size : kSizes[static_cast<std::size_t>(std::clamp(dimensions, 1, 3) - 1)])
        all.push_back((size + multiple - 1) / multiple * multiple);
    std::ranges::sort(all);
    const auto same = std::ranges::unique(all);
    all.erase(same.begin(), same.end());
    std::vector<ProductSize> sizes;
    for (const int size : all) sizes.push_back({size, size, size});
    return sizes;
}

}  // namespace tilereel

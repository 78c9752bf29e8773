#pragma once
// The sizes at which a kernel that is no product races.
#include <vector>

#include "app/race/race.h"

namespace tilereel {

// The program's own n, 0: not known, and sizes from those that stay in caches to those of a hundred
// megabytes and more. Multiples of `multiple`. `dimensions`: so many extents of an array are n.
[[nodiscard]] std::vector<ProductSize> sizes_of_work(long long recorded_n, int multiple,
                                                     int dimensions);

}  // namespace tilereel

#pragma once
// The size at which tests record a kernel of the ladder.
#include <gtest/gtest.h>

#include <array>

#include "kernels/catalog.h"

namespace tilereel {

// The first size that the kernel takes.
inline KernelParameters parameters_for(const KernelInfo& kernel, int tile, int pad) {
    const int t = tile;
    for (const auto& [m, n, k] : {std::array{2 * t + 1, 3 * t - 1, t + 3},
                                  {2 * t, 3 * t, 2 * t},
                                  {2 * t, 3 * t, t},
                                  {32, 128, 48},
                                  {t, 2 * t, 64},
                                  {24, 20, 12},
                                  {t, t, t}}) {
        const KernelParameters p{.m = m, .n = n, .k = k, .tile = tile, .pad = pad};
        if (validate(kernel, p)) return p;
    }
    ADD_FAILURE() << kernel.id << " TILE " << tile << " PAD " << pad;
    return {};
}

}  // namespace tilereel

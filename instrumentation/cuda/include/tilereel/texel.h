#pragma once
#include <stdint.h>

namespace tilereel::runtime {

// Four components of an element: floats as their bits, integers with their sign.
struct Texel {
    uint64_t low, high;
    unsigned component(int i) const { return unsigned((i < 2 ? low : high) >> (i % 2 * 32)); }
};
}  // namespace tilereel::runtime

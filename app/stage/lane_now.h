#pragma once
// The operands that one lane has loaded at this tick, and the multiply-adds that use them.
#include <algorithm>
#include <vector>

#include "app/stage/scene.h"

namespace tilereel::stage {

struct OperandHere {
    bool read = false, now = false;  // loaded; loaded by the request in flight
    float value = 0;
};

// The shown state of the watched lane.
struct LaneNow {
    const LaneWork* work = nullptr;
    std::size_t product = 0;  // index in LaneWork::products; their size: none
    std::uint32_t k = kNoIndex;
    std::vector<std::uint32_t> k_of_a, k_of_b;  // columns of A, rows of B that are shown
    std::vector<OperandHere> a, b;              // rows x k_of_a; k_of_b x columns
    std::uint32_t lit = kNoIndex;               // the highlighted multiply-add: LaneWork::order
};

[[nodiscard]] LaneNow lane_now(Scene& scene);

template <class T>
std::uint32_t place_in(const std::vector<T>& ascending, T value) {
    return static_cast<std::uint32_t>(std::ranges::find(ascending, value) - ascending.begin());
}

}  // namespace tilereel::stage

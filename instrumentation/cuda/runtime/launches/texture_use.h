#pragma once
#include <atomic>

namespace tilereel::runtime {

// Whether a thread has used a texture or a surface since the last launch. Such accesses are not
// recorded.
inline std::atomic<bool> textures_used{false};

}  // namespace tilereel::runtime

#pragma once
#include <atomic>

namespace tilereel::runtime {

// Whether a block of the launch has run code of a library that is ours, such as that of CUB.
inline std::atomic<bool> library_code_used{false};

}  // namespace tilereel::runtime

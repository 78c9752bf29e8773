#pragma once
// The signal by which the user has asked this process to end. A signal handler sets it; work that
// takes long polls it, ends what it has started, removes its files and returns.
#include <atomic>

namespace tilereel {

inline std::atomic<int> interrupting_signal{0};        // 0: none
static_assert(std::atomic<int>::is_always_lock_free);  // otherwise a signal handler may not set it

[[nodiscard]] inline bool was_interrupted() { return interrupting_signal.load() != 0; }

}  // namespace tilereel

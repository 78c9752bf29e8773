#pragma once
#include <functional>

namespace tilereel {

// Runs work(0) to work(n - 1) at once, each on a thread of its own, the last on the caller's, and
// returns n: `threads`, or fewer where the system starts no more. `before` (may be empty) is called
// with n before any begins; if it throws, none begins, and run_together() throws the same.
int run_together(int threads, const std::function<void(int count)>& before,
                 const std::function<void(int thread)>& work);

}  // namespace tilereel

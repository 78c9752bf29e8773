#pragma once
#include <functional>

namespace tilereel {

// Runs work(0) to work(n - 1) in parallel, each on a thread of its own, the last one on the calling
// thread. Returns n: `threads`, or fewer if the system cannot start more. before(n) (may be empty)
// is called first; if it throws, no work begins, and run_together() throws the same exception.
int run_together(int threads, const std::function<void(int count)>& before,
                 const std::function<void(int thread)>& work);

}  // namespace tilereel

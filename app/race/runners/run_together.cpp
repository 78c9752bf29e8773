#include "app/race/runners/run_together.h"

#include <latch>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace tilereel {

int run_together(int threads, const std::function<void(int count)>& before,
                 const std::function<void(int thread)>& work) {
    std::latch begin(1);
    bool prepared = false;  // written before the latch opens, read after it
    std::vector<std::jthread> helpers;
    helpers.reserve(static_cast<std::size_t>(threads));
    const auto helper = [&](int thread) {
        begin.wait();
        if (prepared) work(thread);
    };
    try {
        for (int thread = 0; thread + 1 < threads; ++thread) helpers.emplace_back(helper, thread);
    } catch (const std::system_error&) {  // the system gives no more threads
    } catch (const std::bad_alloc&) {     // nor the memory for one
    }
    const int count = static_cast<int>(helpers.size()) + 1;
    try {
        if (before) before(count);
        prepared = true;
    } catch (...) {
        begin.count_down();  // so that the helpers do not wait for ever
        throw;
    }
    begin.count_down();
    work(count - 1);
    return count;
}

}  // namespace tilereel

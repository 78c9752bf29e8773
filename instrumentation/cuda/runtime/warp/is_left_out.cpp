#include "instrumentation/cuda/runtime/warp/is_left_out.h"

#include <cstring>

#include "instrumentation/cuda/include/tilereel/left_out_barrier.h"
#include "instrumentation/cuda/runtime/running_kernel.h"

namespace tilereel::runtime {
namespace {

std::uint32_t left_out_line = 0;  // of the barrier that launches ignore; 0: none
ThreadOrder order_of_threads = ThreadOrder::kRoundRobin;

}  // namespace

void leave_out_barrier(unsigned line, unsigned order) noexcept {
    left_out_line = line;
    order_of_threads = static_cast<ThreadOrder>(order);
}

bool leaves_out_a_barrier() { return left_out_line != 0; }
ThreadOrder thread_order() { return order_of_threads; }

bool is_left_out(const Site* site) {
    return leaves_out_a_barrier() && site != nullptr && site->line == left_out_line &&
           running_kernel() != nullptr && std::strcmp(site->file, running_kernel()->file) == 0;
}

}  // namespace tilereel::runtime

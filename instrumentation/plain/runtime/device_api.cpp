// What device code calls: barriers and meetings of lanes.
#include "instrumentation/plain/include/tilereel/runtime_calls.h"
#include "instrumentation/plain/runtime/worker.h"

namespace tilereel::plain {

Met meet(unsigned mask, unsigned long long value) noexcept {
    Worker* const worker = Worker::current();
    if (worker == nullptr) {
        static thread_local unsigned long long alone;
        alone = value;
        return {1, &alone};
    }
    const Meeting met = worker->meet(mask, value);
    static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
    return {met.mask, reinterpret_cast<const unsigned long long*>(met.values->data())};
}

unsigned lane_number() noexcept {
    const Worker* const worker = Worker::current();
    return worker == nullptr ? 0 : worker->lane();
}

unsigned thread_number() noexcept {
    const Worker* const worker = Worker::current();
    return worker == nullptr ? 0 : worker->thread();
}

int barrier_count(int predicate) noexcept {
    Worker* const worker = Worker::current();
    if (worker == nullptr) return predicate != 0;
    worker->barrier_value = predicate != 0;
    worker->block_barrier();
    return static_cast<int>(worker->barrier_result());
}

long long clock_ticks() noexcept {
    static long long ticks = 0;
    return ticks += 4;
}

}  // namespace tilereel::plain

void __syncthreads() noexcept { tilereel::plain::barrier_count(0); }

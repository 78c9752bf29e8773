// The functions that device code calls: barriers, warp collectives, printf(), malloc(), assert().
#include <algorithm>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>

#include "instrumentation/cuda/include/tilereel/runtime_calls.h"
#include "instrumentation/cuda/runtime/api.h"
#include "instrumentation/cuda/runtime/block/thread_findings.h"
#include "instrumentation/cuda/runtime/block/worker.h"
#include "instrumentation/cuda/runtime/program_state.h"
#include "instrumentation/cuda/runtime/running_block.h"
#include "instrumentation/cuda/runtime/simulated_memory.h"

namespace tilereel::runtime {
namespace {

// The line of the running thread's call of the runtime; 0 if it is not known.
std::uint32_t line_here(const RunningBlock& block) {
    return block.call_site() == nullptr ? 0 : block.call_site()->line;
}

LaneValues run_collective(unsigned mask, unsigned long long value, CollectiveKind kind,
                          std::uint32_t operand) noexcept {
    RunningBlock* const block = RunningBlock::current();
    if (block == nullptr) {
        static thread_local unsigned long long alone;
        alone = value;
        return {1, &alone};
    }
    if (mask != 0 && (mask >> block->lane() & 1) == 0)
        report_outside_mask(mask, block->call_site());
    const CollectiveResult result = block->warp_collective(mask, value, kind, operand);
    static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
    return {result.mask, reinterpret_cast<const unsigned long long*>(result.values->data())};
}

// The running thread moves bytes by a function of the C library.
void note_moved_bytes(void* to, const void* from) {
    DeviceMemory::instance().note_unrecorded_store(reinterpret_cast<std::uint64_t>(to));
    const RunningBlock* const block = Worker::current();
    if (block == nullptr || !block->in_thread() || block->call_site() == nullptr) return;
    const auto is_local = [block](const void* address) {
        return block->owns_stack(reinterpret_cast<std::uint64_t>(address));
    };
    if (is_local(to) && is_local(from)) return;
    const Site& call = *block->call_site();
    warn_once(&call, "calls " + std::string(call.callee) + "(), whose accesses are not counted",
              "Write a loop over the elements to have them counted.", call.line);
}

}  // namespace

bool in_kernel() noexcept {
    const RunningBlock* const block = RunningBlock::current();
    return block != nullptr && block->in_thread();
}

void note_host_branch(unsigned line) noexcept {
    if (!in_kernel()) return;
    warn_once(__builtin_return_address(0),
              "runs the host's branch of the condition about __CUDA_ARCH__",
              "A __host__ __device__ function is compiled once here: let each branch be whole "
              "statements that declare nothing, or let the first one end with return.",
              line);
}

LaneValues warp_exchange(unsigned mask, unsigned long long value) noexcept {
    return run_collective(mask, value, CollectiveKind::kExchange, 0);
}

LaneValues warp_shuffle(unsigned mask, unsigned long long value, unsigned source) noexcept {
    return run_collective(mask, value, CollectiveKind::kShuffle, source % kLanes);
}

unsigned lane_number() noexcept {
    const RunningBlock* const block = RunningBlock::current();
    return block == nullptr ? 0 : block->lane();
}

unsigned thread_number() noexcept {
    const RunningBlock* const block = RunningBlock::current();
    return block == nullptr ? 0 : block->thread();
}

int barrier_count(int predicate) noexcept {
    RunningBlock* const block = RunningBlock::current();
    if (block == nullptr) return predicate != 0;
    block->barrier_value = predicate != 0;
    block->block_barrier();
    return static_cast<int>(block->barrier_result());
}

void grid_barrier() noexcept {
    RunningBlock* const block = RunningBlock::current();
    if (block != nullptr && block->grid().count() > 1) {
        if (!block->on_grid_barrier)
            report_and_end_launch(
                RecordedFindingKind::kOther,
                "waits for the whole grid, but the launch is not a cooperative one: use "
                "cudaLaunchCooperativeKernel",
                cudaErrorNotPermitted, line_here(*block));
        block->note_barrier(BarrierReach::kGrid);
    }
    barrier_count(0);
}

long long clock_ticks() noexcept {
    // Clock ticks follow real time, so that a thread that waits for a number of ticks waits as long
    // as on a GPU.
    using Clock = std::chrono::steady_clock;
    static const Clock::time_point begin = Clock::now();
    static thread_local long long last = 0;
    const long long ns =
        std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
    return last = std::max(last + 1, ns * (kClockKilohertz / 1000) / 1000);
}

void trap() noexcept {
    if (RunningBlock* const block = RunningBlock::current(); block != nullptr && block->in_thread())
        report_and_end_launch(RecordedFindingKind::kAssertion, "calls __trap()",
                              cudaErrorLaunchFailure, line_here(*block));
    std::abort();
}

void refuse(const char* what) noexcept {
    if (const RunningBlock* const block = RunningBlock::current();
        block != nullptr && block->in_thread())
        report_and_end_launch(RecordedFindingKind::kUnsupported, what, cudaErrorNotSupported,
                              line_here(*block));
    std::abort();
}

}  // namespace tilereel::runtime

extern "C" {

int tilereel_printf(const char* format, ...) {
    using tilereel::runtime::RunningBlock;
    va_list arguments;
    va_start(arguments, format);
    RunningBlock* const block = RunningBlock::current();
    int count = 0;
    if (block == nullptr || !block->in_thread()) {
        count = std::vprintf(format, arguments);
    } else {
        char text[1024];
        count = std::vsnprintf(text, sizeof text, format, arguments);
        if (count > 0)
            block->printed.append(text, std::min(static_cast<std::size_t>(count), sizeof text - 1));
    }
    va_end(arguments);
    return count;
}

namespace {
std::mutex heap_mutex;  // blocks run on several CPU threads
}

long tilereel_clock(void) { return static_cast<long>(tilereel::runtime::clock_ticks()); }

void* tilereel_malloc(std::size_t bytes) {
    using namespace tilereel::runtime;
    const std::lock_guard lock(heap_mutex);
    MemoryArray* const array =
        DeviceMemory::instance().allocate(bytes, Allocation::kDeviceHeap, memory_capacity_bytes());
    return array == nullptr ? nullptr : reinterpret_cast<void*>(array->base);
}

// memcpy(), memmove() and memset() of device code that the compiler does not turn into plain
// accesses. Theirs are not recorded, which is said.
void* tilereel_memcpy(void* to, const void* from, std::size_t bytes) {
    tilereel::runtime::note_moved_bytes(to, from);
    return std::memcpy(to, from, bytes);
}
void* tilereel_memmove(void* to, const void* from, std::size_t bytes) {
    tilereel::runtime::note_moved_bytes(to, from);
    return std::memmove(to, from, bytes);
}
void* tilereel_memset(void* to, int value, std::size_t bytes) {
    tilereel::runtime::note_moved_bytes(to, to);
    return std::memset(to, value, bytes);
}

void tilereel_free(void* pointer) {
    const std::lock_guard lock(heap_mutex);
    tilereel::runtime::DeviceMemory::instance().release(pointer);
}

// assert() of device code and of host code.
void __assert_fail(const char* expression, const char* file, unsigned line,
                   const char* function) noexcept {
    using namespace tilereel::runtime;
    if (RunningBlock* const block = RunningBlock::current();
        block != nullptr && block->in_thread()) {
        std::printf("%s:%u: %s: Assertion `%s' failed.\n", file, line, function, expression);
        report_and_end_launch(tilereel::RecordedFindingKind::kAssertion,
                              std::string("fails the assertion ") + expression, cudaErrorAssert,
                              line);
    }
    std::fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, expression);
    std::abort();
}
}

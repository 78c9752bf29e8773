#include "instrumentation/cuda/runtime/block/unhooked_worker.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "instrumentation/cuda/include/tilereel/runtime_calls.h"
#include "instrumentation/cuda/runtime/block/built_in.h"
#include "instrumentation/cuda/runtime/block/stacks.h"
#include "instrumentation/cuda/runtime/block/thread_findings.h"
#include "instrumentation/cuda/runtime/block/worker.h"
#include "instrumentation/cuda/runtime/cluster/running_cluster.h"
#include "instrumentation/cuda/runtime/program_state.h"

namespace tilereel::runtime {
namespace {

thread_local constinit UnhookedWorker* unhooked_worker [[gnu::tls_model("initial-exec")]] = nullptr;
thread_local void (UnhookedWorker::*stack_body)() = nullptr;

void stack_entry() { (unhooked_worker->*stack_body)(); }

}  // namespace

UnhookedWorker* UnhookedWorker::current() { return unhooked_worker; }

UnhookedWorker::UnhookedWorker(const UnhookedJob& job)
    : RunningBlock(job.grid, job.block),
      job_(job),
      fibers_(stacks_for(threads_)),
      by_thread_(threads_),
      warps_((threads_ + kLanes - 1) / kLanes) {
    const Index3& block = job.block;
    for (std::uint32_t i = 0; i < threads_; ++i) by_thread_[i].index = thread_index(block, i);
    stack_body = &UnhookedWorker::run_threads;
    free_.reserve(threads_);
    const std::uint32_t grid[] = {job.grid.x, job.grid.y, job.grid.z};
    const std::uint32_t extents[] = {block.x, block.y, block.z};
    set_extents(grid, extents);
    main_ = suspended_main();
}

UnhookedWorker::~UnhookedWorker() {
    unhooked_worker = nullptr;
    running.unhooked = false;
    set_current(nullptr);
}

bool UnhookedWorker::owns_stack(std::uint64_t address) const {
    return fibers_.contains(reinterpret_cast<const void*>(address));
}

void UnhookedWorker::run(std::uint32_t block) {
    unhooked_worker = this;
    set_current(this);
    running = {.idle = true, .unhooked = true};
    start_block(block);
    for (bool any = true; any;) {
        any = false;
        for (std::uint32_t warp = 0; warp < warps_.size(); ++warp) {
            any = any || warps_[warp].ready != 0;
            while (warps_[warp].ready != 0) run_slice(warp);
        }
        resume_from_phases();
        release_block();
    }
    running = {};
    unhooked_worker = nullptr;
    set_current(nullptr);
}

void UnhookedWorker::start_block(std::uint32_t block) {
    block_ = block;
    printed.clear();
    forget_threads();
    set_block(block % grid_.x, block / grid_.x % grid_.y, block / grid_.x / grid_.y);
    // Shared memory that was never written is NaN, as in blocks that are recorded.
    for (const UnhookedJob::Range& range : job_.shared)
        std::memset(static_cast<char*>(__builtin_thread_pointer()) + range.offset_bytes, 0xff,
                    range.bytes);
    if (job_.shared.empty()) std::memset(dynamic_shared(), 0xff, job_.dynamic_shared_bytes);
    for (std::uint32_t warp = 0; warp < warps_.size(); ++warp) {
        const std::uint32_t lanes = std::min(threads_ - warp * kLanes, kLanes);
        warps_[warp].ready = lanes == kLanes ? 0xffffffff : (1u << lanes) - 1;
        warps_[warp].at_block = 0;
        warps_[warp].collectives.clear();
    }
}

void UnhookedWorker::run_slice(std::uint32_t number) {
    Warp& warp = warps_[number];
    base_ = number * kLanes;
    slice_lanes_ = warp.ready;
    at_block_ = 0;
    in_thread_ = true;
    leave(main_);
    in_thread_ = false;
    warp.at_block |= at_block_;
    warp.ready = warp.collectives.complete([](auto&&...) {}, barriers_.waiting(number));
}

// Called when no warp can continue. Resumes threads that wait for phases until none waits.
void UnhookedWorker::resume_from_phases() {
    const auto warps = static_cast<std::uint32_t>(warps_.size());
    for (bool polls = false, others = false;;) {
        std::uint32_t first = warps;  // the first warp that waits
        bool any = false;
        for (std::uint32_t warp = 0; warp < warps; ++warp) {
            if (barriers_.waiting(warp) == 0) continue;
            if (first == warps) first = warp;
            warps_[warp].ready = polls ? barriers_.take_polling(warp) : barriers_.take_ready(warp);
            any = any || warps_[warp].ready != 0;
            while (warps_[warp].ready != 0) run_slice(warp);
        }
        if (first == warps) return;
        if (time_is_up()) end_launch(cudaErrorLaunchTimeout);
        if (any && in_cluster.cluster != nullptr) in_cluster.cluster->note_progress();
        if (!any && !polls)
            others =
                in_cluster.cluster != nullptr && in_cluster.cluster->run_others(in_cluster.rank);
        if (!any && polls && !others) {
            const auto lane =
                static_cast<std::uint32_t>(std::countr_zero(barriers_.waiting(first)));
            thread_ = first * kLanes + lane;
            report_deadlock(barriers_, thread_);
        }
        polls = !any && !polls;
    }
}

void UnhookedWorker::release_block() {
    pass_outer_barrier();
    barrier_sum_ = next_barrier_sum_;
    next_barrier_sum_ = 0;
    for (Warp& warp : warps_) {
        warp.ready = warp.at_block;
        warp.at_block = 0;
    }
}

void UnhookedWorker::become(std::uint32_t thread) {
    thread_ = thread;
    threadIdx = by_thread_[thread].index;
}

void UnhookedWorker::begin_on_free_stack(Thread& thread) {
    if (free_.empty()) {
        thread.suspended = begin_on_stack(fibers_, begun_, stack_entry);
        thread.stack = begun_++;
        return;
    }
    thread.suspended = free_.back().suspended;
    thread.stack = free_.back().number;
    free_.pop_back();
}

[[gnu::always_inline]] inline Suspended& UnhookedWorker::next() {
    if (slice_lanes_ == 0) return main_;
    lane_bit_ = slice_lanes_ & (0u - slice_lanes_);
    become(base_ + static_cast<std::uint32_t>(std::countr_zero(slice_lanes_)));
    slice_lanes_ ^= lane_bit_;
    Thread& thread = by_thread_[thread_];
    if (thread.stack == kNoStack) begin_on_free_stack(thread);
    return thread.suspended;
}

void UnhookedWorker::leave(Suspended& from) { switch_stack(from, next()); }

void UnhookedWorker::run_threads() {
    for (;;) {
        const std::uint16_t stack = by_thread_[thread_].stack;
        job_.body(job_.data);
        by_thread_[thread_].stack = kNoStack;
        const std::uint32_t after =
            base_ + static_cast<std::uint32_t>(std::countr_zero(slice_lanes_));
        if (slice_lanes_ != 0 && by_thread_[after].stack == kNoStack) {
            lane_bit_ = slice_lanes_ & (0u - slice_lanes_);
            slice_lanes_ ^= lane_bit_;
            become(after);
            by_thread_[after].stack = stack;
            continue;
        }
        // leave() saves the stack's state in this element, so free_ must not reallocate.
        free_.push_back({stack, {}});
        leave(free_.back().suspended);
    }
}

CollectiveResult UnhookedWorker::warp_collective(std::uint32_t mask, std::uint64_t value,
                                                 CollectiveKind kind, std::uint32_t operand) {
    WarpCollectives& collectives = warps_[thread_ / kLanes].collectives;
    collectives.arrive(lane(), mask, call_site_, value, kind, operand);
    leave(by_thread_[thread_].suspended);
    return collectives.of(lane());
}

[[gnu::always_inline]] inline Suspended& UnhookedWorker::after_barrier() {
    at_block_ |= lane_bit_;
    return next();
}

void UnhookedWorker::block_barrier() {
    next_barrier_sum_ += barrier_value;
    barrier_value = 0;
    Suspended& self = by_thread_[thread_].suspended;
    switch_stack(self, after_barrier());
}

void* UnhookedWorker::pass_barrier([[maybe_unused]] void* stack_pointer) {
#ifdef TILEREEL_OWN_STACK_SWITCH
    by_thread_[thread_].suspended = stack_pointer;
    return after_barrier();
#else
    block_barrier();
    return nullptr;
#endif
}

}  // namespace tilereel::runtime

extern "C" void* tilereel_pass_barrier(void* stack_pointer) {
    using namespace tilereel::runtime;
    if (unhooked_worker != nullptr) return unhooked_worker->pass_barrier(stack_pointer);
    if (Worker* const worker = Worker::current()) return worker->pass_barrier(stack_pointer);
    barrier_count(0);
    return nullptr;
}

#ifdef TILEREEL_OWN_STACK_SWITCH
// __syncthreads() itself switches stacks, and ends with a jump. A return on another stack than
// that of its call is nearly always predicted wrongly, which costs more than the switch.
asm(TILEREEL_ASSEMBLER_FUNCTION("_Z13__syncthreadsv") TILEREEL_PUSH_REGISTERS R"(
    movq %rsp, %rdi
    subq $8, %rsp
    call tilereel_pass_barrier
    addq $8, %rsp
    testq %rax, %rax
    je 1f
    movq %rax, %rsp
1:
)" TILEREEL_POP_REGISTERS R"(
    popq %rcx
    jmp *%rcx
.popsection
)");
#else
void __syncthreads() noexcept { tilereel_pass_barrier(nullptr); }
#endif

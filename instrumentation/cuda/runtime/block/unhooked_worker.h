#pragma once
// Runs the threads of blocks that are not recorded, on one CPU thread, in the kernel's version
// without hooks. A stack runs one thread after another until one of them waits at a barrier or for
// other lanes; that thread keeps the stack. A kernel without barriers therefore needs one stack and
// no switches.
#include <cstdint>
#include <vector>

#include "instrumentation/cuda/runtime/block/built_in.h"
#include "instrumentation/cuda/runtime/block/stack_switch.h"
#include "instrumentation/cuda/runtime/running_block.h"

namespace tilereel::runtime {

// Shared by all workers of a launch.
struct UnhookedJob {
    Index3 grid, block;
    std::uint32_t dynamic_shared_bytes = 0;
    void (*body)(void*) = nullptr;  // the kernel, run by one thread
    void* data = nullptr;
    // A shared array, relative to the thread pointer of a CPU thread.
    struct Range {
        std::int64_t offset_bytes = 0;
        std::uint64_t bytes = 0;
        std::uint32_t place_bytes = 0;  // in the block's shared memory
    };
    std::vector<Range> shared;
};

class UnhookedWorker final : public RunningBlock {
  public:
    explicit UnhookedWorker(const UnhookedJob& job);
    ~UnhookedWorker() override;
    // Runs all threads of one block.
    void run(std::uint32_t block);

    CollectiveResult warp_collective(std::uint32_t mask, std::uint64_t value, CollectiveKind kind,
                                     std::uint32_t operand) override;
    void block_barrier() override;
    void stop_at_phase() override { leave(by_thread_[thread_].suspended); }
    [[nodiscard]] bool owns_stack(std::uint64_t address) const override;
    [[nodiscard]] std::optional<SharedRange> shared_range(std::size_t number) const override {
        if (number >= job_.shared.size()) return std::nullopt;
        const UnhookedJob::Range& range = job_.shared[number];
        const auto here = reinterpret_cast<std::uint64_t>(__builtin_thread_pointer());
        return SharedRange{here + std::uint64_t(range.offset_bytes), range.bytes,
                           range.place_bytes};
    }
    // Null if this CPU thread runs no block, or a block with hooks.
    static UnhookedWorker* current();
    // Called by __syncthreads(), which switches stacks itself. `stack_pointer`: that of the
    // running thread. Returns the stack pointer of the thread that runs next. Where fiber.h
    // switches stacks, passes the barrier and returns null.
    void* pass_barrier(void* stack_pointer);

  private:
    static constexpr std::uint16_t kNoStack = 0xffff;  // the thread has not begun, or is done
    struct Thread {
        Suspended suspended{};
        ThreadIndex index{};
        std::uint16_t stack = kNoStack;
    };
    struct Warp {
        std::uint32_t ready = 0, at_block = 0;  // lanes
        WarpCollectives collectives;
    };
    void start_block(std::uint32_t block);
    void run_slice(std::uint32_t warp);
    void release_block();
    void resume_from_phases();
    void run_threads();  // the entry function of each stack
    // Makes the next lane of the time slice the running one and returns its stack; if no lane is
    // left, returns the stack of run_slice(). The caller switches to it.
    Suspended& next();
    // Notes that the running lane waits at a block barrier, and returns next().
    Suspended& after_barrier();
    void leave(Suspended& from);
    void become(std::uint32_t thread);
    void begin_on_free_stack(Thread& thread);

    const UnhookedJob& job_;
    Fibers& fibers_;
    Suspended main_{};
    std::vector<Thread> by_thread_;
    struct FreeStack {
        std::uint16_t number;
        Suspended suspended;
    };
    std::vector<FreeStack> free_;  // stacks that no thread keeps
    std::uint16_t begun_ = 0;      // number of stacks used so far
    std::vector<Warp> warps_;
    std::uint32_t slice_lanes_ = 0;  // mask of the lanes that still have to run in this time slice
    std::uint32_t lane_bit_ = 0;     // mask of the running lane
    std::uint32_t at_block_ = 0;     // mask of the time slice's lanes that wait at a block barrier
    std::uint32_t base_ = 0;         // the warp's first thread
};

}  // namespace tilereel::runtime

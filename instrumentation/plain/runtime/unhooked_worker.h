#pragma once
// Runs the threads of blocks that are not recorded, on one CPU thread, from the kernel's version
// without hooks. A stack runs one thread after another until one of them waits at a barrier or for
// other lanes; then that thread keeps it. So a kernel without barriers needs one stack and no
// switches.
#include <cstdint>
#include <vector>

#include "instrumentation/plain/runtime/built_in.h"
#include "instrumentation/plain/runtime/running_block.h"
#include "instrumentation/plain/runtime/stack_switch.h"

namespace tilereel::plain {

// What all workers of a launch share.
struct UnhookedJob {
    Index3 grid, block;
    std::uint32_t dynamic_shared_bytes = 0;
    void (*body)(void*) = nullptr;  // the kernel, run by one thread
    void* data = nullptr;
    // Shared arrays, as seen from a CPU thread's thread pointer.
    struct Range {
        std::int64_t offset_bytes = 0;
        std::uint64_t bytes = 0;
    };
    std::vector<Range> shared;
};

class UnhookedWorker final : public RunningBlock {
  public:
    explicit UnhookedWorker(const UnhookedJob& job);
    ~UnhookedWorker() override;
    // Every thread of one block, from start to return.
    void run(std::uint32_t block);

    Meeting meet(std::uint32_t mask, std::uint64_t value, MeetingKind kind,
                 std::uint32_t of_kind) override;
    void block_barrier() override;
    void stop_at_phase() override { leave(by_thread_[thread_].suspended); }
    [[nodiscard]] bool owns_stack(std::uint64_t address) const override;

    // Null where no block runs, or one with hooks.
    static UnhookedWorker* current();
    // block_barrier() of a thread that is suspended with `here` as its stack pointer: whose stack
    // goes on. Where switching stacks is left to fiber.h: null, when the barrier has been passed.
    void* pass_barrier(void* here);

  private:
    static constexpr std::uint16_t kNoStack = 0xffff;  // has not begun, or is done
    struct Thread {
        Suspended suspended{};
        ThreadIndex index{};
        std::uint16_t stack = kNoStack;
    };
    struct Warp {
        std::uint32_t ready = 0, at_block = 0;  // lanes
        Meetings meetings;
    };
    void start_block(std::uint32_t block);
    void run_turn(std::uint32_t warp);
    void release_block();
    void go_on_from_phases();
    void run_threads();  // the body of each stack
    Suspended& next();   // the next lane of the turn becomes the running one; or run_turn()
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
    std::uint16_t begun_ = 0;      // stacks that have been used
    std::vector<Warp> warps_;
    std::uint32_t turn_ = 0;      // lanes of the warp that are still to run in this turn
    std::uint32_t lane_bit_ = 0;  // the running one
    std::uint32_t at_block_ = 0;  // those of the turn that wait for the block
    std::uint32_t base_ = 0;      // the warp's first thread
};

}  // namespace tilereel::plain

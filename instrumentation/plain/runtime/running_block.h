#pragma once
// The block that runs on this CPU thread: what its threads ask for.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "instrumentation/plain/runtime/meetings.h"
#include "instrumentation/plain/runtime/shared_barriers.h"
#include "instrumentation/trace/copy_groups.h"

namespace tilereel::plain {

struct Index3 {
    std::uint32_t x = 1, y = 1, z = 1;
    [[nodiscard]] std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

// What an asynchronous copy will write.
struct PendingCopy {
    void* to = nullptr;
    std::uint32_t bytes = 0;
    std::array<unsigned char, 16> value{};
};

// Which functions a thread is in, where the compiler's own hooks tell of them.
struct CallStack {
    // A function of the program that another one has called.
    struct Frame {
        Site* enter = nullptr;  // null where nothing is recorded
        std::uint32_t depth_in_library = 0;
        const void* caller = nullptr;
        const char* callee = nullptr;
    };
    bool in_kernel = false;
    // Functions of our headers or of the system's that the thread is in; their accesses belong to
    // the call in the program, which returns to `caller`.
    std::uint32_t depth_in_library = 0;
    const void* caller = nullptr;
    const char* callee = nullptr;  // the function that is called there
    // Of an atomic function, which has been told as one access: where it takes place.
    void* atomic_target = nullptr;
    std::vector<Frame> frames;
};

class RunningBlock {
  public:
    RunningBlock(const Index3& grid, const Index3& extents)
        : grid_(grid), extents_(extents), threads_(static_cast<std::uint32_t>(extents.count())) {}
    RunningBlock(const RunningBlock&) = delete;
    RunningBlock& operator=(const RunningBlock&) = delete;
    virtual ~RunningBlock() = default;
    // Null outside of launches.
    static RunningBlock* current();

    // What the running thread asks for.
    // mask 0: who is here
    virtual Meeting meet(std::uint32_t mask, std::uint64_t value,
                         MeetingKind kind = MeetingKind::kExchange, std::uint32_t of_kind = 0) = 0;
    virtual void block_barrier() = 0;
    // Until shared_barriers() lets the thread go on.
    virtual void stop_at_phase() = 0;
    std::uint64_t barrier_value = 0;  // that the thread brings to the barrier
    [[nodiscard]] std::uint64_t barrier_result() const { return barrier_sum_; }
    // The barrier that the running thread comes to is one of the whole grid.
    void note_grid_barrier() { at_grid_ = true; }
    // Called where all threads of the block have come to a barrier of the grid; returns when all
    // blocks have.
    std::function<void()> on_grid_barrier;
    void at(const Site* site) { here_ = site; }
    [[nodiscard]] const Site* here() const { return here_; }
    // Asynchronous copies that the running thread has under way.
    [[nodiscard]] CopyGroups<PendingCopy>& copies() {
        copies_.resize(threads_);
        return copies_[thread_];
    }

    [[nodiscard]] SharedBarriers& shared_barriers() { return barriers_; }

    [[nodiscard]] CallStack& calls() {
        if (calls_.empty()) calls_.resize(threads_);
        return calls_[thread_];
    }

    [[nodiscard]] const Index3& grid() const { return grid_; }
    [[nodiscard]] const Index3& extents() const { return extents_; }  // of a block
    [[nodiscard]] std::uint32_t lane() const { return thread_ % kLanes; }
    [[nodiscard]] std::uint32_t thread() const { return thread_; }
    [[nodiscard]] std::uint32_t block() const { return block_; }
    [[nodiscard]] bool in_thread() const { return in_thread_; }
    // Where the running thread is; null: not known.
    [[nodiscard]] virtual const Site* last_site() const { return nullptr; }
    [[nodiscard]] virtual bool owns_stack(std::uint64_t address) const = 0;
    std::string printed;  // by the block so far

  protected:
    static void set_current(RunningBlock* block);
    // Ends the launch: no thread of the block can go on, and this one waits for a phase.
    [[noreturn]] void tell_who_waits_for_ever(std::uint32_t thread);
    void forget_threads() {  // where a block begins
        barriers_.clear();
        copies_.clear();
        calls_.clear();
    }
    void pass_grid_barrier() {  // before threads go on from a barrier
        if (!at_grid_) return;
        at_grid_ = false;
        if (on_grid_barrier) on_grid_barrier();
        set_current(this);
    }
    Index3 grid_, extents_;
    std::uint32_t threads_;
    std::uint32_t block_ = 0, thread_ = 0;
    bool in_thread_ = false;
    const Site* here_ = nullptr;  // of the running thread's call of the runtime
    std::uint64_t barrier_sum_ = 0, next_barrier_sum_ = 0;
    SharedBarriers barriers_;

  private:
    bool at_grid_ = false;
    std::vector<CopyGroups<PendingCopy>> copies_;  // by thread; empty: none
    std::vector<CallStack> calls_;                 // likewise
};

}  // namespace tilereel::plain

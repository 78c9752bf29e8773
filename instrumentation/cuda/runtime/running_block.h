#pragma once
// The block that runs on this CPU thread: the services that its threads call.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "instrumentation/cuda/runtime/warp/barriers_of_block.h"
#include "instrumentation/cuda/runtime/warp/warp_collectives.h"
#include "instrumentation/trace/copy_groups.h"

namespace tilereel::runtime {

struct Index3 {
    std::uint32_t x = 1, y = 1, z = 1;
    [[nodiscard]] std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

// The pending write of an asynchronous copy (cp.async).
struct PendingCopy {
    void* to = nullptr;
    std::uint32_t bytes = 0;
    std::array<unsigned char, 16> value{};
};

class RunningCluster;

// Which block of its cluster a block is.
struct PlaceInCluster {
    RunningCluster* cluster = nullptr;  // null: the launch has no clusters
    std::uint32_t rank = 0;
};

// How far a barrier of the block reaches.
enum class BarrierReach : std::uint8_t { kBlock, kCluster, kGrid };

// A shared array: its first byte, its bytes, and its offset in the block's shared memory.
struct SharedRange {
    std::uint64_t base = 0, bytes = 0, place = 0;
};

class RunningBlock {
  public:
    RunningBlock(const Index3& grid, const Index3& extents)
        : grid_(grid), extents_(extents), threads_(static_cast<std::uint32_t>(extents.count())) {}
    RunningBlock(const RunningBlock&) = delete;
    RunningBlock& operator=(const RunningBlock&) = delete;
    virtual ~RunningBlock() = default;
    // Null outside of launches.
    static RunningBlock* current() { return current_; }

    // The program has left the block by a jump.
    static void forget_current() { current_ = nullptr; }

    // Called for the running thread:
    // Waits for the lanes of `mask`; 0: for the lanes at the same site. See
    // WarpCollectives::arrive().
    virtual CollectiveResult warp_collective(std::uint32_t mask, std::uint64_t value,
                                             CollectiveKind kind = CollectiveKind::kExchange,
                                             std::uint32_t operand = 0) = 0;
    // Waits for all lanes of the warp, of which the last one runs `lanes`.
    void run_together(const LanesTogether& lanes) {
        (void)warp_collective(0xffffffff, reinterpret_cast<std::uint64_t>(&lanes),
                              CollectiveKind::kTogether);
    }
    virtual void block_barrier() = 0;
    // Suspends the thread until take_ready() or take_polling() of shared_barriers() returns it.
    virtual void stop_at_phase() = 0;
    std::uint64_t barrier_value = 0;  // what the thread contributes to the barrier's sum
    [[nodiscard]] std::uint64_t barrier_result() const { return barrier_sum_; }
    // The next barrier of the running thread is one of the cluster or of the whole grid.
    void note_barrier(BarrierReach reach) { reach_ = reach; }
    // Called when all threads of the block have arrived at a grid barrier; returns when all blocks
    // have.
    std::function<void()> on_grid_barrier;
    // The same at a barrier of the cluster.
    std::function<void()> on_cluster_barrier;
    PlaceInCluster in_cluster;
    // The running thread's last call of a runtime function; null if unknown.
    void set_call_site(const Site* site) {
        call_site_ = site;
        call_is_last_ = true;
        expected_after_call_ = running.next;
    }
    [[nodiscard]] const Site* call_site() const { return call_site_; }
    // Whether the running thread has made no access that is known after that call.
    [[nodiscard]] bool call_is_last() const {
        return call_is_last_ && running.next == expected_after_call_;
    }
    // The pending asynchronous copies of the running thread.
    [[nodiscard]] CopyGroups<PendingCopy>& copies() {
        copies_.resize(threads_);
        return copies_[thread_];
    }

    [[nodiscard]] SharedBarriers& shared_barriers() { return barriers_; }

    [[nodiscard]] const Index3& grid() const { return grid_; }
    [[nodiscard]] const Index3& extents() const { return extents_; }  // of the block
    [[nodiscard]] std::uint32_t lane() const { return thread_ % kLanes; }
    [[nodiscard]] std::uint32_t thread() const { return thread_; }
    [[nodiscard]] std::uint32_t block() const { return block_; }
    [[nodiscard]] bool in_thread() const { return in_thread_; }
    // The last site of the running thread; null if unknown.
    [[nodiscard]] virtual const Site* last_site() const { return nullptr; }
    [[nodiscard]] virtual bool owns_stack(std::uint64_t address) const = 0;
    // The shared arrays that are known, by number; null: there are no more.
    [[nodiscard]] virtual std::optional<SharedRange> shared_range(std::size_t number) const = 0;
    std::string printed;  // the block's output so far
    int signals = 0;      // that asked a thread to end because time is up

  protected:
    static void set_current(RunningBlock* block) { current_ = block; }
    void forget_threads() {  // at the beginning of a block
        barriers_.clear();
        copies_.clear();
    }
    [[nodiscard]] BarrierReach barrier_reach() const { return reach_; }
    void pass_outer_barrier() {  // called at each barrier, before its threads continue
        const BarrierReach reach = std::exchange(reach_, BarrierReach::kBlock);
        if (reach == BarrierReach::kBlock) return;
        const auto& wait = reach == BarrierReach::kGrid ? on_grid_barrier : on_cluster_barrier;
        if (wait) wait();
        set_current(this);
    }
    Index3 grid_, extents_;
    std::uint32_t threads_;
    std::uint32_t block_ = 0, thread_ = 0;
    bool in_thread_ = false;
    const Site* call_site_ = nullptr;
    bool call_is_last_ = false;
    const ExpectedEvent* expected_after_call_ = nullptr;
    std::uint64_t barrier_sum_ = 0, next_barrier_sum_ = 0;
    SharedBarriers barriers_;

  private:
    static thread_local constinit RunningBlock* current_ [[gnu::tls_model("initial-exec")]];
    BarrierReach reach_ = BarrierReach::kBlock;
    std::vector<CopyGroups<PendingCopy>> copies_;  // by thread; empty until the first copy
};

}  // namespace tilereel::runtime

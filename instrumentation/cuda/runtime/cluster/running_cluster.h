#pragma once
// The blocks of a cluster, which run together (CUDA C++ Programming Guide, "Thread Block
// Clusters").
//
// Why CPU threads: shared memory is thread-local to the CPU thread that runs a block. So each block
// of a cluster has a CPU thread of its own, and the shared memory of another block is memory of
// this process at another address. One block runs at a time. It passes its turn on where its
// threads can do nothing without the other blocks: at a barrier of the cluster, or where all that
// are left wait for phases of barriers in shared memory.
//
//     turn     rank 0 ----.          .---- ...      a turn ends where a block waits
//              rank 1      '--------'
//
// An address of shared memory in PTX has 32 bits. The own block's begin at 0; those of the block
// with rank r lie in a window of their own, which begins at (r + 1) << 24:
//
//     bit    31 .. 24         23 .. 0
//            window           offset in the block's shared memory
#include <cstdint>
#include <vector>

#include "instrumentation/cuda/runtime/cluster/turns.h"
#include "instrumentation/cuda/runtime/running_block.h"

namespace tilereel::runtime {

class RunningCluster {
  public:
    static constexpr std::uint32_t kWindowBits = 24;

    RunningCluster(const Index3& grid, const Index3& extents, Turns& turns);
    // Called once on each CPU thread, before any block begins.
    void attach(std::uint32_t rank);
    // Called before the blocks of the cluster with this number begin.
    void begin(std::uint32_t number);
    // Called on the block's CPU thread before its threads run, and when all have returned.
    void enter(std::uint32_t rank, RunningBlock& block);
    void leave(std::uint32_t rank);

    [[nodiscard]] std::uint32_t size() const { return std::uint32_t(members_.size()); }
    [[nodiscard]] const Index3& extents() const { return extents_; }
    [[nodiscard]] Index3 clusters() const;  // of the grid
    [[nodiscard]] std::uint32_t number() const { return number_; }
    [[nodiscard]] std::uint32_t block_number(std::uint32_t rank) const { return blocks_[rank]; }
    // Null if the block has not begun, or has ended.
    [[nodiscard]] RunningBlock* block(std::uint32_t rank) const { return members_[rank].block; }
    // Without a barrier of the cluster, nothing tells a block that the others have begun.
    [[nodiscard]] bool may_not_have_begun(std::uint32_t rank) const {
        return members_[rank].passed == 0;
    }
    // Threads use barriers of other blocks, which may order the blocks, too.
    void note_barrier_of_other_block() { has_barriers_of_others_ = true; }
    [[nodiscard]] bool has_barriers_of_others() const { return has_barriers_of_others_; }
    [[nodiscard]] bool has_ended(std::uint32_t rank) const { return members_[rank].has_ended; }
    // The address in the shared memory of `to` at the place of an address in that of `from`.
    [[nodiscard]] std::uint64_t translated(std::uint64_t address, std::uint32_t from,
                                           std::uint32_t to) const {
        return address - members_[from].thread_pointer + members_[to].thread_pointer;
    }

    // The barrier of the cluster, barrier.cluster. A thread of the block arrives, and then waits.
    // False: more threads than the block has, or than have arrived.
    [[nodiscard]] bool arrive(std::uint32_t rank) {
        return ++members_[rank].arrived <= members_[rank].threads;
    }
    [[nodiscard]] bool begin_wait(std::uint32_t rank) {
        return ++members_[rank].waiting <= members_[rank].arrived;
    }
    // Called where all threads of the block wait, or have returned: runs other blocks until all
    // have arrived. Returns false if they never do.
    [[nodiscard]] bool wait(std::uint32_t rank);
    // Called where no thread of the block can go on. Runs other blocks; false: none of them did
    // anything.
    [[nodiscard]] bool run_others(std::uint32_t rank);
    void note_progress() { ++progress_; }

  private:
    struct Member {
        RunningBlock* block = nullptr;
        std::uint64_t thread_pointer = 0;
        std::uint32_t threads = 0;
        std::uint32_t arrived = 0, waiting = 0;  // threads, at the present barrier of the cluster
        std::uint32_t passed = 0;                // barriers of the cluster
        bool waits = false;                      // at such a barrier
        bool has_ended = false;
    };
    [[nodiscard]] bool have_arrived(std::uint32_t rank) const;
    Index3 grid_, extents_;
    Turns& turns_;
    std::uint32_t number_ = 0;
    std::vector<std::uint32_t> blocks_;  // by rank
    std::vector<Member> members_;
    std::uint64_t progress_ = 0;
    bool has_barriers_of_others_ = false;
};

[[nodiscard]] PlaceInCluster place_in_cluster();  // of the running block
// Called where all threads of the running block wait at a barrier of the cluster.
void pass_cluster_barrier(RunningBlock& block);

}  // namespace tilereel::runtime

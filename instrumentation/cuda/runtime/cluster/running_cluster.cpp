#include "instrumentation/cuda/runtime/cluster/running_cluster.h"

#include <algorithm>

#include "instrumentation/contract/cluster_layout.h"

namespace tilereel::runtime {

RunningCluster::RunningCluster(const Index3& grid, const Index3& extents, Turns& turns)
    : grid_(grid), extents_(extents), turns_(turns), members_(extents.count()) {}

Index3 RunningCluster::clusters() const {
    return {grid_.x / extents_.x, grid_.y / extents_.y, grid_.z / extents_.z};
}

void RunningCluster::begin(std::uint32_t number) {
    number_ = number;
    has_barriers_of_others_ = false;
    blocks_ = contract::blocks_of_cluster(grid_, extents_, number);
    for (Member& member : members_) member = {.thread_pointer = member.thread_pointer};
}

void RunningCluster::attach(std::uint32_t rank) {
    members_[rank].thread_pointer = reinterpret_cast<std::uint64_t>(__builtin_thread_pointer());
}

void RunningCluster::enter(std::uint32_t rank, RunningBlock& block) {
    Member& member = members_[rank];
    member.block = &block;
    block.in_cluster = {this, rank};
    member.threads = std::uint32_t(block.extents().count());
    note_progress();
}

void RunningCluster::leave(std::uint32_t rank) {
    members_[rank].block = nullptr;
    members_[rank].has_ended = true;
    note_progress();
}

bool RunningCluster::have_arrived(std::uint32_t rank) const {
    const std::uint32_t passed = members_[rank].passed;
    return std::ranges::all_of(members_, [&](const Member& member) {
        if (&member == &members_[rank] || member.has_ended || member.passed > passed) return true;
        return member.passed == passed &&
               (member.waits || (member.threads != 0 && member.arrived >= member.threads));
    });
}

bool RunningCluster::wait(std::uint32_t rank) {
    Member& member = members_[rank];
    member.waits = true;
    note_progress();
    while (!have_arrived(rank))
        if (!run_others(rank) && !have_arrived(rank)) return false;
    member.waits = false;
    member.arrived = member.waiting = 0;
    ++member.passed;
    note_progress();
    return true;
}

bool RunningCluster::run_others(std::uint32_t rank) {
    const std::uint64_t before = progress_;
    turns_.pass_and_wait(rank);
    return progress_ != before;
}

PlaceInCluster place_in_cluster() {
    const RunningBlock* const block = RunningBlock::current();
    return block == nullptr ? PlaceInCluster{} : block->in_cluster;
}

}  // namespace tilereel::runtime

#include "instrumentation/cuda/runtime/cluster/running_cluster.h"

#include <algorithm>

namespace tilereel::runtime {

RunningCluster::RunningCluster(const Index3& grid, const Index3& extents, Turns& turns)
    : grid_(grid), extents_(extents), turns_(turns), members_(extents.count()) {}

std::vector<std::uint32_t> RunningCluster::blocks_of(const Index3& grid, const Index3& extents,
                                                     std::uint32_t cluster) {
    const std::uint32_t across = grid.x / extents.x, down = grid.y / extents.y;
    const std::uint32_t x = cluster % across * extents.x, y = cluster / across % down * extents.y,
                        z = cluster / across / down * extents.z;
    std::vector<std::uint32_t> blocks;
    for (std::uint32_t k = 0; k < extents.z; ++k)
        for (std::uint32_t j = 0; j < extents.y; ++j)
            for (std::uint32_t i = 0; i < extents.x; ++i)
                blocks.push_back(((z + k) * grid.y + y + j) * grid.x + x + i);
    return blocks;
}

std::uint32_t RunningCluster::cluster_of(const Index3& grid, const Index3& extents,
                                         std::uint32_t block) {
    const std::uint32_t x = block % grid.x / extents.x, y = block / grid.x % grid.y / extents.y,
                        z = block / grid.x / grid.y / extents.z;
    return (z * (grid.y / extents.y) + y) * (grid.x / extents.x) + x;
}

Index3 RunningCluster::clusters() const {
    return {grid_.x / extents_.x, grid_.y / extents_.y, grid_.z / extents_.z};
}

void RunningCluster::begin(std::uint32_t number) {
    number_ = number;
    has_barriers_of_others_ = false;
    blocks_ = blocks_of(grid_, extents_, number);
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

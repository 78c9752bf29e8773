#pragma once
// Which blocks of a grid are one cluster's (CUDA C++ Programming Guide, "Thread Block Clusters").
// Blocks and clusters are numbered x first. The ranks of a cluster's blocks, too (PTX ISA,
// "%cluster_ctarank"). So a cluster with several rows has blocks that do not follow each other:
//
//     grid of 4 x 2, clusters of 2 x 2     cluster 0: blocks 0 1 4 5 (ranks 0 to 3)
//                                          cluster 1: blocks 2 3 6 7
//
// `Extents` has members x, y and z, at least 1. Each extent of the grid is a multiple of the
// cluster's.
#include <algorithm>
#include <cstdint>
#include <vector>

namespace tilereel::contract {

template <class Extents>
std::uint32_t cluster_of(const Extents& grid, const Extents& cluster, std::uint32_t block) {
    const std::uint32_t x = block % grid.x / cluster.x, y = block / grid.x % grid.y / cluster.y,
                        z = block / grid.x / grid.y / cluster.z;
    return (z * (grid.y / cluster.y) + y) * (grid.x / cluster.x) + x;
}

// By rank, and so ascending.
template <class Extents>
std::vector<std::uint32_t> blocks_of_cluster(const Extents& grid, const Extents& cluster,
                                             std::uint32_t number) {
    const std::uint32_t across = grid.x / cluster.x, down = grid.y / cluster.y;
    const std::uint32_t x = number % across * cluster.x, y = number / across % down * cluster.y,
                        z = number / across / down * cluster.z;
    std::vector<std::uint32_t> blocks;
    for (std::uint32_t k = 0; k < cluster.z; ++k)
        for (std::uint32_t j = 0; j < cluster.y; ++j)
            for (std::uint32_t i = 0; i < cluster.x; ++i)
                blocks.push_back(((z + k) * grid.y + y + j) * grid.x + x + i);
    return blocks;
}

// These blocks with the others of their clusters, ascending.
template <class Extents>
std::vector<std::uint32_t> whole_clusters(const Extents& grid, const Extents& cluster,
                                          const std::vector<std::uint32_t>& blocks) {
    std::vector<std::uint32_t> numbers, whole;
    for (const std::uint32_t block : blocks) numbers.push_back(cluster_of(grid, cluster, block));
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    for (const std::uint32_t number : numbers) {
        const std::vector<std::uint32_t> all = blocks_of_cluster(grid, cluster, number);
        whole.insert(whole.end(), all.begin(), all.end());
    }
    std::sort(whole.begin(), whole.end());
    return whole;
}

}  // namespace tilereel::contract

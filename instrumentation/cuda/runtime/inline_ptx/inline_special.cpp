#include "instrumentation/cuda/runtime/inline_ptx/inline_special.h"

#include <algorithm>
#include <array>
#include <chrono>

#include "instrumentation/cuda/include/tilereel/runtime_calls.h"
#include "instrumentation/cuda/runtime/block/built_in.h"
#include "instrumentation/cuda/runtime/running_block.h"

namespace tilereel::runtime {
namespace {

const RunningBlock* block_here() { return RunningBlock::current(); }
std::uint64_t warps_of_block() {
    return block_here() == nullptr ? 1 : (block_here()->extents().count() + kLanes - 1) / kLanes;
}
std::uint64_t nanoseconds() {
    return std::uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(
                             std::chrono::system_clock::now().time_since_epoch())
                             .count());
}
std::uint64_t lanes_below() { return (std::uint64_t{1} << lane_number()) - 1; }

template <std::uint32_t Index3::*axis>
std::uint64_t grid_extent() {
    return block_here() == nullptr ? 1 : block_here()->grid().*axis;
}
template <std::uint32_t Index3::*axis>
std::uint64_t block_extent() {
    return block_here() == nullptr ? 1 : block_here()->extents().*axis;
}
// Of the block in the grid, and of the thread in the block: 0, 1, 2 for x, y, z.
std::uint64_t coordinate(std::uint64_t number, const Index3& extents, int axis) {
    if (axis == 0) return number % extents.x;
    if (axis == 1) return number / extents.x % extents.y;
    return number / extents.x / extents.y;
}
template <int axis>
std::uint64_t block_index() {
    return block_here() == nullptr ? 0
                                   : coordinate(block_here()->block(), block_here()->grid(), axis);
}
template <int axis>
std::uint64_t thread_index() {
    return block_here() == nullptr
               ? 0
               : coordinate(block_here()->thread(), block_here()->extents(), axis);
}

struct Special {
    std::string_view name;
    PtxSpecial read;
};
constexpr PtxSpecial kZero = [] { return std::uint64_t{0}; };
constexpr std::array kSpecials = std::to_array<Special>({
    {"%tid.x", thread_index<0>},
    {"%tid.y", thread_index<1>},
    {"%tid.z", thread_index<2>},
    {"%ntid.x", block_extent<&Index3::x>},
    {"%ntid.y", block_extent<&Index3::y>},
    {"%ntid.z", block_extent<&Index3::z>},
    {"%ctaid.x", block_index<0>},
    {"%ctaid.y", block_index<1>},
    {"%ctaid.z", block_index<2>},
    {"%nctaid.x", grid_extent<&Index3::x>},
    {"%nctaid.y", grid_extent<&Index3::y>},
    {"%nctaid.z", grid_extent<&Index3::z>},
    {"%laneid", [] { return std::uint64_t{lane_number()}; }},
    {"%warpid", [] { return std::uint64_t{thread_number()} / kLanes; }},
    {"%nwarpid", warps_of_block},
    // Blocks take turns on the SMs of the GPU.
    {"%smid",
     [] { return block_here() == nullptr ? 0 : std::uint64_t{block_here()->block()} % 132; }},
    {"%nsmid", [] { return std::uint64_t{132}; }},
    {"%gridid", kZero},
    {"%clock", [] { return std::uint64_t(clock_ticks()) & 0xffffffff; }},
    {"%clock_hi", [] { return std::uint64_t(clock_ticks()) >> 32; }},
    {"%clock64", [] { return std::uint64_t(clock_ticks()); }},
    {"%globaltimer", nanoseconds},
    {"%globaltimer_lo", [] { return nanoseconds() & 0xffffffff; }},
    {"%globaltimer_hi", [] { return nanoseconds() >> 32; }},
    {"%lanemask_eq", [] { return std::uint64_t{1} << lane_number(); }},
    {"%lanemask_lt", lanes_below},
    {"%lanemask_le", [] { return lanes_below() << 1 | 1; }},
    {"%lanemask_gt", [] { return ~(lanes_below() << 1 | 1) & 0xffffffff; }},
    {"%lanemask_ge", [] { return ~lanes_below() & 0xffffffff; }},
    {"%is_explicit_cluster", [] { return std::uint64_t{cluster_place().blocks > 1}; }},
    {"%clusterid.x", [] { return std::uint64_t{cluster_place().cluster[0]}; }},
    {"%clusterid.y", [] { return std::uint64_t{cluster_place().cluster[1]}; }},
    {"%clusterid.z", [] { return std::uint64_t{cluster_place().cluster[2]}; }},
    {"%nclusterid.x", [] { return std::uint64_t{cluster_place().of_clusters[0]}; }},
    {"%nclusterid.y", [] { return std::uint64_t{cluster_place().of_clusters[1]}; }},
    {"%nclusterid.z", [] { return std::uint64_t{cluster_place().of_clusters[2]}; }},
    {"%cluster_ctaid.x", [] { return std::uint64_t{cluster_place().index[0]}; }},
    {"%cluster_ctaid.y", [] { return std::uint64_t{cluster_place().index[1]}; }},
    {"%cluster_ctaid.z", [] { return std::uint64_t{cluster_place().index[2]}; }},
    {"%cluster_nctaid.x", [] { return std::uint64_t{cluster_place().extents[0]}; }},
    {"%cluster_nctaid.y", [] { return std::uint64_t{cluster_place().extents[1]}; }},
    {"%cluster_nctaid.z", [] { return std::uint64_t{cluster_place().extents[2]}; }},
    {"%cluster_ctarank", [] { return std::uint64_t{cluster_place().rank}; }},
    {"%cluster_nctarank", [] { return std::uint64_t{cluster_place().blocks}; }},
});

}  // namespace

PtxSpecial find_special(std::string_view name) {
    const auto found = std::ranges::find(kSpecials, name, &Special::name);
    return found == kSpecials.end() ? nullptr : found->read;
}

}  // namespace tilereel::runtime

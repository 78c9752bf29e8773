// Cooperative groups: block, tiles, coalesced and partitioned groups, reductions and scans.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "check.h"
namespace cg = cooperative_groups;

__device__ int sum_of(cg::thread_group group, int* memory, int value) {
    const int lane = group.thread_rank();
    for (int i = group.size() / 2; i > 0; i /= 2) {
        memory[lane] = value;
        group.sync();
        if (lane < i) value += memory[lane + i];
        group.sync();
    }
    return value;
}
__global__ void groups(int* out) {
    __shared__ int memory[64];
    const cg::thread_block block = cg::this_thread_block();
    const int i = block.thread_rank();
    const int whole = sum_of(block, memory, i);
    if (i == 0) out[0] = whole;
    block.sync();
    const auto tile = cg::tiled_partition<8>(block);
    int v = i;
    for (int d = tile.size() / 2; d > 0; d /= 2) v += tile.shfl_down(v, d);
    if (tile.thread_rank() == 0) out[1 + tile.meta_group_rank()] = v;
    out[16 + i] =
        cg::reduce(tile, i, cg::plus<int>()) + 1000 * tile.any(i == 9) + 10000 * tile.all(i < 8);
    out[80 + i] = cg::inclusive_scan(tile, 1) + 100 * cg::exclusive_scan(tile, 2, cg::plus<int>());
    out[144 + i] = 0;
    if (i % 3 == 0) {
        const cg::coalesced_group active = cg::coalesced_threads();
        out[144 + i] = active.size() + 100 * active.thread_rank();
        if (active.thread_rank() == 0) atomicAdd(&out[9], active.size());
    }
    const cg::thread_group half = cg::tiled_partition(block, 16);
    out[208 + i] = half.thread_rank() + 100 * half.size();
    const auto warp = cg::tiled_partition<32>(block);
    const auto odd = cg::binary_partition(warp, i % 2 != 0);
    out[272 + i] = odd.size() * 100 + odd.thread_rank();
}

int main() {
    int* out;
    cudaMallocManaged(&out, 336 * sizeof *out);
    for (int i = 0; i < 336; ++i) out[i] = 0;
    groups<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    CHECK(out[0] == 63 * 64 / 2);
    for (int t = 0; t < 8; ++t) CHECK(out[1 + t] == 8 * (8 * t) + 28);
    CHECK(out[9] == 22);
    for (int i = 0; i < 64; ++i) {
        const int t = i / 8, sum = 64 * t + 28, rank = i % 8;
        CHECK(out[16 + i] == sum + 1000 * (t == 1) + 10000 * (t == 0));
        CHECK(out[80 + i] == rank + 1 + 100 * 2 * rank);
        // Multiples of 3: 11 in the first warp (0, 3, ...), 11 in the second (33, 36, ...).
        const int first = i < 32 ? 0 : 33;
        CHECK(out[144 + i] == (i % 3 == 0 ? 11 + 100 * ((i - first) / 3) : 0));
        CHECK(out[208 + i] == i % 16 + 1600);
        CHECK(out[272 + i] == 1600 + i % 32 / 2);
    }
    cudaFree(out);
    return failures;
}

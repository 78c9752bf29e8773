// Inline PTX: special registers, shuffles, votes, matches, reductions, elections, barriers with a
// number.
#include <cstdint>

#include "check.h"

__global__ void registers(uint32_t* out) {
    uint32_t tid, ctaid, ntid, lane, below, warp;
    asm("mov.u32 %0, %%tid.x;" : "=r"(tid));
    asm("mov.u32 %0, %%ctaid.y;" : "=r"(ctaid));
    asm("mov.u32 %0, %%ntid.x;" : "=r"(ntid));
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
    asm("mov.u32 %0, %%warpid;" : "=r"(warp));
    uint64_t begin, end;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(begin));
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(end));
    const bool right = tid == threadIdx.x && ctaid == blockIdx.y && ntid == blockDim.x &&
                       lane == threadIdx.x % 32 && below == (1u << lane) - 1 && end > begin;
    out[threadIdx.x + blockIdx.y * blockDim.x] = right ? 1 + warp : 0;
}

__global__ void exchanges(uint32_t* out) {
    const uint32_t lane = threadIdx.x;
    uint32_t v, in_range, ballot, all, any, sum, least, same;
    asm volatile("{.reg .pred p; shfl.sync.down.b32 %0|p, %2, 4, 31, -1; selp.u32 %1, 1, 0, p;}"
                 : "=r"(v), "=r"(in_range)
                 : "r"(lane * 10));
    out[lane] = v * 2 + in_range;
    asm volatile("shfl.sync.bfly.b32 %0, %1, 0x3, 0x1f, 0xffffffff;" : "=r"(v) : "r"(lane));
    out[32 + lane] = v;
    asm volatile("shfl.sync.idx.b32 %0, %1, 5, 0x181f, 0xffffffff;"
                 : "=r"(v)
                 : "r"(lane));  // 8 lanes
    out[64 + lane] = v;
    asm volatile("{.reg .pred p; setp.lt.u32 p, %1, 3; vote.sync.ballot.b32 %0, p, 0xffffffff;}"
                 : "=r"(ballot)
                 : "r"(lane));
    asm volatile(
        "{.reg .pred p, q; setp.lt.u32 p, %1, 32; vote.sync.all.pred q, p, -1; selp.u32 %0, 1, 0, "
        "q;}"
        : "=r"(all)
        : "r"(lane));
    asm volatile(
        "{.reg .pred p, q; setp.gt.u32 p, %1, 31; vote.sync.any.pred q, p, -1; selp.u32 %0, 1, 0, "
        "q;}"
        : "=r"(any)
        : "r"(lane));
    asm volatile("redux.sync.add.s32 %0, %1, 0xffffffff;" : "=r"(sum) : "r"(lane));
    asm volatile("redux.sync.min.s32 %0, %1, 0xffffffff;" : "=r"(least) : "r"(lane - 16));
    asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(same) : "r"(lane / 16));
    uint32_t leader, elected;
    asm volatile("{.reg .pred p; elect.sync %0|p, 0xffffffff; selp.u32 %1, 1, 0, p;}"
                 : "=r"(leader), "=r"(elected));
    out[96 + lane] = ballot == 7 && all == 1 && any == 0 && sum == 496 && (int)least == -16 &&
                     same == (lane < 16 ? 0xffffu : 0xffff0000u) && leader == 0 &&
                     elected == (lane == 0);
}

// Warps 0 and 1 give values to warps 2 and 3, two at a time: barrier 1 says that the buffer is
// full, barrier 2 that it is empty.
__global__ void roles(int* out, int rounds) {
    __shared__ int buffer[64];
    const int thread = threadIdx.x % 64;
    if (threadIdx.x < 64) {
        for (int round = 0; round < rounds; ++round) {
            asm volatile("bar.sync 2, 128;" ::: "memory");
            buffer[thread] = 100 * round + thread;
            asm volatile("bar.arrive 1, 128;" ::: "memory");
        }
    } else {
        asm volatile("bar.arrive 2, 128;" ::: "memory");
        int sum = 0;
        for (int round = 0; round < rounds; ++round) {
            asm volatile("bar.sync 1, 128;" ::: "memory");
            sum += buffer[63 - thread];
            if (round + 1 < rounds) asm volatile("barrier.cta.arrive 2, 128;" ::: "memory");
        }
        // Only the consumers.
        asm volatile("bar.sync 3, 64;" ::: "memory");
        out[thread] = sum;
    }
    int count;
    asm volatile("{.reg .pred p; setp.eq.s32 p, %1, 7; bar.red.popc.u32 %0, 0, p;}"
                 : "=r"(count)
                 : "r"(thread));
    if (threadIdx.x == 0) out[64] = count;
}

int main() {
    uint32_t* out;
    cudaMallocManaged(&out, 1024);
    registers<<<dim3(1, 2), 64>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 128; ++i) CHECK(out[i] == 1 + i % 64 / 32);
    exchanges<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    for (uint32_t i = 0; i < 32; ++i) {
        CHECK(out[i] == (i < 28 ? (i + 4) * 20 + 1 : i * 20));
        CHECK(out[32 + i] == (i ^ 3));
        CHECK(out[64 + i] == i / 8 * 8 + 5);
        CHECK(out[96 + i] == 1);
    }
    int* sums;
    cudaMallocManaged(&sums, 65 * sizeof(int));
    roles<<<1, 128>>>(sums, 3);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i) CHECK(sums[i] == 300 + 3 * (63 - i));
    CHECK(sums[64] == 2);
    cudaFree(out), cudaFree(sums);
    return failures;
}

#pragma once
// Exchanges of items between the threads of a block or a logical warp, through shared memory.
#pragma GCC system_header
#include "cub/util_ptx.cuh"

namespace cub {
namespace detail {

// Blocked: a thread has kItems items in a row. Striped: its items are `threads` apart.
// Warp-striped: the items of each warp are in a row, and a thread's are 32 apart.
template <int kItems>
struct Blocked {
    int thread;
    __device__ int operator()(int item) const { return thread * kItems + item; }
};
template <int kItems>
struct Striped {
    int thread, threads;
    __device__ int operator()(int item) const { return item * threads + thread; }
};
template <int kItems>
struct WarpStriped {
    int thread;
    __device__ int operator()(int item) const {
        const int lane = thread % kWarpThreads;
        return (thread - lane) * kItems + item * kWarpThreads + lane;
    }
};

template <class T, int kItems, class Memory, class Places>
__device__ inline void write_items(Memory& memory, T (&items)[kItems], const Places& place) {
    for (int i = 0; i < kItems; ++i) memory[place(i)] = items[i];
}
template <class T, int kItems, class Memory, class Places>
__device__ inline void read_items(Memory& memory, T (&items)[kItems], const Places& place) {
    for (int i = 0; i < kItems; ++i) items[i] = memory[place(i)];
}

}  // namespace detail
}  // namespace cub

#pragma once
// Sums over blocks: how the champion's small kernels divide K among blocks and put C together.
//
// The blocks of a cluster each hold sums over their part of K in shared memory. Each block adds up
// one slice of them, read from all blocks in the order of their ranks. If there are several
// clusters for the same part of C ("rounds" of K), each leaves its slices in global memory, and
// whichever comes last adds them up in their order. No block waits for a block that may not run.
#include "kernels/cuda/champion/cluster.cuh"

using namespace tilereel::device;  // NOLINT: a kernel reads like the CUDA of a textbook

// C(M,N) = A(M,K) B(K,N), row-major.
struct Shape {
    int m, n, k;
};

// The elements as vectors: as<float4>(row)[i] is an access of 16 bytes. With casts in its place nvcc
// orders the instructions of champion_small differently from those that were measured.
template <class V, class T>
__device__ __forceinline__ V* as(T* elements) {
    return reinterpret_cast<V*>(elements);
}

// How the lanes of a warp lie over its part of C, Down x 32 / Down. Two lanes that read the same 16
// bytes are neighbours, or lie 2 apart: a read of a warp then takes 2 wavefronts, not 4.
template <int Down>
struct Lanes {
    static_assert(Down == 8 || Down == 4);
    static constexpr int kDown = Down, kAcross = 32 / Down;
    static __device__ __forceinline__ int row(int lane) {
        return Down == 8 ? lane / 2 % 8 : lane % 2 + lane / 16 * 2;
    }
    static __device__ __forceinline__ int column(int lane) {
        return Down == 8 ? lane % 2 + lane / 16 * 2 : lane / 2 % 8;
    }
};

struct ChampionRounds {
    int rounds;        // clusters for each part of C: gridDim.z
    float4* parts;     // [part of C][round][element / 4]; unused with one round
    unsigned* arrived;  // [part of C][rank]: rounds done; 0 between launches
};

// Which part of C this block's cluster makes.
__device__ __forceinline__ int part_of_block() {
    return static_cast<int>(blockIdx.x) / cluster_size();
}

// The steps of this block: the blocks that share K divide `all` steps of k among themselves.
struct ChampionRun {
    int begin, end;
};
__device__ __forceinline__ ChampionRun run_of_block(int all) {
    const int blocks = cluster_size() * gridDim.z;
    const int block = blockIdx.z * cluster_size() + cluster_rank();
    return {static_cast<int>(static_cast<long long>(all) * block / blocks),
            static_cast<int>(static_cast<long long>(all) * (block + 1) / blocks)};
}

__device__ __forceinline__ float4 operator+(float4 a, float4 b) {
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

// Adds up sums[0 .. count) of all blocks that share K; calls store(i, sum of sums[i]) by one thread
// for each i. `part` numbers the part of C. All threads of the block call it, after all have
// written their sums.
template <class Store>
__device__ __forceinline__ void sum_over_blocks(float4* sums, int count, int part,
                                                ChampionRounds work, Store store) {
    const int blocks = cluster_size(), rank = cluster_rank();
    const int begin = count * rank / blocks, end = count * (rank + 1) / blocks;
    if (blocks > 1)
        cluster_barrier();  // all blocks' sums are written
    else
        __syncthreads();
    float4* const mine =
        work.parts + (static_cast<size_t>(part) * work.rounds + blockIdx.z) * count;
    constexpr int kBatch = 4;  // sums that a thread reads at once
    for (int i = begin + static_cast<int>(threadIdx.x); i < end; i += kBatch * blockDim.x) {
        const int fit = min(kBatch, (end - i - 1) / static_cast<int>(blockDim.x) + 1);
        float4 sum[kBatch];
        for (int b = 0; b < blocks; ++b) {
            float4 of_b[kBatch];
#pragma unroll
            for (int u = 0; u < kBatch; ++u)
                if (u < fit) of_b[u] = read_of_block(sums + i + u * blockDim.x, b);
#pragma unroll
            for (int u = 0; u < kBatch; ++u) sum[u] = b == 0 ? of_b[u] : sum[u] + of_b[u];
        }
#pragma unroll
        for (int u = 0; u < kBatch; ++u) {
            if (u >= fit) break;
            if (work.rounds == 1)
                store(i + u * blockDim.x, sum[u]);
            else
                __stcg(mine + i + u * blockDim.x, sum[u]);
        }
    }
    if (blocks > 1) cluster_barrier();  // no block leaves while another reads its memory
    if (work.rounds == 1) return;

    __shared__ unsigned before;
    unsigned* const arrived = work.arrived + part * blocks + rank;
    __threadfence();  // the slice is written before it is counted
    __syncthreads();
    if (threadIdx.x == 0) {
        before = atomicAdd(arrived, 1u);
        if (before + 1 == static_cast<unsigned>(work.rounds)) *arrived = 0;  // for the next launch
    }
    __syncthreads();
    if (before + 1 < static_cast<unsigned>(work.rounds)) return;
    __threadfence();  // the others' slices are read after they are counted
    const float4* const first = work.parts + static_cast<size_t>(part) * work.rounds * count;
    for (int i = begin + static_cast<int>(threadIdx.x); i < end; i += blockDim.x) {
        float4 sum = __ldcg(first + i);
        for (int r = 1; r < work.rounds; ++r)
            sum = sum + __ldcg(first + static_cast<size_t>(r) * count + i);
        store(i, sum);
    }
}

__device__ __forceinline__ bool rows_start_at_16_bytes(const float* matrix, int columns) {
    return columns % 4 == 0 && reinterpret_cast<size_t>(matrix) % 16 == 0;
}

// The first `left` of the four; at once where all rows start at multiples of 16 bytes.
__device__ __forceinline__ void store_up_to(float* to, int left, bool in_fours, float4 v) {
    if (in_fours) {
        if (left > 0) *as<float4>(to) = v;
        return;
    }
    if (left > 0) to[0] = v.x;
    if (left > 1) to[1] = v.y;
    if (left > 2) to[2] = v.z;
    if (left > 3) to[3] = v.w;
}

// A warp's part of C, at (row0, col0), where rows do not start at multiples of 16 bytes: by way of
// shared memory, half of its rows at a time, so that neighbouring lanes store neighbouring floats.
// If each lane stored its four floats one by one, each sector of the L2 would be written four
// times. four(r, c) are the thread's sums c .. c + 3 of its row r.
template <class Lanes, int kThreadRows, int kThreadColumns, class Four>
__device__ __forceinline__ void store_by_rows(float* shared, float* C, Shape s, int row0,
                                              int col0, Four four) {
    constexpr int kColumns = Lanes::kAcross * kThreadColumns;  // of the warp
    constexpr int kStride = kColumns + 4;                      // neighbouring rows in other banks
    constexpr int kHalf = kThreadRows / 2;
    const int lane = threadIdx.x % 32;
    float* const mine = shared + threadIdx.x / 32 * (Lanes::kDown * kHalf * kStride);
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        __syncwarp();  // the half before has been read
#pragma unroll
        for (int r = 0; r < kHalf; ++r)
#pragma unroll
            for (int c = 0; c < kThreadColumns; c += 4)
                *as<float4>(mine + (Lanes::row(lane) + Lanes::kDown * r) * kStride +
                            Lanes::column(lane) * 4 + c * Lanes::kAcross) =
                    four(half * kHalf + r, c);
        __syncwarp();  // this half is written
        const int first = row0 + half * kHalf * Lanes::kDown;
#pragma unroll 4
        for (int row = 0; row < Lanes::kDown * kHalf; ++row) {
            if (first + row >= s.m) break;
            float* const to = C + static_cast<size_t>(first + row) * s.n + col0;
#pragma unroll
            for (int c = lane; c < kColumns; c += 32)
                if (col0 + c < s.n) __stcs(to + c, mine[row * kStride + c]);
        }
    }
}

// Stores C[row][col .. col + 4), as far as it lies inside C.
__device__ __forceinline__ void store4(float* C, Shape s, int row, int col, float4 v) {
    if (row >= s.m) return;
    store_up_to(C + static_cast<size_t>(row) * s.n + col, s.n - col,
                rows_start_at_16_bytes(C, s.n), v);
}

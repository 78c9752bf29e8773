// says: on line 34, but no thread has written it
// ends: exit 0
#include "pieces.h"

#ifdef FIXED
constexpr int kExpected = 512;  // of both blocks
#else
constexpr int kExpected = 256;  // of the own copy alone
#endif

__device__ inline void cluster_sync() {
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

// Each block copies half of a tile to both.
__global__ void __cluster_dims__(2, 1, 1) k(const half* in, float* out) {
    __shared__ __align__(16) half tile[256];
    __shared__ __align__(8) uint64_t bar;
    const int rank = blockIdx.x % 2;
    if (threadIdx.x == 0) {
        INIT_BARRIER(&bar, 1);
        EXPECT_BYTES(&bar, kExpected);
    }
    cluster_sync();
    if (threadIdx.x == 0)
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
            "[%0], [%1], 256, [%2], %3;" ::"r"(shared_address(tile + 128 * rank)),
            "l"(in + 128 * rank), "r"(shared_address(&bar)), "h"(uint16_t(3))
            : "memory");
    cluster_sync();
    WAIT_PARITY(&bar, 0);
    out[blockIdx.x * 256 + threadIdx.x] = __half2float(tile[threadIdx.x]);
    cluster_sync();
}

int main() {
    half* in;
    float* out;
    cudaMalloc(&in, 512);
    cudaMalloc(&out, 2048);
    cudaMemset(in, 0, 512);
    k<<<2, 256>>>(in, out);
    const bool failed = cudaDeviceSynchronize() != cudaSuccess;
    cudaFree(in);
    cudaFree(out);
    return failed;
}

// Accesses that no kernel of the ladder makes yet: 8 and 16 bytes wide, and dynamic shared memory.
#include "kernels/dialect/dialect.h"

template <int TILE>
__global__ void wide(Global<const float> A, Global<const float> B, Global<float> C, Shape s) {
    SHARED(float4, As, TILE);
    SharedPointer<float> Bs = dynamicShared<float>();
    const int tx = threadIdx.x;
    As[tx] = as<const float4>(A)[tx];
    as<float2>(Bs + 2 * TILE)[tx] = as<const float2>(B)[tx];
    __syncthreads();
    const float2 b = as<float2>(Bs + 2 * TILE)[s.k - tx];
    Accumulator<float> sum;
    sum += b.x * b.y;
    __syncwarp();
    as<float2>(C)[tx] = float2{sum, b.x};
    const float4 a = As[s.k - tx];
    as<float4>(C)[tx + TILE] = a;
}

template __global__ void wide<32>(Global<const float>, Global<const float>, Global<float>, Shape);

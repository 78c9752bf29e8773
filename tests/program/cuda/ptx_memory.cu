// Inline PTX: loads and stores of every space, width and type, cache hints, atomic operations.
#include <cstdint>

#include "check.h"

__device__ uint32_t smem(const void* pointer) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

__global__ void copies(const float* from, float* to, const signed char* bytes, int* widened) {
    __shared__ __align__(16) float tile[128];
    const int i = threadIdx.x;
    float a, b, c, d;
    asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(a), "=f"(b), "=f"(c), "=f"(d)
                 : "l"(from + 4 * i));
    asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(smem(tile + 4 * i)), "f"(d),
                 "f"(c), "f"(b), "f"(a)
                 : "memory");
    asm volatile("bar.sync 0;" ::: "memory");
    float v;
    asm volatile("ld.shared.f32 %0, [%1 + 12];" : "=f"(v) : "r"(smem(tile + 4 * (31 - i))));
    asm volatile("st.global.cs.f32 [%0], %1;" ::"l"(to + i), "f"(v) : "memory");
    asm volatile("ld.global.s8 %0, [%1];" : "=r"(widened[i]) : "l"(bytes + i));
    // The generic address of shared memory, and back.
    uint64_t generic;
    uint32_t same;
    asm("{.reg .u64 t; cvt.u64.u32 t, %1; cvta.shared.u64 %0, t;}"
        : "=l"(generic)
        : "r"(smem(tile + i)));
    asm("{.reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t;}" : "=r"(same) : "l"(tile + i));
    if ((float*)generic != tile + i || same != smem(tile + i)) to[i] = -1;
    uint32_t is_shared;
    asm("{.reg .pred p; isspacep.shared p, %1; selp.u32 %0, 1, 0, p;}"
        : "=r"(is_shared)
        : "l"(tile + i));
    if (!is_shared || __isShared(from)) to[i] = -2;
}

__global__ void atomics(uint32_t* counters, float* sum, unsigned long long* wide) {
    uint32_t old;
    asm volatile("atom.global.add.u32 %0, [%1], 2;" : "=r"(old) : "l"(counters) : "memory");
    asm volatile("red.global.max.u32 [%0], %1;" ::"l"(counters + 1), "r"(threadIdx.x) : "memory");
    asm volatile("red.relaxed.gpu.global.add.f32 [%0], %1;" ::"l"(sum), "f"(0.5f) : "memory");
    asm volatile("atom.global.inc.u32 %0, [%1], 9;" : "=r"(old) : "l"(counters + 2) : "memory");
    uint32_t expected = threadIdx.x, was;
    asm volatile("atom.acquire.gpu.global.cas.b32 %0, [%1], %2, %3;"
                 : "=r"(was)
                 : "l"(counters + 3), "r"(expected), "r"(expected + 1)
                 : "memory");
    asm volatile("red.global.add.u64 [%0], %1;" ::"l"(wide), "l"(1ull << 33) : "memory");
    asm volatile("atom.global.exch.b32 %0, [%1 + 16], %2;" : "=r"(old) : "l"(counters), "r"(77));
}

int main() {
    float *from, *to;
    int* widened;
    signed char* bytes;
    cudaMallocManaged(&from, 512), cudaMallocManaged(&to, 128);
    cudaMallocManaged(&widened, 128), cudaMallocManaged(&bytes, 32);
    for (int i = 0; i < 128; ++i) from[i] = i;
    for (int i = 0; i < 32; ++i) bytes[i] = -i;
    copies<<<1, 32>>>(from, to, bytes, widened);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i) CHECK(to[i] == 4 * (31 - i) && widened[i] == -i);

    uint32_t* counters;
    float* sum;
    unsigned long long* wide;
    cudaMallocManaged(&counters, 64), cudaMallocManaged(&sum, 4), cudaMallocManaged(&wide, 8);
    for (int i = 0; i < 16; ++i) counters[i] = 0;
    *sum = 0, *wide = 1;
    atomics<<<1, 64>>>(counters, sum, wide);
    cudaDeviceSynchronize();
    CHECK(counters[0] == 128 && counters[1] == 63 && counters[2] == 64 % 10);
    CHECK(*sum == 32 && *wide == 1 + (64ull << 33) && counters[4] == 77);
    cudaFree(from), cudaFree(to), cudaFree(widened), cudaFree(bytes);
    cudaFree(counters), cudaFree(sum), cudaFree(wide);
    return failures;
}

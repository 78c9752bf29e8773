// Atomic functions with their system and block variants, in global and in shared memory.
#include "check.h"

__global__ void all(int* i, unsigned* u, float* f, double* d, unsigned long long* w) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&i[0], t);
    atomicSub(&i[1], 1);
    atomicMin(&i[2], 50 - t);
    atomicMax(&i[3], t);
    atomicExch(&i[4], t);
    atomicAdd_system(&i[5], 2);
    atomicCAS(&i[6], 0, t + 1);
    atomicInc(&u[0], 9);
    atomicDec(&u[1], 9);
    atomicAnd(&u[2], ~(1u << t % 32));
    atomicOr(&u[3], 1u << t % 32);
    atomicXor(&u[4], 1u << t % 32);
    atomicAdd(f, 0.5f);
    atomicAdd(d, 0.25);
    atomicAdd(&w[0], 1ull << 40);
    atomicMax(&w[1], (unsigned long long)t << 33);
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd_block(&sum, 1);
    __syncthreads();
    if (threadIdx.x == 0) i[7 + blockIdx.x] = sum;
}

int main() {
    int* i;
    unsigned* u;
    float* f;
    double* d;
    unsigned long long* w;
    cudaMallocManaged(&i, 10 * sizeof *i);
    cudaMallocManaged(&u, 5 * sizeof *u);
    cudaMallocManaged(&f, sizeof *f);
    cudaMallocManaged(&d, sizeof *d);
    cudaMallocManaged(&w, 2 * sizeof *w);
    for (int k = 0; k < 10; ++k) i[k] = 0;
    i[2] = 1000;
    u[0] = u[1] = 0, u[2] = ~0u, u[3] = u[4] = 0;
    *f = 0, *d = 0, w[0] = w[1] = 0;
    all<<<2, 48>>>(i, u, f, d, w);
    cudaDeviceSynchronize();
    CHECK(i[0] == 95 * 96 / 2 && i[1] == -96 && i[2] == 50 - 95 && i[3] == 95);
    CHECK(i[4] >= 0 && i[4] < 96 && i[5] == 192 && i[6] >= 1 && i[6] <= 96);
    CHECK(i[7] == 48 && i[8] == 48);
    CHECK(u[0] == 96 % 10);                          // 0, 1 ... 9, 0 ...
    CHECK(u[1] == 4);                                // 0, 9, 8 ... 0, 9 ...: 96 = 9 * 10 + 6 steps
    CHECK(u[2] == 0 && u[3] == ~0u && u[4] == ~0u);  // three times each bit
    CHECK(*f == 48 && *d == 24 && w[0] == 96ull << 40 && w[1] == 95ull << 33);
    for (void* p : {(void*)i, (void*)u, (void*)f, (void*)d, (void*)w}) cudaFree(p);
    return failures;
}

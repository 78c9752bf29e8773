// Ways to write device memory. A read of memory that nothing has written is a finding, so this
// program has none.
#include <cstring>

#include "check.h"

struct alignas(32) Padded {
    float4 a;
    float b;  // 12 bytes of padding follow
};
__global__ void fill_fields(Padded* p) {
    p[threadIdx.x].a = make_float4(1, 2, 3, 4);
    p[threadIdx.x].b = 5;
}
__global__ void copy_whole(const Padded* from, Padded* to) { to[threadIdx.x] = from[threadIdx.x]; }

// Bytes that memcpy() moves become plain accesses where their number is known.
__global__ void clear(int* x, int n) {
    const int zero = 0;
    if (threadIdx.x < n) memcpy(&x[threadIdx.x], &zero, sizeof zero);
    __syncthreads();
    atomicAdd(&x[threadIdx.x], 1);
}
__global__ void add_to(int* x, const int* y) { x[threadIdx.x] += y[threadIdx.x]; }

// Many blocks, of which few are recorded.
__global__ void zero(int* x) {
    int sum = 0;
    for (int i = 0; i < 2000; ++i) sum += i * 0;
    x[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
__global__ void shift(const int* x, int* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[gridDim.x * blockDim.x - 1 - i];
}

// The first block writes what the others wait for.
__global__ void hand_on(volatile int* flag, int* data) {
    if (blockIdx.x == 0) {
        data[threadIdx.x] = 0;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) *flag = 1;
    } else {
        while (*flag == 0) {
        }
        __threadfence();
        data[blockIdx.x * blockDim.x + threadIdx.x] = data[threadIdx.x] + 1;
    }
}
__global__ void rows(const float* in, float* out, int pitch) {
    const float4 v = *reinterpret_cast<const float4*>(in + threadIdx.x * pitch);
    out[threadIdx.x] = v.x + v.y + v.z;
}
__global__ void lock(int* mutex, int* count) {
    if (threadIdx.x == 0) atomicExch(mutex, 0);
    __syncthreads();
    if (threadIdx.x == 0) {
        while (atomicCAS(mutex, 0, 1) != 0) {
        }
        *count = 1;
        atomicExch(mutex, 0);
    }
}

int main() {
    Padded *p, *q;
    cudaMalloc(&p, 32 * sizeof *p);
    cudaMalloc(&q, 32 * sizeof *q);
    fill_fields<<<1, 32>>>(p);
    copy_whole<<<1, 32>>>(p, q);
    copy_whole<<<1, 32>>>(q, p);

    int *x, *y, host[32];
    cudaMalloc(&x, 32 * sizeof *x);
    cudaMalloc(&y, 32 * sizeof *y);
    clear<<<1, 32>>>(x, 32);
    cudaMemcpyAsync(y, x, 32 * sizeof *y, cudaMemcpyDeviceToDevice);
    add_to<<<1, 32>>>(x, y);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; ++i) CHECK(host[i] == 2);

    const int blocks = 64;
    int *many, *turned;
    cudaMalloc(&many, blocks * 64 * sizeof(int));
    cudaMalloc(&turned, blocks * 64 * sizeof(int));
    zero<<<blocks, 64>>>(many);
    shift<<<blocks, 64>>>(many, turned);

    int *flag, *data;
    cudaMalloc(&flag, sizeof *flag);
    cudaMalloc(&data, 4 * 32 * sizeof *data);
    cudaMemset(flag, 0, sizeof *flag);
    hand_on<<<4, 32>>>(flag, data);

    // Rows of three elements, each read with the padding behind it.
    float *in, *sums;
    size_t pitch;
    cudaMallocPitch(&in, &pitch, 3 * sizeof *in, 32);
    cudaMalloc(&sums, 32 * sizeof *sums);
    cudaMemset2D(in, pitch, 0, 3 * sizeof *in, 32);
    rows<<<1, 32>>>(in, sums, static_cast<int>(pitch / sizeof *in));

    int* mutex;
    cudaMalloc(&mutex, sizeof *mutex);
    lock<<<1, 32>>>(mutex, x);

    // Many allocations. Kernels write half of them before they are read.
    int* small[600];
    for (int*& each : small) cudaMalloc(&each, sizeof host);
    for (int i = 0; i < 600; i += 2) {
        if (i % 100 == 0)
            zero<<<1, 32>>>(small[i]);
        else
            cudaMemset(small[i], 0, sizeof host);
    }
    add_to<<<1, 32>>>(small[0], small[500]);
    cudaMemcpy(host, small[500], sizeof host, cudaMemcpyDeviceToHost);
    CHECK(host[1] == 0);
    for (int* const each : small) cudaFree(each);

    for (void* each : {(void*)p, (void*)q, (void*)x, (void*)y, (void*)many, (void*)turned,
                       (void*)flag, (void*)data, (void*)in, (void*)sums, (void*)mutex})
        cudaFree(each);
    return failures;
}

// __constant__, __device__ and __managed__ variables; copies to and from symbols.
#include "check.h"

__constant__ float weights[5];
__constant__ int scale = 3;
__device__ int counter;
__device__ float table[4][4];
__managed__ int shared_with_host = 7;
static __device__ const int kPrimes[4] = {2, 3, 5, 7};

__global__ void use(float* out) {
    const int i = threadIdx.x;
    out[i] = weights[i % 5] * scale + kPrimes[i % 4];
    table[i / 4 % 4][i % 4] = i;
    atomicAdd(&counter, 1);
    if (i == 0) shared_with_host += 1;
}

int main() {
    const float h[5] = {1, 2, 4, 8, 16};
    cudaMemcpyToSymbol(weights, h, sizeof h);
    const float third = 100;
    cudaMemcpyToSymbol(weights, &third, sizeof third, 2 * sizeof(float));
    const int zero = 0;
    cudaMemcpyToSymbol(counter, &zero, sizeof zero);
    float* out;
    cudaMallocManaged(&out, 16 * sizeof *out);
    use<<<1, 16>>>(out);
    cudaDeviceSynchronize();
    const float wanted[5] = {1, 2, 100, 8, 16};
    const int primes[4] = {2, 3, 5, 7};
    for (int i = 0; i < 16; ++i) CHECK(out[i] == wanted[i % 5] * 3 + primes[i % 4]);
    int count = 0;
    cudaMemcpyFromSymbol(&count, counter, sizeof count);
    CHECK(count == 16);
    float row[4];
    cudaMemcpyFromSymbol(row, table, sizeof row, 4 * sizeof(float));
    CHECK(row[0] == 4 && row[3] == 7);
    void* address = nullptr;
    size_t bytes = 0;
    cudaGetSymbolAddress(&address, table);
    cudaGetSymbolSize(&bytes, table);
    CHECK(bytes == sizeof(float) * 16 && address != nullptr);
    float one = 0;
    cudaMemcpy(&one, (float*)address + 9, sizeof one, cudaMemcpyDeviceToHost);
    CHECK(one == 9);
    CHECK(shared_with_host == 8);
    cudaFree(out);
    return failures;
}

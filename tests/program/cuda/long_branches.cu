// A chain of 1,000 `else if`, as a generator writes it: large functions are optimised less, and
// compute the same.
#include "check.h"

// clang-format off
#define ONE(i) else if (v == (i) * 7) a[threadIdx.x] = v + (i) % 5;
#define TEN(i) ONE(i##0) ONE(i##1) ONE(i##2) ONE(i##3) ONE(i##4) ONE(i##5) ONE(i##6) ONE(i##7) ONE(i##8) ONE(i##9)
#define HUNDRED(i) TEN(i##0) TEN(i##1) TEN(i##2) TEN(i##3) TEN(i##4) TEN(i##5) TEN(i##6) TEN(i##7) TEN(i##8) TEN(i##9)

__global__ void k(int* a) {
    const int v = a[threadIdx.x];
    if (v < 0) a[threadIdx.x] = 0;
    HUNDRED(1) HUNDRED(2) HUNDRED(3) HUNDRED(4) HUNDRED(5) HUNDRED(6) HUNDRED(7) HUNDRED(8) HUNDRED(9)
    HUNDRED(10)
}
// clang-format on

int main() {
    int values[32];
    for (int i = 0; i < 32; ++i) values[i] = (100 + 31 * i) * 7;
    int* a;
    cudaMalloc(&a, sizeof values);
    cudaMemcpy(a, values, sizeof values, cudaMemcpyHostToDevice);
    k<<<1, 32>>>(a);
    cudaMemcpy(values, a, sizeof values, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; ++i) CHECK(values[i] == (100 + 31 * i) * 7 + (100 + 31 * i) % 5);
    cudaFree(a);
    return failures;
}

#include <cstdio>
#include <cstdlib>
#ifndef TILE
#define TILE 16
#endif
__global__ void multiply(const float* a, const float* b, float* c, int n) {
    __shared__ float as[TILE][TILE];
    __shared__ float bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < n / TILE; ++t) {
        as[threadIdx.y][threadIdx.x] = a[row * n + t * TILE + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(t * TILE + threadIdx.y) * n + col];
        __syncthreads();
        for (int k = 0; k < TILE; ++k) sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + col] = sum;
}
int main(int argc, char** argv) {
    const int n = argc > 1 ? atoi(argv[1]) : 1024;
    const size_t bytes = size_t(n) * n * 4;
    float* h = (float*)malloc(bytes);
    float* r = (float*)malloc(bytes);
    for (int i = 0; i < n * n; ++i) h[i] = i % 5;
    float *a, *b, *c;
    cudaMalloc(&a, bytes);
    cudaMalloc(&b, bytes);
    cudaMalloc(&c, bytes);
    cudaMemcpy(a, h, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(b, h, bytes, cudaMemcpyHostToDevice);
    multiply<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(a, b, c, n);
    cudaMemcpy(r, c, bytes, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int s = 0; s < 1000; ++s) {
        int i = rand() % n, j = rand() % n;
        float sum = 0;
        for (int k = 0; k < n; ++k) sum += h[i * n + k] * h[k * n + j];
        wrong += sum != r[i * n + j];
    }
    printf("%d wrong\n", wrong);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    return wrong;
}

// cuRAND: numbers for the host and in kernels; uniform and normal.
#include <curand.h>
#include <curand_kernel.h>

#include <cmath>

#include "check.h"

__global__ void inside(int* hits, unsigned long long seed, int tries) {
    curandState state;
    curand_init(seed, threadIdx.x, 0, &state);
    int count = 0;
    for (int i = 0; i < tries; ++i) {
        const float x = curand_uniform(&state), y = curand_uniform(&state);
        count += x * x + y * y <= 1;
    }
    hits[threadIdx.x] = count;
}

int main() {
    const int n = 1 << 14;
    float* x;
    cudaMallocManaged(&x, n * sizeof *x);
    curandGenerator_t generator;
    CHECK(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT) == CURAND_STATUS_SUCCESS);
    curandSetPseudoRandomGeneratorSeed(generator, 1234);
    CHECK(curandGenerateUniform(generator, x, n) == CURAND_STATUS_SUCCESS);
    cudaDeviceSynchronize();
    double sum = 0;
    bool in_range = true;
    for (int i = 0; i < n; ++i) sum += x[i], in_range = in_range && x[i] > 0 && x[i] <= 1;
    CHECK(in_range && std::fabs(sum / n - 0.5) < 5 * 0.2887 / std::sqrt(double(n)));
    const float first = x[0];
    curandSetPseudoRandomGeneratorSeed(generator, 1234);  // the offset stays
    curandGenerateUniform(generator, x, n);
    cudaDeviceSynchronize();
    CHECK(x[0] != first);
    curandSetPseudoRandomGeneratorSeed(generator, 1234);
    curandSetGeneratorOffset(generator, 0);
    curandGenerateUniform(generator, x, n);
    cudaDeviceSynchronize();
    CHECK(x[0] == first);
    CHECK(curandGenerateNormal(generator, x, n, 3.0f, 2.0f) == CURAND_STATUS_SUCCESS);
    cudaDeviceSynchronize();
    double mean = 0, variance = 0;
    for (int i = 0; i < n; ++i) mean += x[i] / n;
    for (int i = 0; i < n; ++i) variance += (x[i] - mean) * (x[i] - mean) / n;
    CHECK(std::fabs(mean - 3) < 0.08 && std::fabs(variance - 4) < 0.25);
    curandDestroyGenerator(generator);
    int* hits;
    cudaMallocManaged(&hits, 32 * sizeof *hits);
    inside<<<1, 32>>>(hits, 7, 200);
    cudaDeviceSynchronize();
    int all = 0;
    for (int i = 0; i < 32; ++i) all += hits[i];
    CHECK(std::fabs(4.0 * all / (32 * 200) - 3.14159) < 0.11 && hits[0] != hits[1]);
    cudaFree(x);
    cudaFree(hits);
    return failures;
}

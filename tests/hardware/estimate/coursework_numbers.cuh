#pragma once
// Numbers: series, integers, chance, points, small networks.
#include "blind_launches.cuh"

__constant__ double factors[25];
__global__ void horner_of_doubles(int n, const double* x, double* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double sum = factors[24];
    for (int k = 23; k >= 0; --k) sum = sum * x[i] + factors[k];
    y[i] = sum;
}
__global__ void exp_by_series(int n, int terms, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float term = 1, sum = 1;
    for (int k = 1; k < terms; ++k) {
        term = term * x[i] / k;
        sum += term;
    }
    y[i] = sum;
}
__global__ void cube_roots(int n, int trips, const float* x, float* y) {  // by Newton's steps
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float value = x[i] + 1.0f;
    float root = value;
    for (int k = 0; k < trips; ++k) root -= (root * root * root - value) / (3.0f * root * root);
    y[i] = root;
}
__global__ void integrate(int n, double* total) {  // 4 / (1 + x x), few blocks
    double sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const double x = (i + 0.5) / n;
        sum += 4.0 / (1.0 + x * x);
    }
    __shared__ double part[128];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) total[blockIdx.x] = part[0] / n;
}
__host__ __device__ inline int walked(unsigned state, int steps) {
    int at = 0;
    for (int i = 0; i < steps; ++i) at += next_of(state) >> 31 ? 1 : -1;
    return at;
}
__global__ void random_walks(int n, int steps, const unsigned* seed, int* end) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) end[i] = walked(seed[i], steps);
}
__host__ __device__ inline unsigned common_divisor(unsigned a, unsigned b) {
    while (b != 0) {
        const unsigned rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}
__global__ void common_divisors(int n, const unsigned* in, unsigned* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = common_divisor(in[i], in[n - 1 - i]);
}
__global__ void digit_sums(int n, const unsigned* in, unsigned* out) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned sum = 0;
        for (unsigned left = in[i]; left > 0; left /= 10) sum += left % 10;
        out[i] = sum;
    }
}
__global__ void strike_multiples(int limit, unsigned char* composite) {  // sieve, a factor a thread
    const int factor = blockIdx.x * blockDim.x + threadIdx.x + 2;
    for (int i = factor * factor; i < limit; i += factor) composite[i] = 1;
}
__global__ void divisor_sums(int n, int* sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int own = 0;
    for (int d = 1; d <= i / 2; ++d)
        if (i % d == 0) own += d;
    sum[i] = own;
}
__host__ __device__ inline unsigned fibonacci(unsigned index) {  // modulo a prime, by squaring
    const unsigned long long prime = 1000000007;
    unsigned long long a = 1, b = 1, d = 0, u = 1, v = 0;  // [a b; b d], and a row [u v]
    for (; index > 0; index /= 2) {
        if (index % 2 == 1) {
            const unsigned long long next = (u * a + v * b) % prime;
            v = (u * b + v * d) % prime;
            u = next;
        }
        const unsigned long long square = b * b % prime;
        b = (a * b + b * d) % prime;
        a = (a * a + square) % prime;
        d = (square + d * d) % prime;
    }
    return (unsigned)v;
}
__global__ void fibonacci_numbers(int n, const unsigned* in, unsigned* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = fibonacci(in[i]);
}
__global__ void transform_plain(int n, const float* in, float2* out) {  // each sum by a thread
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= n) return;
    float2 sum = {0, 0};
    for (int t = 0; t < n; ++t) {
        float sine, cosine;
        sincosf(-6.2831853f * (k * t % n) / n, &sine, &cosine);
        sum.x += in[t] * cosine;
        sum.y += in[t] * sine;
    }
    out[k] = sum;
}
__global__ void pull_of_doubles(int n, const double* x, const double* y, double* pull) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double sum = 0;
    for (int j = 0; j < n; ++j) {
        const double u = x[j] - x[i], v = y[j] - y[i], square = u * u + v * v + 0.01;
        sum += u / (square * sqrt(square));
    }
    pull[i] = sum;
}
__global__ void binomial_options(float up, float rise, float discount, const float* strike,
                                 float* price) {  // an option a block, 255 steps
    __shared__ float value[256];
    const int t = threadIdx.x;
    value[t] = fmaxf(powf(up, 2.0f * t - 255.0f) - strike[blockIdx.x], 0.0f);
    for (int last = 254; last >= 0; --last) {
        __syncthreads();
        const float next =
            t <= last ? discount * (rise * value[t + 1] + (1.0f - rise) * value[t]) : 0.0f;
        __syncthreads();
        if (t <= last) value[t] = next;
    }
    if (t == 0) price[blockIdx.x] = value[0];
}
__global__ void assign_16_wide(int n, const float* point, const float* centre, int* cluster) {
    __shared__ float centres[32][16];
    for (int i = threadIdx.x; i < 512; i += blockDim.x) centres[i / 16][i % 16] = centre[i];
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float least = 1e30f;
    int best = 0;
    for (int c = 0; c < 32; ++c) {
        float square = 0;
        for (int k = 0; k < 16; ++k) {
            const float d = point[i * 16 + k] - centres[c][k];
            square += d * d;
        }
        if (square < least) {
            least = square;
            best = c;
        }
    }
    cluster[i] = best;
}
__global__ void nearest_of_all(int n, const float3* point, float* nearest) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float3 own = point[i];
    float least = 1e30f;
    for (int j = 0; j < n; ++j) {
        if (j == i) continue;
        const float u = point[j].x - own.x, v = point[j].y - own.y, w = point[j].z - own.z;
        least = fminf(least, u * u + v * v + w * w);
    }
    nearest[i] = least;
}
__global__ void loss_of_ten(int rows, const float* logit, const unsigned* label, float* gradient,
                            float* loss) {  // softmax and cross-entropy, a row a thread
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    const float* own = logit + row * 10;
    float most = own[0], sum = 0;
    for (int k = 1; k < 10; ++k) most = fmaxf(most, own[k]);
    for (int k = 0; k < 10; ++k) sum += expf(own[k] - most);
    const unsigned right = label[row] % 10;
    for (int k = 0; k < 10; ++k)
        gradient[row * 10 + k] = expf(own[k] - most) / sum - (k == right ? 1.0f : 0.0f);
    loss[row] = logf(sum) - (own[right] - most);
}
__constant__ float filters[6][5][5];
__global__ void convolve_digits(const float* in, float* out) {  // 28 x 28, 6 maps of 24 x 24
    const int x = threadIdx.x, y = threadIdx.y, map = blockIdx.y;
    const float* image = in + blockIdx.x * 784;
    float sum = 0;
    for (int v = 0; v < 5; ++v)
        for (int u = 0; u < 5; ++u) sum += filters[map][v][u] * image[(y + v) * 28 + x + u];
    out[((blockIdx.x * 6 + map) * 24 + y) * 24 + x] = tanhf(sum);
}
__global__ void mean_of_maps(int area, const float* in, float* mean) {  // a map a block of 64
    __shared__ float part[64];
    const int t = threadIdx.x;
    part[t] = 0;
    for (int i = t; i < area; i += 64) part[t] += in[blockIdx.x * area + i];
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0) mean[blockIdx.x] = part[0] / area;
}
__global__ void momentum_step(int n, float rate, float kept, const float* gradient, float* speed,
                              float* weight) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    speed[i] = kept * speed[i] + gradient[i];
    weight[i] -= rate * speed[i];
}

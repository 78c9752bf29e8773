#pragma once
// Vectors: an element a thread, neighbours a thread, sums and norms.
#include "blind_launches.cuh"

__global__ void leaky_relu(int n, int stride, float middle, float slope, float* x) {
    const int i = (blockIdx.x * blockDim.x + threadIdx.x) * stride;
    if (i >= n) return;
    const float v = x[i] - middle;
    x[i] = v > 0 ? v : slope * v;
}
__global__ void gelu_of_part(int rows, int columns, int pitch, const float* in, float* out) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    const float v = in[row * pitch + column];
    out[row * columns + column] = 0.5f * v * (1.0f + erff(v * 0.70710678f));
}
__global__ void sigmoid_of_doubles(int n, const double* in, double* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 1.0 / (1.0 + exp(-in[i]));
}
__global__ void multiply_complex(int n, const float2* a, const float2* b, float2* c) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    c[i].x = a[i].x * b[i].x - a[i].y * b[i].y;
    c[i].y = a[i].x * b[i].y + a[i].y * b[i].x;
}
__global__ void axpy_of_halves(int n, half2 a, const half2* x, half2* y) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = __hfma2(a, x[i], y[i]);
}
struct Colour {
    float r, g, b;
};
__global__ void split_fields(int n, const Colour* in, float* r, float* g, float* b) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const Colour colour = in[i];
    r[i] = colour.r;
    g[i] = colour.g;
    b[i] = colour.b;
}
__global__ void reverse_in_shared(int n, const unsigned* in, unsigned* out) {
    extern __shared__ unsigned turned[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) turned[blockDim.x - 1 - threadIdx.x] = in[i];
    __syncthreads();
    const int to = n - (blockIdx.x + 1) * blockDim.x + threadIdx.x;
    if (to >= 0) out[to] = turned[threadIdx.x];
}
__global__ void fill_ramp(int n, float start, float step, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = start + i * step;
}
__global__ void sum_of_neighbours(int n, const float* in, float* sums) {  // 32 a thread
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 32) return;
    float sum = 0;
    for (int k = 0; k < 32; ++k) sum += in[i * 32 + k];
    sums[i] = sum;
}
__global__ void squares_to_one_place(int n, const float* in, float* total) {
    __shared__ float part[256];
    const int t = threadIdx.x;
    float sum = 0;
    for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) sum += in[i] * in[i];
    part[t] = sum;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0) atomicAdd(total, part[0]);
}
__global__ void largest_of_doubles(const double* in, double* most) {  // 8 apart a thread
    __shared__ double part[128];
    const int t = threadIdx.x;
    const double* own = in + blockIdx.x * 1024 + t;
    double largest = fabs(own[0]);
    for (int k = 1; k < 8; ++k) largest = fmax(largest, fabs(own[k * 128]));
    part[t] = largest;
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (t < half) part[t] = fmax(part[t], part[t + half]);
        __syncthreads();
    }
    if (t == 0) most[blockIdx.x] = part[0];
}
__global__ void sum_by_one_block(int n, const float* in, float* total) {  // 1,024 threads
    __shared__ float of_warp[32];
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) sum += in[i];
    for (int half = 16; half > 0; half /= 2) sum += __shfl_down_sync(kAll, sum, half);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    sum = of_warp[threadIdx.x];
    for (int half = 16; half > 0; half /= 2) sum += __shfl_down_sync(kAll, sum, half);
    if (threadIdx.x == 0) *total = sum;
}
__global__ void dot_of_bytes(int n, const char4* a, const char4* b, int* total) {
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const char4 u = a[i], v = b[i];
        sum += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
    }
    for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(kAll, sum, half);
    if (threadIdx.x % 32 == 0) atomicAdd(total, sum);
}
__global__ void add_to_one_place(int n, const unsigned* in, unsigned* total) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(total, in[i]);
}
__global__ void argmax_of_block(int columns, const float* in, int* place) {  // a row a block
    __shared__ float most[128];
    __shared__ int where[128];
    const int t = threadIdx.x;
    most[t] = -1.0f;
    where[t] = 0;
    for (int i = t; i < columns; i += 128)
        if (in[blockIdx.x * columns + i] > most[t]) {
            most[t] = in[blockIdx.x * columns + i];
            where[t] = i;
        }
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (t < half) {
            const bool tie = most[t + half] == most[t] && where[t + half] < where[t];
            if (most[t + half] > most[t] || tie) {
                most[t] = most[t + half];
                where[t] = where[t + half];
            }
        }
        __syncthreads();
    }
    if (t == 0) place[blockIdx.x] = where[0];
}
__global__ void count_bits(int n, const uint2* in, unsigned* total) {
    unsigned count = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        count += __popc(in[i].x) + __popc(in[i].y);
    for (int half = 16; half > 0; half /= 2) count += __shfl_down_sync(kAll, count, half);
    if (threadIdx.x % 32 == 0) atomicAdd(total, count);
}
__global__ void count_bits_one_by_one(int n, const unsigned* in, unsigned char* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned char count = 0;
    for (unsigned left = in[i]; left != 0; left &= left - 1) ++count;
    out[i] = count;
}

inline void vector_launches(Launches& run) {
    const auto &numbers = run.numbers, &others = run.others;
    const auto& places = run.places;
    const auto& doubles = run.doubles;
    const int n = kElements;

    const int every = n - 11;
    if (run.wanted())
        leaky_relu<<<blocks_for(blocks_for(every, 3), 256), 256>>>(every, 3, 0.5f, 0.01f, run.y);
    run.checked("leaky_relu", run.y, every, 1, 1e-6, [&](int i) {
        const double v = others[i] - 0.5;
        return i % 3 != 0 ? others[i] : v > 0 ? v : 0.01 * v;
    });

    const int columns = 300, rows = n / 1024;
    if (run.wanted())
        gelu_of_part<<<dim3(blocks_for(columns, 32), rows / 4), dim3(32, 4)>>>(rows, columns, 1024,
                                                                               run.x, run.y);
    run.checked("gelu_of_part", run.y, rows * columns, 1, 1e-6, [&](int i) {
        const double v = numbers[i / columns * 1024 + i % columns];
        return 0.5 * v * (1 + std::erf(v * std::sqrt(0.5)));
    });

    const int of_doubles = n / 8 - 9;
    if (run.wanted())
        sigmoid_of_doubles<<<blocks_for(of_doubles, 256), 256>>>(of_doubles, run.dx, run.dy);
    run.checked("sigmoid_of_doubles", run.dy, of_doubles, 1, 1e-14,
                [&](int i) { return 1 / (1 + std::exp(-doubles[i])); });

    const int pairs = n / 2 - 70;
    if (run.wanted())
        multiply_complex<<<blocks_for(pairs, 128), 128>>>(pairs, (float2*)run.x, (float2*)run.y,
                                                          (float2*)run.z);
    run.checked("multiply_complex", run.z, 2 * pairs, 1, 1e-6, [&](int i) {
        const int k = i / 2 * 2;
        const double a = numbers[k], b = numbers[k + 1], u = others[k], v = others[k + 1];
        return i % 2 == 0 ? a * u - b * v : a * v + b * u;
    });

    std::vector<__half> small(n / 2), more(n / 2);
    for (int i = 0; i < n / 2; ++i)
        small[i] = __float2half(numbers[i]), more[i] = __float2half(others[i]);
    __half *halves = device(small), *sums = device(more);
    if (run.wanted())
        axpy_of_halves<<<264, 512>>>(n / 4 - 3, __float2half2_rn(0.5f), (half2*)halves,
                                     (half2*)sums);
    run.checked("axpy_of_halves", sums, n / 2, 1, 1e-3,
                [&](int i) { return others[i] + (i < n / 2 - 6 ? 0.5 * numbers[i] : 0.0); });
    cudaFree(halves), cudaFree(sums);

    const int colours = n / 4 - 50;
    if (run.wanted())
        split_fields<<<blocks_for(colours, 192), 192>>>(colours, (Colour*)run.x, run.y,
                                                        run.y + n / 4, run.y + n / 2);
    run.checked("split_fields", run.y, n, 1, 0, [&](int i) {
        const int field = i / (n / 4), at = i % (n / 4);
        return field < 3 && at < colours ? numbers[3 * at + field] : others[i];
    });

    const int turned = n / 4 - 100;
    if (run.wanted())
        reverse_in_shared<<<blocks_for(turned, 128), 128, 512>>>(turned, run.p, run.q);
    run.checked("reverse_in_shared", run.q, turned, 1, 0,
                [&](int i) { return places[turned - 1 - i]; });

    if (run.wanted()) fill_ramp<<<blocks_for(n - 1, 1024), 1024>>>(n - 1, 2.0f, 0.25f, run.y);
    run.checked("fill_ramp", run.y, n - 1, 1, 1e-6, [&](int i) { return 2 + 0.25 * i; });

    if (run.wanted()) sum_of_neighbours<<<n / 32 / 128, 128>>>(n, run.x, run.s);
    run.checked("sum_of_neighbours", run.s, n / 32, 1, 1e-5, [&](int i) {
        double sum = 0;
        for (int k = 0; k < 32; ++k) sum += numbers[32 * i + k];
        return sum;
    });

    if (run.wanted()) squares_to_one_place<<<396, 256>>>(n - 17, run.x, run.s);
    run.checked("squares_to_one_place", run.s, 1, 1, 1e-4, [&](int) {
        double sum = 0;
        for (int i = 0; i < n - 17; ++i) sum += double(numbers[i]) * numbers[i];
        return sum;
    });

    if (run.wanted()) largest_of_doubles<<<n / 8192, 128>>>(run.dx, run.dy);
    run.checked("largest_of_doubles", run.dy, n / 8192, 1, 0, [&](int i) {
        return *std::max_element(doubles.begin() + i * 1024, doubles.begin() + (i + 1) * 1024);
    });

    const int few = n / 64 - 5;
    if (run.wanted()) sum_by_one_block<<<1, 1024>>>(few, run.x, run.s);
    run.checked("sum_by_one_block", run.s, 1, 1, 1e-5, [&](int) {
        double sum = 0;
        for (int i = 0; i < few; ++i) sum += numbers[i];
        return sum;
    });

    const int words = n / 4 - 64;
    if (run.wanted())
        dot_of_bytes<<<528, 256>>>(words, (char4*)run.in, (char4*)(run.out + 256), (int*)run.bins);
    run.checked("dot_of_bytes", (int*)run.bins, 1, 1, 0, [&](int) {
        int sum = 0;
        for (int i = 0; i < 4 * words; ++i)
            sum += int((signed char)run.bytes[i]) * (signed char)run.bytes[i + 256];
        return sum;
    });

    const int atomics = n / 16 - 3;
    if (run.wanted()) add_to_one_place<<<blocks_for(atomics, 256), 256>>>(atomics, run.p, run.bins);
    run.checked("add_to_one_place", run.bins, 1, 1, 0, [&](int) {
        unsigned sum = 0;
        for (int i = 0; i < atomics; ++i) sum += places[i];
        return sum;
    });

    const int width = 700, lines = kEdge / 2;
    if (run.wanted()) argmax_of_block<<<lines, 128>>>(width, run.x, (int*)run.q);
    run.checked("argmax_of_block", (int*)run.q, lines, 1, 0, [&](int row) {
        const float* own = numbers.data() + row * width;
        return int(std::max_element(own, own + width) - own);
    });

    if (run.wanted()) count_bits<<<264, 256>>>(n / 2 - 2, (uint2*)run.p, run.bins);
    run.checked("count_bits", run.bins, 1, 1, 0, [&](int) {
        unsigned count = 0;
        for (int i = 0; i < n - 4; ++i) count += __builtin_popcount(places[i]);
        return count;
    });

    if (run.wanted())
        count_bits_one_by_one<<<blocks_for(n / 2 - 9, 256), 256>>>(n / 2 - 9, run.p, run.out);
    run.checked("count_bits_one_by_one", run.out, n / 2 - 9, 1, 0,
                [&](int i) { return __builtin_popcount(places[i]); });
}

#pragma once
// Vectors, reductions, matrices.
#include "blind_launches.cuh"

__global__ void add_vectors(int n, const float* a, const float* b, float* c) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
__global__ void axpy_apart(int n, float a, const float* x, int by_x, float* y, int by_y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i * by_y] = a * x[i * by_x] + y[i * by_y];
}
__global__ void adam_step(int n, float rate, const float* gradient, float* weight, float* first,
                          float* second) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float g = gradient[i];
    const float m = 0.9f * first[i] + 0.1f * g, v = 0.999f * second[i] + 0.001f * g * g;
    first[i] = m;
    second[i] = v;
    weight[i] -= rate * m / (sqrtf(v) + 1e-3f);
}
__global__ void dot_of_few_blocks(int n, const float* a, const float* b, float* c) {
    __shared__ float cache[256];
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    float sum = 0;
    while (i < n) {
        sum += a[i] * b[i];
        i += blockDim.x * gridDim.x;
    }
    cache[threadIdx.x] = sum;
    __syncthreads();
    for (int half = blockDim.x / 2; half != 0; half /= 2) {
        if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) c[blockIdx.x] = cache[0];
}
template <int SIZE>
__global__ void reduce_last_warp(const float* in, float* sums) {
    __shared__ float part[SIZE];
    const int t = threadIdx.x, i = blockIdx.x * SIZE * 2 + t;
    part[t] = in[i] + in[i + SIZE];
    __syncthreads();
    for (int half = SIZE / 2; half > 32; half >>= 1) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    if (t >= 32) return;
    float sum = part[t] + part[t + 32];
    __syncwarp();
    part[t] = sum;
    for (int half = 16; half > 0; half >>= 1) {
        __syncwarp();
        sum += part[t + half];
        __syncwarp();
        part[t] = sum;
    }
    if (t == 0) sums[blockIdx.x] = sum;
}
__global__ void largest_integer(int n, const int* in, int* most) {
    int own = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        own = max(own, in[i]);
    for (int half = 16; half > 0; half /= 2) own = max(own, __shfl_down_sync(kAll, own, half));
    if (threadIdx.x % 32 == 0) atomicMax(most, own);
}
__global__ void moments_of_doubles(int n, const double* in, double* totals) {
    double sum = 0, squares = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        const double value = in[i];
        sum += value;
        squares += value * value;
    }
    for (int half = 16; half > 0; half /= 2) {
        sum += __shfl_down_sync(kAll, sum, half);
        squares += __shfl_down_sync(kAll, squares, half);
    }
    if (threadIdx.x % 32 != 0) return;
    atomicAdd(&totals[0], sum);
    atomicAdd(&totals[1], squares);
}
__global__ void matrix_vector_columns(int rows, int columns, const float* a, const float* x,
                                      float* y) {  // A by columns
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int k = 0; k < columns; ++k) sum += a[k * rows + row] * x[k];
    y[row] = sum;
}
__global__ void matrix_vector_block(int columns, const float* a, const float* x, float* y) {
    __shared__ float part[128];
    const int t = threadIdx.x, row = blockIdx.x;
    float sum = 0;
    for (int k = t; k < columns; k += 128) sum += a[row * columns + k] * x[k];
    part[t] = sum;
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0) y[row] = part[0];
}
__global__ void product_plain(int m, int n, int k, const float* a, const float* b, float* c) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || column >= n) return;
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
    c[row * n + column] = sum;
}
__global__ void product_coarse(int width, const float* a, const float* b, float* c) {
    __shared__ float as[32][32], bs[32][32];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * 32 + ty, first = blockIdx.x * 32 * 4 + tx;
    float sum[4] = {};
    for (int phase = 0; phase < width / 32; ++phase) {
        as[ty][tx] = a[row * width + phase * 32 + tx];
        for (int step = 0; step < 4; ++step) {
            bs[ty][tx] = b[(phase * 32 + ty) * width + first + step * 32];
            __syncthreads();
            for (int k = 0; k < 32; ++k) sum[step] += as[ty][k] * bs[k][tx];
            __syncthreads();
        }
    }
    for (int step = 0; step < 4; ++step) c[row * width + first + step * 32] = sum[step];
}
__global__ void products_of_batch(const float* a, const float* b, float* c) {  // 32 x 32 each
    __shared__ float as[32][32], bs[32][32];
    const int first = blockIdx.x * 1024, u = threadIdx.x;
    for (int v = threadIdx.y; v < 32; v += 8) {
        as[v][u] = a[first + v * 32 + u];
        bs[v][u] = b[first + v * 32 + u];
    }
    __syncthreads();
    for (int v = threadIdx.y; v < 32; v += 8) {
        float sum = 0;
        for (int k = 0; k < 32; ++k) sum += as[v][k] * bs[k][u];
        c[first + v * 32 + u] = sum;
    }
}
__global__ void product_of_doubles(int width, const double* a, const double* b, double* c) {
    __shared__ double as[16][16], bs[16][16];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
    double sum = 0;
    for (int first = 0; first < width; first += 16) {
        as[ty][tx] = a[row * width + first + tx];
        bs[ty][tx] = b[(first + ty) * width + column];
        __syncthreads();
        for (int k = 0; k < 16; ++k) sum += as[ty][k] * bs[k][tx];
        __syncthreads();
    }
    c[row * width + column] = sum;
}
__global__ void product_transposed(int width, const float* a, const float* b, float* c) {
    __shared__ float as[16][16], bs[16][16];  // C = A^T B
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * 16, column = blockIdx.x * 16;
    float sum = 0;
    for (int first = 0; first < width; first += 16) {
        as[ty][tx] = a[(first + ty) * width + row + tx];
        bs[ty][tx] = b[(first + ty) * width + column + tx];
        __syncthreads();
        for (int k = 0; k < 16; ++k) sum += as[k][ty] * bs[k][tx];
        __syncthreads();
    }
    c[(row + ty) * width + column + tx] = sum;
}
__global__ void transpose_whole_block(int wide, int high, const float* in, float* out) {
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * wide + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    out[y * high + x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void transpose_in_place(int edge, float* a) {
    __shared__ float one[16][17], other[16][17];
    if (blockIdx.y > blockIdx.x) return;
    const int u = threadIdx.x, v = threadIdx.y, x = blockIdx.x * 16, y = blockIdx.y * 16;
    one[v][u] = a[(y + v) * edge + x + u];
    other[v][u] = a[(x + v) * edge + y + u];
    __syncthreads();
    a[(x + v) * edge + y + u] = one[u][v];
    a[(y + v) * edge + x + u] = other[u][v];
}
__global__ void column_sums(int wide, int rows_of_block, const float* in, float* sums) {
    __shared__ float part[8][32];
    const int x = blockIdx.x * 32 + threadIdx.x, first = blockIdx.y * rows_of_block;
    float sum = 0;
    for (int y = first + threadIdx.y; y < first + rows_of_block; y += 8) sum += in[y * wide + x];
    part[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y != 0) return;
    for (int i = 1; i < 8; ++i) sum += part[i][threadIdx.x];
    atomicAdd(&sums[x], sum);
}
__global__ void add_matrices(int wide, int high, const float* a, const float* b, float* c) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < wide && y < high) c[y * wide + x] = a[y * wide + x] + b[y * wide + x];
}

inline void linear_launches(Launches& run) {
    const auto &numbers = run.numbers, &others = run.others;
    const auto& doubles = run.doubles;
    const int n = kElements, quarter = n / 4;
    const dim3 sixteen(16, 16), thirty_two(32, 32), flat(32, 8);

    const int added = n - 3;
    if (run.wanted()) add_vectors<<<blocks_for(added, 256), 256>>>(added, run.x, run.y, run.z);
    run.checked("add_vectors", run.z, n, 1, 1e-6,
                [&](int i) { return i < added ? double(numbers[i]) + others[i] : others[i]; });

    const int steps = quarter - 1;
    if (run.wanted()) axpy_apart<<<blocks_for(steps, 256), 256>>>(steps, 1.5f, run.x, 3, run.y, 2);
    run.checked("axpy_apart", run.y, n, 1, 1e-6, [&](int i) {
        return i % 2 == 0 && i / 2 < steps ? 1.5 * numbers[i / 2 * 3] + others[i] : others[i];
    });

    if (run.wanted())
        adam_step<<<blocks_for(quarter, 512), 512>>>(quarter, 0.01f, run.x, run.y, run.y + quarter,
                                                     run.y + 2 * quarter);
    run.checked("adam_step", run.y, 3 * quarter, 1, 1e-5, [&](int i) {
        const int at = i % quarter;
        const double g = numbers[at], first = 0.9 * others[quarter + at] + 0.1 * g;
        const double second = 0.999 * others[2 * quarter + at] + 0.001 * g * g;
        if (i >= quarter) return i < 2 * quarter ? first : second;
        return others[i] - 0.01 * first / (std::sqrt(second) + 1e-3);
    });

    const int dotted = quarter - 11;
    if (run.wanted()) dot_of_few_blocks<<<32, 256>>>(dotted, run.x, run.y, run.s);
    run.checked("dot_of_few_blocks", run.s, 32, 1, 1e-4, [&](int block) {
        double sum = 0;
        for (int i = 0; i < dotted; ++i)
            if (i / 256 % 32 == block) sum += double(numbers[i]) * others[i];
        return sum;
    });

    if (run.wanted()) reduce_last_warp<256><<<n / 512, 256>>>(run.x, run.s);
    run.checked("reduce_last_warp", run.s, n / 512, 1, 1e-5, [&](int block) {
        double sum = 0;
        for (int i = 0; i < 512; ++i) sum += numbers[block * 512 + i];
        return sum;
    });

    if (run.wanted()) largest_integer<<<264, 256>>>(n - 9, (int*)run.p, (int*)run.bins);
    run.checked("largest_integer", run.bins, 1, 1, 0,
                [&](int) { return *std::max_element(run.places.begin(), run.places.end() - 9); });

    double* totals = (double*)run.bins;
    if (run.wanted()) moments_of_doubles<<<528, 128>>>(n / 8, run.dx, totals);
    run.checked("moments_of_doubles", totals, 2, 1, 1e-9, [&](int which) {
        double sum = 0;
        for (double value : doubles) sum += which == 0 ? value : value * value;
        return sum;
    });

    if (run.wanted())
        matrix_vector_columns<<<kEdge / 64, 64>>>(kEdge, kEdge / 2, run.x, run.y, run.s);
    run.checked("matrix_vector_columns", run.s, kEdge, 7, 1e-4, [&](int row) {
        double sum = 0;
        for (int k = 0; k < kEdge / 2; ++k) sum += double(numbers[k * kEdge + row]) * others[k];
        return sum;
    });

    const int wide = kEdge - 36;
    if (run.wanted()) matrix_vector_block<<<kEdge, 128>>>(wide, run.x, run.y, run.s);
    run.checked("matrix_vector_block", run.s, kEdge, 7, 1e-4, [&](int row) {
        double sum = 0;
        for (int k = 0; k < wide; ++k) sum += double(numbers[row * wide + k]) * others[k];
        return sum;
    });

    // C[i] of a product, with steps from element to element of a row of A and a column of B.
    const auto product = [](const auto& a, const auto& b, int k, int at, int step, int from,
                            int down) {
        double sum = 0;
        for (int i = 0; i < k; ++i) sum += double(a[at + i * step]) * b[from + i * down];
        return sum;
    };
    const int m = kEdge / 8, of_c = kEdge / 2 - 48, depth = kEdge / 4;
    if (run.wanted())
        product_plain<<<dim3(blocks_for(of_c, 16), m / 16), sixteen>>>(m, of_c, depth, run.x, run.y,
                                                                       run.z);
    run.checked("product_plain", run.z, m * of_c, 11, 1e-4, [&](int i) {
        return product(numbers, others, depth, i / of_c * depth, 1, i % of_c, of_c);
    });

    const int width = kEdge / 4;
    if (run.wanted())
        product_coarse<<<dim3(width / 128, width / 32), thirty_two>>>(width, run.x, run.y, run.z);
    run.checked("product_coarse", run.z, width * width, 11, 1e-4, [&](int i) {
        return product(numbers, others, width, i / width * width, 1, i % width, width);
    });

    if (run.wanted()) products_of_batch<<<n / 1024, flat>>>(run.x, run.y, run.z);
    run.checked("products_of_batch", run.z, n, 3, 1e-5, [&](int i) {
        return product(numbers, others, 32, i / 32 * 32, 1, i / 1024 * 1024 + i % 32, 32);
    });

    const int small = kEdge / 8;
    if (run.wanted())
        product_of_doubles<<<dim3(small / 16, small / 16), sixteen>>>(small, run.dx, run.dx + small,
                                                                      run.dy);
    run.checked("product_of_doubles", run.dy, small * small, 5, 1e-11, [&](int i) {
        return product(doubles, doubles, small, i / small * small, 1, small + i % small, small);
    });

    const int across = kEdge / 16 * 3;
    if (run.wanted())
        product_transposed<<<dim3(across / 16, across / 16), sixteen>>>(across, run.x, run.y,
                                                                        run.z);
    run.checked("product_transposed", run.z, across * across, 7, 1e-4, [&](int i) {
        return product(numbers, others, across, i / across, across, i % across, across);
    });

    if (run.wanted())
        transpose_whole_block<<<dim3(kEdge / 32, kEdge / 64), thirty_two>>>(kEdge, kEdge / 2, run.x,
                                                                            run.y);
    run.checked("transpose_whole_block", run.y, n / 2, 1, 0,
                [&](int i) { return numbers[i % (kEdge / 2) * kEdge + i / (kEdge / 2)]; });

    const int edge = kEdge / 2;
    if (run.wanted()) transpose_in_place<<<dim3(edge / 16, edge / 16), sixteen>>>(edge, run.y);
    run.checked("transpose_in_place", run.y, edge * edge, 1, 0,
                [&](int i) { return others[i % edge * edge + i / edge]; });

    if (run.wanted()) column_sums<<<dim3(kEdge / 32, 16), flat>>>(kEdge, kEdge / 16, run.x, run.s);
    run.checked("column_sums", run.s, kEdge, 3, 1e-5, [&](int column) {
        double sum = 0;
        for (int row = 0; row < kEdge; ++row) sum += numbers[row * kEdge + column];
        return sum;
    });

    const int high = kEdge / 2 - 11;
    if (run.wanted())
        add_matrices<<<dim3(blocks_for(wide, 16), blocks_for(high, 16)), sixteen>>>(
            wide, high, run.x, run.y, run.z);
    run.checked("add_matrices", run.z, wide * high, 1, 1e-6,
                [&](int i) { return double(numbers[i]) + others[i]; });
}

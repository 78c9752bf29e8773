#pragma once
// Pictures, convolutions, stencils.
#include "blind_launches.cuh"

__global__ void sepia(int n, const uchar4* in, uchar4* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const uchar4 c = in[i];
    uchar4 by;
    by.x = (unsigned char)fminf(255.0f, 0.393f * c.x + 0.769f * c.y + 0.189f * c.z);
    by.y = (unsigned char)fminf(255.0f, 0.349f * c.x + 0.686f * c.y + 0.168f * c.z);
    by.z = (unsigned char)fminf(255.0f, 0.272f * c.x + 0.534f * c.y + 0.131f * c.z);
    by.w = c.w;
    out[i] = by;
}
__global__ void apply_table(int n, const unsigned* table, const unsigned char* in,
                            unsigned char* out) {
    __shared__ unsigned char own[256];
    if (threadIdx.x < 256) own[threadIdx.x] = (unsigned char)table[threadIdx.x];
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = own[in[i]];
}
__device__ void in_order(float& a, float& b) {
    const float least = fminf(a, b);
    b = fmaxf(a, b);
    a = least;
}
__global__ void median_3x3(int wide, int high, const float* in, float* out) {
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < 1 || y < 1 || x >= wide - 1 || y >= high - 1) return;
    float v[9];
#pragma unroll
    for (int i = 0; i < 9; ++i) v[i] = in[(y + i / 3 - 1) * wide + x + i % 3 - 1];
#pragma unroll
    for (int i = 0; i < 5; ++i)
#pragma unroll
        for (int j = 0; j < 8 - i; ++j) in_order(v[j], v[j + 1]);
    out[y * wide + x] = v[4];
}
__constant__ float mask[64];
__global__ void convolve_tiled_5x5(int wide, int high, const float* in, float* out) {
    __shared__ float tile[20][20];
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    for (int v = threadIdx.y; v < 20; v += 16)
        for (int u = threadIdx.x; u < 20; u += 16) {
            const int row = (int)blockIdx.y * 16 + v - 2, column = (int)blockIdx.x * 16 + u - 2;
            const bool there = row >= 0 && row < high && column >= 0 && column < wide;
            tile[v][u] = there ? in[row * wide + column] : 0.0f;
        }
    __syncthreads();
    if (x >= wide || y >= high) return;
    float sum = 0;
    for (int v = 0; v < 5; ++v)
        for (int u = 0; u < 5; ++u) sum += mask[v * 5 + u] * tile[threadIdx.y + v][threadIdx.x + u];
    out[y * wide + x] = sum;
}
__global__ void convolve_1d(int n, int taps, const float* in, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int first = i - taps / 2;
    float sum = 0;
    for (int k = 0; k < taps; ++k)
        if (first + k >= 0 && first + k < n) sum += in[first + k] * mask[k];
    out[i] = sum;
}
__global__ void rotate(int edge, float cosine, float sine, const float* in, float* out) {
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    const float u = x - edge / 2, v = y - edge / 2;
    const int from_x = (int)floorf(cosine * u + sine * v + edge / 2 + 0.5f);
    const int from_y = (int)floorf(-sine * u + cosine * v + edge / 2 + 0.5f);
    float value = 0;
    if (from_x >= 0 && from_x < edge && from_y >= 0 && from_y < edge)
        value = in[from_y * edge + from_x];
    out[y * edge + x] = value;
}
__global__ void max_pool_3x3(int edge, int pooled, const float* in, float* out) {  // stride 2
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= pooled || y >= pooled) return;
    const float* channel = in + blockIdx.z * edge * edge;
    float most = -1e30f;
    for (int v = 0; v < 3; ++v)
        for (int u = 0; u < 3; ++u) most = fmaxf(most, channel[(2 * y + v) * edge + 2 * x + u]);
    out[(blockIdx.z * pooled + y) * pooled + x] = most;
}
__global__ void bilateral_5x5(int edge, float sharp, const float* in, float* out) {
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < 2 || y < 2 || x >= edge - 2 || y >= edge - 2) return;
    const float own = in[y * edge + x];
    float sum = 0, weights = 0;
    for (int v = -2; v <= 2; ++v)
        for (int u = -2; u <= 2; ++u) {
            const float other = in[(y + v) * edge + x + u], d = other - own;
            const float weight = expf(-0.125f * (u * u + v * v) - sharp * d * d);
            sum += weight * other;
            weights += weight;
        }
    out[y * edge + x] = sum / weights;
}
__global__ void heat_of_doubles(int edge, double by, const double* in, double* out) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < 1 || y < 1 || x >= edge - 1 || y >= edge - 1) return;
    const int i = y * edge + x;
    out[i] = in[i] + by * (in[i - 1] + in[i + 1] + in[i - edge] + in[i + edge] - 4 * in[i]);
}
__global__ void wave_step(int edge, float speed, const float* now, float* before) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < 1 || y < 1 || x >= edge - 1 || y >= edge - 1) return;
    const int i = y * edge + x;
    const float bend = now[i - 1] + now[i + 1] + now[i - edge] + now[i + edge] - 4 * now[i];
    before[i] = 2 * now[i] - before[i] + speed * bend;
}
__global__ void stencil_3d_tile(int edge, const float* in, float* out) {  // 6 x 6 x 6 of a block
    __shared__ float tile[8][8][8];
    const int u = threadIdx.x, v = threadIdx.y, w = threadIdx.z;
    const int x = (int)blockIdx.x * 6 + u - 1, y = (int)blockIdx.y * 6 + v - 1;
    const int z = (int)blockIdx.z * 6 + w - 1;
    if (x >= 0 && y >= 0 && z >= 0 && x < edge && y < edge && z < edge)
        tile[w][v][u] = in[(z * edge + y) * edge + x];
    __syncthreads();
    if (x < 1 || y < 1 || z < 1 || x >= edge - 1 || y >= edge - 1 || z >= edge - 1) return;
    if (u < 1 || v < 1 || w < 1 || u >= 7 || v >= 7 || w >= 7) return;
    out[(z * edge + y) * edge + x] =
        0.4f * tile[w][v][u] + 0.1f * (tile[w][v][u - 1] + tile[w][v][u + 1] + tile[w][v - 1][u] +
                                       tile[w][v + 1][u] + tile[w - 1][v][u] + tile[w + 1][v][u]);
}
__global__ void life_of_integers(int edge, const int* in, int* out) {
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x >= edge || y >= edge) return;
    int count = 0;
    for (int v = -1; v <= 1; ++v)
        for (int u = -1; u <= 1; ++u)
            if (u != 0 || v != 0)
                count += in[(y + v + edge) % edge * edge + (x + u + edge) % edge] & 1;
    const int own = in[y * edge + x] & 1;
    out[y * edge + x] = count == 3 || (own == 1 && count == 2) ? 1 : 0;
}
__global__ void mandelbrot(int wide, int high, int most, int* out) {
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x >= wide || y >= high) return;
    const float a = -2.0f + 3.0f * x / wide, b = -1.5f + 3.0f * y / high;
    float u = 0, v = 0;
    int turn = 0;
    for (; turn < most && u * u + v * v <= 4.0f; ++turn) {
        const float next = u * u - v * v + a;
        v = 2.0f * u * v + b;
        u = next;
    }
    out[y * wide + x] = turn;
}
__global__ void ripple(int edge, int ticks, uchar4* out) {
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    const float u = x - edge / 2, v = y - edge / 2, d = sqrtf(u * u + v * v);
    const unsigned char grey =
        (unsigned char)(128.0f + 127.0f * cosf(d / 10.0f - ticks / 7.0f) / (d / 10.0f + 1.0f));
    out[y * edge + x] = make_uchar4(grey, grey, grey, 255);
}
__constant__ float4 spheres[20];  // x, y, z, radius
__global__ void trace_spheres(int edge, unsigned char* out) {
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    float nearest = -1e30f, shade = 0;
    for (int i = 0; i < 20; ++i) {
        const float4 ball = spheres[i];
        const float u = x - edge / 2 - ball.x, v = y - edge / 2 - ball.y;
        if (u * u + v * v >= ball.w * ball.w) continue;
        const float high = sqrtf(ball.w * ball.w - u * u - v * v), z = high + ball.z;
        if (z <= nearest) continue;
        nearest = z;
        shade = high / ball.w;
    }
    out[y * edge + x] = (unsigned char)(shade * 255.0f);
}

inline void picture_launches(Launches& run) {
    const auto& numbers = run.numbers;
    const auto& bytes = run.bytes;
    const auto& places = run.places;
    const int n = kElements, wide = kEdge - 96, high = kEdge / 2 - 40;
    const dim3 sixteen(16, 16), flat(32, 8);
    const dim3 tiles(blocks_for(wide, 16), blocks_for(high, 16));
    std::vector<float> taps(64);
    for (int i = 0; i < 64; ++i) taps[i] = 0.04f - 0.0005f * i;
    cudaMemcpyToSymbol(mask, taps.data(), taps.size() * sizeof(float));

    const int pixels = n / 4 - 3;
    if (run.wanted())
        sepia<<<blocks_for(pixels, 256), 256>>>(pixels, (uchar4*)run.in, (uchar4*)run.out);
    run.checked("sepia", run.out, 4 * pixels, 1, 1, [&](int i) {
        const double by[3][3] = {
            {0.393, 0.769, 0.189}, {0.349, 0.686, 0.168}, {0.272, 0.534, 0.131}};
        if (i % 4 == 3) return double(bytes[i]);
        double sum = 0;
        for (int k = 0; k < 3; ++k) sum += by[i % 4][k] * bytes[i / 4 * 4 + k];
        return std::floor(std::min(sum, 255.0));
    });

    if (run.wanted()) apply_table<<<blocks_for(n - 7, 512), 512>>>(n - 7, run.p, run.in, run.out);
    run.checked("apply_table", run.out, n - 7, 1, 0,
                [&](int i) { return (unsigned char)places[bytes[i]]; });

    if (run.wanted()) median_3x3<<<tiles, sixteen>>>(wide, high, run.x, run.y);
    run.checked("median_3x3", run.y, wide * high, 7, 0, [&](int i) {
        const int row = i / wide, column = i % wide;
        if (row < 1 || column < 1 || row >= high - 1 || column >= wide - 1) return run.others[i];
        float near[9];
        for (int k = 0; k < 9; ++k) near[k] = numbers[i + (k / 3 - 1) * wide + k % 3 - 1];
        std::nth_element(near, near + 4, near + 9);
        return near[4];
    });

    if (run.wanted()) convolve_tiled_5x5<<<tiles, sixteen>>>(wide, high, run.x, run.y);
    run.checked("convolve_tiled_5x5", run.y, wide * high, 3, 1e-5, [&](int i) {
        double sum = 0;
        for (int k = 0; k < 25; ++k) {
            const int row = i / wide + k / 5 - 2, column = i % wide + k % 5 - 2;
            if (row >= 0 && row < high && column >= 0 && column < wide)
                sum += double(taps[k]) * numbers[row * wide + column];
        }
        return sum;
    });

    const int signal = n / 2 - 19, of_mask = 31;
    if (run.wanted()) convolve_1d<<<blocks_for(signal, 256), 256>>>(signal, of_mask, run.x, run.y);
    run.checked("convolve_1d", run.y, signal, 3, 1e-5, [&](int i) {
        double sum = 0;
        for (int k = std::max(0, 15 - i); k < of_mask && i - 15 + k < signal; ++k)
            sum += double(taps[k]) * numbers[i - 15 + k];
        return sum;
    });

    const int edge = kEdge / 2;
    const dim3 of_edge(edge / 16, edge / 16);
    if (run.wanted()) rotate<<<of_edge, sixteen>>>(edge, 0.8f, 0.6f, run.x, run.y);
    run.checked(
        "rotate", run.y, edge * edge, 1, 0,
        [&](int i) {
            const int u = i % edge - edge / 2, v = i / edge - edge / 2;
            const double by_x = (8 * u + 6 * v) / 10.0, by_y = (8 * v - 6 * u) / 10.0;
            const int x = edge / 2 + int(std::floor(by_x + 0.5)),
                      y = edge / 2 + int(std::floor(by_y + 0.5));
            return x >= 0 && y >= 0 && x < edge && y < edge ? numbers[y * edge + x] : 0;
        },
        edge * edge / 8);  // a tenth lies half way between two pixels

    const int channel = kEdge / 4, pooled = channel / 2 - 1;
    if (run.wanted())
        max_pool_3x3<<<dim3(blocks_for(pooled, 32), blocks_for(pooled, 8), 16), flat>>>(
            channel, pooled, run.x, run.y);
    run.checked("max_pool_3x3", run.y, 16 * pooled * pooled, 1, 0, [&](int i) {
        const int first = i / (pooled * pooled) * channel * channel;
        const int row = i / pooled % pooled * 2, column = i % pooled * 2;
        float most = -1;
        for (int k = 0; k < 9; ++k)
            most = std::max(most, numbers[first + (row + k / 3) * channel + column + k % 3]);
        return most;
    });

    if (run.wanted())
        bilateral_5x5<<<dim3(channel / 16, channel / 16), sixteen>>>(channel, 8.0f, run.x, run.y);
    run.checked("bilateral_5x5", run.y, channel * channel, 3, 1e-5, [&](int i) {
        const int row = i / channel, column = i % channel;
        if (std::min(row, column) < 2 || std::max(row, column) >= channel - 2)
            return double(run.others[i]);
        double sum = 0, weights = 0;
        for (int k = 0; k < 25; ++k) {
            const int v = k / 5 - 2, u = k % 5 - 2;
            const double other = numbers[i + v * channel + u], d = other - numbers[i];
            const double weight = std::exp(-0.125 * (u * u + v * v) - 8 * d * d);
            sum += weight * other;
            weights += weight;
        }
        return sum / weights;
    });
}

inline void stencil_launches(Launches& run) {
    const auto &numbers = run.numbers, &others = run.others;
    const auto& places = run.places;
    const int edge = kEdge / 4;
    const dim3 sixteen(16, 16), flat(32, 8), of_edge(edge / 16, edge / 16);

    if (run.wanted())
        heat_of_doubles<<<dim3(edge / 32, edge / 8), flat>>>(edge, 0.1, run.dx, run.dy);
    run.checked("heat_of_doubles", run.dy, edge * edge, 1, 1e-13, [&](int i) {
        const auto& u = run.doubles;
        if (i < edge || i >= edge * edge - edge || i % edge == 0 || i % edge == edge - 1)
            return u[i];
        return u[i] + 0.1 * (u[i - 1] + u[i + 1] + u[i - edge] + u[i + edge] - 4 * u[i]);
    });

    const int pool = kEdge - 88;
    if (run.wanted())
        wave_step<<<dim3(blocks_for(pool, 32), blocks_for(pool, 8)), flat>>>(pool, 0.25f, run.x,
                                                                             run.y);
    run.checked("wave_step", run.y, pool * pool, 1, 1e-5, [&](int i) {
        const auto& u = numbers;
        if (i < pool || i >= pool * pool - pool || i % pool == 0 || i % pool == pool - 1)
            return double(others[i]);
        return 2.0 * u[i] - others[i] +
               0.25 * (double(u[i - 1]) + u[i + 1] + u[i - pool] + u[i + pool] - 4.0 * u[i]);
    });

    const int cube = kEdge / 20 - 4, blocks = blocks_for(cube, 6);
    if (run.wanted())
        stencil_3d_tile<<<dim3(blocks, blocks, blocks), dim3(8, 8, 8)>>>(cube, run.x, run.y);
    run.checked("stencil_3d_tile", run.y, cube * cube * cube, 1, 1e-5, [&](int i) {
        const int at[3] = {i % cube, i / cube % cube, i / cube / cube};
        for (int axis : at)
            if (axis == 0 || axis == cube - 1) return double(others[i]);
        double sum = 0;
        for (int step : {1, cube, cube * cube})
            sum += double(numbers[i - step]) + numbers[i + step];
        return 0.4 * numbers[i] + 0.1 * sum;
    });

    const int world = kEdge / 2 - 8;
    if (run.wanted())
        life_of_integers<<<dim3(blocks_for(world, 16), blocks_for(world, 16)), sixteen>>>(
            world, (int*)run.p, (int*)run.q);
    run.checked("life_of_integers", run.q, world * world, 1, 0, [&](int i) {
        int count = 0;
        for (int k = 0; k < 9; ++k)
            if (k != 4)
                count += places[(i / world + k / 3 - 1 + world) % world * world +
                                (i + k % 3 - 1 + world) % world] %
                         2;
        return count == 3 || (count == 2 && places[i] % 2 == 1) ? 1 : 0;
    });

    if (run.wanted()) mandelbrot<<<of_edge, sixteen>>>(edge, edge, 200, (int*)run.q);
    run.checked(
        "mandelbrot", run.q, edge * edge, 1, 0,
        [&](int i) {
            const float a = -2.0f + 3.0f * (i % edge) / edge, b = -1.5f + 3.0f * (i / edge) / edge;
            float u = 0, v = 0;
            int turn = 0;
            for (; turn < 200 && u * u + v * v <= 4.0f; ++turn) {
                const float next = u * u - v * v + a;
                v = 2.0f * u * v + b;
                u = next;
            }
            return turn;
        },
        edge * edge / 50);

    if (run.wanted()) ripple<<<of_edge, sixteen>>>(edge, 33, (uchar4*)run.out);
    run.checked("ripple", run.out, 4 * edge * edge, 4, 1, [&](int i) {
        const double d = std::hypot(i / 4 % edge - edge / 2, i / 4 / edge - edge / 2);
        return std::floor(128 + 127 * std::cos(d / 10 - 33 / 7.0) / (d / 10 + 1));
    });

    std::vector<float4> balls(20);
    for (int i = 0; i < 20; ++i)
        balls[i] = {(numbers[4 * i] - 0.5f) * edge, (numbers[4 * i + 1] - 0.5f) * edge,
                    (numbers[4 * i + 2] - 0.5f) * edge, (0.05f + 0.1f * numbers[4 * i + 3]) * edge};
    cudaMemcpyToSymbol(spheres, balls.data(), balls.size() * sizeof(float4));
    if (run.wanted()) trace_spheres<<<of_edge, sixteen>>>(edge, run.out);
    run.checked(
        "trace_spheres", run.out, edge * edge, 1, 1,
        [&](int i) {
            double nearest = -1e30, shade = 0;
            for (const float4& ball : balls) {
                const double u = i % edge - edge / 2 - double(ball.x);
                const double v = i / edge - edge / 2 - double(ball.y);
                const double square = double(ball.w) * ball.w - u * u - v * v;
                if (square <= 0 || std::sqrt(square) + ball.z <= nearest) continue;
                nearest = std::sqrt(square) + ball.z;
                shade = std::sqrt(square) / ball.w;
            }
            return std::floor(shade * 255);
        },
        edge * edge / 1000);
}

#pragma once
// Pictures, steps of simulations on grids.
#include "blind_launches.cuh"

__global__ void brighten(int wide, int high, int by, const uchar4* in, uchar4* out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= wide || y >= high) return;
    uchar4 c = in[y * wide + x];
    c.x = min(c.x + by, 255);
    c.y = min(c.y + by, 255);
    c.z = min(c.z + by, 255);
    out[y * wide + x] = c;
}
__global__ void grey_of_planes(int n, const unsigned char* rgb, unsigned char* grey) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) grey[i] = (77 * rgb[i] + 150 * rgb[n + i] + 29 * rgb[2 * n + i]) >> 8;
}
__global__ void mirror(int wide, const uchar3* in, uchar3* out) {  // a row a block
    for (int x = threadIdx.x; x < wide; x += blockDim.x)
        out[blockIdx.x * wide + wide - 1 - x] = in[blockIdx.x * wide + x];
}
__global__ void rotate_smoothly(int edge, float cosine, float sine, const float* in, float* out) {
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x >= edge || y >= edge) return;
    const float u = x - 0.5f * edge, v = y - 0.5f * edge;
    const float from_x = cosine * u - sine * v + 0.5f * edge;
    const float from_y = sine * u + cosine * v + 0.5f * edge;
    const int left = (int)floorf(from_x), top = (int)floorf(from_y);
    float value = 0;
    if (left >= 0 && top >= 0 && left < edge - 1 && top < edge - 1) {
        const float* at = in + top * edge + left;
        const float right = from_x - left, down = from_y - top;
        value = (1 - down) * ((1 - right) * at[0] + right * at[1]) +
                down * ((1 - right) * at[edge] + right * at[edge + 1]);
    }
    out[y * edge + x] = value;
}
__global__ void prewitt_walk(int wide, int high, const float* in, float* out) {  // 16 rows a thread
    const int x = blockIdx.x * blockDim.x + threadIdx.x + 1, first = blockIdx.y * 16 + 1;
    if (x >= wide - 1) return;
    float across[3], sum[3];
    for (int i = 0; i < 18; ++i) {
        const int y = first - 1 + i;
        if (y >= high) return;
        const float *row = in + y * wide + x, a = row[-1], b = row[0], c = row[1];
        across[0] = across[1], across[1] = across[2], across[2] = c - a;
        sum[0] = sum[1], sum[1] = sum[2], sum[2] = a + b + c;
        if (i < 2) continue;
        const float u = across[0] + across[1] + across[2], v = sum[2] - sum[0];
        out[(y - 1) * wide + x] = sqrtf(u * u + v * v);
    }
}
__global__ void erode_7x7(int wide, int high, const unsigned char* in, unsigned char* out) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    if (x >= wide || y >= high) return;
    int least = 255;
    for (int v = max(y - 3, 0); v <= min(y + 3, high - 1); ++v)
        for (int u = max(x - 3, 0); u <= min(x + 3, wide - 1); ++u)
            least = min(least, (int)in[v * wide + u]);
    out[y * wide + x] = least;
}
__global__ void shrink_4x4(int wide, const float4* in, float* out) {  // the mean of 4 x 4
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= wide) return;
    float sum = 0;
    for (int v = 0; v < 4; ++v) {
        const float4 four = in[(4 * y + v) * wide + x];
        sum += four.x + four.y + four.z + four.w;
    }
    out[y * wide + x] = sum * 0.0625f;
}
__global__ void count_bright(int n, int least, const unsigned char* in, int* counts) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int count = __syncthreads_count(i < n && in[i] >= least);
    if (threadIdx.x == 0) counts[blockIdx.x] = count;
}
__host__ __device__ inline int julia_turns(double a, double b, int most) {
    int turn = 0;
    for (; turn < most && a * a + b * b < 4.0; ++turn) {
        const double next = a * a - b * b - 0.8;
        b = 2.0 * a * b + 0.156;
        a = next;
    }
    return turn;
}
__global__ void julia_of_doubles(int wide, int high, int most, unsigned char* out) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < wide && y < high)
        out[y * wide + x] = julia_turns(3.0 * x / wide - 1.5, 2.0 * y / high - 1.0, most);
}
__global__ void life_of_rows(int edge, const unsigned char* in, unsigned char* out) {  // 8 a thread
    const int x = blockIdx.x * blockDim.x + threadIdx.x, first = blockIdx.y * 8;
    if (x < 1 || x >= edge - 1) return;
    for (int y = max(first, 1); y < min(first + 8, edge - 1); ++y) {
        int near = 0;
        for (int v = -1; v <= 1; ++v)
            for (int u = -1; u <= 1; ++u) near += in[(y + v) * edge + x + u] & 1;
        const int own = in[y * edge + x] & 1;
        out[y * edge + x] = near == 3 || (own && near == 4);
    }
}
__global__ void jacobi_plain(int edge, const float* u, const float* f, float* next) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row == 0 || column == 0 || row >= edge - 1 || column >= edge - 1) return;
    const int i = row * edge + column;
    next[i] = 0.25f * (u[i - 1] + u[i + 1] + u[i - edge] + u[i + edge] - f[i]);
}
__global__ void jacobi_shared(int edge, const float* u, const float* f, float* next) {
    __shared__ float tile[10][34];
    const int x = threadIdx.x + 1, y = threadIdx.y + 1;
    const int column = blockIdx.x * 32 + x, row = blockIdx.y * 8 + y, i = row * edge + column;
    if (column < edge && row < edge) {
        tile[y][x] = u[i];
        if (x == 1) tile[y][0] = u[i - 1];
        if (x == 32 && column + 1 < edge) tile[y][33] = u[i + 1];
        if (y == 1) tile[0][x] = u[i - edge];
        if (y == 8 && row + 1 < edge) tile[9][x] = u[i + edge];
    }
    __syncthreads();
    if (column >= edge - 1 || row >= edge - 1) return;
    next[i] = 0.25f * (tile[y][x - 1] + tile[y][x + 1] + tile[y - 1][x] + tile[y + 1][x] - f[i]);
}
__global__ void jacobi_3d(int edge, const float* u, const float* f, float* next) {
    const int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    const int z = blockIdx.z * 4 + threadIdx.z, plane = edge * edge;
    if (x < 1 || y < 1 || z < 1 || x >= edge - 1 || y >= edge - 1 || z >= edge - 1) return;
    const int i = z * plane + y * edge + x;
    next[i] =
        (u[i - 1] + u[i + 1] + u[i - edge] + u[i + edge] + u[i - plane] + u[i + plane] - f[i]) /
        6.0f;
}
__global__ void relax_red(int edge, int colour, float weight, float* u) {  // in place
    const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    if (row < 1 || column < 1 || row >= edge - 1 || column >= edge - 1) return;
    if ((row + column) % 2 != colour) return;
    const int i = row * edge + column;
    const float mean = 0.25f * (u[i - 1] + u[i + 1] + u[i - edge] + u[i + edge]);
    u[i] += weight * (mean - u[i]);
}
__global__ void heat_of_four(int fours, int high, float by, const float4* in, float4* out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y + 1;
    if (x >= fours || y >= high - 1) return;
    const int i = y * fours + x;
    const float4 own = in[i], up = in[i - fours], down = in[i + fours];
    const float left = x > 0 ? in[i - 1].w : own.x, right = x < fours - 1 ? in[i + 1].x : own.w;
    float4 next;
    next.x = own.x + by * (left + own.y + up.x + down.x - 4 * own.x);
    next.y = own.y + by * (own.x + own.z + up.y + down.y - 4 * own.y);
    next.z = own.z + by * (own.y + own.w + up.z + down.z - 4 * own.z);
    next.w = own.w + by * (own.z + right + up.w + down.w - 4 * own.w);
    out[i] = next;
}
__global__ void heat_of_rods(int steps, float by, const float* in, float* out) {  // a rod a block
    __shared__ float rod[256];
    const int t = threadIdx.x;
    rod[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int step = 0; step < steps; ++step) {
        float next = rod[t];
        if (t > 0 && t < 255) next += by * (rod[t - 1] - 2 * rod[t] + rod[t + 1]);
        __syncthreads();
        rod[t] = next;
        __syncthreads();
    }
    out[blockIdx.x * 256 + t] = rod[t];
}

inline void grid_launches(Launches& run) {
    const auto &numbers = run.numbers, &others = run.others;
    const auto& bytes = run.bytes;
    const int n = kElements;
    const dim3 sixteen(16, 16), flat(32, 8);
    const auto blocks = [](int wide, int high, dim3 size) {
        return dim3(blocks_for(wide, size.x), blocks_for(high, size.y));
    };
    const auto inside = [](int i, int wide, int high) {
        return i >= wide && i < wide * (high - 1) && i % wide > 0 && i % wide < wide - 1;
    };

    const int wide = kEdge / 2 - 75, high = kEdge / 4 + 5;
    if (run.wanted())
        brighten<<<blocks(wide, high, sixteen), sixteen>>>(wide, high, 60, (uchar4*)run.in,
                                                           (uchar4*)run.out);
    run.checked("brighten", run.out, 4 * wide * high, 1, 0,
                [&](int i) { return i % 4 == 3 ? bytes[i] : std::min(bytes[i] + 60, 255); });

    const int plane = n / 4 - 33;
    if (run.wanted()) grey_of_planes<<<blocks_for(plane, 256), 256>>>(plane, run.in, run.out);
    run.checked("grey_of_planes", run.out, plane, 1, 0, [&](int i) {
        return (77 * bytes[i] + 150 * bytes[plane + i] + 29 * bytes[2 * plane + i]) / 256;
    });

    const int mirrored = kEdge / 4 - 10;
    if (run.wanted()) mirror<<<kEdge / 2, 256>>>(mirrored, (uchar3*)run.in, (uchar3*)run.out);
    run.checked("mirror", run.out, 3 * mirrored * (kEdge / 2), 1, 0, [&](int i) {
        const int row = i / 3 / mirrored, x = i / 3 % mirrored;
        return bytes[3 * (row * mirrored + mirrored - 1 - x) + i % 3];
    });

    const int edge = kEdge / 2 - 20;
    if (run.wanted())
        rotate_smoothly<<<blocks(edge, edge, sixteen), sixteen>>>(edge, 0.96f, 0.28f, run.x, run.y);
    run.checked(
        "rotate_smoothly", run.y, edge * edge, 1, 2e-3,
        [&](int i) {
            const double u = i % edge - 0.5 * edge, v = i / edge - 0.5 * edge;
            const double x = 0.96 * u - 0.28 * v + 0.5 * edge, y = 0.28 * u + 0.96 * v + 0.5 * edge;
            const int left = int(std::floor(x)), top = int(std::floor(y));
            if (left < 0 || top < 0 || left >= edge - 1 || top >= edge - 1) return 0.0;
            const float* at = numbers.data() + top * edge + left;
            const double right = x - left, down = y - top;
            return (1 - down) * ((1 - right) * at[0] + right * at[1]) +
                   down * ((1 - right) * at[edge] + right * at[edge + 1]);
        },
        edge);  // at the borders

    if (run.wanted())
        prewitt_walk<<<dim3(blocks_for(edge - 2, 128), blocks_for(edge - 2, 16)), 128>>>(
            edge, edge, run.x, run.y);
    run.checked("prewitt_walk", run.y, edge * edge, 1, 1e-5, [&](int i) {
        if (!inside(i, edge, edge)) return double(others[i]);
        double u = 0, v = 0;
        for (int k = -1; k <= 1; ++k) {
            u += double(numbers[i + k * edge + 1]) - numbers[i + k * edge - 1];
            v += double(numbers[i + edge + k]) - numbers[i - edge + k];
        }
        return std::hypot(u, v);
    });

    if (run.wanted())
        erode_7x7<<<blocks(wide, high, dim3(32, 4)), dim3(32, 4)>>>(wide, high, run.in, run.out);
    run.checked("erode_7x7", run.out, wide * high, 3, 0, [&](int i) {
        int least = 255;
        for (int k = 0; k < 49; ++k) {
            const int x = i % wide + k % 7 - 3, y = i / wide + k / 7 - 3;
            if (x >= 0 && y >= 0 && x < wide && y < high)
                least = std::min<int>(least, bytes[y * wide + x]);
        }
        return least;
    });

    const int shrunk = kEdge / 4;
    if (run.wanted())
        shrink_4x4<<<dim3(blocks_for(shrunk, 256), shrunk), 256>>>(shrunk, (float4*)run.x, run.y);
    run.checked("shrink_4x4", run.y, shrunk * shrunk, 1, 1e-6, [&](int i) {
        double sum = 0;
        for (int k = 0; k < 16; ++k)
            sum += numbers[(i / shrunk * 4 + k / 4) * kEdge + i % shrunk * 4 + k % 4];
        return sum / 16;
    });

    const int counted = n / 2 - 100;
    if (run.wanted())
        count_bright<<<blocks_for(counted, 512), 512>>>(counted, 200, run.in, (int*)run.q);
    run.checked("count_bright", (int*)run.q, blocks_for(counted, 512), 1, 0, [&](int block) {
        int count = 0;
        for (int i = block * 512; i < std::min(counted, block * 512 + 512); ++i)
            count += bytes[i] >= 200;
        return count;
    });

    if (run.wanted())
        julia_of_doubles<<<blocks(1000, kEdge / 8, flat), flat>>>(1000, kEdge / 8, 100, run.out);
    run.checked(
        "julia_of_doubles", run.out, 1000 * (kEdge / 8), 1, 0,
        [&](int i) {
            return julia_turns(3.0 * (i % 1000) / 1000 - 1.5, 2.0 * (i / 1000) / (kEdge / 8) - 1,
                               100);
        },
        10 * (kEdge / 8));

    if (run.wanted())
        life_of_rows<<<dim3(blocks_for(edge, 128), blocks_for(edge, 8)), 128>>>(edge, run.in,
                                                                                run.out);
    run.checked("life_of_rows", run.out, edge * edge, 1, 0, [&](int i) {
        if (!inside(i, edge, edge)) return int(bytes[i]);
        int near = 0;
        for (int k = 0; k < 9; ++k)
            if (k != 4) near += bytes[i + (k / 3 - 1) * edge + k % 3 - 1] % 2;
        return near == 3 || (near == 2 && bytes[i] % 2 == 1) ? 1 : 0;
    });

    const auto relaxed = [&](int i) {
        if (!inside(i, edge, edge)) return double(others[i]);
        return 0.25 * (double(numbers[i - 1]) + numbers[i + 1] + numbers[i - edge] +
                       numbers[i + edge] - numbers[n / 2 + i]);
    };
    if (run.wanted())
        jacobi_plain<<<blocks(edge, edge, sixteen), sixteen>>>(edge, run.x, run.x + n / 2, run.y);
    run.checked("jacobi_plain", run.y, edge * edge, 1, 1e-6, relaxed);

    if (run.wanted())
        jacobi_shared<<<blocks(edge - 2, edge - 2, flat), flat>>>(edge, run.x, run.x + n / 2,
                                                                  run.y);
    run.checked("jacobi_shared", run.y, edge * edge, 1, 1e-6, relaxed);

    const int cube = kEdge / 32 + 10;
    if (run.wanted())
        jacobi_3d<<<dim3(blocks_for(cube, 8), blocks_for(cube, 8), blocks_for(cube, 4)),
                    dim3(8, 8, 4)>>>(cube, run.x, run.x + n / 2, run.y);
    run.checked("jacobi_3d", run.y, cube * cube * cube, 1, 1e-6, [&](int i) {
        for (int at : {i % cube, i / cube % cube, i / cube / cube})
            if (at == 0 || at == cube - 1) return double(others[i]);
        double sum = -numbers[n / 2 + i];
        for (int step : {1, cube, cube * cube})
            sum += double(numbers[i - step]) + numbers[i + step];
        return sum / 6;
    });

    if (run.wanted()) relax_red<<<blocks(edge, edge, flat), flat>>>(edge, 1, 1.5f, run.y);
    run.checked("relax_red", run.y, edge * edge, 1, 1e-6, [&](int i) {
        if (!inside(i, edge, edge) || (i / edge + i % edge) % 2 != 1) return double(others[i]);
        const double mean =
            0.25 * (double(others[i - 1]) + others[i + 1] + others[i - edge] + others[i + edge]);
        return others[i] + 1.5 * (mean - others[i]);
    });

    const int fours = kEdge / 4 - 3, of_row = 4 * fours, rows = kEdge - 40;
    if (run.wanted())
        heat_of_four<<<dim3(blocks_for(fours, 128), rows - 2), 128>>>(
            fours, rows, 0.2f, (float4*)run.x, (float4*)run.y);
    run.checked("heat_of_four", run.y, of_row * rows, 1, 1e-6, [&](int i) {
        if (i < of_row || i >= of_row * (rows - 1)) return double(others[i]);
        const double own = numbers[i];
        const double left = i % of_row > 0 ? numbers[i - 1] : own;
        const double right = i % of_row < of_row - 1 ? numbers[i + 1] : own;
        return own + 0.2 * (left + right + numbers[i - of_row] + numbers[i + of_row] - 4 * own);
    });

    std::vector<double> rod(256), next(256);
    if (run.wanted()) heat_of_rods<<<kEdge / 4, 256>>>(64, 0.25f, run.x, run.y);
    run.checked("heat_of_rods", run.y, kEdge * 64, 1, 1e-5, [&](int i) {
        if (i % 256 == 0) {
            std::copy_n(numbers.begin() + i, 256, next.begin());
            for (int step = 0; step < 64; ++step) {
                rod = next;
                for (int t = 1; t < 255; ++t)
                    next[t] += 0.25 * (rod[t - 1] - 2 * rod[t] + rod[t + 1]);
            }
        }
        return next[i % 256];
    });
}

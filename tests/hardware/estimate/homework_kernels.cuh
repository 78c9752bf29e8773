#pragma once
// Kernels as homework asks for them, and as it is handed in.
#include "blind_launches.cuh"

__global__ void leaky_relu(int n, float slope, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] > 0.5f ? x[i] : slope * x[i];
}
__global__ void brighten(int n, int by, const unsigned char* in, unsigned char* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = min(255, in[i] + by);
}
__global__ void count_bits(int n, const unsigned* words, unsigned* total) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int bits = i < n ? __popc(words[i]) : 0;
    for (int half = 16; half > 0; half /= 2) bits += __shfl_xor_sync(kAll, bits, half);
    if (threadIdx.x % 32 == 0) atomicAdd(total, bits);
}
__global__ void largest_of_key_rows(int columns, const unsigned* keys, unsigned* largest) {  // 128
    __shared__ unsigned best[128];
    const unsigned* row = keys + size_t(blockIdx.x) * columns;
    unsigned most = 0;
    for (int i = threadIdx.x; i < columns; i += 128)
        if (row[i] > most) most = row[i];
    best[threadIdx.x] = most;
    for (int half = 64; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half && best[threadIdx.x + half] > best[threadIdx.x])
            best[threadIdx.x] = best[threadIdx.x + half];
    }
    if (threadIdx.x == 0) largest[blockIdx.x] = best[0];
}
__global__ void norm_of_rows(int columns, const float* x, float* norm) {  // a thread a row
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int i = 0; i < columns; ++i) {
        const float value = x[row * columns + i];
        sum += value * value;
    }
    norm[row] = sqrtf(sum);
}
__global__ void running_maximum(int length, const float* x, float* y) {  // a thread a piece
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * length;
    float most = -1;
    for (int i = 0; i < length; ++i) {
        most = fmaxf(most, x[first + i]);
        y[first + i] = most;
    }
}
__global__ void scan_hillis_steele(const unsigned* in, unsigned* out) {  // 1,024 a block
    __shared__ unsigned sums[2][1024];
    const int t = threadIdx.x, first = blockIdx.x * 1024;
    int from = 0;
    sums[0][t] = in[first + t];
    __syncthreads();
    for (int apart = 1; apart < 1024; apart *= 2) {
        sums[1 - from][t] = sums[from][t] + (t >= apart ? sums[from][t - apart] : 0);
        from = 1 - from;
        __syncthreads();
    }
    out[first + t] = sums[from][t];
}
__global__ void red_black(int edge, int colour, float* u) {
    const int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x),
              y = blockIdx.y * blockDim.y + threadIdx.y;
    const int column = x + (y + colour) % 2, i = y * edge + column;
    if (column < 1 || y < 1 || column >= edge - 1 || y >= edge - 1) return;
    u[i] = 0.25f * (u[i - 1] + u[i + 1] + u[i - edge] + u[i + edge]);
}
__global__ void smooth_many_times(int times, const float* in, float* out) {  // 256 a block
    __shared__ float now[258], next[258];
    const int t = threadIdx.x + 1, first = blockIdx.x * 256 - 1;
    now[t] = in[first + t];
    if (t == 1) now[0] = next[0] = now[257] = next[257] = 0;
    for (int i = 0; i < times; ++i) {
        __syncthreads();
        next[t] = 0.25f * now[t - 1] + 0.5f * now[t] + 0.25f * now[t + 1];
        __syncthreads();
        now[t] = next[t];
    }
    out[first + t] = now[t];
}
__global__ void double_picture(int width, const unsigned char* in, unsigned char* out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * 2 * width + x] = in[y / 2 * width + x / 2];
}
__global__ void erode_5x5(int edge, const unsigned char* in, unsigned char* out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int least = 255;
    for (int j = -2; j <= 2; ++j)
        for (int i = -2; i <= 2; ++i) {
            const int row = min(max(y + j, 0), edge - 1), column = min(max(x + i, 0), edge - 1);
            least = min(least, (int)in[row * edge + column]);
        }
    out[y * edge + x] = least;
}
__global__ void pixels_of_planes(int n, const unsigned char* planes, unsigned char* pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int channel = 0; channel < 3; ++channel) pixels[3 * i + channel] = planes[channel * n + i];
}
__global__ void integral_of_rows(int columns, const unsigned* in, unsigned* out) {  // a warp a row
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    unsigned before = 0;
    for (int i = lane; i < columns; i += 32) {
        unsigned sum = in[row * columns + i];
        for (int apart = 1; apart < 32; apart *= 2) {
            const unsigned other = __shfl_up_sync(kAll, sum, apart);
            if (lane >= apart) sum += other;
        }
        out[row * columns + i] = before + sum;
        before += __shfl_sync(kAll, sum, 31);
    }
}
__global__ void outer_difference(int columns, const float* x, const float* y, float* out) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    out[blockIdx.y * columns + column] = x[blockIdx.y] - y[column];
}
__global__ void sums_of_triangle(int n, const float* a, float* sum) {  // a thread a row
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    float own = 0;
    for (int i = row; i < n; ++i) own += a[row * n + i];
    sum[row] = own;
}
__global__ void substitute_forward(int n, const float* l, const float* b, float* x) {  // one block
    extern __shared__ float solved[];
    for (int i = threadIdx.x; i < n; i += blockDim.x) solved[i] = b[i];
    for (int column = 0; column < n; ++column) {
        __syncthreads();
        const float value = solved[column] * 0.5f;
        for (int row = column + 1 + threadIdx.x; row < n; row += blockDim.x)
            solved[row] -= 0.001f * l[row * n + column] * value;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = solved[i] * 0.5f;
}
__global__ void gram_matrix(int rows, int columns, const float* x, float* g) {  // 16 x 16
    __shared__ float left[16][17], right[16][17];
    const int tx = threadIdx.x, ty = threadIdx.y;
    float sum = 0;
    for (int first = 0; first < rows; first += 16) {
        left[ty][tx] = x[(first + ty) * columns + blockIdx.y * 16 + tx];
        right[ty][tx] = x[(first + ty) * columns + blockIdx.x * 16 + tx];
        __syncthreads();
        for (int i = 0; i < 16; ++i) sum += left[i][ty] * right[i][tx];
        __syncthreads();
    }
    g[(blockIdx.y * 16 + ty) * columns + blockIdx.x * 16 + tx] = sum;
}
__constant__ float taps_31[31];
__global__ void filter_31(int n, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n - 31) return;
    float sum = 0;
    for (int tap = 0; tap < 31; ++tap) sum += taps_31[tap] * x[i + tap];
    y[i] = sum;
}
__global__ void multiply_complex(int n, const float2* x, const float2* y, float2* z) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float2 a = x[i], b = y[i];
    z[i] = make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
__global__ void hamming_distances(int words, const unsigned* texts, unsigned* distance) {
    const int text = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned own = 0;
    for (int i = 0; i < words; ++i) own += __popc(texts[text * words + i] ^ texts[i]);
    distance[text] = own;
}
__constant__ unsigned table_256[256];
__global__ void check_sums(int length, const unsigned char* text, unsigned* sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned own = ~0u;
    for (int k = 0; k < length; ++k) own = table_256[(own ^ text[i * length + k]) & 255] ^ own >> 8;
    sum[i] = ~own;
}
__global__ void roots_by_newton(int n, const double* x, double* root) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const double value = x[i] + 1;
    double guess = value;
    for (int k = 0; k < 8; ++k) guess = 0.5 * (guess + value / guess);
    root[i] = guess;
}
__global__ void sieve(int n, unsigned char* composite) {  // 4,096 numbers a block
    __shared__ unsigned char part[4096];
    const int first = blockIdx.x * 4096;
    for (int i = threadIdx.x; i < 4096; i += blockDim.x) part[i] = first + i < 2;
    __syncthreads();
    for (int factor = 2 + threadIdx.x; factor * factor <= n; factor += blockDim.x) {
        int at = max(factor * factor, (first + factor - 1) / factor * factor);
        for (; at < first + 4096; at += factor) part[at - first] = 1;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 4096; i += blockDim.x) composite[first + i] = part[i];
}
__global__ void gather_fours(int n, const unsigned* place, const float4* from, float4* to) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[place[i] % n];
}
__global__ void largest_of_groups(int n, const unsigned* keys, unsigned* largest) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicMax(&largest[i % 64], keys[i]);
}
__global__ void sums_of_bins(int n, const unsigned* keys, const float* x, float* sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&sum[keys[i] % 4096], x[i]);
}
__global__ void count_above(int n, float limit, const float* x, unsigned* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned above = __ballot_sync(kAll, i < n && x[i] > limit);
    if (threadIdx.x % 32 == 0) atomicAdd(count, __popc(above));
}
__global__ void add_halves(int n, const __half2* x, const __half2* y, __half2* z) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = __hadd2(x[i], y[i]);
}
__global__ void sum_by_one_block(int n, const float* x, float* sum) {  // 1,024
    __shared__ float own[1024];
    float mine = 0;
    for (int i = threadIdx.x; i < n; i += 1024) mine += x[i];
    own[threadIdx.x] = mine;
    for (int half = 512; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) own[threadIdx.x] += own[threadIdx.x + half];
    }
    if (threadIdx.x == 0) *sum = own[0];
}
__global__ void product_of_rows_and_tiles(int n, int k, const float* a, const float* b, float* c) {
    __shared__ float tile[8][32];  // of A; a block of 32 x 8 makes 8 rows and 32 columns
    const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    float sum = 0;
    for (int first = 0; first < k; first += 32) {
        tile[threadIdx.y][threadIdx.x] = a[row * k + first + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 32; ++i) sum += tile[threadIdx.y][i] * b[(first + i) * n + column];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
__global__ void product_of_wrong_index(int n, const float* a, const float* b, float* c) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x,
              column = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int i = 0; i < n; ++i) sum += a[row * n + i] * b[i * n + column];
    c[row * n + column] = sum;
}

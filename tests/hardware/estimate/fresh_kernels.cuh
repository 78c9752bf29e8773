#pragma once
// The kernels of fresh.cu.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

constexpr int kEdge = 4096, kElements = kEdge * kEdge;
constexpr int kWide = kEdge - 96, kHigh = kEdge / 4 * 3 - 72;  // 4000 x 3000, for tails
constexpr unsigned kAll = 0xffffffffu;

// Vectors.
__global__ void saxpy_integers(int n, int a, const int* x, int* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
__global__ void daxpy_grid_stride(int n, double a, const double* x, double* y) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = a * x[i] + y[i];
}

// Matrices.
__global__ void transpose_ragged(int rows, int columns, const float* in, float* out) {
    __shared__ float tile[16][17];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < columns && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * columns + x];
    __syncthreads();
    x = blockIdx.y * 16 + threadIdx.x;
    y = blockIdx.x * 16 + threadIdx.y;
    if (x < rows && y < columns) out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void vector_matrix(const float* x, const float* a, float* y) {  // 128 rows a block
    const int column = blockIdx.x * 128 + threadIdx.x, first = blockIdx.y * 128;
    float sum = 0;
    for (int row = first; row < first + 128; ++row) sum += x[row] * a[row * kEdge + column];
    atomicAdd(&y[column], sum);
}
__global__ void product_ragged(int m, int n, int k, const float* a, const float* b, float* c) {
    __shared__ float left[16][16], right[16][16];
    const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    float sum = 0;
    for (int first = 0; first < k; first += 16) {
        const int of_left = first + threadIdx.x, of_right = first + threadIdx.y;
        left[threadIdx.y][threadIdx.x] = row < m && of_left < k ? a[row * k + of_left] : 0;
        right[threadIdx.y][threadIdx.x] = column < n && of_right < k ? b[of_right * n + column] : 0;
        __syncthreads();
        for (int i = 0; i < 16; ++i) sum += left[threadIdx.y][i] * right[i][threadIdx.x];
        __syncthreads();
    }
    if (row < m && column < n) c[row * n + column] = sum;
}
__global__ void small_products(const float* a, const float* b, float* c) {  // 4 of 8 x 8 a block
    __shared__ float left[4][8][8], right[4][8][8];
    const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    const int i = (blockIdx.x * 4 + z) * 64 + y * 8 + x;
    left[z][y][x] = a[i];
    right[z][y][x] = b[i];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 8; ++k) sum += left[z][y][k] * right[z][k][x];
    c[i] = sum;
}
__global__ void eliminate(int edge, int pivot, float* a) {  // a step of Gauss
    const int column = pivot + 1 + blockIdx.x * 16 + threadIdx.x;
    const int row = pivot + 1 + blockIdx.y * 16 + threadIdx.y;
    if (row >= edge || column >= edge) return;
    const float by = a[row * edge + pivot] / a[pivot * edge + pivot];
    a[row * edge + column] -= by * a[pivot * edge + column];
}

// Pictures.
__global__ void grey_scale(int n, const uchar3* in, unsigned char* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const uchar3 c = in[i];
    out[i] = static_cast<unsigned char>(0.299f * c.x + 0.587f * c.y + 0.114f * c.z);
}
__global__ void box_blur(int wide, int high, const unsigned char* in,
                         unsigned char* out) {  // 5 x 5
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x >= wide || y >= high) return;
    int sum = 0, count = 0;
    for (int v = -2; v <= 2; ++v)
        for (int u = -2; u <= 2; ++u)
            if (x + u >= 0 && x + u < wide && y + v >= 0 && y + v < high) {
                sum += in[(y + v) * wide + x + u];
                ++count;
            }
    out[y * wide + x] = static_cast<unsigned char>(sum / count);
}
__global__ void sobel(const unsigned char* in, unsigned char* out) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x == 0 || y == 0 || x == kEdge - 1 || y == kEdge - 1) return;
    const unsigned char* p = in + y * kEdge + x;
    const float across =
        p[1 - kEdge] + 2.0f * p[1] + p[1 + kEdge] - p[-1 - kEdge] - 2.0f * p[-1] - p[-1 + kEdge];
    const float down = p[kEdge - 1] + 2.0f * p[kEdge] + p[kEdge + 1] - p[-kEdge - 1] -
                       2.0f * p[-kEdge] - p[-kEdge + 1];
    const float size = sqrtf(across * across + down * down);
    out[y * kEdge + x] = static_cast<unsigned char>(fminf(size, 255.0f));
}
__global__ void sobel_tiled(const unsigned char* in, unsigned char* out) {
    __shared__ int tile[18][18];
    const int x = blockIdx.x * 16, y = blockIdx.y * 16, u = threadIdx.x + 1, v = threadIdx.y + 1;
    for (int i = threadIdx.y * 16 + threadIdx.x; i < 18 * 18; i += 256) {
        const int row = min(max(y + i / 18 - 1, 0), kEdge - 1);
        const int column = min(max(x + i % 18 - 1, 0), kEdge - 1);
        tile[i / 18][i % 18] = in[row * kEdge + column];
    }
    __syncthreads();
    const int across = tile[v - 1][u + 1] + 2 * tile[v][u + 1] + tile[v + 1][u + 1] -
                       tile[v - 1][u - 1] - 2 * tile[v][u - 1] - tile[v + 1][u - 1];
    const int down = tile[v + 1][u - 1] + 2 * tile[v + 1][u] + tile[v + 1][u + 1] -
                     tile[v - 1][u - 1] - 2 * tile[v - 1][u] - tile[v - 1][u + 1];
    out[(y + v - 1) * kEdge + x + u - 1] =
        static_cast<unsigned char>(min(abs(across) + abs(down), 255));
}
__global__ void resize(int edge, int wide, int high, const float* in, float* out) {  // bilinear
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= wide || y >= high) return;
    const float u = fmaxf((x + 0.5f) * edge / wide - 0.5f, 0.0f);
    const float v = fmaxf((y + 0.5f) * edge / high - 0.5f, 0.0f);
    const int left = static_cast<int>(u), top = static_cast<int>(v);
    const int right = min(left + 1, edge - 1), bottom = min(top + 1, edge - 1);
    const float s = u - left, t = v - top;
    const float above = (1 - s) * in[top * edge + left] + s * in[top * edge + right];
    const float below = (1 - s) * in[bottom * edge + left] + s * in[bottom * edge + right];
    out[y * wide + x] = (1 - t) * above + t * below;
}
__constant__ float filters[16 * 27];
__global__ void convolve_channels(int edge, const float* in, float* out) {  // 3 x 3, from 3 to 16
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    const float* filter = filters + blockIdx.z * 27;
    float sum = 0;
    for (int channel = 0; channel < 3; ++channel)
        for (int v = 0; v < 3; ++v)
            for (int u = 0; u < 3; ++u) {
                const int row = y + v - 1, column = x + u - 1;
                if (row >= 0 && row < edge && column >= 0 && column < edge)
                    sum += filter[(channel * 3 + v) * 3 + u] *
                           in[(channel * edge + row) * edge + column];
            }
    out[(blockIdx.z * edge + y) * edge + x] = fmaxf(sum, 0.0f);
}

// Scans, reductions, histograms.
__global__ void scan_four(const uint4* in, uint4* out) {  // 1,024 a block, 4 neighbours a thread
    __shared__ unsigned of_warp[8];
    const int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    uint4 own = in[i];
    own.y += own.x;
    own.z += own.y;
    own.w += own.z;
    unsigned sum = own.w;
    for (int s = 1; s < 32; s *= 2) {
        const unsigned before = __shfl_up_sync(kAll, sum, s);
        if (lane >= s) sum += before;
    }
    if (lane == 31) of_warp[warp] = sum;
    __syncthreads();
    unsigned before = sum - own.w;
    for (int w = 0; w < warp; ++w) before += of_warp[w];
    out[i] = make_uint4(own.x + before, own.y + before, own.z + before, own.w + before);
}
__global__ void reduce_conflicts(const float* in, float* sums) {
    __shared__ float part[128];
    const int t = threadIdx.x;
    part[t] = in[blockIdx.x * 128 + t];
    __syncthreads();
    for (int s = 1; s < 128; s *= 2) {
        const int i = 2 * s * t;
        if (i < 128) part[i] += part[i + s];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = part[0];
}
__global__ void reduce_unrolled(int n, const unsigned* in, unsigned* total) {
    __shared__ unsigned part[512];
    const int t = threadIdx.x;
    unsigned sum = 0;
    for (int i = blockIdx.x * 1024 + t; i < n; i += gridDim.x * 1024) {
        sum += in[i];
        if (i + 512 < n) sum += in[i + 512];
    }
    part[t] = sum;
    __syncthreads();
    if (t < 256) part[t] += part[t + 256];
    __syncthreads();
    if (t < 128) part[t] += part[t + 128];
    __syncthreads();
    if (t < 64) part[t] += part[t + 64];
    __syncthreads();
    if (t >= 32) return;
    sum = part[t] + part[t + 32];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(kAll, sum, s);
    if (t == 0) atomicAdd(total, sum);
}
__global__ void histogram_bytes(int n, const uchar4* in, unsigned* bins) {
    __shared__ unsigned own[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) own[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const uchar4 four = in[i];
        atomicAdd(&own[four.x], 1u);
        atomicAdd(&own[four.y], 1u);
        atomicAdd(&own[four.z], 1u);
        atomicAdd(&own[four.w], 1u);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&bins[i], own[i]);
}
__global__ void count_letters(int n, const char* text, unsigned* counts) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const char letter = text[i];
    if (letter >= 'a' && letter <= 'z') atomicAdd(&counts[letter - 'a'], 1u);
}

// Stencils.
__global__ void stencil_27(int edge, const float* in, float* out) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    const int z = blockIdx.z * 2 + threadIdx.z;
    if (x < 1 || y < 1 || z < 1 || x >= edge - 1 || y >= edge - 1 || z >= edge - 1) return;
    const float weight[4] = {0.4f, 0.05f, 0.02f, 0.0075f};  // by how many axes differ
    float sum = 0;
#pragma unroll
    for (int w = -1; w <= 1; ++w)
#pragma unroll
        for (int v = -1; v <= 1; ++v)
#pragma unroll
            for (int u = -1; u <= 1; ++u)
                sum += weight[u * u + v * v + w * w] * in[((z + w) * edge + y + v) * edge + x + u];
    out[(z * edge + y) * edge + x] = sum;
}
__global__ void life_tiled(const unsigned char* in, unsigned char* out) {
    __shared__ unsigned char tile[18][34];
    const int x = blockIdx.x * 32, y = blockIdx.y * 16, u = threadIdx.x + 1, v = threadIdx.y + 1;
    for (int row = threadIdx.y; row < 18; row += 16)
        for (int column = threadIdx.x; column < 34; column += 32)
            tile[row][column] =
                in[((y + row - 1 + kEdge) % kEdge) * kEdge + (x + column - 1 + kEdge) % kEdge] & 1;
    __syncthreads();
    const int count = tile[v - 1][u - 1] + tile[v - 1][u] + tile[v - 1][u + 1] + tile[v][u - 1] +
                      tile[v][u + 1] + tile[v + 1][u - 1] + tile[v + 1][u] + tile[v + 1][u + 1];
    out[(y + v - 1) * kEdge + x + u - 1] = count == 3 || (count == 2 && tile[v][u]);
}

// Bodies, chance, clusters.
__global__ void gravity(int n, const float* x, const float* y, const float* z, const float* mass,
                        float* pull) {
    __shared__ float tx[128], ty[128], tz[128], tm[128];
    const int i = blockIdx.x * 128 + threadIdx.x, t = threadIdx.x;
    const float own_x = i < n ? x[i] : 0, own_y = i < n ? y[i] : 0, own_z = i < n ? z[i] : 0;
    float to_x = 0, to_y = 0, to_z = 0;
    for (int first = 0; first < n; first += 128) {
        const bool there = first + t < n;
        tx[t] = there ? x[first + t] : 0;
        ty[t] = there ? y[first + t] : 0;
        tz[t] = there ? z[first + t] : 0;
        tm[t] = there ? mass[first + t] : 0;
        __syncthreads();
        for (int j = 0; j < 128; ++j) {
            const float dx = tx[j] - own_x, dy = ty[j] - own_y, dz = tz[j] - own_z;
            const float square = dx * dx + dy * dy + dz * dz + 0.01f;
            const float weight = tm[j] / (square * sqrtf(square));
            to_x += weight * dx;
            to_y += weight * dy;
            to_z += weight * dz;
        }
        __syncthreads();
    }
    if (i >= n) return;
    pull[i] = to_x;
    pull[n + i] = to_y;
    pull[2 * n + i] = to_z;
}
__host__ __device__ inline unsigned next_of(unsigned& state) {
    return state = state * 1664525u + 1013904223u;
}
__global__ void darts(int trips, unsigned* hits) {  // pi by chance
    __shared__ unsigned of_block;
    if (threadIdx.x == 0) of_block = 0;
    __syncthreads();
    unsigned state = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 12345u, own = 0;
    for (int i = 0; i < trips; ++i) {
        const float x = static_cast<float>(next_of(state) >> 21) / 2048.0f;
        const float y = static_cast<float>(next_of(state) >> 21) / 2048.0f;
        if (x * x + y * y <= 1.0f) ++own;
    }
    atomicAdd(&of_block, own);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(hits, of_block);
}
__global__ void assign_clusters(int n, const float* x, const float* y, const float2* centre,
                                int* cluster) {
    __shared__ float2 centres[32];
    if (threadIdx.x < 32) centres[threadIdx.x] = centre[threadIdx.x];
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float own_x = x[i], own_y = y[i];
    float least = 1e30f;
    int best = 0;
    for (int k = 0; k < 32; ++k) {
        const float dx = own_x - centres[k].x, dy = own_y - centres[k].y;
        const float square = dx * dx + dy * dy;
        if (square < least) {
            least = square;
            best = k;
        }
    }
    cluster[i] = best;
}

// Rows of a network.
__device__ float sum_of_warp(float value) {
    for (int s = 16; s > 0; s /= 2) value += __shfl_xor_sync(kAll, value, s);
    return value;
}
__global__ void log_softmax(int columns, const float* in, float* out) {
    __shared__ float part[128];
    const float* row = in + blockIdx.x * columns;
    const int t = threadIdx.x;
    float most = -1e30f;
    for (int i = t; i < columns; i += 128) most = fmaxf(most, row[i]);
    part[t] = most;
    __syncthreads();
    for (int s = 64; s > 0; s /= 2) {
        if (t < s) part[t] = fmaxf(part[t], part[t + s]);
        __syncthreads();
    }
    most = part[0];
    __syncthreads();
    float sum = 0;
    for (int i = t; i < columns; i += 128) sum += expf(row[i] - most);
    part[t] = sum;
    __syncthreads();
    for (int s = 64; s > 0; s /= 2) {
        if (t < s) part[t] += part[t + s];
        __syncthreads();
    }
    const float off = most + logf(part[0]);
    for (int i = t; i < columns; i += 128) out[blockIdx.x * columns + i] = row[i] - off;
}
__global__ void norm_halves(const half2* in, const half2* scale, half2* out) {  // rows of 2,048
    __shared__ float of_warp[8];
    const half2* row = in + blockIdx.x * 1024;
    float sum = 0;
    for (int i = threadIdx.x; i < 1024; i += 256) {
        const float2 two = __half22float2(row[i]);
        sum += two.x * two.x + two.y * two.y;
    }
    sum = sum_of_warp(sum);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0;
    for (int i = 0; i < 8; ++i) sum += of_warp[i];
    const half2 by = __float2half2_rn(rsqrtf(sum / 2048 + 1e-5f));
    for (int i = threadIdx.x; i < 1024; i += 256)
        out[blockIdx.x * 1024 + i] = __hmul2(__hmul2(row[i], by), scale[i]);
}
__global__ void gate(int columns, const float* in, float* out) {  // each row: gates, then values
    const int column = blockIdx.x * 256 + threadIdx.x, row = blockIdx.y;
    const float by = in[row * 2 * columns + column];
    const float value = in[row * 2 * columns + columns + column];
    out[row * columns + column] = value * by / (1.0f + expf(-by));
}
__global__ void scores(const float* query, const float* key, float* out) {  // heads of 512 x 64
    __shared__ float q[16][65], k[16][65];
    const int from = blockIdx.z * 512, row = blockIdx.y * 16, column = blockIdx.x * 16;
    const int u = threadIdx.x, v = threadIdx.y;
    for (int i = u; i < 64; i += 16) {
        q[v][i] = query[(from + row + v) * 64 + i];
        k[v][i] = key[(from + column + v) * 64 + i];
    }
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < 64; ++i) sum += q[v][i] * k[u][i];
    out[(from + row + v) * 512 + column + u] = column + u > row + v ? -1e9f : sum * 0.125f;
}
__global__ void quantise_rows(const float4* in, char4* out, float* scale) {
    __shared__ float of_warp[8];
    const float4* row = in + blockIdx.x * (kEdge / 4);
    float most = 0;
    for (int i = threadIdx.x; i < kEdge / 4; i += 256) {
        const float4 four = row[i];
        most = fmaxf(
            most, fmaxf(fmaxf(fabsf(four.x), fabsf(four.y)), fmaxf(fabsf(four.z), fabsf(four.w))));
    }
    for (int s = 16; s > 0; s /= 2) most = fmaxf(most, __shfl_xor_sync(kAll, most, s));
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = most;
    __syncthreads();
    for (int i = 0; i < 8; ++i) most = fmaxf(most, of_warp[i]);
    const float by = 127 / most;
    if (threadIdx.x == 0) scale[blockIdx.x] = most / 127;
    for (int i = threadIdx.x; i < kEdge / 4; i += 256) {
        const float4 four = row[i];
        char4 small;
        small.x = static_cast<signed char>(rintf(four.x * by));
        small.y = static_cast<signed char>(rintf(four.y * by));
        small.z = static_cast<signed char>(rintf(four.z * by));
        small.w = static_cast<signed char>(rintf(four.w * by));
        out[blockIdx.x * (kEdge / 4) + i] = small;
    }
}

// Sparse rows, search, sort, scatter.
__global__ void sparse_by_eight(const int* begin, const int* column, const float* value,
                                const float* x, float* y) {  // 8 lanes a row
    const int row = (blockIdx.x * 128 + threadIdx.x) / 8, lane = threadIdx.x % 8;
    float sum = 0;
    for (int i = begin[row] + lane; i < begin[row + 1]; i += 8) sum += value[i] * x[column[i]];
    for (int s = 4; s > 0; s /= 2) sum += __shfl_down_sync(kAll, sum, s, 8);
    if (lane == 0) y[row] = sum;
}
__global__ void find_sorted(int n, int size, const unsigned* sorted, const unsigned* wanted,
                            unsigned* place) {  // the first that is not less
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const unsigned key = wanted[i];
    int low = 0, high = size;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (sorted[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    place[i] = low;
}
__global__ void bitonic_step(int size, int step, unsigned* keys) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ step;
    if (other <= i) return;
    const unsigned a = keys[i], b = keys[other];
    if ((a > b) == ((i & size) == 0)) {
        keys[i] = b;
        keys[other] = a;
    }
}
__global__ void scatter_add(int n, int size, const unsigned* place, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&y[place[i] % size], x[i]);
}

// Prices and waves.
__device__ float below(float d) {  // of a normal distribution
    const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    const float sum =
        k * (0.31938153f +
             k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    const float tail = 0.39894228f * expf(-0.5f * d * d) * sum;
    return d > 0 ? 1.0f - tail : tail;
}
__global__ void options(int n, const float* price, const float* strike, const float* years,
                        float* call, float* put) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float s = 5 + 25 * price[i], k = 1 + 99 * strike[i], t = 0.25f + 9.75f * years[i];
    const float rate = 0.02f, spread = 0.3f, root = sqrtf(t);
    const float d1 = (logf(s / k) + (rate + 0.5f * spread * spread) * t) / (spread * root);
    const float d2 = d1 - spread * root, now = k * expf(-rate * t);
    call[i] = s * below(d1) - now * below(d2);
    put[i] = now * below(-d2) - s * below(-d1);
}
__global__ void butterflies(int half_size, float2* wave) {  // a stage of a transform, radix 2
    const int i = blockIdx.x * blockDim.x + threadIdx.x, k = i % half_size;
    const int a = (i - k) * 2 + k, b = a + half_size;
    float sine, cosine;
    sincosf(-3.14159265f * k / half_size, &sine, &cosine);
    const float2 even = wave[a], odd = wave[b];
    const float2 turned = {odd.x * cosine - odd.y * sine, odd.x * sine + odd.y * cosine};
    wave[a] = {even.x + turned.x, even.y + turned.y};
    wave[b] = {even.x - turned.x, even.y - turned.y};
}

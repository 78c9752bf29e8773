// Launches that were set aside: no constant of the model was chosen by them, and none may be. Their
// times and pipes on a GPU say how far an estimate of a program that nobody has looked at can be
// trusted. Without an argument all run; with a number, only that one.
// tests/hardware/README.md says how they are measured.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kEdge = 4096, kElements = kEdge * kEdge;
constexpr unsigned kAll = 0xffffffffu;

// Transposes.
__global__ void transpose_by_rows(const float* in, float* out) {  // reads columns, writes rows
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    out[y * kEdge + x] = in[x * kEdge + y];
}
__global__ void transpose_swizzled(const float* in, float* out) {
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = threadIdx.y; j < 32; j += 8)
        tile[j][threadIdx.x ^ j] = in[(y - threadIdx.y + j) * kEdge + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32;
    for (int j = threadIdx.y; j < 32; j += 8)
        out[(y + j) * kEdge + x] = tile[threadIdx.x][j ^ threadIdx.x];
}
__global__ void transpose_bytes(const unsigned char* in, unsigned char* out) {
    __shared__ unsigned char tile[32][33];
    const int x = blockIdx.x * 32, y = blockIdx.y * 32;
    for (int j = threadIdx.y; j < 32; j += 8)
        tile[j][threadIdx.x] = in[(y + j) * kEdge + x + threadIdx.x];
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += 8)
        out[(x + j) * kEdge + y + threadIdx.x] = tile[threadIdx.x][j];
}

// Reductions.
__device__ float sum_of_block(float value) {
    __shared__ float of_warp[32];
    for (int s = 16; s > 0; s /= 2) value += __shfl_xor_sync(kAll, value, s);
    __syncthreads();
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < blockDim.x / 32; ++i) sum += of_warp[i];
    return sum;
}
__global__ void dot_product(int n, const float* x, const float* y, float* sums) {
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += x[i] * y[i];
    sum = sum_of_block(sum);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}
__global__ void reduce_vectors(const float4* in, float* sums) {  // 8 loads of 16 bytes a thread
    const float4* own = in + blockIdx.x * 2048 + threadIdx.x;
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        const float4 four = own[i * 256];
        sum += (four.x + four.y) + (four.z + four.w);
    }
    sum = sum_of_block(sum);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}
__global__ void largest_of_rows(const float* in, float* most, int* where) {
    const int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    float best = -1e30f;
    int place = 0;
    for (int i = lane; i < kEdge; i += 32) {
        const float value = in[row * kEdge + i];
        if (value > best) best = value, place = i;
    }
    for (int s = 16; s > 0; s /= 2) {
        const float other = __shfl_xor_sync(kAll, best, s);
        const int at = __shfl_xor_sync(kAll, place, s);
        if (other > best) best = other, place = at;
    }
    if (lane == 0) most[row] = best, where[row] = place;
}

// Scans.
__global__ void scan_shuffle(const float* in, float* out) {  // 1,024 a block
    __shared__ float of_warp[32];
    const int i = blockIdx.x * 1024 + threadIdx.x, lane = threadIdx.x % 32;
    float sum = in[i];
    for (int s = 1; s < 32; s *= 2) {
        const float before = __shfl_up_sync(kAll, sum, s);
        if (lane >= s) sum += before;
    }
    if (lane == 31) of_warp[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        float warps = of_warp[lane];
        for (int s = 1; s < 32; s *= 2) {
            const float before = __shfl_up_sync(kAll, warps, s);
            if (lane >= s) warps += before;
        }
        of_warp[lane] = warps;
    }
    __syncthreads();
    out[i] = sum + (threadIdx.x < 32 ? 0 : of_warp[threadIdx.x / 32 - 1]);
}
__global__ void scan_by_thread(const float* in, float* out) {  // 16 neighbours a thread
    const int first = (blockIdx.x * 128 + threadIdx.x) * 16;
    float sum = 0;
    for (int i = 0; i < 16; ++i) out[first + i] = sum += in[first + i];
}
__global__ void keep_even(int n, const unsigned* in, unsigned* out, unsigned* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    const bool kept = i < n && in[i] % 2 == 0;
    const unsigned all = __ballot_sync(kAll, kept);
    unsigned first = 0;
    if (lane == 0) first = atomicAdd(count, __popc(all));
    first = __shfl_sync(kAll, first, 0);
    if (kept) out[first + __popc(all & ((1u << lane) - 1))] = in[i];
}

// Histograms.
__global__ void histogram_of_warps(int n, const unsigned* in, unsigned* bins) {
    __shared__ unsigned own[8][64];
    for (int i = threadIdx.x; i < 8 * 64; i += 256) (&own[0][0])[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
        atomicAdd(&own[threadIdx.x / 32][in[i] / 7 % 64], 1u);
    __syncthreads();
    if (threadIdx.x >= 64) return;
    unsigned sum = 0;
    for (int warp = 0; warp < 8; ++warp) sum += own[warp][threadIdx.x];
    atomicAdd(&bins[threadIdx.x], sum);
}
__global__ void digits_of_tiles(const unsigned* in, unsigned* counts) {  // of a radix sort
    __shared__ unsigned own[16];
    if (threadIdx.x < 16) own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = 0; i < 8; ++i)
        atomicAdd(&own[in[blockIdx.x * 2048 + i * 256 + threadIdx.x] >> 4 & 15], 1u);
    __syncthreads();
    if (threadIdx.x < 16) counts[threadIdx.x * gridDim.x + blockIdx.x] = own[threadIdx.x];
}

// Stencils and convolutions.
constexpr int kCube = 256;
__global__ void stencil_3d(const float* in, float* out) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, z = blockIdx.z;
    if (x == 0 || y == 0 || z == 0 || x == kCube - 1 || y == kCube - 1 || z == kCube - 1) return;
    const int i = (z * kCube + y) * kCube + x;
    out[i] = 0.4f * in[i] + 0.1f * (in[i - 1] + in[i + 1] + in[i - kCube] + in[i + kCube] +
                                    in[i - kCube * kCube] + in[i + kCube * kCube]);
}
__global__ void stencil_3d_walk(const float* in, float* out) {  // a thread walks along z
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x == 0 || y == 0 || x == kCube - 1 || y == kCube - 1) return;
    int i = y * kCube + x;
    float below = in[i], here = in[i += kCube * kCube];
    for (int z = 1; z < kCube - 1; ++z) {
        const float above = in[i + kCube * kCube];
        out[i] = 0.4f * here +
                 0.1f * (in[i - 1] + in[i + 1] + in[i - kCube] + in[i + kCube] + below + above);
        below = here;
        here = above;
        i += kCube * kCube;
    }
}
__global__ void stencil_2d_shared(const float* in, float* out) {
    __shared__ float tile[18][34];
    const int x = blockIdx.x * 32, y = blockIdx.y * 16;
    for (int i = threadIdx.y * 32 + threadIdx.x; i < 18 * 34; i += 512) {
        const int row = min(max(y + i / 34 - 1, 0), kEdge - 1);
        const int column = min(max(x + i % 34 - 1, 0), kEdge - 1);
        tile[i / 34][i % 34] = in[row * kEdge + column];
    }
    __syncthreads();
    const int u = threadIdx.x + 1, v = threadIdx.y + 1;
    out[(y + v - 1) * kEdge + x + u - 1] =
        0.2f * (tile[v][u] + tile[v][u - 1] + tile[v][u + 1] + tile[v - 1][u] + tile[v + 1][u]);
}
__constant__ float taps[17];
__global__ void convolution_rows(const float* in, float* out) {
    __shared__ float part[4][128 + 16];
    const int x = blockIdx.x * 128, y = blockIdx.y * 4 + threadIdx.y;
    for (int i = threadIdx.x; i < 128 + 16; i += 128) {
        const int column = x + i - 8;
        part[threadIdx.y][i] = column >= 0 && column < kEdge ? in[y * kEdge + column] : 0;
    }
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 17; ++k) sum += taps[k] * part[threadIdx.y][threadIdx.x + k];
    out[y * kEdge + x + threadIdx.x] = sum;
}
__global__ void convolution_columns(const float* in, float* out) {
    const int x = blockIdx.x * 128 + threadIdx.x, y = blockIdx.y;
    float sum = 0;
    for (int k = 0; k < 17; ++k) {
        const int row = min(max(y + k - 8, 0), kEdge - 1);
        sum += taps[k] * in[row * kEdge + x];
    }
    out[y * kEdge + x] = sum;
}
__global__ void pool_2x2(const float2* in, float* out) {
    const int x = blockIdx.x * 256 + threadIdx.x, y = blockIdx.y;
    const float2 a = in[(2 * y) * (kEdge / 2) + x], b = in[(2 * y + 1) * (kEdge / 2) + x];
    out[y * (kEdge / 2) + x] = fmaxf(fmaxf(a.x, a.y), fmaxf(b.x, b.y));
}
__global__ void life(const unsigned char* in, unsigned char* out) {
    const int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    int count = 0;
    for (int v = -1; v <= 1; ++v)
        for (int u = -1; u <= 1; ++u)
            count += in[((y + v) & (kEdge - 1)) * kEdge + ((x + u) & (kEdge - 1))] & 1;
    const int own = in[y * kEdge + x] & 1;
    out[y * kEdge + x] = count == 3 || (own && count == 4);
}

// Bodies, particles.
__global__ void bodies_untiled(int n, const float4* at, float4* pull) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    const float4 own = at[i];
    float4 sum = {0, 0, 0, 0};
    for (int j = 0; j < n; ++j) {
        const float4 other = at[j];
        const float x = other.x - own.x, y = other.y - own.y, z = other.z - own.z;
        const float inverse = rsqrtf(x * x + y * y + z * z + 0.01f);
        const float weight = other.w * inverse * inverse * inverse;
        sum.x += weight * x;
        sum.y += weight * y;
        sum.z += weight * z;
    }
    pull[i] = sum;
}
struct Particle {
    float x, y, z, vx, vy, vz, mass;
};
__global__ void move_structures(int n, Particle* all, float dt) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    all[i].x += dt * all[i].vx;
    all[i].y += dt * all[i].vy;
    all[i].z += dt * all[i].vz;
}
__global__ void move_arrays(int n, float* x, const float* v, float dt) {  // x, y, z behind another
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int axis = 0; axis < 3; ++axis) x[axis * n + i] += dt * v[axis * n + i];
}

// Sparse rows.
__global__ void sparse_columns_first(int rows, int most, const int* column, const float* value,
                                     const float* x, float* y) {  // ELLPACK
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int i = 0; i < most; ++i) sum += value[i * rows + row] * x[column[i * rows + row]];
    y[row] = sum;
}
__global__ void sparse_uneven(int rows, const int* begin, const int* column, const float* value,
                              const float* x, float* y) {  // 1 to 62 of a row
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int i = begin[row]; i < begin[row + 1]; ++i) sum += value[i] * x[column[i]];
    y[row] = sum;
}
__global__ void sparse_coordinates(int n, const int* row, const int* column, const float* value,
                                   const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&y[row[i]], value[i] * x[column[i]]);
}

// Rows of a network.
__global__ void softmax_of_warps(const float* in, float* out) {  // a row of 1,024 a warp
    const int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    float own[32], most = -1e30f, sum = 0;
#pragma unroll
    for (int i = 0; i < 32; ++i) most = fmaxf(most, own[i] = in[row * 1024 + i * 32 + lane]);
    for (int s = 16; s > 0; s /= 2) most = fmaxf(most, __shfl_xor_sync(kAll, most, s));
#pragma unroll
    for (int i = 0; i < 32; ++i) sum += own[i] = __expf(own[i] - most);
    for (int s = 16; s > 0; s /= 2) sum += __shfl_xor_sync(kAll, sum, s);
#pragma unroll
    for (int i = 0; i < 32; ++i) out[row * 1024 + i * 32 + lane] = own[i] / sum;
}
__global__ void layer_norm(const float4* in, const float4* scale, float4* out) {  // rows of 1,024
    const int i = blockIdx.x * 256 + threadIdx.x;
    const float4 own = in[i];
    const float mean = sum_of_block(own.x + own.y + own.z + own.w) / 1024;
    const float4 d = {own.x - mean, own.y - mean, own.z - mean, own.w - mean};
    const float square = sum_of_block(d.x * d.x + d.y * d.y + d.z * d.z + d.w * d.w) / 1024;
    const float by = rsqrtf(square + 1e-5f);
    const float4 s = scale[threadIdx.x];
    out[i] = {d.x * by * s.x, d.y * by * s.y, d.z * by * s.z, d.w * by * s.w};
}
__global__ void mean_square_norm(int columns, const float* in, const float* scale, float* out) {
    const float* row = in + blockIdx.x * columns;
    float sum = 0;
    for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += row[i] * row[i];
    const float by = rsqrtf(sum_of_block(sum) / columns + 1e-5f);
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        out[blockIdx.x * columns + i] = row[i] * by * scale[i];
}
__global__ void embed(const unsigned* word, const float4* table, float4* out) {  // rows of 128
    const int i = blockIdx.x * 8 + threadIdx.y;
    out[i * 32 + threadIdx.x] = table[word[i] % (1 << 16) * 32 + threadIdx.x];
}
__global__ void gelu(int n, const float* in, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float x = in[i] * 0.01f;
    out[i] = 0.5f * x * (1 + tanhf(0.79788456f * (x + 0.044715f * x * x * x)));
}

// Others.
__global__ void sort_blocks(const float* in, float* out) {  // bitonic, 1,024 a block
    __shared__ float keys[1024];
    const int t = threadIdx.x;
    keys[t] = in[blockIdx.x * 1024 + t];
    for (int size = 2; size <= 1024; size *= 2)
        for (int step = size / 2; step > 0; step /= 2) {
            __syncthreads();
            const int other = t ^ step;
            if (other > t && (keys[t] > keys[other]) == ((t & size) == 0)) {
                const float key = keys[t];
                keys[t] = keys[other];
                keys[other] = key;
            }
        }
    __syncthreads();
    out[blockIdx.x * 1024 + t] = keys[t];
}
__global__ void look_up(int n, const unsigned* in, const float* table, float* out) {
    __shared__ float own[1024];
    for (int i = threadIdx.x; i < 1024; i += 256) own[i] = table[i];
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
        out[i] = own[in[i] % 1024];
}
__global__ void polynomial(int n, const float* in, float* out) {  // 32 multiply-adds an element
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float x = in[i];
    float sum = 1;
#pragma unroll
    for (int k = 0; k < 32; ++k) sum = sum * x + static_cast<float>(k);
    out[i] = sum;
}
__global__ void fractal(int most, int* out) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    const float a = static_cast<float>(x) / 512 - 1.5f, b = static_cast<float>(y) / 512 - 1;
    float u = 0, v = 0;
    int turns = 0;
    while (turns < most && u * u + v * v < 4) {
        const float w = u * u - v * v + a;
        v = 2 * u * v + b;
        u = w;
        ++turns;
    }
    out[y * 1024 + x] = turns;
}
__global__ void chase(const unsigned* next, unsigned* out) {  // 64 loads, each needs the one before
    unsigned at = blockIdx.x * 256 + threadIdx.x;
    for (int i = 0; i < 64; ++i) at = next[at] % kElements;
    out[blockIdx.x * 256 + threadIdx.x] = at;
}
__global__ void shortest_paths(int edge, int by, float* far) {  // a step of Floyd and Warshall
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    const float through = far[y * edge + by] + far[by * edge + x];
    if (through < far[y * edge + x]) far[y * edge + x] = through;
}
__global__ void bytes_to_floats(int n, const uchar4* in, float4* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const uchar4 four = in[i];
    out[i] = {four.x / 255.0f, four.y / 255.0f, four.z / 255.0f, four.w / 255.0f};
}
__global__ void add_rank_one(const float* x, const float* y, float* a) {
    const int column = blockIdx.x * 256 + threadIdx.x, row = blockIdx.y;
    a[row * kEdge + column] += x[row] * y[column];
}
__global__ void matrix_vector_shared(const float4* a, const float4* x, float* y) {  // a row a block
    float sum = 0;
    for (int k = threadIdx.x; k < kEdge / 4; k += 128) {
        const float4 one = a[blockIdx.x * (kEdge / 4) + k], other = x[k];
        sum += one.x * other.x + one.y * other.y + one.z * other.z + one.w * other.w;
    }
    sum = sum_of_block(sum);
    if (threadIdx.x == 0) y[blockIdx.x] = sum;
}

template <class T>
T* device(const std::vector<T>& values) {
    T* memory = nullptr;
    cudaMalloc(&memory, values.size() * sizeof(T));
    cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
    return memory;
}

int main(int argc, char** argv) {
    const int only = argc > 1 ? std::atoi(argv[1]) : -1;
    unsigned state = 1;
    const auto next = [&state] { return state = state * 1664525u + 1013904223u; };
    std::vector<float> numbers(kElements);
    std::vector<unsigned> places(kElements);
    for (float& number : numbers) number = static_cast<float>(next() >> 24);
    for (unsigned& place : places) place = next() >> 8;
    float *x = device(numbers), *y = device(numbers);
    unsigned *p = device(places), *q = device(places);
    unsigned* bins = device(std::vector<unsigned>(1 << 17));
    const int rows = 1 << 18, of_a_row = 32, all = rows * of_a_row;
    std::vector<int> begin(rows + 1), row(all), column(all);
    for (int r = 0; r < rows; ++r) begin[r + 1] = begin[r] + 1 + (next() >> 8) % 62;
    for (int i = 0; i < all; ++i) row[i] = i / of_a_row;
    for (int& c : column) c = static_cast<int>((next() >> 8) % rows);
    float* sums = device(std::vector<float>(rows));
    int *begins = device(begin), *of_row = device(row), *columns = device(column);
    const int n = kElements;
    const float4 *x4 = (float4*)x, *scale = (float4*)sums;
    float4* y4 = (float4*)y;
    const unsigned char* bytes = (unsigned char*)p;
    unsigned char* other_bytes = (unsigned char*)q;
    const dim3 flat(32, 8), grid(kEdge / 32, kEdge / 8), tiles(kEdge / 32, kEdge / 32);
    const dim3 cube(kCube / 32, kCube / 8, kCube);
    int number = 0;
    const auto wanted = [&] { return only < 0 || number++ == only; };
    if (wanted()) transpose_by_rows<<<grid, flat>>>(x, y);
    if (wanted()) transpose_swizzled<<<tiles, flat>>>(x, y);
    if (wanted()) transpose_bytes<<<tiles, flat>>>(bytes, other_bytes);
    if (wanted()) dot_product<<<1056, 256>>>(n, x, y, sums);
    if (wanted()) reduce_vectors<<<n / 8192, 256>>>(x4, sums);
    if (wanted()) largest_of_rows<<<kEdge / 8, 256>>>(x, sums, (int*)q);
    if (wanted()) scan_shuffle<<<n / 1024, 1024>>>(x, y);
    if (wanted()) scan_by_thread<<<n / 2048, 128>>>(x, y);
    if (wanted()) keep_even<<<n / 256, 256>>>(n, p, q, bins);
    if (wanted()) histogram_of_warps<<<1056, 256>>>(n, p, bins);
    if (wanted()) digits_of_tiles<<<n / 2048, 256>>>(p, bins);
    if (wanted()) stencil_3d<<<cube, flat>>>(x, y);
    if (wanted()) stencil_3d_walk<<<dim3(kCube / 32, kCube / 8), flat>>>(x, y);
    if (wanted()) stencil_2d_shared<<<dim3(kEdge / 32, kEdge / 16), dim3(32, 16)>>>(x, y);
    if (wanted()) convolution_rows<<<dim3(kEdge / 128, kEdge / 4), dim3(128, 4)>>>(x, y);
    if (wanted()) convolution_columns<<<dim3(kEdge / 128, kEdge), 128>>>(x, y);
    if (wanted()) pool_2x2<<<dim3(kEdge / 512, kEdge / 2), 256>>>((float2*)x, y);
    if (wanted()) life<<<dim3(kEdge / 64, kEdge / 4), dim3(64, 4)>>>(bytes, other_bytes);
    if (wanted()) bodies_untiled<<<8192 / 128, 128>>>(8192, x4, y4);
    if (wanted()) move_structures<<<n / 2048, 256>>>(n / 8, (Particle*)y, 0.01f);
    if (wanted()) move_arrays<<<n / 1024, 256>>>(n / 4, y, x, 0.01f);
    if (wanted()) sparse_columns_first<<<rows / 256, 256>>>(rows, of_a_row, columns, x, y, sums);
    if (wanted()) sparse_uneven<<<rows / 128, 128>>>(rows, begins, columns, x, y, sums);
    if (wanted()) sparse_coordinates<<<all / 256, 256>>>(all, of_row, columns, x, y, sums);
    if (wanted()) softmax_of_warps<<<n / 4096, 128>>>(x, y);
    if (wanted()) layer_norm<<<n / 1024, 256>>>(x4, scale, y4);
    if (wanted()) mean_square_norm<<<kEdge, 512>>>(kEdge, x, sums, y);
    if (wanted()) embed<<<n / 1024, flat>>>(p, x4, y4);
    if (wanted()) gelu<<<n / 256, 256>>>(n, x, y);
    if (wanted()) sort_blocks<<<4096, 1024>>>(x, y);
    if (wanted()) look_up<<<1056, 256>>>(n, p, x, y);
    if (wanted()) polynomial<<<n / 256, 256>>>(n, x, y);
    if (wanted()) fractal<<<dim3(32, 128), flat>>>(256, (int*)q);
    if (wanted()) chase<<<1056, 256>>>(p, q);
    if (wanted()) shortest_paths<<<dim3(64, 256), flat>>>(2048, 77, y);
    if (wanted()) bytes_to_floats<<<n / 1024, 256>>>(n / 4, (uchar4*)p, y4);
    if (wanted()) add_rank_one<<<dim3(kEdge / 256, kEdge), 256>>>(x, x + kEdge, y);
    if (wanted()) matrix_vector_shared<<<kEdge, 128>>>(x4, y4, sums);
    const cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s\n", cudaGetErrorString(error));
    return error == cudaSuccess ? 0 : 1;
}

// Launches of many kinds, whose time on a GPU is compared with the estimate. Without an argument
// all run; with a number, only that one. tests/hardware/README.md says how.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kEdge = 4096, kElements = kEdge * kEdge;

__global__ void saxpy(int n, float a, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}
__global__ void copy4(int n, const float4* x, float4* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}
__global__ void copy_strided(int n, int stride, const float* x, float* y) {
    const int i = (blockIdx.x * blockDim.x + threadIdx.x) * stride;
    if (i < n) y[i] = x[i];
}
__global__ void transpose_naive(const float* in, float* out) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    out[x * kEdge + y] = in[y * kEdge + x];
}
template <int PAD>
__global__ void transpose_shared(const float* in, float* out) {
    __shared__ float tile[32][32 + PAD];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * kEdge + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) out[(y + j) * kEdge + x] = tile[threadIdx.x][threadIdx.y + j];
}
__global__ void reduce_interleaved(const float* in, float* out) {
    __shared__ float sums[256];
    const int t = threadIdx.x;
    sums[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int s = 1; s < 256; s *= 2) {
        if (t % (2 * s) == 0) sums[t] += sums[t + s];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = sums[0];
}
__global__ void reduce_sequential(const float* in, float* out) {
    __shared__ float sums[256];
    const int t = threadIdx.x;
    sums[t] = in[blockIdx.x * 512 + t] + in[blockIdx.x * 512 + t + 256];
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (t < s) sums[t] += sums[t + s];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = sums[0];
}
__global__ void reduce_shuffle(int n, const float* in, float* out) {
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}
__global__ void histogram_global(int n, const unsigned* in, unsigned* bins) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[in[i] % 256], 1u);
}
__global__ void histogram_shared(int n, const unsigned* in, unsigned* bins) {
    __shared__ unsigned own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[in[i] % 256], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
__global__ void stencil_1d(int n, const float* in, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 4 || i >= n - 4) return;
    float sum = 0;
    for (int d = -4; d <= 4; ++d) sum += in[i + d];
    out[i] = sum;
}
__global__ void stencil_1d_shared(int n, const float* in, float* out) {
    __shared__ float part[256 + 8];
    const int i = blockIdx.x * 256 + threadIdx.x, t = threadIdx.x + 4;
    part[t] = in[i];
    if (threadIdx.x < 4) {
        part[t - 4] = i >= 4 ? in[i - 4] : 0;
        part[t + 256] = i + 256 < n ? in[i + 256] : 0;
    }
    __syncthreads();
    float sum = 0;
    for (int d = -4; d <= 4; ++d) sum += part[t + d];
    out[i] = sum;
}
__global__ void stencil_2d(const float* in, float* out) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x == 0 || y == 0 || x == kEdge - 1 || y == kEdge - 1) return;
    const int i = y * kEdge + x;
    out[i] = in[i] + in[i - 1] + in[i + 1] + in[i - kEdge] + in[i + kEdge];
}
__constant__ float weights[49];
__global__ void convolution_2d(const float* in, float* out) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < 3 || y < 3 || x >= kEdge - 3 || y >= kEdge - 3) return;
    float sum = 0;
    for (int v = 0; v < 7; ++v)
        for (int u = 0; u < 7; ++u) sum += weights[v * 7 + u] * in[(y + v - 3) * kEdge + x + u - 3];
    out[y * kEdge + x] = sum;
}
__global__ void scan_block(const float* in, float* out) {
    __shared__ float now[2][512];
    const int t = threadIdx.x, i = blockIdx.x * 512 + t;
    int side = 0;
    now[0][t] = in[i];
    __syncthreads();
    for (int s = 1; s < 512; s *= 2) {
        now[1 - side][t] = t >= s ? now[side][t] + now[side][t - s] : now[side][t];
        side = 1 - side;
        __syncthreads();
    }
    out[i] = now[side][t];
}
__global__ void scan_tree(const float* in, float* out) {
    __shared__ float sums[512];
    const int t = threadIdx.x, first = blockIdx.x * 512;
    sums[2 * t] = in[first + 2 * t];
    sums[2 * t + 1] = in[first + 2 * t + 1];
    int offset = 1;
    for (int d = 256; d > 0; d /= 2) {
        __syncthreads();
        if (t < d) sums[offset * (2 * t + 2) - 1] += sums[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    if (t == 0) sums[511] = 0;
    for (int d = 1; d < 512; d *= 2) {
        offset /= 2;
        __syncthreads();
        if (t < d) {
            const int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            const float left = sums[a];
            sums[a] = sums[b];
            sums[b] += left;
        }
    }
    __syncthreads();
    out[first + 2 * t] = sums[2 * t];
    out[first + 2 * t + 1] = sums[2 * t + 1];
}
__global__ void bodies(int n, const float4* at, float3* pull) {
    __shared__ float4 tile[256];
    const int i = blockIdx.x * 256 + threadIdx.x;
    const float4 own = at[i];
    float3 sum = {0, 0, 0};
    for (int first = 0; first < n; first += 256) {
        tile[threadIdx.x] = at[first + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 256; ++j) {
            const float4 other = tile[j];
            const float x = other.x - own.x, y = other.y - own.y, z = other.z - own.z;
            const float inverse = rsqrtf(x * x + y * y + z * z + 0.01f);
            const float weight = other.w * inverse * inverse * inverse;
            sum.x += weight * x;
            sum.y += weight * y;
            sum.z += weight * z;
        }
        __syncthreads();
    }
    pull[i] = sum;
}
__global__ void sparse_by_thread(int rows, const int* begin, const int* column, const float* value,
                                 const float* x, float* y) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int i = begin[row]; i < begin[row + 1]; ++i) sum += value[i] * x[column[i]];
    y[row] = sum;
}
__global__ void sparse_by_warp(int rows, const int* begin, const int* column, const float* value,
                               const float* x, float* y) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    float sum = 0;
    for (int i = begin[row] + lane; i < begin[row + 1]; i += 32) sum += value[i] * x[column[i]];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
    if (lane == 0) y[row] = sum;
}
__global__ void matrix_vector_by_thread(const float* a, const float* x, float* y) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < kEdge; ++k) sum += a[row * kEdge + k] * x[k];
    y[row] = sum;
}
__global__ void matrix_vector_by_warp(const float* a, const float* x, float* y) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float sum = 0;
    for (int k = lane; k < kEdge; k += 32) sum += a[row * kEdge + k] * x[k];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
    if (lane == 0) y[row] = sum;
}
__global__ void gather(int n, const unsigned* place, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[place[i] % n];
}
__global__ void scatter(int n, const unsigned* place, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[place[i] % n] = x[i];
}
__global__ void softmax_rows(const float* in, float* out) {
    __shared__ float most[256];
    const float* row = in + blockIdx.x * kEdge;
    const int t = threadIdx.x;
    float largest = -1e30f;
    for (int i = t; i < kEdge; i += 256) largest = fmaxf(largest, row[i]);
    most[t] = largest;
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (t < s) most[t] = fmaxf(most[t], most[t + s]);
        __syncthreads();
    }
    largest = most[0];
    __syncthreads();
    float sum = 0;
    for (int i = t; i < kEdge; i += 256) sum += expf(row[i] - largest);
    most[t] = sum;
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (t < s) most[t] += most[t + s];
        __syncthreads();
    }
    sum = most[0];
    for (int i = t; i < kEdge; i += 256) out[blockIdx.x * kEdge + i] = expf(row[i] - largest) / sum;
}
template <int STRIDE>
__global__ void shared_stride(int turns, float* out) {
    __shared__ float words[2048];
    for (int i = threadIdx.x; i < 2048; i += 256) words[i] = static_cast<float>(i);
    __syncthreads();
    float sum = 0;
    for (int turn = 0; turn < turns; ++turn) sum += words[(threadIdx.x * STRIDE + turn) % 2048];
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}
__global__ void add_columns(const float* in, float* out) {  // a thread walks down a column
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int y = 0; y < kEdge; ++y) sum += in[y * kEdge + x];
    out[x] = sum;
}
__global__ void product_in_tiles(const float* a, const float* b, float* c) {  // 1024 x 1024 x 1024
    __shared__ float as[16][16], bs[16][16];
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < 1024; k += 16) {
        as[threadIdx.y][threadIdx.x] = a[y * 1024 + k + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * 1024 + x];
        __syncthreads();
        for (int i = 0; i < 16; ++i) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
        __syncthreads();
    }
    c[y * 1024 + x] = sum;
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
    float* x = device(numbers);
    float* y = device(numbers);
    unsigned* p = device(places);
    unsigned* bins = device(std::vector<unsigned>(256));
    const int rows = 1 << 18, of_a_row = 32;
    std::vector<int> begin(rows + 1), column(rows * of_a_row);
    for (int row = 0; row <= rows; ++row) begin[row] = row * of_a_row;
    for (int& c : column) c = static_cast<int>((next() >> 8) % rows);
    float* sums = device(std::vector<float>(rows));
    int *row_begin = device(begin), *columns = device(column);
    const int n = kElements;
    const dim3 flat(32, 8), grid(kEdge / 32, kEdge / 8), tiles(kEdge / 32, kEdge / 32);
    int number = 0;
    const auto wanted = [&] { return only < 0 || number++ == only; };
    if (wanted()) saxpy<<<n / 256, 256>>>(n, 2, x, y);
    if (wanted()) copy4<<<n / 1024, 256>>>(n / 4, (const float4*)x, (float4*)y);
    if (wanted()) copy_strided<<<n / 512, 256>>>(n, 2, x, y);
    if (wanted()) copy_strided<<<n / 4096, 256>>>(n, 16, x, y);
    if (wanted()) transpose_naive<<<grid, flat>>>(x, y);
    if (wanted()) transpose_shared<0><<<tiles, flat>>>(x, y);
    if (wanted()) transpose_shared<1><<<tiles, flat>>>(x, y);
    if (wanted()) reduce_interleaved<<<n / 256, 256>>>(x, sums);
    if (wanted()) reduce_sequential<<<n / 512, 256>>>(x, sums);
    if (wanted()) reduce_shuffle<<<1056, 256>>>(n, x, sums);
    if (wanted()) histogram_global<<<n / 256, 256>>>(n, p, bins);
    if (wanted()) histogram_shared<<<1056, 256>>>(n, p, bins);
    if (wanted()) stencil_1d<<<n / 256, 256>>>(n, x, y);
    if (wanted()) stencil_1d_shared<<<n / 256, 256>>>(n, x, y);
    if (wanted()) stencil_2d<<<grid, flat>>>(x, y);
    if (wanted()) convolution_2d<<<grid, flat>>>(x, y);
    if (wanted()) scan_block<<<n / 512, 512>>>(x, y);
    if (wanted()) scan_tree<<<n / 512, 256>>>(x, y);
    if (wanted()) bodies<<<64, 256>>>(64 * 256, (const float4*)x, (float3*)y);
    if (wanted()) sparse_by_thread<<<rows / 256, 256>>>(rows, row_begin, columns, x, y, sums);
    if (wanted()) sparse_by_warp<<<rows / 8, 256>>>(rows, row_begin, columns, x, y, sums);
    if (wanted()) matrix_vector_by_thread<<<kEdge / 128, 128>>>(x, y, sums);
    if (wanted()) matrix_vector_by_warp<<<kEdge / 8, 256>>>(x, y, sums);
    if (wanted()) gather<<<n / 256, 256>>>(n, p, x, y);
    if (wanted()) scatter<<<n / 256, 256>>>(n, p, x, y);
    if (wanted()) softmax_rows<<<kEdge, 256>>>(x, y);
    if (wanted()) shared_stride<1><<<1056, 256>>>(256, y);
    if (wanted()) shared_stride<2><<<1056, 256>>>(256, y);
    if (wanted()) shared_stride<32><<<1056, 256>>>(256, y);
    if (wanted()) add_columns<<<kEdge / 128, 128>>>(x, sums);
    if (wanted()) add_columns<<<kEdge / 32, 32>>>(x, sums);
    if (wanted()) product_in_tiles<<<dim3(64, 64), dim3(16, 16)>>>(x, y, y + n / 2);
    const cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s\n", cudaGetErrorString(error));
    return error == cudaSuccess ? 0 : 1;
}

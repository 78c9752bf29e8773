// Kernels that compute matrix products of many types and layouts. M, N and K differ, so that no
// extent can be taken for another; the values are small, so that sums are exact in each type.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <vector>

constexpr int kTile = 8;

__device__ float number(float x) { return x; }
__device__ double number(double x) { return x; }
__device__ int number(int x) { return x; }
__device__ float number(__half x) { return __half2float(x); }
__device__ float number(__nv_bfloat16 x) { return __bfloat162float(x); }

template <class T>
__host__ __device__ T element_of(float x) {
    return T(x);
}
template <>
__host__ __device__ __half element_of<__half>(float x) {
    return __float2half(x);
}
template <>
__host__ __device__ __nv_bfloat16 element_of<__nv_bfloat16>(float x) {
    return __float2bfloat16(x);
}

// Row-major, tiles of both factors in shared memory.
template <class In, class Sum, class Out>
__global__ void tiled(const In* a, const In* b, Out* c, int m, int n, int k) {
    __shared__ In as[kTile][kTile], bs[kTile][kTile];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * kTile + ty, col = blockIdx.x * kTile + tx;
    Sum sum = 0;
    for (int t = 0; t < k; t += kTile) {
        as[ty][tx] = a[row * k + t + tx];
        bs[ty][tx] = b[(t + ty) * n + col];
        __syncthreads();
        for (int i = 0; i < kTile; ++i) sum += number(as[ty][i]) * number(bs[i][tx]);
        __syncthreads();
    }
    c[row * n + col] = element_of<Out>(sum);
}

// C = alpha A B + beta C.
__global__ void scaled(int m, int n, int k, float alpha, const float* a, const float* b, float beta,
                       float* c) {
    int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= n) return;
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = alpha * sum + beta * c[row * n + col];
}

// As scaled(), but alpha and beta are constants in the kernel: C = 3 A B - C / 2.
__global__ void own_factors(const float* a, const float* b, float* c, int m, int n, int k) {
    int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= n) return;
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = 3 * sum - 0.5f * c[row * n + col];
}

// C = A A.
__global__ void square(const float* a, float* c, int n) {
    __shared__ float left[kTile][kTile], above[kTile][kTile];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * kTile + ty, col = blockIdx.x * kTile + tx;
    float sum = 0;
    for (int t = 0; t < n; t += kTile) {
        left[ty][tx] = a[row * n + t + tx];
        above[ty][tx] = a[(t + ty) * n + col];
        __syncthreads();
        for (int i = 0; i < kTile; ++i) sum += left[ty][i] * above[i][tx];
        __syncthreads();
    }
    c[row * n + col] = sum;
}

// C = A A^T of an M x K matrix.
__global__ void gram(const float* a, float* c, int m, int k) {
    int row = blockIdx.y * kTile + threadIdx.y, col = blockIdx.x * kTile + threadIdx.x;
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += a[row * k + i] * a[col * k + i];
    c[row * m + col] = sum;
}

// B is stored as its transpose, N x K.
__global__ void b_transposed(const float* a, const float* bt, float* c, int m, int n, int k) {
    int row = blockIdx.y * kTile + threadIdx.y, col = blockIdx.x * kTile + threadIdx.x;
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += a[row * k + i] * bt[col * k + i];
    c[row * n + col] = sum;
}

// A is stored as its transpose, K x M.
__global__ void a_transposed(const float* at, const float* b, float* c, int m, int n, int k) {
    int row = blockIdx.y * kTile + threadIdx.y, col = blockIdx.x * kTile + threadIdx.x;
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += at[i * m + row] * b[i * n + col];
    c[row * n + col] = sum;
}

// All three column-major, as in cuBLAS.
__global__ void column_major(const float* A, const float* B, float* C, int m, int n, int k) {
    int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= n) return;
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += A[row + i * m] * B[i + col * k];
    C[row + col * m] = sum;
}

// Rows have padding: a leading dimension for each matrix.
template <class T>
__global__ void padded(const T* a, int lda, const T* b, int ldb, T* c, int ldc, int m, int n,
                       int k) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || col >= n) return;
    T sum = 0;
    for (int i = 0; i < k; ++i) sum += a[row * lda + i] * b[i * ldb + col];
    c[row * ldc + col] = sum;
}

// Likewise, but all sizes are constants.
__global__ void padded_constants(const float* a, const float* b, float* c) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= 18 || col >= 14) return;
    float sum = 0;
    for (int i = 0; i < 11; ++i) sum += a[row * 13 + i] * b[i * 15 + col];
    c[row * 16 + col] = sum;
}

// The last product of each sum is missing in the first column.
__global__ void wrong(const float* a, const float* b, float* c, int m, int n, int k) {
    int row = blockIdx.y * kTile + threadIdx.y, col = blockIdx.x * kTile + threadIdx.x;
    float sum = 0;
    for (int i = 0; i < (col == 0 ? k - 1 : k); ++i) sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
}

// Both barriers are missing: nearly all of C is wrong.
__global__ void race(const float* a, const float* b, float* c, int m, int n, int k) {
    __shared__ float as[kTile][kTile], bs[kTile][kTile];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * kTile + ty, col = blockIdx.x * kTile + tx;
    float sum = 0;
    for (int t = 0; t < k; t += kTile) {
        as[ty][tx] = a[row * k + t + tx];
        bs[ty][tx] = b[(t + ty) * n + col];
        for (int i = 0; i < kTile; ++i) sum += as[ty][i] * bs[i][tx];
    }
    c[row * n + col] = sum;
}

template <class T>
T* array(int count, int by, int offset) {
    std::vector<T> values;
    for (int i = 0; i < count; ++i)
        values.push_back(element_of<T>(float((i * 7 + i / 5 * 3) % by - offset)));
    T* there;
    cudaMalloc(&there, values.size() * sizeof(T));
    cudaMemcpy(there, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
    return there;
}

template <class In, class Sum, class Out>
void run_tiled() {
    int m = 16, n = 24, k = 32;
    In *a = array<In>(m * k, 5, 2), *b = array<In>(k * n, 4, 1);
    Out* c = array<Out>(m * n, 3, 0);
    tiled<In, Sum, Out><<<dim3(n / kTile, m / kTile), dim3(kTile, kTile)>>>(a, b, c, m, n, k);
    cudaFree(a), cudaFree(b), cudaFree(c);
}

template <class T>
void run_padded(int m, int n, int k, int lda, int ldb, int ldc) {
    T *a = array<T>(m * lda, 5, 2), *b = array<T>(k * ldb, 7, 3), *c = array<T>(m * ldc, 3, 0);
    padded<T><<<dim3((n + 7) / 8, (m + 7) / 8), dim3(8, 8)>>>(a, lda, b, ldb, c, ldc, m, n, k);
    cudaFree(a), cudaFree(b), cudaFree(c);
}

int main() {
    run_tiled<double, double, double>();
    run_tiled<__half, float, __half>();
    run_tiled<__half, float, float>();
    run_tiled<__nv_bfloat16, float, __nv_bfloat16>();
    run_tiled<int, int, int>();
    int m = 24, n = 16, k = 40;
    float *a = array<float>(m * k, 11, 5), *b = array<float>(k * n, 7, 3);
    float* c = array<float>(m * n, 9, 4);
    dim3 by_rows(2, 3), by_columns(3, 2), block(kTile, kTile);
    scaled<<<by_columns, block>>>(m, n, k, 0.5f, a, b, 3.0f, c);
    own_factors<<<by_columns, block>>>(a, b, c, m, n, k);
    b_transposed<<<by_rows, block>>>(a, b, c, m, n, k);
    a_transposed<<<by_rows, block>>>(a, b, c, m, n, k);
    column_major<<<by_columns, block>>>(a, b, c, m, n, k);
    wrong<<<by_rows, block>>>(a, b, c, m, n, k);
    cudaFree(c);
    float* large = array<float>(24 * 24, 9, 4);
    square<<<dim3(3, 3), block>>>(large, c = array<float>(24 * 24, 2, 0), 24);
    cudaFree(c);
    gram<<<dim3(3, 3), block>>>(a, c = array<float>(m * m, 2, 0), m, k);
    cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(large);
    run_padded<float>(20, 12, 10, 16, 14, 32);
    run_padded<double>(9, 17, 12, 13, 24, 18);
    float *pa = array<float>(18 * 13, 11, 5), *pb = array<float>(11 * 15, 7, 3);
    float* pc = array<float>(500, 9, 4);
    padded_constants<<<dim3(2, 3), block>>>(pa, pb, pc);
    // Matrices that do not fill their arrays.
    float *large_a = array<float>(1000, 11, 5), *large_b = array<float>(1000, 7, 3);
    b_transposed<<<by_rows, block>>>(large_a, large_b, pc, m, n, 20);
    float *ra = array<float>(m * k, 11, 5), *rb = array<float>(k * n, 7, 3);
    float* rc = array<float>(m * n, 9, 4);
    race<<<by_rows, block>>>(ra, rb, rc, m, n, k);
    for (float* each : {pa, pb, pc, large_a, large_b, ra, rb, rc}) cudaFree(each);
    return 0;
}

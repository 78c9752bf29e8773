// Kernels that compute no matrix product, though most access their arrays as a product does.
#include <cuda_runtime.h>

#include <vector>

__global__ void elementwise(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    c[i * n + j] = a[i * n + j] * b[i * n + j];
}

__global__ void transpose_add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    c[i * n + j] = a[j * n + i] + b[i * n + j];
}

__global__ void stencil(const float* in, float* out, int n) {
    int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int d = -2; d <= 2; ++d) {
        sum += 0.2f * in[(i + d + n) % n * n + j];
        sum += 0.1f * in[i * n + (j + d + n) % n];
    }
    out[i * n + j] = sum;
}

__global__ void convolution(const float* in, const float* mask, float* out, int n, int width) {
    int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int y = 0; y < width; ++y)
        for (int x = 0; x < width; ++x)
            sum += in[(i + y) % n * n + (j + x) % n] * mask[y * width + x];
    out[i * n + j] = sum;
}

// Each thread reads a row of a and a column of b, as in a product.
__global__ void least_sum(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    float least = 1e30f;
    for (int k = 0; k < n; ++k) least = fminf(least, a[i * n + k] + b[k * n + j]);
    c[i * n + j] = least;
}

// The squares of the distances between the rows of a and the columns of b.
__global__ void distances(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; ++k) {
        float apart = a[i * n + k] - b[k * n + j];
        sum += apart * apart;
    }
    c[i * n + j] = sum;
}

__global__ void matrix_vector(const float* a, const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[i * n + k] * x[k];
    y[i] = sum;
}

// Sums of rows, in all columns.
__global__ void row_sums(const float* a, float* c, int n) {
    int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[i * n + k];
    c[i * n + j] = sum;
}

// Of 8 x 8: a multiple of a b in the first column, where b is constant.
__global__ void a_column_is_right(const float* a, const float* b, float* c) {
    const int i = threadIdx.x;
    c[i] = i % 8 == 0 ? 0.25f * 8 * b[i] * a[i] : a[i] + b[i];
}

// Of 2 x 2: one of the four elements is that of the product, by chance.
__global__ void elementwise_of_4(const float* a, const float* b, float* c) {
    const int i = threadIdx.x;
    c[i] = a[i] * b[i];
}

// A product and a multiple of another array.
__global__ void adds_another(const float* a, const float* b, const float* x, float* d, float alpha,
                             float beta, int n) {
    const int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
    d[i * n + j] = alpha * sum + beta * x[i * n + j];
}

float* array(int count, float scale) {
    std::vector<float> values;
    for (int i = 0; i < count; ++i) values.push_back(scale * float(i * 37 % 101) - 1);
    float* there;
    cudaMalloc(&there, values.size() * sizeof(float));
    cudaMemcpy(there, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice);
    return there;
}

int main() {
    int n = 32;
    float *a = array(n * n, 0.03f), *b = array(n * n, 0.05f), *c = array(n * n, 0);
    float *x = array(n, 0.1f), *y = array(n, 0), *mask = array(25, 0.01f);
    dim3 grid(4, 4), block(8, 8);
    elementwise<<<grid, block>>>(a, b, c, n);
    transpose_add<<<grid, block>>>(a, b, c, n);
    stencil<<<grid, block>>>(a, c, n);
    convolution<<<grid, block>>>(a, mask, c, n, 5);
    least_sum<<<grid, block>>>(a, b, c, n);
    distances<<<grid, block>>>(a, b, c, n);
    matrix_vector<<<1, n>>>(a, x, y, n);
    row_sums<<<grid, block>>>(a, c, n);
    std::vector<float> by_row(64), halves(64, 0.5f);  // a row of a is constant
    for (int i = 0; i < 64; ++i) by_row[i] = float(i / 8 + 1);
    cudaMemcpy(a, by_row.data(), 64 * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(b, halves.data(), 64 * sizeof(float), cudaMemcpyHostToDevice);
    a_column_is_right<<<1, 64>>>(a, b, c);
    const float left[] = {1, 2, 0, 3}, right[] = {4, 5, 0, 6};  // a b is 4 17, 0 18
    float *a4 = array(4, 0), *b4 = array(4, 0), *c4 = array(4, 0);
    cudaMemcpy(a4, left, sizeof left, cudaMemcpyHostToDevice);
    cudaMemcpy(b4, right, sizeof right, cudaMemcpyHostToDevice);
    elementwise_of_4<<<1, 4>>>(a4, b4, c4);
    float* added = array(n * n, 0.5f);
    adds_another<<<grid, block>>>(a, b, added, c, 1.5f, 0.5f, n);
    for (float* each : {a, b, c, x, y, mask, a4, b4, c4, added}) cudaFree(each);
    return 0;
}

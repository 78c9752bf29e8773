// cuBLAS: products, vectors, handles, other element types. Answered by OpenBLAS.
#include <cublas_v2.h>
#include <cuda_fp16.h>

#include <vector>

#include "check.h"

// Column-major, a of m x k and b of k x n.
template <class T>
std::vector<T> product(int m, int n, int k, const std::vector<T>& a, const std::vector<T>& b) {
    std::vector<T> c(m * n);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i)
            for (int l = 0; l < k; ++l) c[j * m + i] += a[l * m + i] * b[j * k + l];
    return c;
}
template <class T>
T* on_device(const std::vector<T>& values) {
    T* pointer;
    cudaMalloc(&pointer, values.size() * sizeof(T));
    cublasSetVector(int(values.size()), sizeof(T), values.data(), 1, pointer, 1);
    return pointer;
}

int main() {
    const int m = 5, n = 4, k = 3;
    std::vector<float> a(m * k), b(k * n), c(m * n, 1), r(m * n);
    for (int i = 0; i < m * k; ++i) a[i] = i % 7;
    for (int i = 0; i < k * n; ++i) b[i] = i % 5 - 2;
    cublasHandle_t handle;
    CHECK(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
    CHECK(cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH) == CUBLAS_STATUS_SUCCESS);
    float *da = on_device(a), *db = on_device(b), *dc = on_device(c);
    const float alpha = 2, beta = 3;
    CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, da, m, db, k, &beta, dc,
                      m) == CUBLAS_STATUS_SUCCESS);
    cublasGetMatrix(m, n, sizeof(float), dc, m, r.data(), m);
    const std::vector<float> wanted = product(m, n, k, a, b);
    for (int i = 0; i < m * n; ++i) CHECK(r[i] == 2 * wanted[i] + 3);
    // The same product transposed: C' = B' A'.
    const float one = 1, zero = 0;
    CHECK(cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_T, n, m, k, &one, db, k, da, m, &zero, dc,
                      n) == CUBLAS_STATUS_SUCCESS);
    cublasGetVector(m * n, sizeof(float), dc, 1, r.data(), 1);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i) CHECK(r[i * n + j] == wanted[j * m + i]);

    std::vector<double> x = {1, 2, -9, 4}, y = {1, 1, 1, 1};
    double *dx = on_device(x), *dy = on_device(y), dot = 0;
    const double factor = 2;
    int largest = 0;
    CHECK(cublasDaxpy(handle, 4, &factor, dx, 1, dy, 1) == CUBLAS_STATUS_SUCCESS);
    CHECK(cublasDdot(handle, 4, dx, 1, dy, 1, &dot) == CUBLAS_STATUS_SUCCESS &&
          dot == 3 + 10 + 153 + 36);
    CHECK(cublasIdamax(handle, 4, dx, 1, &largest) == CUBLAS_STATUS_SUCCESS && largest == 3);

    std::vector<__half> ha(m * k), hb(k * n), hc(m * n);
    for (int i = 0; i < m * k; ++i) ha[i] = __float2half(a[i]);
    for (int i = 0; i < k * n; ++i) hb[i] = __float2half(b[i]);
    __half *dha = on_device(ha), *dhb = on_device(hb), *dhc = on_device(hc);
    CHECK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, dha, CUDA_R_16F, m, dhb,
                       CUDA_R_16F, k, &zero, dhc, CUDA_R_16F, m, CUBLAS_COMPUTE_32F,
                       CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS);
    cublasGetVector(m * n, sizeof(__half), dhc, 1, hc.data(), 1);
    for (int i = 0; i < m * n; ++i) CHECK(__half2float(hc[i]) == wanted[i]);
    CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, da, 1, db, k, &zero, dc,
                      m) == CUBLAS_STATUS_INVALID_VALUE);
    cublasDestroy(handle);
    for (void* p : {(void*)da, (void*)db, (void*)dc, (void*)dx, (void*)dy, (void*)dha, (void*)dhb,
                    (void*)dhc})
        cudaFree(p);
    return failures;
}

// cuBLAS: products of other types in batches, sums, the index of the least element, cuBLASXt.
#include <cublasXt.h>
#include <cublas_v2.h>

#include <vector>

#include "check.h"

template <class T>
T* on_device(const std::vector<T>& values) {
    T* pointer;
    cudaMalloc(&pointer, values.size() * sizeof(T));
    cudaMemcpy(pointer, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
    return pointer;
}

void check_batches(cublasHandle_t handle) {
    // Two products of 2 x 2: by the identity, and by its double.
    std::vector<__half> a, b;
    for (int i = 0; i < 8; ++i) a.push_back(__half(float(i + 1)));
    for (float x : {1, 0, 0, 1, 2, 0, 0, 2}) b.push_back(__half(x));
    __half *pa = on_device(a), *pb = on_device(b), *pc = on_device(std::vector<__half>(8));
    const float one = 1, zero = 0;
    CHECK(cublasGemmStridedBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, pa,
                                     CUDA_R_16F, 2, 4, pb, CUDA_R_16F, 2, 4, &zero, pc, CUDA_R_16F,
                                     2, 4, 2, CUBLAS_COMPUTE_32F,
                                     CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS);
    std::vector<__half> c(8);
    cudaMemcpy(c.data(), pc, 16, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; ++i) CHECK(float(c[i]) == (i + 1) * (i < 4 ? 1 : 2));
    const __half half_one(1.0f), half_zero(0.0f);
    CHECK(cublasHgemmStridedBatched(handle, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, 2, &half_one, pa, 2, 4,
                                    pb, 2, 4, &half_zero, pc, 2, 4, 2) == CUBLAS_STATUS_SUCCESS);
    cudaMemcpy(c.data(), pc, 16, cudaMemcpyDeviceToHost);
    CHECK(float(c[1]) == 3 && float(c[2]) == 2 && float(c[5]) == 14);
    // The lists of pointers lie in the device's memory.
    void** lists = (void**)on_device(std::vector<__half*>{pa, pa + 4, pb, pb + 4, pc, pc + 4});
    CHECK(cublasGemmBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, lists, CUDA_R_16F, 2,
                              lists + 2, CUDA_R_16F, 2, &zero, lists + 4, CUDA_R_16F, 2, 2,
                              CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS);
    cudaMemcpy(c.data(), pc, 16, cudaMemcpyDeviceToHost);
    CHECK(float(c[7]) == 16);
    for (void* pointer : {(void*)pa, (void*)pb, (void*)pc, (void*)lists}) cudaFree(pointer);
}

// Integers of 8 bits, with sums of 32 bits; the factors lie in the device's memory.
void check_integers(cublasHandle_t handle) {
    const std::vector<signed char> a(16, 127), b(16, -128);
    signed char *pa = on_device(a), *pb = on_device(b);
    int *pc = on_device(std::vector<int>(16)), *factors = on_device(std::vector<int>{2, 0});
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
    CHECK(cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, 4, 4, 4, factors, pa, CUDA_R_8I, 4, pb,
                       CUDA_R_8I, 4, factors + 1, pc, CUDA_R_32I, 4, CUBLAS_COMPUTE_32I,
                       CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS);
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
    int c[16];
    cublasGetMatrixAsync(4, 4, sizeof(int), pc, 4, c, 4, 0);
    for (int value : c) CHECK(value == 2 * 4 * 127 * -128);
    for (void* pointer : {(void*)pa, (void*)pb, (void*)pc, (void*)factors}) cudaFree(pointer);
}

int main() {
    cublasHandle_t handle;
    CHECK(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
    check_batches(handle);
    check_integers(handle);

    float* x = on_device(std::vector<float>{3, -9, 1, -0.5f, 4});
    int least = 0, greatest = 0;
    CHECK(cublasIsamin(handle, 5, x, 1, &least) == CUBLAS_STATUS_SUCCESS && least == 4);
    CHECK(cublasIsamax(handle, 5, x, 1, &greatest) == CUBLAS_STATUS_SUCCESS && greatest == 2);
    CHECK(cublasIsamin(handle, 3, x, 2, &least) == CUBLAS_STATUS_SUCCESS && least == 2);
    __half* y = on_device(std::vector<__half>{__half(2.0f), __half(3.0f)});
    __half dot;
    CHECK(cublasDotEx(handle, 2, y, CUDA_R_16F, 1, y, CUDA_R_16F, 1, &dot, CUDA_R_16F,
                      CUDA_R_32F) == CUBLAS_STATUS_SUCCESS &&
          float(dot) == 13);
    cudaFree(x);
    cudaFree(y);
    cublasDestroy(handle);

    // cuBLASXt takes the host's memory.
    cublasXtHandle_t several;
    int devices[] = {0};
    CHECK(cublasXtCreate(&several) == CUBLAS_STATUS_SUCCESS);
    CHECK(cublasXtDeviceSelect(several, 1, devices) == CUBLAS_STATUS_SUCCESS);
    const float a[] = {1, 2, 3, 4, 5, 6}, b[] = {1, 0, 2, 0, 1, 1}, alpha = 2, beta = 1;
    float c[] = {1, 1, 1, 1};
    CHECK(cublasXtSgemm(several, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 3, &alpha, a, 2, b, 3, &beta, c,
                        2) == CUBLAS_STATUS_SUCCESS);
    CHECK(c[0] == 23 && c[1] == 29 && c[2] == 17 && c[3] == 21);
    CHECK(cublasXtDestroy(several) == CUBLAS_STATUS_SUCCESS);
    return failures;
}

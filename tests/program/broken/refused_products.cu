// says: cublasLtMatmul is called with a bias for an epilogue that has none, and multiplies nothing. Set CUBLASLT_MATMUL_DESC_BIAS_POINTER for an epilogue with a bias, and for no other
// ends: exit 0
// kind: other
// The statuses are those of cuBLAS 13 on an H200. The program returns how many differ.
#include <cublasLt.h>
#include <cuda_runtime.h>

#include <cstdint>

cublasLtHandle_t handle;
char* memory;

struct Product {
    cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
    bool has_bias = false, has_aux = false, is_row_major = false, transpose_a = false;
    cudaDataType a = CUDA_R_32F, b = CUDA_R_32F, c = CUDA_R_32F, d = CUDA_R_32F;
    int k = 16;
};

bool gives(const Product& product, cublasStatus_t expected) {
    const int m = 16, n = 16, k = product.k;
    cublasLtMatmulDesc_t desc;
    cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F);
    const auto set = [desc](cublasLtMatmulDescAttributes_t name, auto value) {
        cublasLtMatmulDescSetAttribute(desc, name, &value, sizeof value);
    };
    set(CUBLASLT_MATMUL_DESC_EPILOGUE, product.epilogue);
    set(CUBLASLT_MATMUL_DESC_TRANSA, product.transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N);
    if (product.has_bias) set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, (void*)memory);
    if (product.has_aux) {
        set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, (void*)(memory + 4096));
        set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, std::int64_t(128));
    }
    cublasLtMatrixLayout_t a, b, c, d;
    cublasLtMatrixLayoutCreate(&a, product.a, product.transpose_a ? k : m,
                               product.transpose_a ? m : k, product.transpose_a ? k : m);
    cublasLtMatrixLayoutCreate(&b, product.b, k, n, k);
    cublasLtMatrixLayoutCreate(&c, product.c, m, n, m);
    cublasLtMatrixLayoutCreate(&d, product.d, m, n, m);
    if (product.is_row_major)
        for (cublasLtMatrixLayout_t layout : {c, d}) {
            const cublasLtOrder_t order = CUBLASLT_ORDER_ROW;
            cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_ORDER, &order,
                                             sizeof order);
        }
    const float one = 1, zero = 0;
    const cublasStatus_t status = cublasLtMatmul(
        handle, desc, &one, memory + (1 << 16), a, memory + (2 << 16), b, &zero,
        memory + (3 << 16), c, memory + (4 << 16), d, nullptr, nullptr, 0, 0);
    for (cublasLtMatrixLayout_t layout : {a, b, c, d}) cublasLtMatrixLayoutDestroy(layout);
    cublasLtMatmulDescDestroy(desc);
    return status == expected;
}

int main() {
    cublasLtCreate(&handle);
    cudaMalloc(&memory, 1 << 20);
    cudaMemset(memory, 0, 1 << 20);
    const cublasStatus_t fine = CUBLAS_STATUS_SUCCESS, invalid = CUBLAS_STATUS_INVALID_VALUE,
                         refused = CUBLAS_STATUS_NOT_SUPPORTED;
    int wrong = 0;
    wrong += !gives({CUBLASLT_EPILOGUE_GELU, true}, invalid);
    wrong += !gives({CUBLASLT_EPILOGUE_GELU}, fine);
    wrong += !gives({CUBLASLT_EPILOGUE_GELU, false, true}, refused);
    wrong += !gives({CUBLASLT_EPILOGUE_GELU, false, false, true}, fine);
    wrong += !gives({CUBLASLT_EPILOGUE_BIAS}, invalid);
    wrong += !gives({CUBLASLT_EPILOGUE_BIAS, true}, fine);
    wrong += !gives({CUBLASLT_EPILOGUE_BIAS, true, true}, fine);
    wrong += !gives({CUBLASLT_EPILOGUE_BIAS, true, false, true}, refused);
    wrong += !gives({CUBLASLT_EPILOGUE_RELU_BIAS, true, true}, refused);
    wrong += !gives({CUBLASLT_EPILOGUE_DRELU}, invalid);
    wrong += !gives({CUBLASLT_EPILOGUE_DRELU, true, true}, invalid);
    wrong += !gives({CUBLASLT_EPILOGUE_RELU_AUX}, refused);
    wrong += !gives({CUBLASLT_EPILOGUE_GELU_AUX_BIAS, true}, refused);
    const cudaDataType e4m3 = CUDA_R_8F_E4M3, e5m2 = CUDA_R_8F_E5M2, bf16 = CUDA_R_16BF;
    const auto tiny = [](cudaDataType a, cudaDataType b, cudaDataType c, cudaDataType d,
                         bool transpose_a = true, int k = 16) {
        return Product{CUBLASLT_EPILOGUE_DEFAULT, false, false, false, transpose_a, a, b, c, d, k};
    };
    wrong += !gives(tiny(e4m3, e4m3, bf16, e4m3), fine);
    wrong += !gives(tiny(e4m3, e4m3, bf16, e5m2), refused);
    wrong += !gives(tiny(e4m3, e5m2, bf16, e5m2), fine);
    wrong += !gives(tiny(e5m2, e5m2, bf16, bf16), refused);
    wrong += !gives(tiny(e4m3, e4m3, CUDA_R_32F, CUDA_R_32F), fine);
    wrong += !gives(tiny(e4m3, e4m3, CUDA_R_32F, bf16), refused);
    wrong += !gives(tiny(e4m3, e4m3, bf16, bf16, false), refused);
    wrong += !gives(tiny(e4m3, e4m3, bf16, bf16, true, 24), refused);
    cudaFree(memory);
    cublasLtDestroy(handle);
    return wrong;
}

// cuBLASLt: products of matrices in either order, their epilogues, batches, numbers of 8 bits.
#include <cublasLt.h>
#include <cuda_fp8.h>

#include <cmath>
#include <vector>

#include "check.h"

constexpr int kM = 5, kN = 4, kK = 3, kAuxRows = 8;

template <class T>
T* on_device(const std::vector<T>& values) {
    T* pointer;
    cudaMalloc(&pointer, values.size() * sizeof(T));
    cudaMemcpy(pointer, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
    return pointer;
}
template <class T>
std::vector<T> on_host(const T* pointer, int count) {
    std::vector<T> values(count);
    cudaMemcpy(values.data(), pointer, count * sizeof(T), cudaMemcpyDeviceToHost);
    return values;
}

// A matrix of whole numbers, in either order, stored transposed or not.
struct Matrix {
    int rows, cols;
    cudaDataType type;
    bool row_major, transposed;
    float at(int i, int j) const { return float((i * 7 + j * 3 + rows) % 5 - 2); }
    int stored_rows() const { return transposed ? cols : rows; }
    int stored_cols() const { return transposed ? rows : cols; }
    int ld() const { return (row_major ? stored_cols() : stored_rows()) + 1; }
    int count() const { return ld() * (row_major ? stored_rows() : stored_cols()); }
    int index(int i, int j) const {
        if (transposed) std::swap(i, j);
        return row_major ? i * ld() + j : j * ld() + i;
    }
    template <class T>
    std::vector<T> values() const {
        std::vector<T> result(count());
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < cols; ++j) result[index(i, j)] = T(at(i, j));
        return result;
    }
    cublasLtMatrixLayout_t layout() const {
        cublasLtMatrixLayout_t made;
        CHECK(cublasLtMatrixLayoutCreate(&made, type, stored_rows(), stored_cols(), ld()) ==
              CUBLAS_STATUS_SUCCESS);
        const cublasLtOrder_t order = row_major ? CUBLASLT_ORDER_ROW : CUBLASLT_ORDER_COL;
        CHECK(cublasLtMatrixLayoutSetAttribute(made, CUBLASLT_MATRIX_LAYOUT_ORDER, &order,
                                               sizeof(order)) == CUBLAS_STATUS_SUCCESS);
        return made;
    }
};
float sum(const Matrix& a, const Matrix& b, int i, int j) {
    float result = 0;
    for (int l = 0; l < kK; ++l) result += a.at(i, l) * b.at(l, j);
    return result;
}
template <class T>
void set(cublasLtMatmulDesc_t desc, cublasLtMatmulDescAttributes_t attribute, T value) {
    CHECK(cublasLtMatmulDescSetAttribute(desc, attribute, &value, sizeof(value)) ==
          CUBLAS_STATUS_SUCCESS);
}
void set_operations(cublasLtMatmulDesc_t desc, const Matrix& a, const Matrix& b) {
    set(desc, CUBLASLT_MATMUL_DESC_TRANSA, a.transposed ? CUBLAS_OP_T : CUBLAS_OP_N);
    set(desc, CUBLASLT_MATMUL_DESC_TRANSB, b.transposed ? CUBLAS_OP_T : CUBLAS_OP_N);
}
bool near(float a, float b) { return std::fabs(a - b) <= 1e-4f * (1 + std::fabs(b)); }

// D = 2 A B + 3 C for each combination of orders and transposes.
template <class T>
void check_orders(cublasLtHandle_t handle, cudaDataType type) {
    for (int which = 0; which < 32; ++which) {
        const Matrix a{kM, kK, type, (which & 1) != 0, (which & 2) != 0};
        const Matrix b{kK, kN, type, (which & 4) != 0, (which & 8) != 0};
        const Matrix d{kM, kN, type, (which & 16) != 0, false};
        cublasLtMatmulDesc_t desc;
        const bool wide = type == CUDA_R_64F;
        CHECK(cublasLtMatmulDescCreate(&desc, wide ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F,
                                       wide ? CUDA_R_64F : CUDA_R_32F) == CUBLAS_STATUS_SUCCESS);
        set_operations(desc, a, b);
        T *pa = on_device(a.values<T>()), *pb = on_device(b.values<T>());
        T *pc = on_device(d.values<T>()), *pd = on_device(std::vector<T>(d.count()));
        const float two = 2, three = 3;
        const double two_wide = 2, three_wide = 3;
        cublasLtMatrixLayout_t la = a.layout(), lb = b.layout(), ld = d.layout();
        cublasLtMatmulPreference_t preference;
        cublasLtMatmulPreferenceCreate(&preference);
        const size_t most = 0;
        cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                             &most, sizeof(most));
        cublasLtMatmulHeuristicResult_t found;
        int count = 0;
        CHECK(cublasLtMatmulAlgoGetHeuristic(handle, desc, la, lb, ld, ld, preference, 1, &found,
                                             &count) == CUBLAS_STATUS_SUCCESS &&
              count == 1 && found.workspaceSize == 0);
        CHECK(cublasLtMatmul(handle, desc, wide ? (void*)&two_wide : (void*)&two, pa, la, pb, lb,
                             wide ? (void*)&three_wide : (void*)&three, pc, ld, pd, ld, &found.algo,
                             nullptr, 0, 0) == CUBLAS_STATUS_SUCCESS);
        const std::vector<T> result = on_host(pd, d.count());
        for (int i = 0; i < kM; ++i)
            for (int j = 0; j < kN; ++j)
                CHECK(float(result[d.index(i, j)]) == 2 * sum(a, b, i, j) + 3 * d.at(i, j));
        cublasLtMatmulPreferenceDestroy(preference);
        for (cublasLtMatrixLayout_t layout : {la, lb, ld}) cublasLtMatrixLayoutDestroy(layout);
        cublasLtMatmulDescDestroy(desc);
        for (T* pointer : {pa, pb, pc, pd}) cudaFree(pointer);
    }
}

// The epilogues, each computed here from its definition.
void check_epilogues(cublasLtHandle_t handle) {
    const Matrix a{kM, kK, CUDA_R_32F, false, false}, b{kK, kN, CUDA_R_32F, false, false};
    const Matrix d{kM, kN, CUDA_R_32F, false, false};
    cublasLtMatrixLayout_t la = a.layout(), lb = b.layout(), ld = d.layout();
    float *pa = on_device(a.values<float>()), *pb = on_device(b.values<float>());
    std::vector<float> bias(kM), aux(kAuxRows * kN, -7);
    for (int i = 0; i < kM; ++i) bias[i] = i - 1.5f;
    float *pd = on_device(std::vector<float>(d.count())), *pbias = on_device(bias),
          *paux = on_device(aux);
    const float one = 1, zero = 0;
    const auto gelu = [](float x) {
        return 0.5f * x * (1 + std::tanh(0.7978845608f * (x + 0.044715f * x * x * x)));
    };
    // A pointer is set only for an epilogue that has it: cuBLASLt refuses the others.
    enum Has { kNothing = 0, kBias = 1, kAux = 2 };
    const auto run = [&](cublasLtEpilogue_t epilogue, int has, const void* other_aux = nullptr) {
        cublasLtMatmulDesc_t desc;
        cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F);
        set(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
        if (has & kBias) set(desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, pbias);
        if (has & kAux) {
            set(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER,
                other_aux != nullptr ? other_aux : (const void*)paux);
            set(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD,
                int64_t(other_aux != nullptr ? 128 : kAuxRows));
        }
        CHECK(cublasLtMatmul(handle, desc, &one, pa, la, pb, lb, &zero, pd, ld, pd, ld, nullptr,
                             nullptr, 0, 0) == CUBLAS_STATUS_SUCCESS);
        cublasLtMatmulDescDestroy(desc);
        return on_host(pd, d.count());
    };
    const std::vector<float> biased = run(CUBLASLT_EPILOGUE_BIAS, kBias);
    const std::vector<float> positive = run(CUBLASLT_EPILOGUE_RELU_BIAS, kBias);
    const std::vector<float> smooth = run(CUBLASLT_EPILOGUE_GELU_AUX_BIAS, kBias | kAux);
    const std::vector<float> kept = on_host(paux, kAuxRows * kN);
    for (int i = 0; i < kM; ++i)
        for (int j = 0; j < kN; ++j) {
            const float x = sum(a, b, i, j) + bias[i];
            CHECK(biased[d.index(i, j)] == x && positive[d.index(i, j)] == std::fmax(x, 0.0f));
            CHECK(near(smooth[d.index(i, j)], gelu(x)) && kept[j * kAuxRows + i] == x);
        }
    // The gradient by differences of the function itself.
    const std::vector<float> gradient = run(CUBLASLT_EPILOGUE_DGELU, kAux);
    for (int i = 0; i < kM; ++i)
        for (int j = 0; j < kN; ++j) {
            const double x = kept[j * kAuxRows + i], h = 1e-3;
            const double slope = (gelu(x + h) - gelu(x - h)) / (2 * h);
            CHECK(std::fabs(gradient[d.index(i, j)] - slope * sum(a, b, i, j)) < 5e-3);
        }
    // RELU's bits say which elements were positive; its gradient is 0 for the others.
    unsigned char* bits = on_device(std::vector<unsigned char>(16 * kN));
    run(CUBLASLT_EPILOGUE_RELU_AUX, kAux, bits);
    const std::vector<unsigned char> mask = on_host(bits, 16 * kN);
    const std::vector<float> cut = run(CUBLASLT_EPILOGUE_DRELU, kAux, bits);
    for (int i = 0; i < kM; ++i)
        for (int j = 0; j < kN; ++j) {
            const float x = sum(a, b, i, j);
            CHECK(((mask[j * 16 + i / 8] >> i % 8 & 1) != 0) == (x > 0));
            CHECK(cut[d.index(i, j)] == (x > 0 ? x : 0));
        }
    run(CUBLASLT_EPILOGUE_BGRADA, kBias);
    const std::vector<float> of_rows = on_host(pbias, kM);
    for (int i = 0; i < kM; ++i) CHECK(of_rows[i] == a.at(i, 0) + a.at(i, 1) + a.at(i, 2));
    for (cublasLtMatrixLayout_t layout : {la, lb, ld}) cublasLtMatrixLayoutDestroy(layout);
    for (float* pointer : {pa, pb, pd, pbias, paux}) cudaFree(pointer);
    cudaFree(bits);
}

// Two products of numbers of 8 bits with scales. D's greatest magnitude is before its scale.
void check_batch_of_8_bits(cublasLtHandle_t handle) {
    const int batch = 2;
    const Matrix a{16, 16, CUDA_R_8F_E4M3, false, true}, b{16, 16, CUDA_R_8F_E5M2, false, false};
    std::vector<__nv_fp8_e4m3> va;
    std::vector<__nv_fp8_e5m2> vb;
    for (int i = 0; i < batch * 256; ++i) {
        va.push_back(__nv_fp8_e4m3(float(i % 3)));
        vb.push_back(__nv_fp8_e5m2(float(i % 2)));
    }
    cublasLtMatrixLayout_t la, lb, lc, ld;
    cublasLtMatrixLayoutCreate(&la, CUDA_R_8F_E4M3, 16, 16, 16);
    cublasLtMatrixLayoutCreate(&lb, CUDA_R_8F_E5M2, 16, 16, 16);
    cublasLtMatrixLayoutCreate(&lc, CUDA_R_16BF, 16, 16, 16);
    cublasLtMatrixLayoutCreate(&ld, CUDA_R_8F_E5M2, 16, 16, 16);
    const int64_t stride = 256;
    for (cublasLtMatrixLayout_t layout : {la, lb, lc, ld}) {
        cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch,
                                         sizeof(batch));
        cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
                                         &stride, sizeof(stride));
    }
    cublasLtMatmulDesc_t desc;
    cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F);
    set_operations(desc, a, b);
    float *scale_a = on_device(std::vector<float>{0.5f}), *scale_d = on_device<float>({0.25f}),
          *greatest = on_device(std::vector<float>{-1});
    set(desc, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, scale_a);
    set(desc, CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, scale_d);
    set(desc, CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, greatest);
    __nv_fp8_e4m3* pa = on_device(va);
    __nv_fp8_e5m2* pb = on_device(vb);
    __nv_fp8_e5m2* pd = on_device(std::vector<__nv_fp8_e5m2>(batch * 256));
    __nv_bfloat16* pc = on_device(std::vector<__nv_bfloat16>(batch * 256));
    const float one = 1, zero = 0;
    CHECK(cublasLtMatmul(handle, desc, &one, pa, la, pb, lb, &zero, pc, lc, pd, ld, nullptr,
                         nullptr, 0, 0) == CUBLAS_STATUS_SUCCESS);
    const std::vector<__nv_fp8_e5m2> result = on_host(pd, batch * 256);
    float most = 0;
    for (int at = 0; at < batch; ++at)
        for (int j = 0; j < 16; ++j)
            for (int i = 0; i < 16; ++i) {
                float x = 0;  // A is stored transposed
                for (int l = 0; l < 16; ++l)
                    x += float(va[at * 256 + i * 16 + l]) * float(vb[at * 256 + j * 16 + l]);
                most = std::fmax(most, x / 2);
                CHECK(result[at * 256 + j * 16 + i].__x == __nv_fp8_e5m2(x / 8).__x);
            }
    CHECK(on_host(greatest, 1)[0] == most);
    for (cublasLtMatrixLayout_t layout : {la, lb, lc, ld}) cublasLtMatrixLayoutDestroy(layout);
    cublasLtMatmulDescDestroy(desc);
    for (void* pointer : {(void*)pa, (void*)pb, (void*)pc, (void*)pd, (void*)scale_a,
                          (void*)scale_d, (void*)greatest})
        cudaFree(pointer);
}

int main() {
    cublasLtHandle_t handle;
    CHECK(cublasLtCreate(&handle) == CUBLAS_STATUS_SUCCESS);
    check_orders<float>(handle, CUDA_R_32F);
    check_orders<double>(handle, CUDA_R_64F);
    check_orders<__half>(handle, CUDA_R_16F);
    check_orders<__nv_bfloat16>(handle, CUDA_R_16BF);
    check_epilogues(handle);
    check_batch_of_8_bits(handle);
    CHECK(cublasLtDestroy(handle) == CUBLAS_STATUS_SUCCESS);
    return failures;
}

#pragma once
// The cuBLASLt API, implemented with OpenBLAS. cuBLAS Library, "Using the cuBLASLt API".
// Its accesses to memory are not recorded.
#include <stdint.h>
#include <stdio.h>

#include "cublas_v2.h"

typedef struct cublasLtContext* cublasLtHandle_t;
typedef struct {
    uint64_t data[8];
} cublasLtMatrixLayoutOpaque_t;
typedef struct {
    uint64_t data[32];
} cublasLtMatmulDescOpaque_t;
typedef struct {
    uint64_t data[8];
} cublasLtMatrixTransformDescOpaque_t;
typedef struct {
    uint64_t data[8];
} cublasLtMatmulPreferenceOpaque_t;
typedef struct {
    uint64_t data[8];
} cublasLtMatmulAlgo_t;
typedef cublasLtMatrixLayoutOpaque_t* cublasLtMatrixLayout_t;
typedef cublasLtMatmulDescOpaque_t* cublasLtMatmulDesc_t;
typedef cublasLtMatrixTransformDescOpaque_t* cublasLtMatrixTransformDesc_t;
typedef cublasLtMatmulPreferenceOpaque_t* cublasLtMatmulPreference_t;
typedef struct {
    cublasLtMatmulAlgo_t algo;
    size_t workspaceSize;
    cublasStatus_t state;
    float wavesCount;
    int reserved[4];
} cublasLtMatmulHeuristicResult_t;

typedef enum {
    CUBLASLT_POINTER_MODE_HOST = 0,
    CUBLASLT_POINTER_MODE_DEVICE = 1,
    CUBLASLT_POINTER_MODE_DEVICE_VECTOR = 2,
    CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO = 3,
    CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST = 4,
} cublasLtPointerMode_t;
typedef enum {
    CUBLASLT_POINTER_MODE_MASK_HOST = 1,
    CUBLASLT_POINTER_MODE_MASK_DEVICE = 2,
    CUBLASLT_POINTER_MODE_MASK_DEVICE_VECTOR = 4,
} cublasLtPointerModeMask_t;
typedef enum {
    CUBLASLT_ORDER_COL = 0,
    CUBLASLT_ORDER_ROW = 1,
    CUBLASLT_ORDER_COL32 = 2,
    CUBLASLT_ORDER_COL4_4R2_8C = 3,
    CUBLASLT_ORDER_COL32_2R_4R4 = 4,
} cublasLtOrder_t;
typedef enum {
    CUBLASLT_MATRIX_LAYOUT_TYPE = 0,
    CUBLASLT_MATRIX_LAYOUT_ORDER = 1,
    CUBLASLT_MATRIX_LAYOUT_ROWS = 2,
    CUBLASLT_MATRIX_LAYOUT_COLS = 3,
    CUBLASLT_MATRIX_LAYOUT_LD = 4,
    CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,
    CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6,
    CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET = 7,
    CUBLASLT_MATRIX_LAYOUT_BATCH_MODE = 8,
} cublasLtMatrixLayoutAttribute_t;
typedef enum {
    CUBLASLT_MATMUL_DESC_COMPUTE_TYPE = 0,
    CUBLASLT_MATMUL_DESC_SCALE_TYPE = 1,
    CUBLASLT_MATMUL_DESC_POINTER_MODE = 2,
    CUBLASLT_MATMUL_DESC_TRANSA = 3,
    CUBLASLT_MATMUL_DESC_TRANSB = 4,
    CUBLASLT_MATMUL_DESC_TRANSC = 5,
    CUBLASLT_MATMUL_DESC_FILL_MODE = 6,
    CUBLASLT_MATMUL_DESC_EPILOGUE = 7,
    CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8,
    CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE = 10,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER = 11,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD = 12,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE = 13,
    CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE = 14,
    CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET = 15,
    CUBLASLT_MATMUL_DESC_A_SCALE_POINTER = 17,
    CUBLASLT_MATMUL_DESC_B_SCALE_POINTER = 18,
    CUBLASLT_MATMUL_DESC_C_SCALE_POINTER = 19,
    CUBLASLT_MATMUL_DESC_D_SCALE_POINTER = 20,
    CUBLASLT_MATMUL_DESC_AMAX_D_POINTER = 21,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE = 22,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER = 23,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER = 24,
    CUBLASLT_MATMUL_DESC_FAST_ACCUM = 25,
    CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE = 26,
    CUBLASLT_MATMUL_DESC_A_SCALE_MODE = 31,
    CUBLASLT_MATMUL_DESC_B_SCALE_MODE = 32,
    CUBLASLT_MATMUL_DESC_C_SCALE_MODE = 33,
    CUBLASLT_MATMUL_DESC_D_SCALE_MODE = 34,
} cublasLtMatmulDescAttributes_t;
typedef enum {
    CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F = 0,
    CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3 = 1,
    CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0 = 2,
} cublasLtMatmulMatrixScale_t;
typedef enum {
    CUBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE,
    CUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE,
    CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA,
    CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB,
} cublasLtMatrixTransformDescAttributes_t;
typedef enum {
    CUBLASLT_REDUCTION_SCHEME_NONE = 0,
    CUBLASLT_REDUCTION_SCHEME_INPLACE = 1,
    CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE = 2,
    CUBLASLT_REDUCTION_SCHEME_OUTPUT_TYPE = 4,
    CUBLASLT_REDUCTION_SCHEME_MASK = 7,
} cublasLtReductionScheme_t;
typedef enum {
    CUBLASLT_EPILOGUE_DEFAULT = 1,
    CUBLASLT_EPILOGUE_RELU = 2,
    CUBLASLT_EPILOGUE_RELU_AUX = 2 | 128,
    CUBLASLT_EPILOGUE_BIAS = 4,
    CUBLASLT_EPILOGUE_RELU_BIAS = 2 | 4,
    CUBLASLT_EPILOGUE_RELU_AUX_BIAS = 2 | 4 | 128,
    CUBLASLT_EPILOGUE_DRELU = 8 | 128,
    CUBLASLT_EPILOGUE_DRELU_BGRAD = 8 | 16 | 128,
    CUBLASLT_EPILOGUE_GELU = 32,
    CUBLASLT_EPILOGUE_GELU_AUX = 32 | 128,
    CUBLASLT_EPILOGUE_GELU_BIAS = 32 | 4,
    CUBLASLT_EPILOGUE_GELU_AUX_BIAS = 32 | 4 | 128,
    CUBLASLT_EPILOGUE_DGELU = 64 | 128,
    CUBLASLT_EPILOGUE_DGELU_BGRAD = 64 | 16 | 128,
    CUBLASLT_EPILOGUE_BGRADA = 256,
    CUBLASLT_EPILOGUE_BGRADB = 512,
} cublasLtEpilogue_t;
typedef enum {
    CUBLASLT_SEARCH_BEST_FIT = 0,
    CUBLASLT_SEARCH_LIMITED_BY_ALGO_ID = 1,
} cublasLtMatmulSearch_t;
typedef enum {
    CUBLASLT_MATMUL_PREF_SEARCH_MODE = 0,
    CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1,
    CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK = 3,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES = 5,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES = 6,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES = 7,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES = 8,
    CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT = 9,
    CUBLASLT_MATMUL_PREF_IMPL_MASK = 12,
} cublasLtMatmulPreferenceAttributes_t;
typedef enum {
    CUBLASLT_MATMUL_TILE_UNDEFINED = 0,
} cublasLtMatmulTile_t;
typedef enum {
    CUBLASLT_ALGO_CAP_SPLITK_SUPPORT = 0,
    CUBLASLT_ALGO_CAP_REDUCTION_SCHEME_MASK = 1,
    CUBLASLT_ALGO_CAP_CTA_SWIZZLING_SUPPORT = 2,
    CUBLASLT_ALGO_CAP_STRIDED_BATCH_SUPPORT = 3,
    CUBLASLT_ALGO_CAP_TILE_IDS = 6,
    CUBLASLT_ALGO_CAP_CUSTOM_OPTION_MAX = 7,
    CUBLASLT_ALGO_CAP_STAGES_IDS = 13,
} cublasLtMatmulAlgoCapAttributes_t;
typedef enum {
    CUBLASLT_ALGO_CONFIG_ID = 0,
    CUBLASLT_ALGO_CONFIG_TILE_ID = 1,
    CUBLASLT_ALGO_CONFIG_SPLITK_NUM = 2,
    CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME = 3,
    CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING = 4,
    CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION = 5,
    CUBLASLT_ALGO_CONFIG_STAGES_ID = 6,
} cublasLtMatmulAlgoConfigAttributes_t;
typedef void (*cublasLtLoggerCallback_t)(int level, const char* function, const char* message);

#ifdef __cplusplus
extern "C" {
#endif
TILEREEL_BLAS cublasLtCreate(cublasLtHandle_t* handle);
TILEREEL_BLAS cublasLtDestroy(cublasLtHandle_t handle);
const char* cublasLtGetStatusName(cublasStatus_t status);
const char* cublasLtGetStatusString(cublasStatus_t status);
size_t cublasLtGetVersion(void);
size_t cublasLtGetCudartVersion(void);
TILEREEL_BLAS cublasLtGetProperty(libraryPropertyType type, int* value);
TILEREEL_BLAS cublasLtHeuristicsCacheGetCapacity(size_t* capacity);
TILEREEL_BLAS cublasLtHeuristicsCacheSetCapacity(size_t capacity);
TILEREEL_BLAS cublasLtLoggerSetCallback(cublasLtLoggerCallback_t callback);
TILEREEL_BLAS cublasLtLoggerSetFile(FILE* file);
TILEREEL_BLAS cublasLtLoggerOpenFile(const char* name);
TILEREEL_BLAS cublasLtLoggerSetLevel(int level);
TILEREEL_BLAS cublasLtLoggerSetMask(int mask);
TILEREEL_BLAS cublasLtLoggerForceDisable(void);

// D = alpha op(A) op(B) + beta C, then the epilogue.
TILEREEL_BLAS cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void* alpha,
                             const void* a, cublasLtMatrixLayout_t layout_a, const void* b,
                             cublasLtMatrixLayout_t layout_b, const void* beta, const void* c,
                             cublasLtMatrixLayout_t layout_c, void* d,
                             cublasLtMatrixLayout_t layout_d, const cublasLtMatmulAlgo_t* algo,
                             void* workspace, size_t workspace_bytes, cudaStream_t stream);
// C = alpha op(A) + beta op(B).
TILEREEL_BLAS cublasLtMatrixTransform(cublasLtHandle_t handle, cublasLtMatrixTransformDesc_t desc,
                                      const void* alpha, const void* a,
                                      cublasLtMatrixLayout_t layout_a, const void* beta,
                                      const void* b, cublasLtMatrixLayout_t layout_b, void* c,
                                      cublasLtMatrixLayout_t layout_c, cudaStream_t stream);
TILEREEL_BLAS cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                             cublasLtMatrixLayout_t layout_a,
                                             cublasLtMatrixLayout_t layout_b,
                                             cublasLtMatrixLayout_t layout_c,
                                             cublasLtMatrixLayout_t layout_d,
                                             cublasLtMatmulPreference_t preference, int requested,
                                             cublasLtMatmulHeuristicResult_t results[], int* count);
TILEREEL_BLAS cublasLtMatmulAlgoGetIds(cublasLtHandle_t handle, cublasComputeType_t compute,
                                       cudaDataType_t scale, cudaDataType_t type_a,
                                       cudaDataType_t type_b, cudaDataType_t type_c,
                                       cudaDataType_t type_d, int requested, int ids[], int* count);
TILEREEL_BLAS cublasLtMatmulAlgoInit(cublasLtHandle_t handle, cublasComputeType_t compute,
                                     cudaDataType_t scale, cudaDataType_t type_a,
                                     cudaDataType_t type_b, cudaDataType_t type_c,
                                     cudaDataType_t type_d, int id, cublasLtMatmulAlgo_t* algo);
TILEREEL_BLAS cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                      cublasLtMatrixLayout_t layout_a,
                                      cublasLtMatrixLayout_t layout_b,
                                      cublasLtMatrixLayout_t layout_c,
                                      cublasLtMatrixLayout_t layout_d,
                                      const cublasLtMatmulAlgo_t* algo,
                                      cublasLtMatmulHeuristicResult_t* result);
TILEREEL_BLAS cublasLtMatmulAlgoCapGetAttribute(const cublasLtMatmulAlgo_t* algo,
                                                cublasLtMatmulAlgoCapAttributes_t attribute,
                                                void* value, size_t bytes, size_t* written);
TILEREEL_BLAS cublasLtMatmulAlgoConfigSetAttribute(cublasLtMatmulAlgo_t* algo,
                                                   cublasLtMatmulAlgoConfigAttributes_t attribute,
                                                   const void* value, size_t bytes);
TILEREEL_BLAS cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t* algo,
                                                   cublasLtMatmulAlgoConfigAttributes_t attribute,
                                                   void* value, size_t bytes, size_t* written);

// Each kind of object has functions that make it, destroy it, and set and get an attribute. One
// that the program allocates itself is filled in by cublasLt...Init().
#define TILEREEL_LT_OBJECT(Object, Attribute)                                                     \
    TILEREEL_BLAS Object##Destroy(Object##_t object);                                             \
    TILEREEL_BLAS Object##SetAttribute(Object##_t object, Attribute attribute, const void* value, \
                                       size_t bytes);                                             \
    TILEREEL_BLAS Object##GetAttribute(Object##_t object, Attribute attribute, void* value,       \
                                       size_t bytes, size_t* written);
TILEREEL_LT_OBJECT(cublasLtMatrixLayout, cublasLtMatrixLayoutAttribute_t)
TILEREEL_LT_OBJECT(cublasLtMatmulDesc, cublasLtMatmulDescAttributes_t)
TILEREEL_LT_OBJECT(cublasLtMatrixTransformDesc, cublasLtMatrixTransformDescAttributes_t)
TILEREEL_LT_OBJECT(cublasLtMatmulPreference, cublasLtMatmulPreferenceAttributes_t)
#undef TILEREEL_LT_OBJECT
TILEREEL_BLAS cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type,
                                         uint64_t rows, uint64_t cols, int64_t ld);
TILEREEL_BLAS cublasLtMatrixLayoutInit(cublasLtMatrixLayout_t layout, cudaDataType type,
                                       uint64_t rows, uint64_t cols, int64_t ld);
TILEREEL_BLAS cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* desc, cublasComputeType_t compute,
                                       cudaDataType_t scale);
TILEREEL_BLAS cublasLtMatmulDescInit(cublasLtMatmulDesc_t desc, cublasComputeType_t compute,
                                     cudaDataType_t scale);
TILEREEL_BLAS cublasLtMatrixTransformDescCreate(cublasLtMatrixTransformDesc_t* desc,
                                                cudaDataType scale);
TILEREEL_BLAS cublasLtMatrixTransformDescInit(cublasLtMatrixTransformDesc_t desc,
                                              cudaDataType scale);
TILEREEL_BLAS cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference);
TILEREEL_BLAS cublasLtMatmulPreferenceInit(cublasLtMatmulPreference_t preference);
#ifdef __cplusplus
}
#endif

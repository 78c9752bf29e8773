// The objects of cuBLASLt and their attributes.
#include <cstddef>
#include <cstring>
#include <span>

#include "instrumentation/cuda/runtime/libraries/cublas_lt.h"

namespace tilereel::runtime {
namespace {

// Where an attribute lies in its object.
struct Field {
    int attribute;
    std::size_t offset, bytes;
};
#define FIELD(attribute, Object, member) \
    { attribute, offsetof(Object, member), sizeof(Object::member) }

constexpr Field kLayoutFields[] = {
    FIELD(CUBLASLT_MATRIX_LAYOUT_TYPE, LtLayout, type),
    FIELD(CUBLASLT_MATRIX_LAYOUT_ORDER, LtLayout, order),
    FIELD(CUBLASLT_MATRIX_LAYOUT_ROWS, LtLayout, rows),
    FIELD(CUBLASLT_MATRIX_LAYOUT_COLS, LtLayout, cols),
    FIELD(CUBLASLT_MATRIX_LAYOUT_LD, LtLayout, ld),
    FIELD(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, LtLayout, batch_count),
    FIELD(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, LtLayout, stride),
    FIELD(CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET, LtLayout, plane),
    FIELD(CUBLASLT_MATRIX_LAYOUT_BATCH_MODE, LtLayout, batch_mode),
};
constexpr Field kMatmulFields[] = {
    FIELD(CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, LtMatmul, compute),
    FIELD(CUBLASLT_MATMUL_DESC_SCALE_TYPE, LtMatmul, scale),
    FIELD(CUBLASLT_MATMUL_DESC_POINTER_MODE, LtMatmul, pointer_mode),
    FIELD(CUBLASLT_MATMUL_DESC_TRANSA, LtMatmul, op_a),
    FIELD(CUBLASLT_MATMUL_DESC_TRANSB, LtMatmul, op_b),
    FIELD(CUBLASLT_MATMUL_DESC_TRANSC, LtMatmul, op_c),
    FIELD(CUBLASLT_MATMUL_DESC_FILL_MODE, LtMatmul, fill),
    FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE, LtMatmul, epilogue),
    FIELD(CUBLASLT_MATMUL_DESC_BIAS_POINTER, LtMatmul, bias),
    FIELD(CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, LtMatmul, bias_stride),
    FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, LtMatmul, aux),
    FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, LtMatmul, aux_ld),
    FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, LtMatmul, aux_stride),
    FIELD(CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE, LtMatmul, alpha_stride),
    FIELD(CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET, LtMatmul, sm_count),
    FIELD(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, LtMatmul, scale_a),
    FIELD(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, LtMatmul, scale_b),
    FIELD(CUBLASLT_MATMUL_DESC_C_SCALE_POINTER, LtMatmul, scale_c),
    FIELD(CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, LtMatmul, scale_d),
    FIELD(CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, LtMatmul, greatest_d),
    FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, LtMatmul, type_aux),
    FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER, LtMatmul, scale_aux),
    FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER, LtMatmul, greatest_aux),
    FIELD(CUBLASLT_MATMUL_DESC_FAST_ACCUM, LtMatmul, fast_accum),
    FIELD(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, LtMatmul, type_bias),
    FIELD(CUBLASLT_MATMUL_DESC_A_SCALE_MODE, LtMatmul, mode_a),
    FIELD(CUBLASLT_MATMUL_DESC_B_SCALE_MODE, LtMatmul, mode_b),
    FIELD(CUBLASLT_MATMUL_DESC_C_SCALE_MODE, LtMatmul, mode_c),
    FIELD(CUBLASLT_MATMUL_DESC_D_SCALE_MODE, LtMatmul, mode_d),
};
constexpr Field kTransformFields[] = {
    FIELD(CUBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE, LtTransform, scale),
    FIELD(CUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE, LtTransform, pointer_mode),
    FIELD(CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, LtTransform, op_a),
    FIELD(CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB, LtTransform, op_b),
};
constexpr Field kPreferenceFields[] = {
    FIELD(CUBLASLT_MATMUL_PREF_SEARCH_MODE, LtPreference, search),
    FIELD(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, LtPreference, workspace_bytes),
    FIELD(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, LtPreference, reductions),
    FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, LtPreference, align_a),
    FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, LtPreference, align_b),
    FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, LtPreference, align_c),
    FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, LtPreference, align_d),
    FIELD(CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT, LtPreference, waves),
    FIELD(CUBLASLT_MATMUL_PREF_IMPL_MASK, LtPreference, implementations),
};
#undef FIELD
std::span<const Field> fields_of(cublasLtMatrixLayout_t) { return kLayoutFields; }
std::span<const Field> fields_of(cublasLtMatmulDesc_t) { return kMatmulFields; }
std::span<const Field> fields_of(cublasLtMatrixTransformDesc_t) { return kTransformFields; }
std::span<const Field> fields_of(cublasLtMatmulPreference_t) { return kPreferenceFields; }
template <class Handle>
const Field* find_field(Handle object, int attribute) {
    if (object != nullptr)
        for (const Field& field : fields_of(object))
            if (field.attribute == attribute) return &field;
    return nullptr;
}
template <class Handle>
cublasStatus_t set(Handle object, int attribute, const void* value, std::size_t bytes) {
    const Field* const field = find_field(object, attribute);
    if (field == nullptr || value == nullptr || field->bytes != bytes)
        return CUBLAS_STATUS_INVALID_VALUE;
    std::memcpy(reinterpret_cast<char*>(object) + field->offset, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
}
// With 0 bytes it asks for the attribute's size.
template <class Handle>
cublasStatus_t get(Handle object, int attribute, void* value, std::size_t bytes,
                   std::size_t* written) {
    const Field* const field = find_field(object, attribute);
    if (field == nullptr || (bytes == 0 && written == nullptr)) return CUBLAS_STATUS_INVALID_VALUE;
    if (written != nullptr) *written = field->bytes;
    if (bytes == 0) return CUBLAS_STATUS_SUCCESS;
    if (bytes != field->bytes || value == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    std::memcpy(value, reinterpret_cast<const char*>(object) + field->offset, bytes);
    return CUBLAS_STATUS_SUCCESS;
}
// Calls init(), which fills the new object in.
template <class Opaque, class Init>
cublasStatus_t create(Opaque** object, const Init& init) {
    if (object == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    *object = new Opaque;
    return init(*object);
}
template <class Opaque>
cublasStatus_t destroy(Opaque* object) {
    delete object;
    return CUBLAS_STATUS_SUCCESS;
}
template <class Opaque, class Object>
cublasStatus_t fill_in(Opaque* opaque, const Object& object) {
    if (opaque == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    *opaque = {};
    std::memcpy(static_cast<void*>(opaque), &object, sizeof(object));
    return CUBLAS_STATUS_SUCCESS;
}

}  // namespace
}  // namespace tilereel::runtime

using namespace tilereel::runtime;

extern "C" {

#define LT_OBJECT(Object, Attribute)                                                               \
    cublasStatus_t Object##Destroy(Object##_t object) { return destroy(object); }                  \
    cublasStatus_t Object##SetAttribute(Object##_t object, Attribute attribute, const void* value, \
                                        size_t bytes) {                                            \
        return set(object, attribute, value, bytes);                                               \
    }                                                                                              \
    cublasStatus_t Object##GetAttribute(Object##_t object, Attribute attribute, void* value,       \
                                        size_t bytes, size_t* written) {                           \
        return get(object, attribute, value, bytes, written);                                      \
    }
LT_OBJECT(cublasLtMatrixLayout, cublasLtMatrixLayoutAttribute_t)
LT_OBJECT(cublasLtMatmulDesc, cublasLtMatmulDescAttributes_t)
LT_OBJECT(cublasLtMatrixTransformDesc, cublasLtMatrixTransformDescAttributes_t)
LT_OBJECT(cublasLtMatmulPreference, cublasLtMatmulPreferenceAttributes_t)
#undef LT_OBJECT

cublasStatus_t cublasLtMatrixLayoutInit(cublasLtMatrixLayout_t layout, cudaDataType type,
                                        uint64_t rows, uint64_t cols, int64_t ld) {
    LtLayout object{};
    object.type = type;
    object.rows = rows;
    object.cols = cols;
    object.ld = ld;
    object.batch_count = 1;
    return fill_in(layout, object);
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type,
                                          uint64_t rows, uint64_t cols, int64_t ld) {
    return create(layout, [&](auto object) {
        return cublasLtMatrixLayoutInit(object, type, rows, cols, ld);
    });
}
cublasStatus_t cublasLtMatmulDescInit(cublasLtMatmulDesc_t desc, cublasComputeType_t compute,
                                      cudaDataType_t scale) {
    LtMatmul object{};
    object.compute = compute;
    object.scale = scale;
    object.fill = CUBLAS_FILL_MODE_FULL;
    object.epilogue = CUBLASLT_EPILOGUE_DEFAULT;
    object.type_aux = object.type_bias = -1;
    return fill_in(desc, object);
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* desc, cublasComputeType_t compute,
                                        cudaDataType_t scale) {
    return create(desc,
                  [&](auto object) { return cublasLtMatmulDescInit(object, compute, scale); });
}
cublasStatus_t cublasLtMatrixTransformDescInit(cublasLtMatrixTransformDesc_t desc,
                                               cudaDataType scale) {
    LtTransform object{};
    object.scale = scale;
    return fill_in(desc, object);
}
cublasStatus_t cublasLtMatrixTransformDescCreate(cublasLtMatrixTransformDesc_t* desc,
                                                 cudaDataType scale) {
    return create(desc,
                  [&](auto object) { return cublasLtMatrixTransformDescInit(object, scale); });
}
cublasStatus_t cublasLtMatmulPreferenceInit(cublasLtMatmulPreference_t preference) {
    LtPreference object{};
    object.reductions = CUBLASLT_REDUCTION_SCHEME_MASK;
    object.align_a = object.align_b = object.align_c = object.align_d = 256;
    return fill_in(preference, object);
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
    return create(preference, cublasLtMatmulPreferenceInit);
}
}

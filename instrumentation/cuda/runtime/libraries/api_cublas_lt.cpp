// cuBLASLt's products and transformations of matrices.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "instrumentation/cuda/include/tilereel/small_float.h"
#include "instrumentation/cuda/runtime/libraries/cublas_elements.h"
#include "instrumentation/cuda/runtime/libraries/cublas_lt.h"

namespace tilereel::runtime {
namespace {

bool is_plain(const LtLayout& layout) {
    return layout.order == CUBLASLT_ORDER_COL || layout.order == CUBLASLT_ORDER_ROW;
}
// A layout's matrix fits its leading dimension, and OpenBLAS's integers.
bool is_sound(const LtLayout& layout) {
    return layout.ld >= std::int64_t(std::max<std::uint64_t>(layout.inner(), 1)) &&
           layout.batch_count >= 1 && layout.stride >= 0 &&
           std::max<std::uint64_t>({layout.rows, layout.cols, std::uint64_t(layout.ld)}) <=
               std::uint64_t(std::numeric_limits<int>::max());
}
bool is_flipped(std::int32_t op) { return op != CUBLAS_OP_N; }
// The rows and columns of op(A).
std::uint64_t rows_of(const LtLayout& layout, std::int32_t op) {
    return is_flipped(op) ? layout.cols : layout.rows;
}
std::uint64_t cols_of(const LtLayout& layout, std::int32_t op) {
    return is_flipped(op) ? layout.rows : layout.cols;
}
std::uint64_t index_of(const LtLayout& layout, std::uint64_t row, std::uint64_t col) {
    return layout.is_row_major() ? row * std::uint64_t(layout.ld) + col
                                 : col * std::uint64_t(layout.ld) + row;
}

struct LtMatrix {
    const LtLayout& layout;
    const void* data;
    // A layout of one matrix is repeated for all of a batch.
    [[nodiscard]] char* of_batch(std::int64_t batch) const {
        const std::int64_t elements = layout.batch_count == 1 ? 0 : batch * layout.stride;
        return static_cast<char*>(const_cast<void*>(data)) +
               elements * std::int64_t(element_bytes(layout.type));
    }
    void check(Call& call) const {
        call.check_memory(data, layout.whole_extent(), element_bytes(layout.type));
    }
};

struct Operation {
    const LtMatmul& desc;
    LtMatrix a, b, c, d;
    double alpha, beta;
};

// The product as OpenBLAS computes it: D or, if D is row-major, its transpose.
template <class T>
Product<T> product_of(const Operation& op, const T* a, const T* b, T* d, const T& alpha,
                      const T& beta) {
    const auto code = [](bool flipped) { return flipped ? CUBLAS_OP_T : CUBLAS_OP_N; };
    const LtLayout &la = op.a.layout, &lb = op.b.layout, &ld = op.d.layout;
    const bool flip_a = is_flipped(op.desc.op_a) != la.is_row_major();
    const bool flip_b = is_flipped(op.desc.op_b) != lb.is_row_major();
    const int m = int(ld.rows), n = int(ld.cols), k = int(cols_of(la, op.desc.op_a));
    if (!ld.is_row_major())
        return {
            code(flip_a),  code(flip_b), m, n, k, &alpha, a, int(la.ld), b, int(lb.ld), &beta, d,
            std::max(m, 1)};
    return {code(!flip_b), code(!flip_a), n, m, k, &alpha, b, int(lb.ld), a, int(la.ld), &beta, d,
            std::max(n, 1)};
}

// A bias's gradient: the sums of A's rows or of B's columns.
template <class T>
void sum_gradient(const Operation& op, std::int64_t batch, const std::vector<T>& wide, bool of_a) {
    const LtMatmul& desc = op.desc;
    const LtLayout& layout = of_a ? op.a.layout : op.b.layout;
    const bool flipped = is_flipped(of_a ? desc.op_a : desc.op_b);
    const std::uint64_t count = of_a ? op.d.layout.rows : op.d.layout.cols;
    const std::uint64_t depth = cols_of(op.a.layout, desc.op_a);
    std::vector<T> sums(count);
    for (std::uint64_t i = 0; i < count; ++i)
        for (std::uint64_t l = 0; l < depth; ++l)
            sums[i] +=
                flipped == of_a ? wide[index_of(layout, l, i)] : wide[index_of(layout, i, l)];
    const cudaDataType type =
        desc.type_bias < 0 ? op.d.layout.type : static_cast<cudaDataType>(desc.type_bias);
    narrow(sums.data(),
           static_cast<char*>(desc.bias) +
               batch * desc.bias_stride * std::int64_t(element_bytes(type)),
           type, count);
}

// Stores D, which lies in `values` without gaps. A scale of D applies to numbers of 8 bits.
template <class T>
void store(const Operation& op, std::int64_t batch, std::vector<T>& values) {
    const LtLayout& layout = op.d.layout;
    if (op.desc.greatest_d != nullptr)
        for (const T value : values)
            *op.desc.greatest_d = std::max(*op.desc.greatest_d, std::abs(float(value)));
    if (op.desc.scale_d != nullptr && is_tiny(layout.type))
        for (T& value : values) value *= T(*op.desc.scale_d);
    for (std::uint64_t i = 0; i < layout.outer(); ++i)
        narrow(values.data() + i * layout.inner(),
               op.d.of_batch(batch) + i * std::uint64_t(layout.ld) * element_bytes(layout.type),
               layout.type, layout.inner());
}

template <class T>
void multiply(const Operation& op, std::int64_t batch, const Blas<T>& with) {
    const auto wide = [batch](const LtMatrix& matrix) {
        return widened<T>(matrix.of_batch(batch), matrix.layout.type, matrix.layout.extent());
    };
    const std::vector<T> a = wide(op.a), b = wide(op.b);
    const LtLayout &lc = op.c.layout, &ld = op.d.layout;
    std::vector<T> d(ld.rows * ld.cols);
    if (op.beta != 0) {
        const std::vector<T> c = wide(op.c);
        for (std::uint64_t j = 0; j < ld.cols; ++j)
            for (std::uint64_t i = 0; i < ld.rows; ++i)
                d[ld.is_row_major() ? i * ld.cols + j : j * ld.rows + i] = c[index_of(lc, i, j)];
    }
    const auto scale = [](const float* factor) {
        return factor == nullptr ? 1.0 : double(*factor);
    };
    const T alpha = T(op.alpha * scale(op.desc.scale_a) * scale(op.desc.scale_b));
    const T beta = T(op.beta * scale(op.desc.scale_c));
    product_of<T>(op, a.data(), b.data(), d.data(), alpha, beta).multiply(with);
    run_epilogue(op.desc, ld, batch, d.data());
    if (op.desc.epilogue == CUBLASLT_EPILOGUE_BGRADA) sum_gradient(op, batch, a, true);
    if (op.desc.epilogue == CUBLASLT_EPILOGUE_BGRADB) sum_gradient(op, batch, b, false);
    store(op, batch, d);
}

template <class T>
cublasStatus_t multiply_all(Call call, const Operation& op) {
    const Blas<T>* const with = call.routines<T>();
    op.a.check(call);
    op.b.check(call);
    if (op.beta != 0) op.c.check(call);
    op.d.check(call);
    return call.run([&] {
        if (op.desc.greatest_d != nullptr) *op.desc.greatest_d = 0;
        for (std::int64_t batch = 0; batch < op.d.layout.batch_count; ++batch)
            multiply<T>(op, batch, *with);
    });
}

// Sums of integers are exact in double.
bool sums_in_double(const LtMatmul& desc) {
    return desc.compute == CUBLAS_COMPUTE_64F || desc.compute == CUBLAS_COMPUTE_64F_PEDANTIC ||
           desc.compute == CUBLAS_COMPUTE_32I || desc.compute == CUBLAS_COMPUTE_32I_PEDANTIC;
}

cublasStatus_t tell_unsupported(const char* reason) {
    send_finding(RecordedFindingKind::kUnsupported,
                 std::string("cublasLtMatmul is called with ") + reason +
                     ", which Tilereel does not compute.",
                 "Use row-major or column-major matrices and one factor for all elements.");
    return CUBLAS_STATUS_NOT_SUPPORTED;
}
cublasStatus_t tell_refused(const LtRefusal& refusal) {
    send_finding(RecordedFindingKind::kOther,
                 std::string("cublasLtMatmul is called with ") + refusal.reason +
                     ", and multiplies nothing.",
                 refusal.advice);
    return refusal.status;
}

}  // namespace

double factor_of(const void* from, cudaDataType type) {
    return from == nullptr ? 0 : widened<double>(from, type, 1).front();
}

bool is_computed(const LtMatmul& desc, const LtLayout& a, const LtLayout& b, const LtLayout& c,
                 const LtLayout& d, const char*& reason) {
    constexpr int kAll = 1023;  // bits of cublasLtEpilogue_t
    const auto all = [&](auto fits) { return fits(a) && fits(b) && fits(c) && fits(d); };
    reason = nullptr;
    if (!all(is_plain))
        reason = "a matrix that is neither row-major nor column-major";
    else if (!all([](const LtLayout& layout) { return is_supported(layout.type); }) ||
             !is_supported(desc.scale))
        reason = "elements of a type that is neither real nor an integer of 8 or 32 bits";
    else if (!all([](const LtLayout& layout) { return layout.batch_mode == 0; }))
        reason = "a batch of pointers";
    else if (desc.pointer_mode > CUBLASLT_POINTER_MODE_DEVICE)
        reason = "factors that are vectors";
    else if (desc.mode_a != 0 || desc.mode_b != 0 || desc.mode_c != 0 || desc.mode_d != 0)
        reason = "scales of a block of elements";
    else if (desc.fill != CUBLAS_FILL_MODE_FULL || desc.op_c != CUBLAS_OP_N)
        reason = "a triangle, or C transposed";
    else if ((desc.epilogue & ~kAll) != 0)
        reason = "this epilogue";
    return reason == nullptr;
}

}  // namespace tilereel::runtime

using namespace tilereel::runtime;

extern "C" {

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void* alpha,
                              const void* a, cublasLtMatrixLayout_t layout_a, const void* b,
                              cublasLtMatrixLayout_t layout_b, const void* beta, const void* c,
                              cublasLtMatrixLayout_t layout_c, void* d,
                              cublasLtMatrixLayout_t layout_d, const cublasLtMatmulAlgo_t*, void*,
                              size_t, cudaStream_t) {
    Call call("cublasLtMatmul", handle);
    if (desc == nullptr || layout_a == nullptr || layout_b == nullptr || layout_c == nullptr ||
        layout_d == nullptr || alpha == nullptr || beta == nullptr)
        return CUBLAS_STATUS_INVALID_VALUE;
    const LtMatmul& what = object_of(desc);
    const LtLayout &la = object_of(layout_a), &lb = object_of(layout_b), &lc = object_of(layout_c),
                   &ld = object_of(layout_d);
    const char* reason = nullptr;
    if (!is_computed(what, la, lb, lc, ld, reason)) return tell_unsupported(reason);
    if (const auto refusal = refusal_of(what, la, lb, lc, ld)) return tell_refused(*refusal);
    const bool fits = is_sound(la) && is_sound(lb) && is_sound(lc) && is_sound(ld) &&
                      rows_of(la, what.op_a) == ld.rows && cols_of(lb, what.op_b) == ld.cols &&
                      cols_of(la, what.op_a) == rows_of(lb, what.op_b) && lc.rows == ld.rows &&
                      lc.cols == ld.cols;
    if (!call.is_valid(fits)) return call.run([] {});
    const OpenMemory open;  // the factors may lie in device memory
    const Operation op{what,
                       {la, a},
                       {lb, b},
                       {lc, c},
                       {ld, d},
                       factor_of(alpha, what.scale),
                       factor_of(beta, what.scale)};
    return sums_in_double(what) ? multiply_all<double>(call, op) : multiply_all<float>(call, op);
}

cublasStatus_t cublasLtMatrixTransform(cublasLtHandle_t handle, cublasLtMatrixTransformDesc_t desc,
                                       const void* alpha, const void* a,
                                       cublasLtMatrixLayout_t layout_a, const void* beta,
                                       const void* b, cublasLtMatrixLayout_t layout_b, void* c,
                                       cublasLtMatrixLayout_t layout_c, cudaStream_t) {
    Call call("cublasLtMatrixTransform", handle);
    if (desc == nullptr || layout_c == nullptr || (a != nullptr && layout_a == nullptr) ||
        (b != nullptr && layout_b == nullptr))
        return CUBLAS_STATUS_INVALID_VALUE;
    const LtTransform& what = object_of(desc);
    const LtLayout& lc = object_of(layout_c);
    const OpenMemory open;
    struct Part {
        LtLayout layout;
        const void* data;
        std::int32_t op;
        double factor;
    };
    std::vector<Part> parts;
    if (a != nullptr)
        parts.push_back({object_of(layout_a), a, what.op_a, factor_of(alpha, what.scale)});
    if (b != nullptr)
        parts.push_back({object_of(layout_b), b, what.op_b, factor_of(beta, what.scale)});
    bool fits = is_plain(lc) && is_sound(lc) && is_supported(lc.type);
    for (const Part& part : parts)
        fits = fits && is_plain(part.layout) && is_sound(part.layout) &&
               is_supported(part.layout.type) && rows_of(part.layout, part.op) == lc.rows &&
               cols_of(part.layout, part.op) == lc.cols;
    if (!call.is_valid(fits)) return call.run([] {});
    const LtMatrix to{lc, c};
    to.check(call);
    for (const Part& part : parts) LtMatrix{part.layout, part.data}.check(call);
    return call.run([&] {
        for (std::int64_t batch = 0; batch < lc.batch_count; ++batch) {
            std::vector<double> sums(lc.extent());
            for (const Part& part : parts) {
                const LtMatrix from{part.layout, part.data};
                const auto wide =
                    widened<double>(from.of_batch(batch), part.layout.type, part.layout.extent());
                for (std::uint64_t i = 0; i < lc.rows; ++i)
                    for (std::uint64_t j = 0; j < lc.cols; ++j)
                        sums[index_of(lc, i, j)] +=
                            part.factor * wide[is_flipped(part.op) ? index_of(part.layout, j, i)
                                                                   : index_of(part.layout, i, j)];
            }
            for (std::uint64_t i = 0; i < lc.outer(); ++i)
                narrow(sums.data() + i * std::uint64_t(lc.ld),
                       to.of_batch(batch) + i * std::uint64_t(lc.ld) * element_bytes(lc.type),
                       lc.type, lc.inner());
        }
    });
}
}

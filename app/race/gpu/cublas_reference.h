#pragma once
// cuBLAS, if it is installed: the reference on a GPU. For float32 its pedantic math mode makes it
// compute in plain FP32, without TF32; for bfloat16 it uses the tensor cores.
#include <memory>
#include <string>

#include "app/race/race.h"
#include "app/race/runners/shared_library.h"

namespace tilereel {

class Cublas {
  public:
    // Opens cuBLAS on this thread's GPU. kFailed, with the reason, if that is not possible.
    static Result<Cublas> open();
    // Starts C(M,N) = A(M,K) B(K,N), row-major, on the default stream.
    Status multiply(const ProductSize& size, const float* a, const float* b, float* c) const;
    // The same with A and B in bfloat16, and sums and C in float32. kFailed before CUDA 11.
    Status multiply_bf16(const ProductSize& size, const void* a, const void* b, float* c) const;
    [[nodiscard]] const std::string& version() const { return version_; }  // "cuBLAS 13.0.2"

  private:
    // Function types of cublas_v2.h, unchanged since CUDA 11. Its enumerations are passed as int.
    using Create = int(void** handle);
    using Destroy = int(void* handle);
    using SetMathMode = int(void* handle, int mode);
    using GetProperty = int(int property, int* value);
    using Sgemm = int(void* handle, int transpose_a, int transpose_b, int m, int n, int k,
                      const float* alpha, const float* a, int leading_a, const float* b,
                      int leading_b, const float* beta, float* c, int leading_c);
    using GemmEx = int(void* handle, int transpose_a, int transpose_b, int m, int n, int k,
                       const void* alpha, const void* a, int type_a, int leading_a, const void* b,
                       int type_b, int leading_b, const void* beta, void* c, int type_c,
                       int leading_c, int compute_type, int algorithm);
    struct DestroyHandle {
        Destroy* destroy;
        void operator()(void* handle) const { static_cast<void>(destroy(handle)); }
    };

    using Handle = std::unique_ptr<void, DestroyHandle>;

    Handle pedantic_, default_;  // by math mode
    Sgemm* sgemm_ = nullptr;
    GemmEx* gemm_ex_ = nullptr;
    std::string version_;
};

}  // namespace tilereel

#pragma once
// The matrices of one size on the GPU: several sets that are used in turn, and the check of C.
#include <optional>
#include <vector>

#include "app/race/gpu/cublas_reference.h"
#include "app/race/gpu/on_gpu.h"
#include "app/race/runners/product_check.h"
#include "app/race/runners/rotation.h"

namespace tilereel {

struct GpuSet {
    const void* a = nullptr;  // M x K, of GpuMatrices::inputs()
    const void* b = nullptr;  // K x N
    float* c = nullptr;       // M x N
    // Of InputType::kFloat32.
    [[nodiscard]] const float* floats_of_a() const { return static_cast<const float*>(a); }
    [[nodiscard]] const float* floats_of_b() const { return static_cast<const float*>(b); }
};

class GpuMatrices {
  public:
    // Allocates and fills the matrices. kFailed if there is not enough memory.
    static Result<GpuMatrices> make(const ProductSize& size, InputType inputs,
                                    std::uint64_t cache_bytes, std::uint64_t seed);
    [[nodiscard]] InputType inputs() const { return inputs_; }
    [[nodiscard]] const ProductSize& size() const { return rotation_.size(); }
    [[nodiscard]] GpuSet first() const { return set(0); }  // the set that is checked
    [[nodiscard]] std::size_t sets() const { return rotation_.sets(); }
    [[nodiscard]] GpuSet second() const { return set(1); }  // there are several
    GpuSet next() { return set(rotation_.next()); }
    void restart() { rotation_.restart(); }  // the next set is the first one

    // Fills the first C with NaN or, for a kernel that computes alpha A B + beta C with beta 0,
    // with a large finite number.
    Status poison(bool finite = false) const;
    // Checks the first C. If the product is too large for float64 on the CPU, every element is
    // compared with cuBLAS, provided that cuBLAS is available and itself right. Else as
    // ProductCheck.
    Result<Verified> check(const Cublas* cublas);
    // The same after another launch with the same inputs, when check() has verified one: cheaper.
    Result<Verified> check_again();
    // The same for a C by cuBLAS, which is only compared with float64.
    Result<Verified> check_reference() { return check_on_cpu(first().c); }

  private:
    struct Reference {
        CudaMemory product, magnitude;  // M x N: AB and |A||B|, by cuBLAS
    };
    GpuMatrices(const Rotation& rotation, InputType inputs, CudaMemory memory, std::uint64_t seed)
        : rotation_(rotation),
          inputs_(inputs),
          seed_(seed),
          memory_(std::move(memory)),
          check_(rotation.size(), seed, ProductCheck::kMostMultiplyAdds, inputs) {}
    [[nodiscard]] GpuSet set(std::size_t index) const;
    Status fill() const;
    [[nodiscard]] Result<std::vector<float>> on_cpu(const float* c) const;
    Result<Verified> check_on_cpu(const float* c) const;
    Result<Verified> check_on_gpu() const;
    Status make_reference(const Cublas& cublas);

    Rotation rotation_;
    InputType inputs_ = InputType::kFloat32;
    std::uint64_t seed_ = 0;
    CudaMemory memory_;
    ProductCheck check_;
    std::optional<Reference> reference_;
    bool reference_tried_ = false;
    std::vector<float> right_;  // the C that was verified on the CPU; empty: none was
};

}  // namespace tilereel

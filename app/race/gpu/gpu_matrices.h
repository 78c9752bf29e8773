#pragma once
// The matrices of one size on the GPU, in turn, and whether a C is right.
#include <optional>

#include "app/race/gpu/cublas.h"
#include "app/race/gpu/on_gpu.h"
#include "app/race/product_check.h"
#include "app/race/rotation.h"

namespace tilereel {

struct GpuSet {
    const float* a = nullptr;  // M x K
    const float* b = nullptr;  // K x N
    float* c = nullptr;        // M x N
};

class GpuMatrices {
  public:
    // Filled. kFailed without memory enough.
    static Result<GpuMatrices> make(const ProductSize& size, std::uint64_t cache_bytes,
                                    std::uint64_t seed);
    [[nodiscard]] const ProductSize& size() const { return rotation_.size(); }
    [[nodiscard]] GpuSet first() const { return set(0); }  // the one that is checked
    GpuSet next() { return set(rotation_.next()); }

    // Fills the first C with NaN.
    Status poison() const;
    // Checks the first C: every element against cuBLAS where the product is too large for the CPU's
    // float64 and cuBLAS is there and right itself; otherwise as ProductCheck does.
    Result<Verified> check(const Cublas* cublas);
    // The same for a C that cuBLAS made: what it is held to is float64 alone.
    Result<Verified> check_reference() { return check_on_cpu(first().c); }

  private:
    struct Reference {
        CudaMemory product, magnitude;  // M x N: AB and |A||B|, by cuBLAS
    };
    GpuMatrices(const Rotation& rotation, CudaMemory memory, std::uint64_t seed)
        : rotation_(rotation), memory_(std::move(memory)), check_(rotation.size(), seed) {}
    [[nodiscard]] GpuSet set(std::size_t index) const;
    Status fill(std::uint64_t seed) const;
    Result<Verified> check_on_cpu(const float* c) const;
    Result<Verified> check_on_gpu() const;
    Status make_reference(const Cublas& cublas);

    Rotation rotation_;
    CudaMemory memory_;
    ProductCheck check_;
    std::optional<Reference> reference_;
    bool reference_tried_ = false;
};

}  // namespace tilereel

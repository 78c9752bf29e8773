#pragma once
// The addresses of A, B, C and the shared arrays of a ladder kernel on the GPU.
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "app/ladder/record_plan.h"
#include "instrumentation/gpu/convert/gpu_facts.h"
#include "instrumentation/gpu/convert/gpu_memory.h"
#include "instrumentation/trace/trace.h"
#include "kernels/cuda/gpu.h"

namespace tilereel {

struct LadderMatrices {
    struct Matrix {
        const void* on_gpu = nullptr;
        std::span<const std::byte> values{};  // before the launch, in the GPU's layout
    };
    Matrix a, b, c;
    std::span<const float> c_after{};                                // C after the launch
    std::vector<std::pair<std::uint64_t, runtime::TensorMap>> maps;  // by map_hash()
};

class LadderMemory final : public gpu::GpuMemory {
  public:
    // `places`: DeviceTrace::places.
    LadderMemory(const Launch& launch, const RequestedLaunch& requested, const gpu::GpuFacts& facts,
                 const std::vector<std::uint64_t>& places, LadderMatrices matrices);
    [[nodiscard]] const Place* find(bool shared, std::uint64_t address) const override;
    [[nodiscard]] const std::byte* content(std::uint64_t address,
                                           std::uint32_t bytes) const override;
    [[nodiscard]] const std::byte* last_content(std::uint64_t address,
                                                std::uint32_t bytes) const override;
    [[nodiscard]] const runtime::TensorMap* map(std::uint64_t hash) const override;
    // By number: A, B, C, then the shared arrays by address.
    [[nodiscard]] const std::vector<Array>& arrays() const { return arrays_; }

  private:
    void add_matrices();
    void add_shared(const Launch& launch, const RequestedLaunch& requested,
                    const gpu::GpuFacts& facts, const std::vector<std::uint64_t>& places);

    LadderMatrices matrices_;
    std::vector<Array> arrays_;
    std::vector<Place> global_, shared_;
};

// The tensor map that Gpu::map_boxes() encodes.
[[nodiscard]] runtime::TensorMap tensor_map_of(const BoxedMatrix& matrix);

}  // namespace tilereel

#include <cuda_runtime.h>

#include <algorithm>
#include <cstring>

#include "kernels/cuda/cuda_handles.h"
#include "kernels/cuda/cuda_module.h"
#include "kernels/cuda/gpu.h"
#include "kernels/cuda/tensor_map.h"

namespace tilereel {
namespace {

// Copies into pinned memory, which the GPU writes to by itself, on a stream of its own.
class PinnedCopy final : public HostCopy {
  public:
    Result<const std::byte*> copy(const void* device, std::uint64_t bytes) override {
        TRY(reserve(bytes));
        cudaError_t error = cudaMemcpyAsync(memory_.get(), device, bytes, cudaMemcpyDeviceToHost,
                                            stream_.get());
        if (error == cudaSuccess) error = cudaStreamSynchronize(stream_.get());
        TRY(cuda_status(error, "copy a recording"));
        return static_cast<const std::byte*>(memory_.get());
    }

  private:
    Status reserve(std::uint64_t bytes) {
        if (!stream_) {
            CudaStream stream = TRY(make_stream());
            stream_ = std::move(stream);
        }
        if (bytes <= capacity_bytes_) return Done{};
        const std::uint64_t grown = std::max(bytes, capacity_bytes_ + capacity_bytes_ / 2);
        memory_.reset();
        capacity_bytes_ = 0;
        void* memory = nullptr;
        if (cudaMallocHost(&memory, grown) != cudaSuccess) {
            static_cast<void>(cudaGetLastError());  // clears the error, which is reported here
            return failed("the computer has run out of memory; record a smaller product");
        }
        memory_.reset(memory);
        capacity_bytes_ = grown;
        return Done{};
    }

    PinnedMemory memory_;
    std::uint64_t capacity_bytes_ = 0;
    CudaStream stream_;
};

class CudaGpu final : public Gpu {
  public:
    CudaGpu(GpuName name, int compute_capability)
        : name_(std::move(name)), compute_capability_(compute_capability) {}
    [[nodiscard]] GpuName name() const override { return name_; }
    [[nodiscard]] int compute_capability() const override { return compute_capability_; }
    Result<std::uint64_t> free_bytes() override {
        std::size_t free = 0, all = 0;
        TRY(cuda_status(cudaMemGetInfo(&free, &all), "tell its free memory"));
        return std::uint64_t{free};
    }
    Status write(void* device, const void* host, std::uint64_t bytes) override {
        return cuda_status(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice),
                           "take the matrices");
    }
    Status read(void* host, const void* device, std::uint64_t bytes) override {
        return cuda_status(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost),
                           "give its results back");
    }
    Status fill(void* device, unsigned char byte, std::uint64_t bytes) override {
        return cuda_status(cudaMemset(device, byte, bytes), "clear its memory");
    }
    std::unique_ptr<HostCopy> host_copy() override { return std::make_unique<PinnedCopy>(); }
    Result<std::uint32_t> reserved_shared_bytes() override {
        int bytes = 0;
        TRY(cuda_status(
            cudaDeviceGetAttribute(&bytes, cudaDevAttrReservedSharedMemoryPerBlock, 0),
            "tell its shared memory"));
        return static_cast<std::uint32_t>(bytes);
    }
    Result<std::unique_ptr<GpuModule>> load(const std::string& ptx, int registers) override {
        return load_module(ptx, registers);
    }
    Result<TensorMapWords> map_boxes(const BoxedMatrix& matrix) override {
        const auto maps = TRY(TensorMaps::find(kUseTheCpu));
        const auto map = maps.make(matrix.first, matrix.type, matrix.rows, matrix.columns, matrix.box_rows,
                                    matrix.box_columns, matrix.swizzle_bytes);
        if (!map) return map.error();
        TensorMapWords words;
        static_assert(sizeof words == sizeof *map);
        std::memcpy(words.data(), &*map, sizeof words);
        return words;
    }

  private:
    Result<void*> take(std::uint64_t bytes) override {
        void* memory = nullptr;
        TRY(cuda_status(cudaMalloc(&memory, std::max<std::uint64_t>(bytes, 1)), "give memory"));
        return memory;
    }
    void give_back(void* memory) noexcept override {
        // Fails only with an error of an earlier call, which has been reported.
        static_cast<void>(cudaFree(memory));
    }

    GpuName name_;
    int compute_capability_;
};

}  // namespace

Result<std::unique_ptr<Gpu>> open_gpu() {
    const cudaDeviceProp properties = TRY(use_first_gpu());
    return std::unique_ptr<Gpu>(
        std::make_unique<CudaGpu>(GpuName{properties.name, driver_version()},
                                  properties.major * 10 + properties.minor));
}

}  // namespace tilereel

#pragma once
// A GPU as the recorder sees it: memory, copies, and the launch of a traced kernel. An interface,
// so that tests can be the GPU. Plain C++: needs neither nvcc nor CUDA's headers.
//
// Every call that fails returns one sentence; after a fault of the GPU itself all later ones fail.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "instrumentation/base/result.h"
#include "kernels/catalog.h"
#include "kernels/cuda/device_kernels.h"

namespace tilereel {

struct GpuName {
    std::string device;  // "NVIDIA H100 80GB HBM3"
    std::string driver;  // "580.159.04"
};

struct TracedLaunch {
    std::string_view kernel;  // catalogue id
    KernelParameters parameters;
    LaunchShape shape;
    DeviceArray a, b, c;
    device::DeviceTrace trace;
};

class DeviceMemory;

// Copies memory of the GPU to where the CPU can read it, in memory of its own that grows as needed.
class HostCopy {
  public:
    virtual ~HostCopy() = default;
    // Valid until the next call.
    virtual Result<const std::byte*> copy(const void* device, std::uint64_t bytes) = 0;
};

// All but host_copy() and HostCopy are used by one thread at a time.
class Gpu {
  public:
    virtual ~Gpu() = default;
    [[nodiscard]] virtual GpuName name() const = 0;
    [[nodiscard]] virtual int compute_capability() const = 0;  // 90: 9.0
    virtual Result<std::uint64_t> free_bytes() = 0;
    // Not cleared. Must not outlive the GPU.
    Result<DeviceMemory> allocate(std::uint64_t bytes);
    virtual Status write(void* device, const void* host, std::uint64_t bytes) = 0;
    virtual Status read(void* host, const void* device, std::uint64_t bytes) = 0;
    virtual Status fill(void* device, unsigned char byte, std::uint64_t bytes) = 0;
    virtual std::unique_ptr<HostCopy> host_copy() = 0;
    // Launches, waits until the kernel is done, and returns its milliseconds on the GPU.
    virtual Result<double> run(const TracedLaunch& launch) = 0;

  private:
    friend class DeviceMemory;
    virtual Result<void*> take(std::uint64_t bytes) = 0;
    virtual void give_back(void* memory) noexcept = 0;
};

// Owns memory of a GPU.
class DeviceMemory {
  public:
    DeviceMemory() = default;
    DeviceMemory(Gpu& gpu, void* memory) : gpu_(&gpu), memory_(memory) {}
    DeviceMemory(DeviceMemory&& other) noexcept
        : gpu_(other.gpu_), memory_(std::exchange(other.memory_, nullptr)) {}
    DeviceMemory& operator=(DeviceMemory&& other) noexcept {
        std::swap(gpu_, other.gpu_);
        std::swap(memory_, other.memory_);
        return *this;
    }
    ~DeviceMemory() {
        if (memory_ != nullptr) gpu_->give_back(memory_);
    }
    template <class T>
    [[nodiscard]] T* as() const {
        return static_cast<T*>(memory_);
    }

  private:
    Gpu* gpu_ = nullptr;
    void* memory_ = nullptr;
};

inline Result<DeviceMemory> Gpu::allocate(std::uint64_t bytes) {
    Result<void*> memory = take(bytes);
    if (!memory) return memory.error();
    return DeviceMemory(*this, *memory);
}

// The first GPU of this computer, ready for use; otherwise why there is none.
Result<std::unique_ptr<Gpu>> open_gpu();

}  // namespace tilereel

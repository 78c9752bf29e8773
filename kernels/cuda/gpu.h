#pragma once
// A GPU for the recorder: memory, copies, and launches of PTX. It is an interface, so that tests
// can replace the GPU. Plain C++: needs neither nvcc nor CUDA's headers.
//
// A call that fails returns one sentence. After a fault of the GPU itself all later calls fail.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "instrumentation/base/result.h"
#include "kernels/catalog.h"

namespace tilereel {

struct GpuName {
    std::string device;  // "NVIDIA H100 80GB HBM3"
    std::string driver;  // "580.159.04"
};

// A launch of a kernel of a module.
struct ModuleLaunch {
    std::string symbol;  // of the kernel in the PTX
    LaunchShape shape;
    std::vector<void*> parameters;  // pointers to the arguments, as for cuLaunchKernel()
};

// PTX that the driver has compiled for the GPU. Must not outlive it.
class GpuModule {
  public:
    virtual ~GpuModule() = default;
    // Writes the global variable that has this name in the PTX; bytes beyond its size are ignored.
    virtual Status write(const char* variable, const void* host, std::uint64_t bytes) = 0;
    // Launches, waits until the kernel is done, and returns its milliseconds on the GPU.
    virtual Result<double> run(const ModuleLaunch& launch) = 0;
    // Static shared memory of a block of this kernel.
    virtual Result<std::uint32_t> static_shared_bytes(const std::string& symbol) = 0;
};

// A matrix with its boxes for TMA copies (CUDA Driver API, "Tensor Map Object Management").
struct BoxedMatrix {
    const void* first = nullptr;  // GPU memory; rows begin at multiples of 16 bytes
    InputType type = InputType::kFloat32;
    int rows = 0, columns = 0, box_rows = 0, box_columns = 0;
    int swizzle_bytes = 0;  // 32, 64 or 128: the length of a row of the box; 0: no swizzle
};
using TensorMapWords = std::array<std::uint32_t, 32>;

class DeviceMemory;

// Copies memory of the GPU to a host buffer of its own, which grows as needed.
class HostCopy {
  public:
    virtual ~HostCopy() = default;
    // Valid until the next call.
    virtual Result<const std::byte*> copy(const void* device, std::uint64_t bytes) = 0;
};

// A pool of HostCopy objects, because the allocation of their memory is slow. Thread-safe.
class HostCopies {
  public:
    [[nodiscard]] std::unique_ptr<HostCopy> take() {
        const std::lock_guard lock(mutex_);
        if (kept_.empty()) return nullptr;
        std::unique_ptr<HostCopy> copy = std::move(kept_.back());
        kept_.pop_back();
        return copy;
    }
    void give_back(std::unique_ptr<HostCopy> copy) {
        const std::lock_guard lock(mutex_);
        kept_.push_back(std::move(copy));
    }

  private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<HostCopy>> kept_;
};

// All but host_copy() and HostCopy are used by one thread at a time.
class Gpu {
  public:
    virtual ~Gpu() = default;
    [[nodiscard]] virtual GpuName name() const = 0;
    [[nodiscard]] virtual int compute_capability() const = 0;  // 90: 9.0
    virtual Result<std::uint64_t> free_bytes() = 0;
    // Not initialised. Must not outlive the GPU.
    Result<DeviceMemory> allocate(std::uint64_t bytes);
    virtual Status write(void* device, const void* host, std::uint64_t bytes) = 0;
    virtual Status read(void* host, const void* device, std::uint64_t bytes) = 0;
    virtual Status fill(void* device, unsigned char byte, std::uint64_t bytes) = 0;
    virtual std::unique_ptr<HostCopy> host_copy() = 0;
    // Bytes of shared memory that CUDA reserves, before a block's own.
    virtual Result<std::uint32_t> reserved_shared_bytes() = 0;
    // Compiles PTX with a limit of registers per thread.
    virtual Result<std::unique_ptr<GpuModule>> load(const std::string& ptx, int registers) = 0;
    // Needs compute capability 9.0.
    virtual Result<TensorMapWords> map_boxes(const BoxedMatrix& matrix) = 0;

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
    void* memory = TRY(take(bytes));
    return DeviceMemory(*this, memory);
}

// The first GPU of this computer, ready for use; else an error with the reason.
Result<std::unique_ptr<Gpu>> open_gpu();

}  // namespace tilereel

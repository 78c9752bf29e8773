// The GPU as the device of kernels that are no products.
#include <cuda_runtime.h>

#include "app/race/gpu/gpu_clock.h"
#include "app/race/gpu/gpu_machine.h"
#include "app/race/gpu/nvml.h"
#include "app/race/other_kernels/work_device.h"

namespace tilereel {
namespace {

class GpuWorkDevice : public WorkDevice {
  public:
    GpuWorkDevice(const cudaDeviceProp& properties, GpuClock clock)
        : properties_(properties), clock_(std::move(clock)) {
        if (auto nvml = Nvml::open(pci_bus_id())) nvml_ = *std::move(nvml);
    }

    RaceMachine machine(const std::atomic<bool>&) override {
        return gpu_machine(properties_, "", true);
    }
    Conditions conditions() override { return nvml_ ? nvml_->conditions() : Conditions{}; }
    std::uint64_t free_bytes() override {
        std::size_t available = 0, all = 0;
        static_cast<void>(race_status(cudaMemGetInfo(&available, &all), "tell its free memory"));
        return available;
    }
    Result<std::shared_ptr<std::byte>> memory(std::uint64_t bytes) override {
        CudaMemory memory = TRY(device_memory(bytes));
        return std::shared_ptr<std::byte>(static_cast<std::byte*>(memory.release()),
                                          FreeDeviceMemory());
    }
    Status upload(std::byte* to, std::span<const std::byte> from) override {
        return race_status(cudaMemcpy(to, from.data(), from.size(), cudaMemcpyHostToDevice),
                           "take the inputs");
    }
    Status download(std::span<std::byte> to, const std::byte* from) override {
        return race_status(cudaMemcpy(to.data(), from, to.size(), cudaMemcpyDeviceToHost),
                           "give the results back");
    }
    Status copy(std::byte* to, const std::byte* from, std::uint64_t bytes) override {
        return race_status(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice),
                           "copy the inputs");
    }
    Status fill(std::byte* to, int value, std::uint64_t bytes) override {
        return race_status(cudaMemsetAsync(to, value, bytes), "clear the results");
    }
    Result<Lap> time(const std::function<Status()>& launches) override {
        return clock_.time(launches);
    }

  private:
    cudaDeviceProp properties_;
    GpuClock clock_;
    std::optional<Nvml> nvml_;
};

}  // namespace

Result<std::unique_ptr<WorkDevice>> make_gpu_work_device() {
    const auto properties = TRY(use_first_gpu("estimate it: tilereel estimate"));
    auto clock = TRY(GpuClock::make());
    return std::unique_ptr<WorkDevice>(
        std::make_unique<GpuWorkDevice>(properties, std::move(clock)));
}

}  // namespace tilereel

#include "app/race/gpu/gpu_machine.h"

#include <cuda_runtime.h>

#include "app/race/gpu/gpu_roofs.h"
#include "app/race/gpu/on_gpu.h"

namespace tilereel {
namespace {

std::string cuda_version() {
    int version = 0;  // 1000 * major + 10 * minor
    if (cudaRuntimeGetVersion(&version) != cudaSuccess) return "";
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

std::string pci_bus_id() {
    char id[32] = "";
    // race_status() clears an error of CUDA, after which the id is empty.
    static_cast<void>(race_status(cudaDeviceGetPCIBusId(id, sizeof id, 0), "give its PCI bus id"));
    return id;
}

RaceMachine gpu_machine(const cudaDeviceProp& properties, const std::string& reference,
                        bool measure_roofs) {
    RaceMachine machine{.gpu = true,
                        .device = properties.name,
                        .driver = driver_version(),
                        .toolkit = cuda_version(),
                        .reference = reference,
                        .compute_capability = std::to_string(properties.major) + "." +
                                              std::to_string(properties.minor),
                        .multiprocessors = properties.multiProcessorCount,
                        .last_cache_bytes = static_cast<std::uint64_t>(properties.l2CacheSize)};
    if (!measure_roofs) return machine;
    // A roof that cannot be measured stays 0. The race will report what is wrong with the GPU.
    if (const auto gbs = measure_gpu_copy_gbs(machine.last_cache_bytes))
        machine.measured_bandwidth_gbs = *gbs;
    if (const auto gflops = measure_gpu_fma_gflops(machine.multiprocessors))
        machine.measured_peak_gflops = *gflops;
    return machine;
}

}  // namespace tilereel

#include "kernels/cuda/cuda_handles.h"

#include <algorithm>
#include <fstream>
#include <string>

namespace tilereel {
namespace {

// What the user can do about the error; empty if CUDA's own message is best.
std::string advice(cudaError_t error, const std::string& instead) {
    const std::string and_again = instead + ", and start Tilereel again before you use the GPU";
    switch (error) {
        case cudaErrorNoDevice:
            return "this computer has no NVIDIA GPU; " + instead;
        case cudaErrorInsufficientDriver:
            return "the NVIDIA driver is missing or too old for this Tilereel; install a newer "
                   "driver, or " +
                   instead;
        case cudaErrorMemoryAllocation:
            return "the GPU has run out of memory; choose smaller matrices, close what else uses "
                   "the GPU, or " +
                   instead;
        case cudaErrorNoKernelImageForDevice:
        case cudaErrorInvalidDeviceFunction:
        case cudaErrorUnsupportedPtxVersion:
            return "this Tilereel holds no code for this GPU (it needs compute capability 7.5 or "
                   "newer); " +
                   instead;
        case cudaErrorInvalidConfiguration:
        case cudaErrorLaunchOutOfResources:
        case cudaErrorInvalidValue:
            return "the GPU cannot run this launch; use a smaller TILE, or " + instead;
        case cudaErrorDevicesUnavailable:
        case cudaErrorDeviceUninitialized:
        case cudaErrorSystemNotReady:
            return "the GPU is taken or not ready; try again later, or " + instead;
        case cudaErrorLaunchTimeout:
            return "the GPU stopped the kernel because it ran too long; choose smaller matrices, "
                   "or " +
                   and_again;
        case cudaErrorIllegalAddress:
        case cudaErrorMisalignedAddress:
        case cudaErrorInvalidAddressSpace:
        case cudaErrorInvalidPc:
        case cudaErrorIllegalInstruction:
        case cudaErrorHardwareStackError:
        case cudaErrorAssert:
        case cudaErrorLaunchFailure:
            return "the kernel crashed on the GPU; " + and_again;
        case cudaErrorECCUncorrectable:
        case cudaErrorNvlinkUncorrectable:
#if CUDART_VERSION >= 12080
        case cudaErrorContained:
#endif
        case cudaErrorContextIsDestroyed:
        case cudaErrorExternalDevice:
        case cudaErrorUnknown:
            return "the GPU was lost; " + and_again;
        default:
            return "";
    }
}

Error no_driver_or_too_old(const char* instead) {
    int version = 0;
    if (cudaDriverGetVersion(&version) == cudaSuccess && version == 0)
        return failed(std::string("this computer has no NVIDIA driver; install one, or ") +
                      instead);
    return cuda_status(cudaErrorInsufficientDriver, "", instead).error();
}

}  // namespace

Status cuda_status(cudaError_t error, const char* wanted, const char* instead) {
    if (error == cudaSuccess) return Done{};
    // Clears the error, which cudaGetLastError() would report again. A sticky error stays.
    static_cast<void>(cudaGetLastError());
    const std::string code = std::string(" (") + cudaGetErrorName(error) + ")";
    if (const std::string what = advice(error, instead); !what.empty()) return failed(what + code);
    return failed(std::string("the GPU did not ") + wanted + ": " + cudaGetErrorString(error) +
                  code + "; " + instead);
}

Result<cudaDeviceProp> use_first_gpu(const char* instead) {
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error == cudaErrorInsufficientDriver) return no_driver_or_too_old(instead);
    if (error == cudaSuccess && count == 0)
        return cuda_status(cudaErrorNoDevice, "answer", instead).error();
    TRY(cuda_status(error, "answer", instead));
    cudaDeviceProp properties{};
    cudaError_t ready = cudaSetDevice(0);
    if (ready == cudaSuccess) ready = cudaGetDeviceProperties(&properties, 0);
    TRY(cuda_status(ready, "get ready", instead));
    return properties;
}

// Reads "580.159.04" from "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04  Tue ...".
// Without that file, returns the CUDA version that the driver supports.
std::string driver_version() {
    std::ifstream file("/proc/driver/nvidia/version");
    for (std::string word; file >> word;) {
        const bool version = word.find_first_not_of("0123456789.") == std::string::npos &&
                             word.find('.') != std::string::npos;
        if (version) return word;
    }
    int cuda = 0;  // 1000 * major + 10 * minor
    if (cudaDriverGetVersion(&cuda) != cudaSuccess) return "unknown";
    return "CUDA " + std::to_string(cuda / 1000) + "." + std::to_string(cuda % 1000 / 10);
}

Result<CudaEvent> make_event() {
    cudaEvent_t event = nullptr;
    TRY(cuda_status(cudaEventCreate(&event), "make an event"));
    return CudaEvent(event);
}

Result<CudaStream> make_stream() {
    cudaStream_t stream = nullptr;
    TRY(cuda_status(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
                                    "make a stream"));
    return CudaStream(stream);
}

Result<CudaMemory> make_memory(std::size_t bytes, const char* instead) {
    void* memory = nullptr;
    TRY(cuda_status(cudaMalloc(&memory, std::max<std::size_t>(bytes, 1)),
                                     "give memory", instead));
    return CudaMemory(memory);
}

Status allow_shared_bytes(const void* kernel, std::size_t bytes, const char* instead) {
    constexpr std::size_t kAlwaysAllowed = 48 * 1024;
    if (bytes <= kAlwaysAllowed) return Done{};
    return cuda_status(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                            static_cast<int>(bytes)),
                       "give a block so much shared memory", instead);
}

}  // namespace tilereel

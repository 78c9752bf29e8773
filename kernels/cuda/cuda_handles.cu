#include "kernels/cuda/cuda_handles.cuh"

#include <string>

namespace tilereel {
namespace {

// What to do about it; nullptr: nothing better than CUDA's own words.
const char* advice(cudaError_t error) {
    switch (error) {
        case cudaErrorNoDevice:
            return "this computer has no NVIDIA GPU; use the emulator";
        case cudaErrorInsufficientDriver:
            return "the NVIDIA driver is missing or too old for this Tilereel; install a newer "
                   "driver or use the emulator";
        case cudaErrorMemoryAllocation:
            return "the GPU has run out of memory; record a smaller product, close what else uses "
                   "the GPU, or use the emulator";
        case cudaErrorNoKernelImageForDevice:
        case cudaErrorInvalidDeviceFunction:
        case cudaErrorUnsupportedPtxVersion:
            return "this Tilereel holds no code for this GPU (it needs compute capability 7.5 or "
                   "newer); use the emulator";
        case cudaErrorInvalidConfiguration:
        case cudaErrorLaunchOutOfResources:
        case cudaErrorInvalidValue:
            return "the GPU cannot run this launch; use a smaller TILE, or the emulator";
        case cudaErrorDevicesUnavailable:
        case cudaErrorDeviceUninitialized:
        case cudaErrorSystemNotReady:
            return "the GPU is taken or not ready; try again later or use the emulator";
        case cudaErrorLaunchTimeout:
            return "the GPU stopped the kernel because it ran too long; record a smaller product, "
                   "or use the emulator, and start Tilereel again before you use the GPU";
        case cudaErrorIllegalAddress:
        case cudaErrorMisalignedAddress:
        case cudaErrorInvalidAddressSpace:
        case cudaErrorInvalidPc:
        case cudaErrorIllegalInstruction:
        case cudaErrorHardwareStackError:
        case cudaErrorAssert:
        case cudaErrorLaunchFailure:
            return "the kernel crashed on the GPU; use the emulator, and start Tilereel again "
                   "before you use the GPU";
        case cudaErrorECCUncorrectable:
        case cudaErrorNvlinkUncorrectable:
        case cudaErrorContained:
        case cudaErrorContextIsDestroyed:
        case cudaErrorExternalDevice:
        case cudaErrorUnknown:
            return "the GPU was lost; use the emulator, and start Tilereel again before you use "
                   "the GPU";
        default:
            return nullptr;
    }
}

}  // namespace

Status cuda_status(cudaError_t error, const char* wanted) {
    if (error == cudaSuccess) return Done{};
    // Takes back what cudaGetLastError() would report once more; a sticky error stays.
    static_cast<void>(cudaGetLastError());
    const std::string code = std::string(" (") + cudaGetErrorName(error) + ")";
    if (const char* what = advice(error)) return failed(std::string(what) + code);
    return failed(std::string("the GPU did not ") + wanted + ": " + cudaGetErrorString(error) +
                  code + "; use the emulator");
}

Result<CudaEvent> make_event() {
    cudaEvent_t event = nullptr;
    const Status made = cuda_status(cudaEventCreate(&event), "make an event");
    if (!made) return made.error();
    return CudaEvent(event);
}

Result<CudaStream> make_stream() {
    cudaStream_t stream = nullptr;
    const Status made = cuda_status(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
                                    "make a stream");
    if (!made) return made.error();
    return CudaStream(stream);
}

}  // namespace tilereel

#pragma once
// CUDA errors as sentences, and owned CUDA handles. Needs CUDA's headers.
#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>

#include "instrumentation/base/result.h"

namespace tilereel {

// One sentence for a failed call: the requested action ("copy the matrices"), the error, and what
// to do, which may be `instead`. Done for cudaSuccess.
inline constexpr const char* kUseTheCpu = "use the CPU";
Status cuda_status(cudaError_t error, const char* wanted, const char* instead = kUseTheCpu);

// Selects the first GPU of this computer for this thread, or returns why there is none.
Result<cudaDeviceProp> use_first_gpu(const char* instead = kUseTheCpu);
[[nodiscard]] std::string driver_version();  // "580.159.04"

struct DestroyEvent {
    void operator()(cudaEvent_t event) const { static_cast<void>(cudaEventDestroy(event)); }
};
using CudaEvent = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, DestroyEvent>;
Result<CudaEvent> make_event();

struct DestroyStream {
    void operator()(cudaStream_t stream) const { static_cast<void>(cudaStreamDestroy(stream)); }
};
using CudaStream = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, DestroyStream>;
Result<CudaStream> make_stream();  // does not wait for the default stream

struct FreeHostMemory {
    void operator()(void* memory) const { static_cast<void>(cudaFreeHost(memory)); }
};
using PinnedMemory = std::unique_ptr<void, FreeHostMemory>;

struct FreeDeviceMemory {
    void operator()(void* memory) const { static_cast<void>(cudaFree(memory)); }
};
using CudaMemory = std::unique_ptr<void, FreeDeviceMemory>;
Result<CudaMemory> make_memory(std::size_t bytes, const char* instead = kUseTheCpu);

// Calls a function that starts a kernel, and returns the status of the launch.
template <class Launch, class... Arguments>
cudaError_t start_kernel(Launch launch, Arguments... arguments) {
    static_cast<void>(cudaGetLastError());  // clears errors of earlier calls
    launch(arguments...);
    return cudaGetLastError();
}

// Lets a block of the kernel have this much dynamic shared memory.
Status allow_shared_bytes(const void* kernel, std::size_t bytes,
                          const char* instead = kUseTheCpu);

}  // namespace tilereel

#pragma once
// CUDA's errors as sentences, and its handles with an owner. For the .cu files of this folder.
#include <cuda_runtime_api.h>

#include <memory>
#include <type_traits>

#include "instrumentation/base/result.h"

namespace tilereel {

// One sentence for a failed call: what was asked of the GPU ("copy the matrices"), what went wrong
// and what to do. Done for cudaSuccess.
Status cuda_status(cudaError_t error, const char* wanted);

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

}  // namespace tilereel

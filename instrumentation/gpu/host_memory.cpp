// The memory that a recorded program allocates and declares. The linker redirects the program's
// calls here (--wrap).
#include <cuda_runtime.h>

#include <map>
#include <mutex>

#include "host_runtime.h"

namespace tilereel_gpu {
namespace {

std::mutex memory_mutex;

std::map<std::uint64_t, std::uint64_t>& allocations() {  // bytes by address
    static auto& all = *new std::map<std::uint64_t, std::uint64_t>;
    return all;
}

struct DeclaredVariable {
    const void* host = nullptr;
    void** managed = nullptr;  // where CUDA will store its address
    std::string symbol;
    std::uint64_t bytes = 0;
    bool is_constant = false;
};
std::vector<DeclaredVariable>& variables() {
    static auto& all = *new std::vector<DeclaredVariable>;
    return all;
}

cudaError_t note(cudaError_t error, const void* address, std::uint64_t bytes) {
    const std::lock_guard lock(memory_mutex);
    if (error == cudaSuccess && address != nullptr && bytes != 0)
        allocations()[reinterpret_cast<std::uint64_t>(address)] = bytes;
    return error;
}

void forget(const void* address) {
    const std::lock_guard lock(memory_mutex);
    allocations().erase(reinterpret_cast<std::uint64_t>(address));
}

}  // namespace

std::vector<Region> regions() {
    const std::lock_guard lock(memory_mutex);
    std::vector<Region> all;
    for (const auto& [address, bytes] : allocations()) all.push_back({address, bytes, {}, false});
    for (const DeclaredVariable& variable : variables()) {
        void* address = variable.managed != nullptr ? *variable.managed : nullptr;
        if (address == nullptr && variable.host != nullptr &&
            cudaGetSymbolAddress(&address, variable.host) != cudaSuccess) {
            cudaGetLastError();
            continue;
        }
        all.push_back({reinterpret_cast<std::uint64_t>(address), variable.bytes, variable.symbol,
                       variable.is_constant});
    }
    return all;
}

}  // namespace tilereel_gpu

using tilereel_gpu::forget;
using tilereel_gpu::note;
using tilereel_gpu::variables;

#define TILEREEL_WRAP(result, name, parameters) \
    extern "C" result __real_##name parameters; \
    extern "C" result __wrap_##name parameters

TILEREEL_WRAP(cudaError_t, cudaMalloc, (void** to, size_t bytes)) {
    const cudaError_t error = __real_cudaMalloc(to, bytes);
    return note(error, error == cudaSuccess ? *to : nullptr, bytes);
}
TILEREEL_WRAP(cudaError_t, cudaMallocManaged, (void** to, size_t bytes, unsigned flags)) {
    const cudaError_t error = __real_cudaMallocManaged(to, bytes, flags);
    return note(error, error == cudaSuccess ? *to : nullptr, bytes);
}
TILEREEL_WRAP(cudaError_t, cudaMallocAsync, (void** to, size_t bytes, cudaStream_t stream)) {
    const cudaError_t error = __real_cudaMallocAsync(to, bytes, stream);
    return note(error, error == cudaSuccess ? *to : nullptr, bytes);
}
TILEREEL_WRAP(cudaError_t, cudaMallocFromPoolAsync,
              (void** to, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)) {
    const cudaError_t error = __real_cudaMallocFromPoolAsync(to, bytes, pool, stream);
    return note(error, error == cudaSuccess ? *to : nullptr, bytes);
}
TILEREEL_WRAP(cudaError_t, cudaMallocPitch,
              (void** to, size_t* pitch, size_t width, size_t height)) {
    const cudaError_t error = __real_cudaMallocPitch(to, pitch, width, height);
    return error == cudaSuccess ? note(error, *to, *pitch * height) : error;
}
TILEREEL_WRAP(cudaError_t, cudaMalloc3D, (cudaPitchedPtr * to, cudaExtent extent)) {
    const cudaError_t error = __real_cudaMalloc3D(to, extent);
    return error == cudaSuccess ? note(error, to->ptr, to->pitch * extent.height * extent.depth)
                                : error;
}
TILEREEL_WRAP(cudaError_t, cudaMallocHost, (void** to, size_t bytes)) {
    const cudaError_t error = __real_cudaMallocHost(to, bytes);
    return note(error, error == cudaSuccess ? *to : nullptr, bytes);
}
TILEREEL_WRAP(cudaError_t, cudaHostAlloc, (void** to, size_t bytes, unsigned flags)) {
    const cudaError_t error = __real_cudaHostAlloc(to, bytes, flags);
    return note(error, error == cudaSuccess ? *to : nullptr, bytes);
}
TILEREEL_WRAP(cudaError_t, cudaHostRegister, (void* memory, size_t bytes, unsigned flags)) {
    return note(__real_cudaHostRegister(memory, bytes, flags), memory, bytes);
}
TILEREEL_WRAP(cudaError_t, cudaFree, (void* memory)) {
    forget(memory);
    return __real_cudaFree(memory);
}
TILEREEL_WRAP(cudaError_t, cudaFreeAsync, (void* memory, cudaStream_t stream)) {
    forget(memory);
    return __real_cudaFreeAsync(memory, stream);
}
TILEREEL_WRAP(cudaError_t, cudaFreeHost, (void* memory)) {
    forget(memory);
    return __real_cudaFreeHost(memory);
}
TILEREEL_WRAP(cudaError_t, cudaHostUnregister, (void* memory)) {
    forget(memory);
    return __real_cudaHostUnregister(memory);
}

TILEREEL_WRAP(void, __cudaRegisterVar,
              (void** module, char* host, char* device, const char* name, int is_extern,
               size_t bytes, int is_constant, int is_global)) {
    variables().push_back({host, nullptr, name, bytes, is_constant != 0});
    __real___cudaRegisterVar(module, host, device, name, is_extern, bytes, is_constant, is_global);
}
TILEREEL_WRAP(void, __cudaRegisterManagedVar,
              (void** module, void** host, char* device, const char* name, int is_extern,
               size_t bytes, int is_constant, int is_global)) {
    variables().push_back({nullptr, host, name, bytes, false});
    __real___cudaRegisterManagedVar(module, host, device, name, is_extern, bytes, is_constant,
                                    is_global);
}

// The launches of a recorded program. The linker redirects the calls here (--wrap).
#include <cuda_runtime.h>

#include <list>
#include <map>
#include <mutex>

#include "host_runtime.h"

extern "C" char __executable_start;

namespace tilereel_gpu {
namespace {

// The host's shadow variables of tilereel_gpu_trace, one for each module.
std::list<DeviceTrace>& shadows() {
    static auto& all = *new std::list<DeviceTrace>;
    return all;
}
std::map<const void*, std::string>& symbols() {
    static auto& all = *new std::map<const void*, std::string>;
    return all;
}
std::recursive_mutex& mutex() {
    static auto& one = *new std::recursive_mutex;
    return one;
}
thread_local std::uint64_t called_from = 0;

std::uint64_t offset_in_program(const void* address) {
    return reinterpret_cast<std::uint64_t>(address) -
           reinterpret_cast<std::uint64_t>(&__executable_start);
}

cudaError_t run(const void* kernel, dim3 grid, dim3 block, void** parameters, std::size_t shared,
                std::uint64_t from, std::function<cudaError_t()> launch, dim3 cluster = {}) {
    const std::lock_guard lock(mutex());
    const auto symbol = symbols().find(kernel);
    return run_launch({kernel, symbol == symbols().end() ? std::string() : symbol->second, grid,
                       block, parameters, shared, from, std::move(launch), cluster});
}

}  // namespace

cudaError_t use_trace(const DeviceTrace& trace) {
    for (DeviceTrace& shadow : shadows())
        if (const cudaError_t error =
                cudaMemcpyToSymbol(static_cast<const void*>(&shadow), &trace, sizeof trace);
            error != cudaSuccess)
            return error;
    return cudaSuccess;
}

}  // namespace tilereel_gpu

#define TILEREEL_WRAP(result, name, parameters) \
    extern "C" result __real_##name parameters; \
    extern "C" result __wrap_##name parameters

TILEREEL_WRAP(void, __cudaRegisterFunction,
              (void** module, const char* host, char* device, const char* name, int limit,
               uint3* thread, uint3* block, dim3* blocks, dim3* grid, int* warp)) {
    tilereel_gpu::symbols()[host] = name;
    __real___cudaRegisterFunction(module, host, device, name, limit, thread, block, blocks, grid,
                                  warp);
}

extern "C" void __real___cudaRegisterVar(void**, char*, char*, const char*, int, size_t, int, int);

TILEREEL_WRAP(void, __cudaRegisterFatBinaryEnd, (void** module)) {
    auto& shadow = tilereel_gpu::shadows().emplace_back();
    static char name[] = "tilereel_gpu_trace";
    __real___cudaRegisterVar(module, reinterpret_cast<char*>(&shadow), name, name, 0, sizeof shadow,
                             1, 0);
    __real___cudaRegisterFatBinaryEnd(module);
}

// kernel<<<...>>>() calls this, so the return address is in the line of the launch.
TILEREEL_WRAP(unsigned, __cudaPushCallConfiguration,
              (dim3 grid, dim3 block, size_t shared, CUstream_st* stream)) {
    tilereel_gpu::called_from = tilereel_gpu::offset_in_program(__builtin_return_address(0));
    return __real___cudaPushCallConfiguration(grid, block, shared, stream);
}

TILEREEL_WRAP(cudaError_t, cudaLaunchKernel,
              (const void* kernel, dim3 grid, dim3 block, void** parameters, size_t shared,
               cudaStream_t stream)) {
    const std::uint64_t from = tilereel_gpu::called_from != 0
                                   ? tilereel_gpu::called_from
                                   : tilereel_gpu::offset_in_program(__builtin_return_address(0));
    tilereel_gpu::called_from = 0;
    return tilereel_gpu::run(kernel, grid, block, parameters, shared, from, [=] {
        return __real_cudaLaunchKernel(kernel, grid, block, parameters, shared, stream);
    });
}
#if CUDART_VERSION >= 13000
// Since CUDA 13, kernel<<<...>>>() launches by a handle.
TILEREEL_WRAP(cudaError_t, __cudaGetKernel, (cudaKernel_t * kernel, const void* host)) {
    const std::lock_guard lock(tilereel_gpu::mutex());
    const cudaError_t error = __real___cudaGetKernel(kernel, host);
    if (error == cudaSuccess) {
        const auto symbol = tilereel_gpu::symbols().find(host);
        if (symbol != tilereel_gpu::symbols().end())
            tilereel_gpu::symbols()[*kernel] = symbol->second;
    }
    return error;
}
TILEREEL_WRAP(cudaError_t, __cudaLaunchKernel,
              (cudaKernel_t kernel, dim3 grid, dim3 block, void** parameters, size_t shared,
               cudaStream_t stream)) {
    const std::uint64_t from = tilereel_gpu::called_from;
    tilereel_gpu::called_from = 0;
    return tilereel_gpu::run(kernel, grid, block, parameters, shared, from, [=] {
        return __real___cudaLaunchKernel(kernel, grid, block, parameters, shared, stream);
    });
}
#endif
TILEREEL_WRAP(cudaError_t, cudaLaunchCooperativeKernel,
              (const void* kernel, dim3 grid, dim3 block, void** parameters, size_t shared,
               cudaStream_t stream)) {
    const std::uint64_t from = tilereel_gpu::offset_in_program(__builtin_return_address(0));
    return tilereel_gpu::run(kernel, grid, block, parameters, shared, from, [=] {
        return __real_cudaLaunchCooperativeKernel(kernel, grid, block, parameters, shared, stream);
    });
}
TILEREEL_WRAP(cudaError_t, cudaLaunchKernelExC,
              (const cudaLaunchConfig_t* config, const void* kernel, void** parameters)) {
    const std::uint64_t from = tilereel_gpu::offset_in_program(__builtin_return_address(0));
    dim3 cluster;
    for (unsigned i = 0; i < config->numAttrs; ++i)
        if (config->attrs[i].id == cudaLaunchAttributeClusterDimension) {
            const auto& given = config->attrs[i].val.clusterDim;
            cluster = {given.x, given.y, given.z};
        }
    return tilereel_gpu::run(
        kernel, config->gridDim, config->blockDim, parameters, config->dynamicSmemBytes, from,
        [=] { return __real_cudaLaunchKernelExC(config, kernel, parameters); }, cluster);
}

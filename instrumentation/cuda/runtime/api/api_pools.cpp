// Memory pools, attributes of streams, and the functions of the driver API that query the device.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>

#include "cuda.h"
#include "cuda_runtime_api.h"
#include "instrumentation/cuda/runtime/api.h"
#include "instrumentation/cuda/runtime/program_state.h"
#include "instrumentation/cuda/runtime/simulated_memory.h"

struct CUmemPoolHandle_st {
    std::map<cudaMemPoolAttr, std::uint64_t> attributes;
};

namespace {
CUmemPoolHandle_st default_pool;
cudaMemPool_t current_pool = &default_pool;
}  // namespace

using namespace tilereel::runtime;

extern "C" {

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps*) {
    *pool = new CUmemPoolHandle_st;
    return cudaSuccess;
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    if (pool == nullptr || pool == &default_pool) return set_error(cudaErrorInvalidValue);
    if (current_pool == pool) current_pool = &default_pool;
    delete pool;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
    if (device != 0) return set_error(cudaErrorInvalidDevice);
    *pool = &default_pool;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
    if (device != 0) return set_error(cudaErrorInvalidDevice);
    *pool = current_pool;
    return cudaSuccess;
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
    if (device != 0 || pool == nullptr) return set_error(cudaErrorInvalidValue);
    current_pool = pool;
    return cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
    if (pool == nullptr || value == nullptr) return set_error(cudaErrorInvalidValue);
    // The first three attributes have 4 bytes, the others 8.
    std::uint64_t number = 0;
    std::memcpy(&number, value, attribute <= cudaMemPoolReuseAllowInternalDependencies ? 4 : 8);
    pool->attributes[attribute] = number;
    return cudaSuccess;
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
    if (pool == nullptr || value == nullptr) return set_error(cudaErrorInvalidValue);
    std::uint64_t number = pool->attributes[attribute];
    if (attribute == cudaMemPoolAttrReservedMemCurrent ||
        attribute == cudaMemPoolAttrUsedMemCurrent)
        number = DeviceMemory::instance().used_bytes();
    std::memcpy(value, &number, attribute <= cudaMemPoolReuseAllowInternalDependencies ? 4 : 8);
    return cudaSuccess;
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) { return cudaSuccess; }
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const cudaMemAccessDesc*, size_t) {
    return cudaSuccess;
}
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t, cudaMemLocation*) {
    *flags = cudaMemAccessFlagsProtReadWrite;
    return cudaSuccess;
}
cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t,
                                    cudaStream_t stream) {
    return cudaMallocAsync(pointer, bytes, stream);
}
cudaError_t cudaStreamSetAttribute(cudaStream_t, cudaStreamAttrID, const cudaStreamAttrValue*) {
    return cudaSuccess;
}
cudaError_t cudaStreamGetAttribute(cudaStream_t, cudaStreamAttrID, cudaStreamAttrValue* value) {
    *value = {};
    return cudaSuccess;
}
cudaError_t cudaCtxResetPersistingL2Cache(void) { return cudaSuccess; }

CUresult cuInit(unsigned) { return CUDA_SUCCESS; }
CUresult cuDriverGetVersion(int* version) {
    cudaDriverGetVersion(version);
    return CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int* count) {
    *count = 1;
    return CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice* device, int ordinal) {
    *device = 0;
    return ordinal == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
    cudaDeviceProp properties;
    if (cudaGetDeviceProperties(&properties, device) != cudaSuccess)
        return CUDA_ERROR_INVALID_DEVICE;
    std::snprintf(name, static_cast<size_t>(length), "%s", properties.name);
    return CUDA_SUCCESS;
}
CUresult cuGetErrorName(CUresult error, const char** text) {
    *text = cudaGetErrorName(static_cast<cudaError_t>(error));
    return CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult error, const char** text) {
    *text = cudaGetErrorString(static_cast<cudaError_t>(error));
    return CUDA_SUCCESS;
}
}

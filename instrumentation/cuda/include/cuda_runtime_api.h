#pragma once
// The CUDA runtime API for host code, as Tilereel implements it.
#define __CUDA_RUNTIME_API_H__
#include "driver_types.h"
#include "tilereel/graphs.h"
#include "tilereel/memory_pools.h"
#include "tilereel/texture_types.h"

#define TILEREEL_API cudaError_t
extern "C" {
// Memory.
TILEREEL_API cudaMalloc(void** pointer, size_t bytes);
TILEREEL_API cudaMallocManaged(void** pointer, size_t bytes, unsigned flags = cudaMemAttachGlobal);
TILEREEL_API cudaMallocHost(void** pointer, size_t bytes, unsigned flags = 0);
TILEREEL_API cudaHostAlloc(void** pointer, size_t bytes, unsigned flags);
TILEREEL_API cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height);
TILEREEL_API cudaMalloc3D(struct cudaPitchedPtr* pointer, struct cudaExtent extent);
TILEREEL_API cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream = 0);
TILEREEL_API cudaFree(void* pointer);
TILEREEL_API cudaFreeHost(void* pointer);
TILEREEL_API cudaFreeAsync(void* pointer, cudaStream_t stream = 0);
TILEREEL_API cudaHostRegister(void* pointer, size_t bytes, unsigned flags = 0);
TILEREEL_API cudaHostUnregister(void* pointer);
TILEREEL_API cudaHostGetDevicePointer(void** device, void* host, unsigned flags = 0);
TILEREEL_API cudaHostGetFlags(unsigned* flags, void* host);
TILEREEL_API cudaMemGetInfo(size_t* free, size_t* total);
TILEREEL_API cudaPointerGetAttributes(struct cudaPointerAttributes* attributes,
                                      const void* pointer);
TILEREEL_API cudaMemAdvise(const void* pointer, size_t bytes, enum cudaMemoryAdvise advice,
                           int device);
TILEREEL_API cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device,
                                  cudaStream_t stream = 0);
TILEREEL_API cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t bytes = 0,
                                      unsigned flags = cudaMemAttachSingle);
// Copies.
TILEREEL_API cudaMemcpy(void* to, const void* from, size_t bytes, enum cudaMemcpyKind kind);
TILEREEL_API cudaMemcpyAsync(void* to, const void* from, size_t bytes, enum cudaMemcpyKind kind,
                             cudaStream_t stream = 0);
TILEREEL_API cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                          size_t width, size_t height, enum cudaMemcpyKind kind);
TILEREEL_API cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                               size_t width, size_t height, enum cudaMemcpyKind kind,
                               cudaStream_t stream = 0);
TILEREEL_API cudaMemcpy3D(const struct cudaMemcpy3DParms* parameters);
TILEREEL_API cudaMemcpy3DAsync(const struct cudaMemcpy3DParms* parameters, cudaStream_t stream = 0);
TILEREEL_API cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                            size_t bytes);
TILEREEL_API cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                 size_t bytes, cudaStream_t stream = 0);
TILEREEL_API cudaMemset(void* pointer, int value, size_t bytes);
TILEREEL_API cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream = 0);
TILEREEL_API cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height);
TILEREEL_API cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                               cudaStream_t stream = 0);
TILEREEL_API cudaMemset3D(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent);
TILEREEL_API tilereel_copy_to_symbol(void* symbol, size_t symbol_bytes, const void* from,
                                     size_t bytes, size_t offset, enum cudaMemcpyKind kind);
TILEREEL_API tilereel_copy_from_symbol(void* to, const void* symbol, size_t symbol_bytes,
                                       size_t bytes, size_t offset, enum cudaMemcpyKind kind);
// Called when host code asks for the address of a variable of device code.
TILEREEL_API tilereel_symbol(const void* symbol, size_t bytes);
// The device.
TILEREEL_API cudaSetDevice(int device);
TILEREEL_API cudaGetDevice(int* device);
TILEREEL_API cudaGetDeviceCount(int* count);
TILEREEL_API cudaGetDeviceProperties(struct cudaDeviceProp* properties, int device);
TILEREEL_API cudaDeviceGetAttribute(int* value, enum cudaDeviceAttr attribute, int device);
TILEREEL_API cudaChooseDevice(int* device, const struct cudaDeviceProp* properties);
TILEREEL_API cudaSetValidDevices(int* devices, int count);
TILEREEL_API cudaSetDeviceFlags(unsigned flags);
TILEREEL_API cudaGetDeviceFlags(unsigned* flags);
TILEREEL_API cudaInitDevice(int device, unsigned device_flags, unsigned flags);
TILEREEL_API cudaDeviceSynchronize(void);
TILEREEL_API cudaThreadSynchronize(void);
TILEREEL_API cudaDeviceReset(void);
TILEREEL_API cudaThreadExit(void);
TILEREEL_API cudaDeviceGetLimit(size_t* value, enum cudaLimit limit);
TILEREEL_API cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
TILEREEL_API cudaDeviceGetCacheConfig(enum cudaFuncCache* config);
TILEREEL_API cudaDeviceSetCacheConfig(enum cudaFuncCache config);
TILEREEL_API cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig* config);
TILEREEL_API cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
TILEREEL_API cudaDeviceCanAccessPeer(int* can, int device, int peer);
TILEREEL_API cudaDeviceEnablePeerAccess(int peer, unsigned flags);
TILEREEL_API cudaDeviceDisablePeerAccess(int peer);
TILEREEL_API cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
TILEREEL_API cudaDeviceGetPCIBusId(char* id, int length, int device);
TILEREEL_API cudaDriverGetVersion(int* version);
TILEREEL_API cudaRuntimeGetVersion(int* version);
// cuTensorMapEncodeTiled is the only driver function that programs can get.
TILEREEL_API cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long flags,
                                     enum cudaDriverEntryPointQueryResult* found = 0);
TILEREEL_API cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned version,
                                              unsigned long long flags,
                                              enum cudaDriverEntryPointQueryResult* found = 0);
TILEREEL_API cudaProfilerStart(void);
TILEREEL_API cudaProfilerStop(void);
// Errors.
TILEREEL_API cudaGetLastError(void);
TILEREEL_API cudaPeekAtLastError(void);
const char* cudaGetErrorString(cudaError_t error);
const char* cudaGetErrorName(cudaError_t error);
// Streams and events.
TILEREEL_API cudaStreamCreate(cudaStream_t* stream);
TILEREEL_API cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
TILEREEL_API cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority);
TILEREEL_API cudaStreamDestroy(cudaStream_t stream);
TILEREEL_API cudaStreamSynchronize(cudaStream_t stream);
TILEREEL_API cudaStreamQuery(cudaStream_t stream);
TILEREEL_API cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);
TILEREEL_API cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                   unsigned flags);
TILEREEL_API cudaStreamGetPriority(cudaStream_t stream, int* priority);
TILEREEL_API cudaStreamGetFlags(cudaStream_t stream, unsigned* flags);
TILEREEL_API cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data);
TILEREEL_API cudaEventCreate(cudaEvent_t* event);
TILEREEL_API cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
TILEREEL_API cudaEventDestroy(cudaEvent_t event);
TILEREEL_API cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0);
TILEREEL_API cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = 0,
                                      unsigned flags = 0);
TILEREEL_API cudaEventSynchronize(cudaEvent_t event);
TILEREEL_API cudaEventQuery(cudaEvent_t event);
TILEREEL_API cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end);
// Kernels by their address.
TILEREEL_API tilereel_function_attribute(const void* kernel, enum cudaFuncAttribute attribute,
                                         int value);
TILEREEL_API tilereel_function_attributes(struct cudaFuncAttributes* attributes,
                                          const void* kernel);
TILEREEL_API tilereel_active_blocks(int* blocks, const void* kernel, int threads,
                                    size_t dynamic_bytes);
}

#ifdef __cplusplus
inline struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
    return cudaExtent{width, height, depth};
}
inline struct cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return cudaPos{x, y, z}; }
inline struct cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t xsize,
                                                 size_t ysize) {
    return cudaPitchedPtr{pointer, pitch, xsize, ysize};
}
inline cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pointer, int value,
                                     struct cudaExtent extent, cudaStream_t = 0) {
    return cudaMemset3D(pointer, value, extent);
}
template <class T>
cudaError_t cudaMalloc(T** pointer, size_t bytes) {
    return cudaMalloc(reinterpret_cast<void**>(pointer), bytes);
}
template <class T>
cudaError_t cudaMallocManaged(T** pointer, size_t bytes, unsigned flags = cudaMemAttachGlobal) {
    return cudaMallocManaged(reinterpret_cast<void**>(pointer), bytes, flags);
}
template <class T>
cudaError_t cudaMallocHost(T** pointer, size_t bytes, unsigned flags = 0) {
    return cudaMallocHost(reinterpret_cast<void**>(pointer), bytes, flags);
}
template <class T>
cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned flags) {
    return cudaHostAlloc(reinterpret_cast<void**>(pointer), bytes, flags);
}
template <class T>
cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) {
    return cudaMallocPitch(reinterpret_cast<void**>(pointer), pitch, width, height);
}
template <class T>
cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t stream = 0) {
    return cudaMallocAsync(reinterpret_cast<void**>(pointer), bytes, stream);
}
template <class T>
cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaMemPool_t, cudaStream_t stream) {
    return cudaMallocAsync(reinterpret_cast<void**>(pointer), bytes, stream);
}
template <class T>
cudaError_t cudaMallocFromPoolAsync(T** pointer, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
    return cudaMallocFromPoolAsync(reinterpret_cast<void**>(pointer), bytes, pool, stream);
}
template <class T>
cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned flags = 0) {
    return cudaHostGetDevicePointer(reinterpret_cast<void**>(device), host, flags);
}
template <class T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                               enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return tilereel_copy_to_symbol(const_cast<void*>(reinterpret_cast<const void*>(&symbol)),
                                   sizeof symbol, from, bytes, offset, kind);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes,
                                    size_t offset = 0,
                                    enum cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                    cudaStream_t = nullptr) {
    return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                 enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return tilereel_copy_from_symbol(to, &symbol, sizeof symbol, bytes, offset, kind);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                      enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                      cudaStream_t = nullptr) {
    return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
}
template <class T>
cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
    *pointer = const_cast<void*>(reinterpret_cast<const void*>(&symbol));
    return tilereel_symbol(&symbol, sizeof symbol);
}
template <class T>
cudaError_t cudaGetSymbolSize(size_t* bytes, const T& symbol) {
    *bytes = sizeof symbol;
    return tilereel_symbol(&symbol, sizeof symbol);
}
inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags) {
    return cudaEventCreateWithFlags(event, flags);
}
template <class F>
cudaError_t cudaFuncSetAttribute(F* kernel, enum cudaFuncAttribute attribute, int value) {
    return tilereel_function_attribute(reinterpret_cast<const void*>(kernel), attribute, value);
}
template <class F>
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attributes, F* kernel) {
    return tilereel_function_attributes(attributes, reinterpret_cast<const void*>(kernel));
}
template <class F>
cudaError_t cudaFuncSetCacheConfig(F*, enum cudaFuncCache) {
    return cudaSuccess;
}
template <class F>
cudaError_t cudaFuncSetSharedMemConfig(F*, enum cudaSharedMemConfig) {
    return cudaSuccess;
}
template <class F>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, F kernel, int threads,
                                                          size_t dynamic_bytes) {
    return tilereel_active_blocks(blocks, reinterpret_cast<const void*>(kernel), threads,
                                  dynamic_bytes);
}
template <class F>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, F kernel,
                                                                   int threads,
                                                                   size_t dynamic_bytes, unsigned) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, threads, dynamic_bytes);
}
// The largest of the block sizes that give the most resident threads (CUDA Runtime API).
template <class Shared, class F>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid, int* block, F kernel,
                                                           Shared shared_bytes, int limit = 0) {
    cudaFuncAttributes attributes;
    int device = 0, processors = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaError_t error = cudaFuncGetAttributes(&attributes, kernel);
    if (error != cudaSuccess) return error;
    int most = attributes.maxThreadsPerBlock, best = 0;
    if (limit > 0 && limit < most) most = limit;
    *grid = *block = 0;
    for (int threads = (most + 31) / 32 * 32; threads > 0; threads -= 32) {
        const int size = threads < most ? threads : most;
        int blocks = 0;
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, size,
                                                              size_t(shared_bytes(size)));
        if (error != cudaSuccess) return error;
        if (blocks * size <= best) continue;
        best = blocks * size;
        *block = size;
        *grid = blocks * processors;
    }
    return cudaSuccess;
}
template <class F>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, F kernel,
                                               size_t dynamic_bytes = 0, int limit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        grid, block, kernel, [=](int) { return dynamic_bytes; }, limit);
}
template <class F>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, F kernel,
                                                        size_t dynamic_bytes = 0, int limit = 0,
                                                        unsigned = 0) {
    return cudaOccupancyMaxPotentialBlockSize(grid, block, kernel, dynamic_bytes, limit);
}
#endif

// From CUDA 13 on a cudaMemLocation takes the place of a device number.
inline cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                                 cudaMemLocation place) {
    return cudaMemAdvise(pointer, bytes, advice,
                         place.type == cudaMemLocationTypeHost ? cudaCpuDeviceId : place.id);
}
inline cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation place,
                                        unsigned, cudaStream_t stream = 0) {
    return cudaMemPrefetchAsync(
        pointer, bytes, place.type == cudaMemLocationTypeHost ? cudaCpuDeviceId : place.id, stream);
}

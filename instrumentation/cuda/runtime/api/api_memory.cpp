// The functions of the CUDA runtime API that allocate memory, and those of the plugin and of a
// launch line that declare it.
#include <cstdio>
#include <cstdlib>

#include "cuda_runtime_api.h"
#include "instrumentation/cuda/runtime/api.h"
#include "instrumentation/cuda/runtime/host_timing.h"
#include "instrumentation/cuda/runtime/program_state.h"
#include "instrumentation/cuda/runtime/simulated_memory.h"

namespace tilereel::runtime {
namespace {

DeviceMemory& memory() { return DeviceMemory::instance(); }

cudaError_t allocate(void** pointer, std::uint64_t bytes, Allocation allocation,
                     const void* caller) {
    const HostCall call;
    if (sticky_error() != cudaSuccess) return set_error(sticky_error());
    if (pointer == nullptr) return set_error(cudaErrorInvalidValue);
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    MemoryArray* const array = memory().allocate(bytes, allocation, memory_capacity_bytes());
    if (array == nullptr) return set_error(cudaErrorMemoryAllocation);
    array->allocated_by = reinterpret_cast<std::uint64_t>(caller);
    *pointer = reinterpret_cast<void*>(array->base);
    return cudaSuccess;
}

}  // namespace

}  // namespace tilereel::runtime

using namespace tilereel::runtime;

#define CALLER __builtin_return_address(0)

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
    return allocate(pointer, bytes, Allocation::kDevice, CALLER);
}
cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t) {
    return allocate(pointer, bytes, Allocation::kDevice, CALLER);
}
cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned) {
    return allocate(pointer, bytes, Allocation::kManaged, CALLER);
}
cudaError_t cudaMallocHost(void** pointer, size_t bytes, unsigned) {
    return allocate(pointer, bytes, Allocation::kHostMapped, CALLER);
}
cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned) {
    return allocate(pointer, bytes, Allocation::kHostMapped, CALLER);
}
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
    *pitch = (width + 511) / 512 * 512;
    const cudaError_t error = allocate(pointer, *pitch * height, Allocation::kDevice, CALLER);
    if (error == cudaSuccess && *pointer != nullptr)
        memory().find(reinterpret_cast<std::uint64_t>(*pointer))->pitch_bytes = *pitch;
    return error;
}
cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
    pointer->xsize = extent.width;
    pointer->ysize = extent.height;
    return cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width,
                           extent.height * extent.depth);
}
cudaError_t cudaFree(void* pointer) {
    if (pointer == nullptr) return sticky_error();
    note_wait();
    const HostCall call;
    if (sticky_error() != cudaSuccess) return set_error(sticky_error());
    if (memory().release(pointer)) return cudaSuccess;
    send_finding(tilereel::RecordedFindingKind::kOther,
                 "cudaFree is called with a pointer that cudaMalloc did not return, or that was "
                 "freed before.",
                 "Free each allocation once, with the pointer that cudaMalloc returned.", "", 0,
                 reinterpret_cast<std::uint64_t>(CALLER));
    return set_error(cudaErrorInvalidValue);
}
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t) { return cudaFree(pointer); }
cudaError_t cudaFreeHost(void* pointer) { return cudaFree(pointer); }
cudaError_t cudaHostRegister(void*, size_t, unsigned) { return sticky_error(); }
cudaError_t cudaHostUnregister(void*) { return sticky_error(); }
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
    *device = host;
    return sticky_error();
}
cudaError_t cudaHostGetFlags(unsigned* flags, void*) {
    *flags = cudaHostAllocMapped;
    return sticky_error();
}
cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
    *total = memory_capacity_bytes();
    *free = *total - memory().used_bytes();
    return sticky_error();
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
    *attributes = {};
    const MemoryArray* const array = memory().find(reinterpret_cast<std::uint64_t>(pointer));
    void* const plain = const_cast<void*>(pointer);
    attributes->type = cudaMemoryTypeUnregistered;
    attributes->hostPointer = plain;
    if (array == nullptr) return cudaSuccess;
    const bool device = is_device_only(*array) || array->space == tilereel::Space::kConstant;
    attributes->type = device                                      ? cudaMemoryTypeDevice
                       : array->allocation == Allocation::kManaged ? cudaMemoryTypeManaged
                                                                   : cudaMemoryTypeHost;
    attributes->devicePointer = plain;
    attributes->hostPointer = device ? nullptr : plain;
    return cudaSuccess;
}
cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, int) { return sticky_error(); }
cudaError_t cudaMemPrefetchAsync(const void*, size_t, int, cudaStream_t) { return sticky_error(); }
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void*, size_t, unsigned) {
    return sticky_error();
}

int tilereel_keep_memory_open(void) {
    memory().keep_open();
    return 1;
}
cudaError_t tilereel_symbol(const void* symbol, size_t bytes) {
    const HostCall call;
    memory().add_symbol(symbol, bytes);
    return sticky_error();
}
// Sets the extents of an array that a launch line made.
void tilereel_shape(const void* pointer, const std::size_t* extents, std::size_t count) {
    MemoryArray* const array = memory().find(reinterpret_cast<std::uint64_t>(pointer));
    if (array != nullptr) array->extents.assign(extents, extents + count);
}
void tilereel_refuse_launch(const char* why) {
    tilereel::runtime::send_message(tilereel::contract::WrongCall{why});
    std::fprintf(stderr, "%s\n", why);
    std::exit(1);
}

}  // extern "C"

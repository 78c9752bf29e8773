// The memory functions of the CUDA runtime API.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "cuda_runtime_api.h"
#include "instrumentation/cuda/runtime/api.h"
#include "instrumentation/cuda/runtime/api/copies.h"
#include "instrumentation/cuda/runtime/api/large_copy.h"
#include "instrumentation/cuda/runtime/api/streams.h"
#include "instrumentation/cuda/runtime/program_state.h"
#include "instrumentation/cuda/runtime/simulated_memory.h"

namespace tilereel::runtime {
namespace {

DeviceMemory& memory() { return DeviceMemory::instance(); }

cudaError_t allocate(void** pointer, std::uint64_t bytes, ArraySpace space, const void* caller) {
    const HostCall call;
    if (sticky_error() != cudaSuccess) return set_error(sticky_error());
    if (pointer == nullptr) return set_error(cudaErrorInvalidValue);
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    MemoryArray* const array = memory().allocate(bytes, space, memory_capacity_bytes());
    if (array == nullptr) return set_error(cudaErrorMemoryAllocation);
    array->allocated_by = reinterpret_cast<std::uint64_t>(caller);
    *pointer = reinterpret_cast<void*>(array->base);
    return cudaSuccess;
}

bool is_device(const void* pointer) {
    return memory().contains(reinterpret_cast<std::uint64_t>(pointer));
}

// Whether the bytes lie inside one allocation. Addresses of host memory are not checked.
bool is_inside(const void* pointer, std::uint64_t bytes) {
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    if (!memory().contains(address)) return true;
    const MemoryArray* const array = memory().find(address);
    return array != nullptr && address - array->base + bytes <= array->bytes;
}

std::string direction_text(cudaMemcpyKind kind) {
    switch (kind) {
        case cudaMemcpyHostToHost:
            return "cudaMemcpyHostToHost";
        case cudaMemcpyHostToDevice:
            return "cudaMemcpyHostToDevice";
        case cudaMemcpyDeviceToHost:
            return "cudaMemcpyDeviceToHost";
        case cudaMemcpyDeviceToDevice:
            return "cudaMemcpyDeviceToDevice";
        default:
            return "cudaMemcpyDefault";
    }
}

cudaError_t check_copy(const void* to, const void* from, std::uint64_t to_bytes,
                       std::uint64_t from_bytes, cudaMemcpyKind kind, const void* caller) {
    if (sticky_error() != cudaSuccess) return set_error(sticky_error());
    const auto wrong = [&](const std::string& what, const char* advice) {
        send_finding(RecordedFindingKind::kHostAccess, what, advice, "", 0,
                     reinterpret_cast<std::uint64_t>(caller));
        return set_error(cudaErrorInvalidValue);
    };
    if (to == nullptr || from == nullptr)
        return wrong("A copy has a null pointer.", "Check that cudaMalloc succeeded.");
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (kind != cudaMemcpyDefault) {
        const bool wrong_way = (is_device(to) && !to_device) || (is_device(from) && !from_device);
        if (wrong_way)
            return wrong("A copy says " + direction_text(kind) + ", but its " +
                             (is_device(to) && !to_device ? "target" : "source") +
                             " is device memory.",
                         "Use the direction that fits the two pointers, or cudaMemcpyDefault.");
        const auto known = [](const void* pointer) {
            return memory().find(reinterpret_cast<std::uint64_t>(pointer)) != nullptr;
        };
        if ((to_device && !known(to)) || (from_device && !known(from)))
            return wrong("A copy says " + direction_text(kind) + ", but its " +
                             (to_device && !known(to) ? "target" : "source") +
                             " is not device memory.",
                         "Swap the pointers, or use the direction that fits them.");
    }
    if (!is_inside(to, to_bytes))
        return wrong("A copy of " + std::to_string(to_bytes) +
                         " bytes goes beyond the end of the allocation it writes.",
                     "Copy at most what was allocated; sizes are in bytes, not in elements.");
    if (!is_inside(from, from_bytes))
        return wrong("A copy of " + std::to_string(from_bytes) +
                         " bytes goes beyond the end of the allocation it reads.",
                     "Copy at most what was allocated; sizes are in bytes, not in elements.");
    return cudaSuccess;
}

}  // namespace

cudaError_t copy(void* to, const void* from, std::uint64_t bytes, cudaMemcpyKind kind,
                 const void* caller) {
    if (bytes == 0) return cudaSuccess;
    const HostCall call;
    const cudaError_t error = check_copy(to, from, bytes, bytes, kind, caller);
    if (error != cudaSuccess) return error;
    const OpenMemory open(MemoryUse::kCopy);
    memory().note_written(reinterpret_cast<std::uint64_t>(to), bytes);
    move_bytes(to, from, bytes, is_device(to));
    return cudaSuccess;
}

cudaError_t copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                      std::size_t width, std::size_t height, cudaMemcpyKind kind,
                      const void* caller) {
    if (width == 0 || height == 0) return cudaSuccess;
    const HostCall call;
    if (width > to_pitch || width > from_pitch) return set_error(cudaErrorInvalidPitchValue);
    const cudaError_t error = check_copy(to, from, (height - 1) * to_pitch + width,
                                         (height - 1) * from_pitch + width, kind, caller);
    if (error != cudaSuccess) return error;
    const OpenMemory open(MemoryUse::kCopy);
    memory().note_written(reinterpret_cast<std::uint64_t>(to), (height - 1) * to_pitch + width);
    for (std::size_t row = 0; row < height; ++row)
        std::memmove(static_cast<char*>(to) + row * to_pitch,
                     static_cast<const char*>(from) + row * from_pitch, width);
    return cudaSuccess;
}

cudaError_t copy_3d(const cudaMemcpy3DParms& parameters, const void* caller) {
    const cudaMemcpy3DParms& p = parameters;
    if (p.srcArray != nullptr || p.dstArray != nullptr) {
        send_finding(RecordedFindingKind::kUnsupported,
                     "cudaMemcpy3D copies from or to a CUDA array, which Tilereel does not do.",
                     "Use cudaMemcpy2DToArray or cudaMemcpy2DFromArray.", "", 0,
                     reinterpret_cast<std::uint64_t>(caller));
        return set_error(cudaErrorNotSupported);
    }
    const auto plane = [](const cudaPitchedPtr& pointer, const cudaPos& pos, std::size_t z) {
        return static_cast<char*>(pointer.ptr) +
               ((pos.z + z) * pointer.ysize + pos.y) * pointer.pitch + pos.x;
    };
    for (std::size_t z = 0; z < p.extent.depth; ++z) {
        const cudaError_t error =
            copy_rows(plane(p.dstPtr, p.dstPos, z), p.dstPtr.pitch, plane(p.srcPtr, p.srcPos, z),
                      p.srcPtr.pitch, p.extent.width, p.extent.height, p.kind, caller);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

cudaError_t fill_rows(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                      const void* caller) {
    if (width == 0 || height == 0) return cudaSuccess;
    const HostCall call;
    if (sticky_error() != cudaSuccess) return set_error(sticky_error());
    const auto address = reinterpret_cast<std::uint64_t>(to);
    const std::uint64_t bytes = (height - 1) * pitch + width;
    const bool known = memory().find(address) != nullptr;
    if (!known || !is_inside(to, bytes)) {
        send_finding(RecordedFindingKind::kHostAccess,
                     known ? "cudaMemset writes " + std::to_string(bytes) +
                                 " bytes, more than the allocation there has."
                           : "cudaMemset is called with a pointer that is not device memory.",
                     "Sizes are in bytes; the pointer must come from cudaMalloc.", "", 0,
                     reinterpret_cast<std::uint64_t>(caller));
        return set_error(cudaErrorInvalidValue);
    }
    const OpenMemory open(MemoryUse::kCopy);
    memory().note_written(address, bytes);
    for (std::size_t row = 0; row < height; ++row)
        std::memset(static_cast<char*>(to) + row * pitch, value, width);
    return cudaSuccess;
}

}  // namespace tilereel::runtime

using namespace tilereel::runtime;

#define CALLER __builtin_return_address(0)

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
    return allocate(pointer, bytes, ArraySpace::kGlobal, CALLER);
}
cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t) {
    return allocate(pointer, bytes, ArraySpace::kGlobal, CALLER);
}
cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned) {
    return allocate(pointer, bytes, ArraySpace::kManaged, CALLER);
}
cudaError_t cudaMallocHost(void** pointer, size_t bytes, unsigned) {
    return allocate(pointer, bytes, ArraySpace::kHostMapped, CALLER);
}
cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned) {
    return allocate(pointer, bytes, ArraySpace::kHostMapped, CALLER);
}
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
    *pitch = (width + 511) / 512 * 512;
    const cudaError_t error = allocate(pointer, *pitch * height, ArraySpace::kGlobal, CALLER);
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
    const bool device =
        array->space == ArraySpace::kGlobal || array->space == ArraySpace::kConstant;
    attributes->type = device                                 ? cudaMemoryTypeDevice
                       : array->space == ArraySpace::kManaged ? cudaMemoryTypeManaged
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

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    if (const auto refused = refuse_captured(nullptr)) return *refused;
    return copy(to, from, bytes, kind, CALLER);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
    if (const auto done =
            captured(stream, [&]() -> Work { return linear_copy(to, from, bytes, kind); }))
        return *done;
    return copy(to, from, bytes, kind, CALLER);
}
cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, size_t bytes) {
    return copy(to, from, bytes, cudaMemcpyDeviceToDevice, CALLER);
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t bytes, cudaStream_t) {
    return copy(to, from, bytes, cudaMemcpyDeviceToDevice, CALLER);
}
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind) {
    if (const auto refused = refuse_captured(nullptr)) return *refused;
    return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, CALLER);
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
    if (const auto done = captured(stream, [&]() -> Work {
            cudaMemcpy3DParms rows = {};
            rows.srcPtr = {const_cast<void*>(from), from_pitch, width, height};
            rows.dstPtr = {to, to_pitch, width, height};
            rows.extent = {width, height, 1};
            rows.kind = kind;
            return CopyWork{rows};
        }))
        return *done;
    return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, CALLER);
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
    if (const auto refused = refuse_captured(nullptr)) return *refused;
    return copy_3d(*parameters, CALLER);
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
    if (const auto done = captured(stream, [&]() -> Work { return CopyWork{*parameters}; }))
        return *done;
    return copy_3d(*parameters, CALLER);
}
cudaError_t cudaMemset(void* pointer, int value, size_t bytes) {
    if (const auto refused = refuse_captured(nullptr)) return *refused;
    return fill_rows(pointer, bytes, value, bytes, 1, CALLER);
}
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream) {
    if (const auto done = captured(stream, [&]() -> Work {
            return FillWork{{pointer, bytes, unsigned(value), 1, bytes, 1}};
        }))
        return *done;
    return fill_rows(pointer, bytes, value, bytes, 1, CALLER);
}
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
    if (const auto refused = refuse_captured(nullptr)) return *refused;
    return fill_rows(pointer, pitch, value, width, height, CALLER);
}
cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
    if (const auto done = captured(stream, [&]() -> Work {
            return FillWork{{pointer, pitch, unsigned(value), 1, width, height}};
        }))
        return *done;
    return fill_rows(pointer, pitch, value, width, height, CALLER);
}
cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent) {
    return fill_rows(pointer.ptr, pointer.pitch, value, extent.width, extent.height * extent.depth,
                     CALLER);
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

cudaError_t tilereel_copy_to_symbol(void* symbol, size_t symbol_bytes, const void* from,
                                    size_t bytes, size_t offset, cudaMemcpyKind) {
    const HostCall call;
    if (sticky_error() != cudaSuccess) return set_error(sticky_error());
    if (offset + bytes > symbol_bytes) {
        send_finding(tilereel::RecordedFindingKind::kHostAccess,
                     "cudaMemcpyToSymbol copies " + std::to_string(bytes) + " bytes to offset " +
                         std::to_string(offset) + " of a variable of " +
                         std::to_string(symbol_bytes) + " bytes.",
                     "Copy no more than fits: sizes and offsets are in bytes.", "", 0,
                     reinterpret_cast<std::uint64_t>(CALLER));
        return set_error(cudaErrorInvalidValue);
    }
    const OpenMemory open(MemoryUse::kCopy);
    std::memcpy(static_cast<char*>(symbol) + offset, from, bytes);
    return cudaSuccess;
}
cudaError_t tilereel_copy_from_symbol(void* to, const void* symbol, size_t symbol_bytes,
                                      size_t bytes, size_t offset, cudaMemcpyKind) {
    const HostCall call;
    if (sticky_error() != cudaSuccess) return set_error(sticky_error());
    if (offset + bytes > symbol_bytes) return set_error(cudaErrorInvalidValue);
    const OpenMemory open(MemoryUse::kCopy);
    std::memcpy(to, static_cast<const char*>(symbol) + offset, bytes);
    memory().note_written(reinterpret_cast<std::uint64_t>(to), bytes);
    return cudaSuccess;
}
}

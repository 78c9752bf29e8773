#include "instrumentation/cuda/runtime/api/copies.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "instrumentation/cuda/runtime/api/large_copy.h"
#include "instrumentation/cuda/runtime/host_timing.h"
#include "instrumentation/cuda/runtime/outside_text.h"
#include "instrumentation/cuda/runtime/program_state.h"
#include "instrumentation/cuda/runtime/simulated_memory.h"

namespace tilereel::runtime {
namespace {

bool is_device(const void* pointer) {
    return DeviceMemory::instance().contains(reinterpret_cast<std::uint64_t>(pointer));
}

// How many of the bytes lie beyond the end of the allocation in which they begin. Addresses of host
// memory are not checked.
std::uint64_t bytes_beyond(const void* pointer, std::uint64_t bytes) {
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    if (!DeviceMemory::instance().contains(address)) return 0;
    const MemoryArray* const array = DeviceMemory::instance().find(address);
    if (array == nullptr) return bytes;
    const std::uint64_t left = array->bytes - (address - array->base);
    return bytes - std::min(bytes, left);
}

// "A copy of 8,192 bytes goes 4,096 bytes beyond the end of the allocation"
std::string too_long_text(std::uint64_t bytes, std::uint64_t beyond) {
    const std::string copy = "A copy of " + counted(bytes, "byte");
    if (beyond == bytes) return copy + " lies outside of the allocation";
    return copy + " goes " + counted(beyond, "byte") + " beyond the end of the allocation";
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
    note_wait();
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
            return DeviceMemory::instance().find(reinterpret_cast<std::uint64_t>(pointer)) !=
                   nullptr;
        };
        if ((to_device && !known(to)) || (from_device && !known(from)))
            return wrong("A copy says " + direction_text(kind) + ", but its " +
                             (to_device && !known(to) ? "target" : "source") +
                             " is not device memory.",
                         "Swap the pointers, or use the direction that fits them.");
    }
    const char* const advice =
        "Copy at most what was allocated; sizes are in bytes, not in elements.";
    if (const std::uint64_t beyond = bytes_beyond(to, to_bytes); beyond > 0)
        return wrong(too_long_text(to_bytes, beyond) + " it writes.", advice);
    if (const std::uint64_t beyond = bytes_beyond(from, from_bytes); beyond > 0)
        return wrong(too_long_text(from_bytes, beyond) + " it reads.", advice);
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
    DeviceMemory::instance().note_written(reinterpret_cast<std::uint64_t>(to), bytes);
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
    DeviceMemory::instance().note_written(reinterpret_cast<std::uint64_t>(to),
                                          (height - 1) * to_pitch + width);
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
    const bool known = DeviceMemory::instance().find(address) != nullptr;
    const std::uint64_t beyond = bytes_beyond(to, bytes);
    if (!known || beyond > 0) {
        send_finding(RecordedFindingKind::kHostAccess,
                     known ? "cudaMemset writes " + counted(bytes, "byte") + ", " +
                                 counted(beyond, "byte") + " beyond the end of the allocation."
                           : "cudaMemset is called with a pointer that is not device memory.",
                     "Sizes are in bytes; the pointer must come from cudaMalloc.", "", 0,
                     reinterpret_cast<std::uint64_t>(caller));
        return set_error(cudaErrorInvalidValue);
    }
    const OpenMemory open(MemoryUse::kCopy);
    DeviceMemory::instance().note_written(address, bytes);
    for (std::size_t row = 0; row < height; ++row)
        std::memset(static_cast<char*>(to) + row * pitch, value, width);
    return cudaSuccess;
}

}  // namespace tilereel::runtime

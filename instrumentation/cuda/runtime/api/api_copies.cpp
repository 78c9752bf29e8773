// The functions of the CUDA runtime API that copy and fill memory.
#include <cstring>
#include <string>

#include "cuda_runtime_api.h"
#include "instrumentation/cuda/runtime/api.h"
#include "instrumentation/cuda/runtime/api/copies.h"
#include "instrumentation/cuda/runtime/api/streams.h"
#include "instrumentation/cuda/runtime/host_timing.h"
#include "instrumentation/cuda/runtime/program_state.h"
#include "instrumentation/cuda/runtime/simulated_memory.h"

using namespace tilereel::runtime;

#define CALLER __builtin_return_address(0)

extern "C" {

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

cudaError_t tilereel_copy_to_symbol(void* symbol, size_t symbol_bytes, const void* from,
                                    size_t bytes, size_t offset, cudaMemcpyKind) {
    note_wait();
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
    note_wait();
    const HostCall call;
    if (sticky_error() != cudaSuccess) return set_error(sticky_error());
    if (offset + bytes > symbol_bytes) return set_error(cudaErrorInvalidValue);
    const OpenMemory open(MemoryUse::kCopy);
    std::memcpy(to, static_cast<const char*>(symbol) + offset, bytes);
    DeviceMemory::instance().note_written(reinterpret_cast<std::uint64_t>(to), bytes);
    return cudaSuccess;
}

}  // extern "C"

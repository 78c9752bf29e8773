// CUDA arrays, texture objects and surface objects.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <mutex>

#include "instrumentation/cuda/include/tilereel/small_float.h"
#include "instrumentation/cuda/include/tilereel/texel.h"
#include "instrumentation/cuda/runtime/api/copies.h"
#include "instrumentation/cuda/runtime/api/texture.h"
#include "instrumentation/cuda/runtime/block/thread_findings.h"
#include "instrumentation/cuda/runtime/launches/texture_use.h"
#include "instrumentation/cuda/runtime/program_state.h"
#include "instrumentation/cuda/runtime/simulated_memory.h"

struct cudaArray {
    cudaChannelFormatDesc desc;
    std::size_t width, height;  // in elements; height 0: one dimension
    unsigned flags;
    void* data;
    [[nodiscard]] tilereel::runtime::TextureMemory memory() const {
        tilereel::runtime::TextureMemory made;
        made.desc = desc;
        made.data = static_cast<const char*>(data);
        made.width = static_cast<std::int64_t>(width);
        made.height = static_cast<std::int64_t>(std::max<std::size_t>(height, 1));
        made.pitch = width * static_cast<std::size_t>(made.element_bytes());
        return made;
    }
    [[nodiscard]] std::size_t pitch() const { return memory().pitch; }
};

namespace tilereel::runtime {
namespace {

std::mutex textures_mutex;
// Handles count from 1. Objects are never moved or removed, because kernels read them without a
// lock.
std::deque<Texture>& textures() {
    static auto& all = *new std::deque<Texture>;
    return all;
}
unsigned long long add(const Texture& texture) {
    const std::lock_guard guard(textures_mutex);
    textures().push_back(texture);
    return textures().size();
}
const Texture& texture_of(unsigned long long handle, const char* function) {
    if (handle == 0 || handle > textures().size() || textures()[handle - 1].memory.data == nullptr)
        report_and_end_launch(RecordedFindingKind::kOther,
                              std::string(function) +
                                  " is called with an object that was not created, or that was "
                                  "destroyed: create it before the launch",
                              cudaErrorIllegalAddress);
    if (!textures_used) textures_used = true;
    return textures()[handle - 1];
}

bool is_known(const cudaChannelFormatDesc& desc) {
    const bool even = (desc.y == 0 || desc.y == desc.x) && (desc.z == 0 || desc.z == desc.x) &&
                      (desc.w == 0 || desc.w == desc.x) && (desc.z == 0) == (desc.w == 0);
    return even && desc.f < cudaChannelFormatKindNone &&
           (desc.x == 32 || desc.x == 16 || (desc.x == 8 && desc.f != cudaChannelFormatKindFloat));
}
// Where a resource's elements lie; without data: Tilereel does not read it.
TextureMemory memory_of(const cudaResourceDesc& resource) {
    TextureMemory memory;
    if (resource.resType == cudaResourceTypeArray && resource.res.array.array != nullptr) {
        memory = resource.res.array.array->memory();
    } else if (resource.resType == cudaResourceTypeLinear) {
        memory.desc = resource.res.linear.desc;
        memory.data = static_cast<const char*>(resource.res.linear.devPtr);
        memory.height = 1;
    } else if (resource.resType == cudaResourceTypePitch2D) {
        memory.desc = resource.res.pitch2D.desc;
        memory.data = static_cast<const char*>(resource.res.pitch2D.devPtr);
        memory.pitch = resource.res.pitch2D.pitchInBytes;
        memory.width = static_cast<std::int64_t>(resource.res.pitch2D.width);
        memory.height = static_cast<std::int64_t>(resource.res.pitch2D.height);
    }
    if (!is_known(memory.desc)) return {};
    if (resource.resType == cudaResourceTypeLinear)
        memory.width =
            static_cast<std::int64_t>(resource.res.linear.sizeInBytes) / memory.element_bytes();
    return memory;
}

Texel texel_of(const Texture& texture, const Colour& colour) {
    std::uint32_t bits[4];
    for (int i = 0; i < 4; ++i) {
        const double value = colour.of[i];
        bits[i] = !gives_integers(texture) ? bits_of(colour.of[i])
                                           : static_cast<std::uint32_t>(std::llrint(value));
    }
    return {bits[0] | std::uint64_t{bits[1]} << 32, bits[2] | std::uint64_t{bits[3]} << 32};
}
// Integers of 32 bits do not fit a float.
Texel exact_texel(const Texture& texture, std::int64_t x, std::int64_t y) {
    const TextureMemory& memory = texture.memory;
    if (!gives_integers(texture) || memory.desc.x != 32)
        return texel_of(texture, element(texture, x, y));
    Texel texel{0, 0};
    std::memcpy(
        &texel,
        memory.data + y * static_cast<std::int64_t>(memory.pitch) + x * memory.element_bytes(),
        static_cast<std::size_t>(memory.element_bytes()));
    return texel;
}

cudaError_t copy_rows_of(cudaArray_const_t array, std::size_t x_bytes, std::size_t y, void* other,
                         std::size_t pitch, std::size_t width, std::size_t height,
                         cudaMemcpyKind kind, bool to_array, const void* caller) {
    if (array == nullptr || x_bytes + width > array->pitch() ||
        y + height > std::max<std::size_t>(array->height, 1))
        return set_error(cudaErrorInvalidValue);
    char* const at = static_cast<char*>(array->data) + y * array->pitch() + x_bytes;
    return to_array ? copy_rows(at, array->pitch(), other, pitch, width, height, kind, caller)
                    : copy_rows(other, pitch, at, array->pitch(), width, height, kind, caller);
}
// Consecutive bytes, which go on in the next row.
cudaError_t copy_bytes_of(cudaArray_const_t array, std::size_t x_bytes, std::size_t y, void* other,
                          std::size_t bytes, cudaMemcpyKind kind, bool to_array,
                          const void* caller) {
    if (array == nullptr) return set_error(cudaErrorInvalidValue);
    const std::size_t begin = y * array->pitch() + x_bytes;
    if (begin + bytes > array->pitch() * std::max<std::size_t>(array->height, 1))
        return set_error(cudaErrorInvalidValue);
    char* const at = static_cast<char*>(array->data) + begin;
    return to_array ? copy(at, other, bytes, kind, caller) : copy(other, at, bytes, kind, caller);
}

// The place of bytes in a surface; null: they are neither read nor written.
char* surface_place(const Texture& surface, int x_bytes, int y, unsigned bytes, int boundary,
                    const char* function) {
    const TextureMemory& memory = surface.memory;
    auto x = std::int64_t{x_bytes}, row = std::int64_t{y};
    const std::int64_t last = static_cast<std::int64_t>(memory.pitch) - std::int64_t{bytes};
    const bool inside = x >= 0 && x <= last && row >= 0 && row < memory.height;
    if (!inside && boundary == cudaBoundaryModeTrap)
        report_and_end_launch(
            RecordedFindingKind::kOther,
            std::string(function) + " goes beyond the surface: x counts bytes, not elements",
            cudaErrorIllegalAddress);
    if (!inside && boundary == cudaBoundaryModeZero) return nullptr;
    x = std::clamp<std::int64_t>(x, 0, last);
    row = std::clamp<std::int64_t>(row, 0, memory.height - 1);
    return const_cast<char*>(memory.data) + row * static_cast<std::int64_t>(memory.pitch) + x;
}

}  // namespace

extern "C" {
Texel tilereel_texture(cudaTextureObject_t handle, float x, float y) noexcept {
    const Texture& texture = texture_of(handle, "A texture function");
    if (!gives_integers(texture)) return texel_of(texture, sample(texture, x, y));
    // Integers are not filtered.
    const bool normalized = texture.desc.normalizedCoords != 0;
    const auto place = [&](float at, std::int64_t extent, int axis) {
        if (normalized) at *= static_cast<float>(extent);
        cudaTextureAddressMode mode = texture.desc.addressMode[axis];
        if (!normalized && mode != cudaAddressModeBorder) mode = cudaAddressModeClamp;
        return place_of(static_cast<std::int64_t>(std::floor(std::clamp(at, -1e9f, 1e9f))), extent,
                        mode);
    };
    const std::int64_t column = place(x, texture.memory.width, 0),
                       row = texture.memory.height == 1 ? 0 : place(y, texture.memory.height, 1);
    if (column < 0 || row < 0) {
        Colour border;
        std::memcpy(border.of, texture.desc.borderColor, sizeof border.of);
        return texel_of(texture, border);
    }
    return exact_texel(texture, column, row);
}
Texel tilereel_texture_element(cudaTextureObject_t handle, int i) noexcept {
    const Texture& texture = texture_of(handle, "tex1Dfetch");
    if (i >= 0 && i < texture.memory.width) return exact_texel(texture, i, 0);
    warn_once(&texture,
              "reads element " + std::to_string(i) + " of a texture of " +
                  std::to_string(texture.memory.width) + " with tex1Dfetch",
              "A GPU gives 0 there: check the index.", 0);
    return {0, 0};
}
Texel tilereel_surface_read(cudaSurfaceObject_t handle, int x, int y, unsigned bytes,
                            int boundary) noexcept {
    const char* const from = surface_place(texture_of(handle, "A surface function"), x, y, bytes,
                                           boundary, "A read of a surface");
    Texel value{0, 0};
    if (from != nullptr) std::memcpy(&value, from, bytes);
    return value;
}
void tilereel_surface_write(Texel value, cudaSurfaceObject_t handle, int x, int y, unsigned bytes,
                            int boundary) noexcept {
    char* const to = surface_place(texture_of(handle, "A surface function"), x, y, bytes, boundary,
                                   "A write to a surface");
    if (to != nullptr) std::memcpy(to, &value, bytes);
}
}

}  // namespace tilereel::runtime

using namespace tilereel::runtime;

#define CALLER __builtin_return_address(0)

extern "C" {

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, size_t width,
                            size_t height, unsigned flags) {
    if (array == nullptr || desc == nullptr || !is_known(*desc) || width == 0)
        return set_error(cudaErrorInvalidValue);
    auto made = new cudaArray{*desc, width, height, flags, nullptr};
    const cudaError_t error =
        cudaMalloc(&made->data, made->pitch() * std::max<std::size_t>(height, 1));
    if (error != cudaSuccess) {
        delete made;
        return error;
    }
    *array = made;
    return cudaSuccess;
}
cudaError_t cudaFreeArray(cudaArray_t array) {
    if (array == nullptr) return sticky_error();
    const cudaError_t error = cudaFree(array->data);
    delete array;
    return error;
}
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* desc, cudaExtent* extent, unsigned* flags,
                             cudaArray_t array) {
    if (array == nullptr) return set_error(cudaErrorInvalidResourceHandle);
    if (desc != nullptr) *desc = array->desc;
    if (extent != nullptr) *extent = {array->width, array->height, 0};
    if (flags != nullptr) *flags = array->flags;
    return sticky_error();
}
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* desc, cudaArray_const_t array) {
    return cudaArrayGetInfo(desc, nullptr, nullptr, const_cast<cudaArray_t>(array));
}
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x_bytes, size_t y, const void* from,
                                size_t pitch, size_t width, size_t height, cudaMemcpyKind kind) {
    return copy_rows_of(to, x_bytes, y, const_cast<void*>(from), pitch, width, height, kind, true,
                        CALLER);
}
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x_bytes,
                                  size_t y, size_t width, size_t height, cudaMemcpyKind kind) {
    return copy_rows_of(from, x_bytes, y, to, pitch, width, height, kind, false, CALLER);
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x_bytes, size_t to_y,
                                     cudaArray_const_t from, size_t from_x_bytes, size_t from_y,
                                     size_t width, size_t height, cudaMemcpyKind kind) {
    if (from == nullptr || from_x_bytes + width > from->pitch() ||
        from_y + height > std::max<std::size_t>(from->height, 1))
        return set_error(cudaErrorInvalidValue);
    return copy_rows_of(to, to_x_bytes, to_y,
                        static_cast<char*>(from->data) + from_y * from->pitch() + from_x_bytes,
                        from->pitch(), width, height, kind, true, CALLER);
}
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x_bytes, size_t y, const void* from,
                              size_t bytes, cudaMemcpyKind kind) {
    return copy_bytes_of(to, x_bytes, y, const_cast<void*>(from), bytes, kind, true, CALLER);
}
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x_bytes, size_t y,
                                size_t bytes, cudaMemcpyKind kind) {
    return copy_bytes_of(from, x_bytes, y, to, bytes, kind, false, CALLER);
}
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* desc, const cudaResourceViewDesc*) {
    if (texture == nullptr || resource == nullptr || desc == nullptr)
        return set_error(cudaErrorInvalidValue);
    Texture made{*resource, *desc, memory_of(*resource)};
    if (made.memory.data == nullptr) return set_error(cudaErrorInvalidValue);
    if (desc->sRGB != 0) return set_error(cudaErrorNotSupported);
    // Only floating-point values are filtered, and only integers of up to 16 bits are normalized.
    const bool wide = made.memory.desc.x == 32 && made.memory.desc.f != cudaChannelFormatKindFloat;
    if ((desc->filterMode == cudaFilterModeLinear && gives_integers(made)) ||
        (desc->readMode == cudaReadModeNormalizedFloat && wide))
        return set_error(cudaErrorInvalidValue);
    *texture = add(made);
    return sticky_error();
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
    const std::lock_guard guard(textures_mutex);
    if (texture == 0) return sticky_error();
    if (texture > textures().size()) return set_error(cudaErrorInvalidValue);
    textures()[texture - 1].memory.data = nullptr;
    return sticky_error();
}
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaTextureObject_t texture) {
    if (texture == 0 || texture > textures().size()) return set_error(cudaErrorInvalidValue);
    *resource = textures()[texture - 1].resource;
    return sticky_error();
}
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* desc, cudaTextureObject_t texture) {
    if (texture == 0 || texture > textures().size()) return set_error(cudaErrorInvalidValue);
    *desc = textures()[texture - 1].desc;
    return sticky_error();
}
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface,
                                    const cudaResourceDesc* resource) {
    if (surface == nullptr || resource == nullptr || resource->resType != cudaResourceTypeArray)
        return set_error(cudaErrorInvalidValue);
    const Texture made{*resource, {}, memory_of(*resource)};
    if (made.memory.data == nullptr) return set_error(cudaErrorInvalidValue);
    *surface = add(made);
    return sticky_error();
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
    return cudaDestroyTextureObject(surface);
}
}

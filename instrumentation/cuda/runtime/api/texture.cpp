#include "instrumentation/cuda/runtime/api/texture.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "instrumentation/cuda/include/tilereel/small_float.h"

namespace tilereel::runtime {
namespace {

// One component: the number that its bits stand for. CUDA C++ Programming Guide, "Texture Memory":
// a normalized integer is from 0 to 1, or from -1 to 1.
float component(const char* at, int bits, cudaChannelFormatKind kind, bool normalized) {
    std::uint32_t raw = 0;
    std::memcpy(&raw, at, static_cast<std::size_t>(bits) / 8);
    if (kind == cudaChannelFormatKindFloat)
        return bits == 16 ? half_to_float(static_cast<unsigned short>(raw)) : float_of(raw);
    const double most = std::ldexp(1.0, kind == cudaChannelFormatKindSigned ? bits - 1 : bits) - 1;
    double value = raw;
    if (kind == cudaChannelFormatKindSigned)
        value = static_cast<std::int32_t>(raw << (32 - bits)) >> (32 - bits);
    return static_cast<float>(normalized ? std::max(value / most, -1.0) : value);
}

cudaTextureAddressMode mode_of(const Texture& texture, int axis) {
    const cudaTextureAddressMode mode = texture.desc.addressMode[axis];
    // Without normalized coordinates there is only this and the border.
    const bool repeats = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
    return repeats && texture.desc.normalizedCoords == 0 ? cudaAddressModeClamp : mode;
}

Colour at(const Texture& texture, std::int64_t x, std::int64_t y) {
    const TextureMemory& memory = texture.memory;
    const std::int64_t column = place_of(x, memory.width, mode_of(texture, 0)),
                       row = place_of(y, memory.height, mode_of(texture, 1));
    if (column < 0 || row < 0) {
        Colour border;
        std::copy_n(texture.desc.borderColor, 4, border.of);
        return border;
    }
    return element(texture, column, row);
}

// The weight of the second of two elements has 8 bits.
float weight_of(float coordinate) {
    return std::floor((coordinate - std::floor(coordinate)) * 256 + 0.5f) / 256;
}
std::int64_t index_of(float coordinate) {
    constexpr float kFar = 1e9f;  // NaN becomes 0
    return coordinate == coordinate
               ? static_cast<std::int64_t>(std::floor(std::clamp(coordinate, -kFar, kFar)))
               : 0;
}

}  // namespace

int TextureMemory::components() const {
    return (desc.x > 0) + (desc.y > 0) + (desc.z > 0) + (desc.w > 0);
}
int TextureMemory::element_bytes() const { return (desc.x + desc.y + desc.z + desc.w) / 8; }

bool gives_integers(const Texture& texture) {
    return texture.memory.desc.f != cudaChannelFormatKindFloat &&
           texture.desc.readMode == cudaReadModeElementType;
}

std::int64_t place_of(std::int64_t index, std::int64_t extent, cudaTextureAddressMode mode) {
    const auto modulo = [](std::int64_t value, std::int64_t period) {
        return ((value % period) + period) % period;
    };
    switch (mode) {
        case cudaAddressModeWrap:
            return modulo(index, extent);
        case cudaAddressModeMirror: {
            const std::int64_t at = modulo(index, 2 * extent);
            return at < extent ? at : 2 * extent - 1 - at;
        }
        case cudaAddressModeBorder:
            return index < 0 || index >= extent ? -1 : index;
        default:
            return std::clamp<std::int64_t>(index, 0, extent - 1);
    }
}

Colour element(const Texture& texture, std::int64_t x, std::int64_t y) {
    const TextureMemory& memory = texture.memory;
    const char* from =
        memory.data + y * static_cast<std::int64_t>(memory.pitch) + x * memory.element_bytes();
    Colour colour{{0, 0, 0, 0}};
    for (int i = 0; i < memory.components(); ++i, from += memory.desc.x / 8)
        colour.of[i] = component(from, memory.desc.x, memory.desc.f,
                                 texture.desc.readMode == cudaReadModeNormalizedFloat);
    return colour;
}

Colour sample(const Texture& texture, float x, float y) {
    if (texture.desc.normalizedCoords != 0) {
        x *= static_cast<float>(texture.memory.width);
        y *= static_cast<float>(texture.memory.height);
    }
    const bool flat = texture.memory.height == 1;
    if (texture.desc.filterMode == cudaFilterModePoint)
        return at(texture, index_of(x), flat ? 0 : index_of(y));
    x -= 0.5f;
    y -= 0.5f;
    const float right = weight_of(x), low = flat ? 0 : weight_of(y);
    const std::int64_t column = index_of(x), row = flat ? 0 : index_of(y);
    Colour sum{{0, 0, 0, 0}};
    const auto add = [&](std::int64_t dx, std::int64_t dy, float weight) {
        if (weight == 0) return;
        const Colour one = at(texture, column + dx, row + dy);
        for (int i = 0; i < 4; ++i) sum.of[i] += weight * one.of[i];
    };
    add(0, 0, (1 - right) * (1 - low));
    add(1, 0, right * (1 - low));
    add(0, 1, (1 - right) * low);
    add(1, 1, right * low);
    return sum;
}

}  // namespace tilereel::runtime

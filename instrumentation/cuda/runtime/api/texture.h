#pragma once
// A texture or a surface: where its elements lie, and how coordinates and values are made of them.
#include <cstdint>

#include "cuda_runtime_api.h"

namespace tilereel::runtime {

struct TextureMemory {
    const char* data = nullptr;
    std::size_t pitch = 0;
    std::int64_t width = 0, height = 0;  // in elements; a texture of one dimension: height 1
    cudaChannelFormatDesc desc{};
    [[nodiscard]] int components() const;
    [[nodiscard]] int element_bytes() const;
};
struct Texture {
    cudaResourceDesc resource{};
    cudaTextureDesc desc{};
    TextureMemory memory{};
};
struct Colour {
    float of[4];
};
// The texture at coordinates, with its filter; values of integers are not filtered.
[[nodiscard]] Colour sample(const Texture& texture, float x, float y);
// An element as floats. With cudaReadModeElementType, integers keep their value.
[[nodiscard]] Colour element(const Texture& texture, std::int64_t x, std::int64_t y);
// Whether reading it gives integers.
[[nodiscard]] bool gives_integers(const Texture& texture);

// An element's place along one axis, by the address mode; -1: the border.
[[nodiscard]] std::int64_t place_of(std::int64_t index, std::int64_t extent,
                                    cudaTextureAddressMode mode);

}  // namespace tilereel::runtime

#pragma once
// CUDA arrays, texture objects and surface objects of one and two dimensions. What they read and
// write goes through the texture cache and is not recorded. CUDA C++ Programming Guide, "Texture
// and Surface Memory" and "Texture Fetching".
#include "tilereel/language.h"
#include "tilereel/texel.h"
#include "tilereel/texture_types.h"
#include "tilereel/vector_of.h"

namespace tilereel::runtime {

extern "C" {
// A texture at coordinates: x and y count elements, or from 0 to 1.
Texel tilereel_texture(cudaTextureObject_t texture, float x, float y) noexcept;
// An element of a texture of linear memory.
Texel tilereel_texture_element(cudaTextureObject_t texture, int i) noexcept;
// Up to 16 bytes of a surface.
Texel tilereel_surface_read(cudaSurfaceObject_t surface, int x_bytes, int y, unsigned bytes,
                            int boundary) noexcept;
void tilereel_surface_write(Texel value, cudaSurfaceObject_t surface, int x_bytes, int y,
                            unsigned bytes, int boundary) noexcept;
}

template <class S>
TILEREEL_INLINE S scalar_of(unsigned bits) {
    if constexpr (std::is_same<S, float>::value)
        return __builtin_bit_cast(float, bits);
    else
        return S(bits);
}
template <class T>
TILEREEL_INLINE T from_texel(Texel texel) {
    using V = VectorOf<T>;
    using S = typename V::Scalar;
    return V::make(scalar_of<S>(texel.component(0)), scalar_of<S>(texel.component(1)),
                   scalar_of<S>(texel.component(2)), scalar_of<S>(texel.component(3)));
}

}  // namespace tilereel::runtime

#define TILEREEL_FETCH(name, parameters, fetched)         \
    template <class T>                                    \
    TILEREEL_INLINE T name parameters {                   \
        return tilereel::runtime::from_texel<T>(fetched); \
    }
TILEREEL_FETCH(tex1Dfetch, (cudaTextureObject_t t, int i),
               tilereel::runtime::tilereel_texture_element(t, i))
TILEREEL_FETCH(tex1D, (cudaTextureObject_t t, float x),
               tilereel::runtime::tilereel_texture(t, x, 0))
TILEREEL_FETCH(tex2D, (cudaTextureObject_t t, float x, float y),
               tilereel::runtime::tilereel_texture(t, x, y))
// There are no mipmaps, so there is one level of detail.
TILEREEL_FETCH(tex1DLod, (cudaTextureObject_t t, float x, float),
               tilereel::runtime::tilereel_texture(t, x, 0))
TILEREEL_FETCH(tex2DLod, (cudaTextureObject_t t, float x, float y, float),
               tilereel::runtime::tilereel_texture(t, x, y))
TILEREEL_FETCH(tex1DGrad, (cudaTextureObject_t t, float x, float, float),
               tilereel::runtime::tilereel_texture(t, x, 0))
TILEREEL_FETCH(tex2DGrad, (cudaTextureObject_t t, float x, float y, float2, float2),
               tilereel::runtime::tilereel_texture(t, x, y))
#undef TILEREEL_FETCH
template <class T>
TILEREEL_INLINE void tex1Dfetch(T* result, cudaTextureObject_t t, int i) {
    *result = tex1Dfetch<T>(t, i);
}
template <class T>
TILEREEL_INLINE void tex1D(T* result, cudaTextureObject_t t, float x) {
    *result = tex1D<T>(t, x);
}
template <class T>
TILEREEL_INLINE void tex2D(T* result, cudaTextureObject_t t, float x, float y) {
    *result = tex2D<T>(t, x, y);
}

// Surfaces: x counts bytes.
namespace tilereel::runtime {
template <std::size_t kBytes>
using BitsOf = typename std::conditional<
    kBytes == 16, Texel,
    typename std::conditional<
        kBytes == 8, uint64_t,
        typename std::conditional<
            kBytes == 4, uint32_t,
            typename std::conditional<kBytes == 2, uint16_t, uint8_t>::type>::type>::type>::type;
// The value stays in registers: a local variable in memory would be an access.
template <class T>
TILEREEL_INLINE T surface_read(cudaSurfaceObject_t surface, int x, int y, int boundary) {
    const Texel bits = tilereel_surface_read(surface, x, y, sizeof(T), boundary);
    if constexpr (sizeof(T) == 16)
        return __builtin_bit_cast(T, bits);
    else
        return __builtin_bit_cast(T, BitsOf<sizeof(T)>(bits.low));
}
template <class T>
TILEREEL_INLINE void surface_write(T value, cudaSurfaceObject_t surface, int x, int y,
                                   int boundary) {
    const auto bits = __builtin_bit_cast(BitsOf<sizeof(T)>, value);
    if constexpr (sizeof(T) == 16)
        tilereel_surface_write(bits, surface, x, y, sizeof(T), boundary);
    else
        tilereel_surface_write(Texel{bits, 0}, surface, x, y, sizeof(T), boundary);
}
}  // namespace tilereel::runtime
template <class T>
TILEREEL_INLINE T surf1Dread(cudaSurfaceObject_t s, int x,
                             cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
    return tilereel::runtime::surface_read<T>(s, x, 0, mode);
}
template <class T>
TILEREEL_INLINE T surf2Dread(cudaSurfaceObject_t s, int x, int y,
                             cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
    return tilereel::runtime::surface_read<T>(s, x, y, mode);
}
template <class T>
TILEREEL_INLINE void surf1Dread(T* result, cudaSurfaceObject_t s, int x,
                                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
    *result = surf1Dread<T>(s, x, mode);
}
template <class T>
TILEREEL_INLINE void surf2Dread(T* result, cudaSurfaceObject_t s, int x, int y,
                                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
    *result = surf2Dread<T>(s, x, y, mode);
}
template <class T>
TILEREEL_INLINE void surf1Dwrite(T value, cudaSurfaceObject_t s, int x,
                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
    tilereel::runtime::surface_write(value, s, x, 0, mode);
}
template <class T>
TILEREEL_INLINE void surf2Dwrite(T value, cudaSurfaceObject_t s, int x, int y,
                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
    tilereel::runtime::surface_write(value, s, x, y, mode);
}

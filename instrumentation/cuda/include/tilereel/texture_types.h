#pragma once
// Types and host functions of CUDA arrays, textures and surfaces. CUDA Runtime API, "Texture Object
// Management" and "Surface Object Management".
#include "driver_types.h"
#include "tilereel/vector_of.h"

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
typedef const struct cudaArray* cudaArray_const_t;
enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned = 0,
    cudaChannelFormatKindUnsigned = 1,
    cudaChannelFormatKindFloat = 2,
    cudaChannelFormatKindNone = 3,
};
struct cudaChannelFormatDesc {
    int x, y, z, w;  // bits
    enum cudaChannelFormatKind f;
};
enum cudaTextureAddressMode {
    cudaAddressModeWrap = 0,
    cudaAddressModeClamp = 1,
    cudaAddressModeMirror = 2,
    cudaAddressModeBorder = 3,
};
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
enum cudaSurfaceBoundaryMode {
    cudaBoundaryModeZero = 0,
    cudaBoundaryModeClamp = 1,
    cudaBoundaryModeTrap = 2,
};
enum cudaResourceType {
    cudaResourceTypeArray = 0,
    cudaResourceTypeMipmappedArray = 1,
    cudaResourceTypeLinear = 2,
    cudaResourceTypePitch2D = 3,
};
#define cudaArrayDefault 0x00
#define cudaArraySurfaceLoadStore 0x02
#define cudaArrayTextureGather 0x08
struct cudaResourceDesc {
    enum cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            void* mipmap;
        } mipmap;
        struct {
            void* devPtr;
            struct cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void* devPtr;
            struct cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
};
struct cudaTextureDesc {
    enum cudaTextureAddressMode addressMode[3];
    enum cudaTextureFilterMode filterMode;
    enum cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned maxAnisotropy;
    enum cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization, seamlessCubemap;
};
struct cudaResourceViewDesc {
    int format;
    size_t width, height, depth;
    unsigned firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer;
};

extern "C" {
cudaError_t cudaMallocArray(cudaArray_t* array, const struct cudaChannelFormatDesc* desc,
                            size_t width, size_t height = 0, unsigned flags = 0);
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc* desc, struct cudaExtent* extent,
                             unsigned* flags, cudaArray_t array);
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc* desc, cudaArray_const_t array);
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x_bytes, size_t y, const void* from,
                                size_t pitch, size_t width, size_t height,
                                enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x_bytes,
                                  size_t y, size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x_bytes, size_t to_y,
                                     cudaArray_const_t from, size_t from_x_bytes, size_t from_y,
                                     size_t width, size_t height,
                                     enum cudaMemcpyKind kind = cudaMemcpyDeviceToDevice);
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x_bytes, size_t y, const void* from,
                              size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x_bytes, size_t y,
                                size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture,
                                    const struct cudaResourceDesc* resource,
                                    const struct cudaTextureDesc* desc,
                                    const struct cudaResourceViewDesc* view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture);
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc* resource,
                                             cudaTextureObject_t texture);
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc* desc,
                                            cudaTextureObject_t texture);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface,
                                    const struct cudaResourceDesc* resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface);
}
inline cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x_bytes, size_t y,
                                            const void* from, size_t pitch, size_t width,
                                            size_t height, enum cudaMemcpyKind kind,
                                            cudaStream_t = 0) {
    return cudaMemcpy2DToArray(to, x_bytes, y, from, pitch, width, height, kind);
}
inline cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from,
                                              size_t x_bytes, size_t y, size_t width, size_t height,
                                              enum cudaMemcpyKind kind, cudaStream_t = 0) {
    return cudaMemcpy2DFromArray(to, pitch, from, x_bytes, y, width, height, kind);
}
inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   cudaChannelFormatKind kind) {
    return cudaChannelFormatDesc{x, y, z, w, kind};
}
// Of a scalar, or of a vector of two or four.
template <class T>
cudaChannelFormatDesc cudaCreateChannelDesc() {
    using S = typename tilereel::runtime::VectorOf<T>::Scalar;
    constexpr int kBits = int(sizeof(S)) * 8, kCount = int(sizeof(T) / sizeof(S));
    constexpr bool kReal = !std::is_integral<S>::value;
    return cudaChannelFormatDesc{kBits, kCount > 1 ? kBits : 0, kCount > 2 ? kBits : 0,
                                 kCount > 2 ? kBits : 0,
                                 kReal                        ? cudaChannelFormatKindFloat
                                 : std::is_unsigned<S>::value ? cudaChannelFormatKindUnsigned
                                                              : cudaChannelFormatKindSigned};
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
    return cudaChannelFormatDesc{16, 0, 0, 0, cudaChannelFormatKindFloat};
}

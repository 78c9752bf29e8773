// Textures and surfaces: arrays and linear memory, filters, address modes, normalized values.
#include <cassert>
#include <cmath>
#include <cstring>
#include <vector>

#include "check.h"

constexpr int kW = 8, kH = 4;

cudaTextureDesc describe(cudaTextureAddressMode mode, cudaTextureFilterMode filter,
                         bool normalized) {
    cudaTextureDesc desc;
    std::memset(&desc, 0, sizeof(desc));
    desc.addressMode[0] = desc.addressMode[1] = mode;
    desc.filterMode = filter;
    desc.readMode = cudaReadModeElementType;
    desc.normalizedCoords = normalized;
    return desc;
}
float element(int x, int y) { return 10.0f * y + x; }

__global__ void read_2d(cudaTextureObject_t texture, const float* x, const float* y, float* out) {
    out[threadIdx.x] = tex2D<float>(texture, x[threadIdx.x], y[threadIdx.x]);
}
// Reads the points (x, y) of a texture of element(x, y).
std::vector<float> read(cudaArray_t array, const cudaTextureDesc& desc, const std::vector<float>& x,
                        const std::vector<float>& y) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &desc, nullptr) == cudaSuccess);
    const int n = int(x.size());
    float *px, *py, *out;
    for (float** pointer : {&px, &py, &out}) cudaMalloc(pointer, n * sizeof(float));
    cudaMemcpy(px, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(py, y.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    read_2d<<<1, n>>>(texture, px, py, out);
    std::vector<float> result(n);
    cudaMemcpy(result.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (float* pointer : {px, py, out}) cudaFree(pointer);
    CHECK(cudaDestroyTextureObject(texture) == cudaSuccess);
    return result;
}

void check_address_modes(cudaArray_t array) {
    // Points: the element in which the coordinate lies.
    const std::vector<float> x = {0, 0.9f, 1, 7.5f, -1, 9}, y = {0, 0, 2.5f, 3, 1, 1};
    std::vector<float> r =
        read(array, describe(cudaAddressModeClamp, cudaFilterModePoint, false), x, y);
    const float clamped[] = {0, 0, 21, 37, 10, 17};
    for (int i = 0; i < 6; ++i) CHECK(r[i] == clamped[i]);
    cudaTextureDesc border = describe(cudaAddressModeBorder, cudaFilterModePoint, false);
    border.borderColor[0] = -5;
    r = read(array, border, x, y);
    CHECK(r[3] == 37 && r[4] == -5 && r[5] == -5);
    // From 0 to 1 the texture repeats, or is mirrored.
    const std::vector<float> u = {0.0625f, 1.0625f, -0.0625f, 1.9375f},
                             v = {0.1f, 0.1f, 0.1f, 1.1f};
    r = read(array, describe(cudaAddressModeWrap, cudaFilterModePoint, true), u, v);
    CHECK(r[0] == 0 && r[1] == 0 && r[2] == 7 && r[3] == 7);
    r = read(array, describe(cudaAddressModeMirror, cudaFilterModePoint, true), u, v);
    CHECK(r[0] == 0 && r[1] == 7 && r[2] == 0 && r[3] == 30);
}

void check_linear_filter(cudaArray_t array) {
    // An element's value is in its middle; between two middles the value goes linearly.
    const std::vector<float> x = {0.5f, 1, 1.25f, 3.5f, 0, 8},
                             y = {0.5f, 0.5f, 0.5f, 2, 0.5f, 0.5f};
    const std::vector<float> r =
        read(array, describe(cudaAddressModeClamp, cudaFilterModeLinear, false), x, y);
    const float expected[] = {0, 0.5f, 0.75f, 3 + 15, 0, 7};
    for (int i = 0; i < 6; ++i) CHECK(std::fabs(r[i] - expected[i]) < 1e-5f);
    // The weight has 8 bits.
    const std::vector<float> fine = read(
        array, describe(cudaAddressModeClamp, cudaFilterModeLinear, false), {0.5f + 0.3f}, {0.5f});
    CHECK(fine[0] == 77 / 256.0f);
}

__global__ void read_linear(cudaTextureObject_t ints, cudaTextureObject_t bytes, int* a,
                            float4* b) {
    a[threadIdx.x] = threadIdx.x == 0 ? 0 : tex1Dfetch<int>(ints, threadIdx.x - 1);
    b[threadIdx.x] = tex1Dfetch<float4>(bytes, threadIdx.x);
}
__global__ void read_pitched(cudaTextureObject_t texture, short2* out) {
    out[threadIdx.y * kW + threadIdx.x] =
        tex2D<short2>(texture, threadIdx.x + 0.5f, threadIdx.y + 0.5f);
}
void check_linear_memory() {
    // Integers of 32 bits are exact.
    std::vector<int> ints(16);
    for (int i = 0; i < 16; ++i) ints[i] = 0x7ffffff0 + i;
    std::vector<uchar4> bytes(17);
    for (int i = 0; i < 17; ++i) bytes[i] = make_uchar4(i, 255, 0, 51);
    int *dints, *a;
    uchar4* dbytes;
    float4* b;
    cudaMalloc(&dints, 64);
    cudaMalloc(&dbytes, 17 * 4);
    cudaMalloc(&a, 17 * sizeof(int));
    cudaMalloc(&b, 17 * sizeof(float4));
    cudaMemcpy(dints, ints.data(), 64, cudaMemcpyHostToDevice);
    cudaMemcpy(dbytes, bytes.data(), 17 * 4, cudaMemcpyHostToDevice);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = dints;
    resource.res.linear.desc = cudaCreateChannelDesc<int>();
    resource.res.linear.sizeInBytes = 64;
    cudaTextureDesc desc = describe(cudaAddressModeClamp, cudaFilterModePoint, false);
    cudaTextureObject_t of_ints, of_bytes;
    CHECK(cudaCreateTextureObject(&of_ints, &resource, &desc, nullptr) == cudaSuccess);
    desc.readMode = cudaReadModeNormalizedFloat;
    resource.res.linear.devPtr = dbytes;
    resource.res.linear.desc = cudaCreateChannelDesc<uchar4>();
    resource.res.linear.sizeInBytes = 17 * 4;
    CHECK(cudaCreateTextureObject(&of_bytes, &resource, &desc, nullptr) == cudaSuccess);
    read_linear<<<1, 17>>>(of_ints, of_bytes, a, b);
    int ra[17];
    float4 rb[17];
    cudaMemcpy(ra, a, sizeof(ra), cudaMemcpyDeviceToHost);
    cudaMemcpy(rb, b, sizeof(rb), cudaMemcpyDeviceToHost);
    CHECK(ra[0] == 0);
    for (int i = 0; i < 16; ++i) CHECK(ra[i + 1] == ints[i]);
    for (int i = 0; i < 17; ++i)
        CHECK(rb[i].x == i / 255.0f && rb[i].y == 1 && rb[i].z == 0 && rb[i].w == 0.2f);
    for (cudaTextureObject_t each : {of_ints, of_bytes}) cudaDestroyTextureObject(each);

    // Rows of linear memory with a pitch.
    size_t pitch;
    short2 *rows, *out;
    cudaMallocPitch(&rows, &pitch, kW * sizeof(short2), kH);
    cudaMalloc(&out, kW * kH * sizeof(short2));
    std::vector<short2> values(kW * kH), read_back(kW * kH);
    for (int i = 0; i < kW * kH; ++i) values[i] = make_short2(-i, 100 + i);
    cudaMemcpy2D(rows, pitch, values.data(), kW * sizeof(short2), kW * sizeof(short2), kH,
                 cudaMemcpyHostToDevice);
    resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = rows;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<short2>();
    resource.res.pitch2D.width = kW;
    resource.res.pitch2D.height = kH;
    resource.res.pitch2D.pitchInBytes = pitch;
    desc = describe(cudaAddressModeClamp, cudaFilterModePoint, false);
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &desc, nullptr) == cudaSuccess);
    read_pitched<<<1, dim3(kW, kH)>>>(texture, out);
    cudaMemcpy(read_back.data(), out, kW * kH * sizeof(short2), cudaMemcpyDeviceToHost);
    for (int i = 0; i < kW * kH; ++i)
        CHECK(read_back[i].x == values[i].x && read_back[i].y == values[i].y);
    cudaDestroyTextureObject(texture);
    for (void* pointer : {(void*)dints, (void*)dbytes, (void*)a, (void*)b, (void*)rows, (void*)out})
        cudaFree(pointer);
}

__global__ void double_surface(cudaSurfaceObject_t surface) {
    const int x = threadIdx.x * int(sizeof(float)), y = threadIdx.y;
    surf2Dwrite(2 * surf2Dread<float>(surface, x, y), surface, x, y);
    float outside = 1;
    surf2Dread(&outside, surface, -4, y, cudaBoundaryModeZero);
    assert(outside == 0);
    assert(surf2Dread<float>(surface, 4 * kW, y, cudaBoundaryModeClamp) ==
           surf2Dread<float>(surface, 4 * (kW - 1), y));
}
void check_surface() {
    std::vector<float> values(kW * kH);
    for (int i = 0; i < kW * kH; ++i) values[i] = i;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &format, kW, kH, cudaArraySurfaceLoadStore) == cudaSuccess);
    cudaMemcpy2DToArray(array, 0, 0, values.data(), kW * sizeof(float), kW * sizeof(float), kH,
                        cudaMemcpyHostToDevice);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface;
    CHECK(cudaCreateSurfaceObject(&surface, &resource) == cudaSuccess);
    double_surface<<<1, dim3(kW, kH)>>>(surface);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    std::vector<float> doubled(kW * kH);
    cudaMemcpy2DFromArray(doubled.data(), kW * sizeof(float), array, 0, 0, kW * sizeof(float), kH,
                          cudaMemcpyDeviceToHost);
    for (int i = 0; i < kW * kH; ++i) CHECK(doubled[i] == 2 * i);
    cudaDestroySurfaceObject(surface);
    cudaFreeArray(array);
}

int main() {
    std::vector<float> values(kW * kH);
    for (int y = 0; y < kH; ++y)
        for (int x = 0; x < kW; ++x) values[y * kW + x] = element(x, y);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    CHECK(format.x == 32 && format.y == 0 && format.f == cudaChannelFormatKindFloat);
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &format, kW, kH) == cudaSuccess);
    CHECK(cudaMemcpy2DToArray(array, 0, 0, values.data(), kW * sizeof(float), kW * sizeof(float),
                              kH, cudaMemcpyHostToDevice) == cudaSuccess);
    check_address_modes(array);
    check_linear_filter(array);
    CHECK(cudaFreeArray(array) == cudaSuccess);
    check_linear_memory();
    check_surface();
    return failures;
}

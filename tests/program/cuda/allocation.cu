// The functions that allocate: cudaMalloc and its forms for rows, volumes, host and managed memory,
// and memory pools. cudaPointerGetAttributes of what they return.
#include "check.h"

__global__ void fill(float* rows, size_t pitch, int width) {
    ((float*)((char*)rows + threadIdx.y * pitch))[threadIdx.x] = threadIdx.y * width + threadIdx.x;
}
__global__ void deep(cudaPitchedPtr p, int w, int h) {
    char* slice = (char*)p.ptr + threadIdx.z * p.pitch * h;
    ((int*)(slice + threadIdx.y * p.pitch))[threadIdx.x] =
        (threadIdx.z * h + threadIdx.y) * w + threadIdx.x;
}
__global__ void add(int* host, int* managed) { host[threadIdx.x] += managed[threadIdx.x]; }

int main() {
    size_t before = 0, total = 0, during = 0;
    cudaMemGetInfo(&before, &total);
    float* rows;
    size_t pitch;
    CHECK(cudaMallocPitch(&rows, &pitch, 10 * sizeof(float), 5) == cudaSuccess);
    CHECK(pitch >= 40 && pitch % 256 == 0);
    cudaMemGetInfo(&during, &total);
    CHECK(before - during >= 5 * 40 && total >= before);
    fill<<<1, dim3(10, 5)>>>(rows, pitch, 10);
    float packed[5][10];
    cudaMemcpy2D(packed, 40, rows, pitch, 40, 5, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 50; ++i) CHECK(packed[i / 10][i % 10] == i);

    cudaPitchedPtr volume;
    CHECK(cudaMalloc3D(&volume, make_cudaExtent(6 * sizeof(int), 4, 3)) == cudaSuccess);
    CHECK(volume.xsize == 24 && volume.ysize == 4);
    deep<<<1, dim3(6, 4, 3)>>>(volume, 6, 4);
    int cells[72];
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = volume;
    copy.dstPtr = make_cudaPitchedPtr(cells, 24, 6, 4);
    copy.extent = make_cudaExtent(24, 4, 3);
    copy.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&copy) == cudaSuccess);
    for (int i = 0; i < 72; ++i) CHECK(cells[i] == i);

    int *pinned, *mapped, *managed, *device_of_mapped, *later;
    CHECK(cudaMallocHost(&pinned, 32 * sizeof(int)) == cudaSuccess);
    CHECK(cudaHostAlloc(&mapped, 32 * sizeof(int), cudaHostAllocMapped) == cudaSuccess);
    CHECK(cudaMallocManaged(&managed, 32 * sizeof(int)) == cudaSuccess);
    CHECK(cudaHostGetDevicePointer(&device_of_mapped, mapped, 0) == cudaSuccess);
    for (int i = 0; i < 32; ++i) mapped[i] = i, managed[i] = 100;
    add<<<1, 32>>>(device_of_mapped, managed);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i) CHECK(mapped[i] == 100 + i);

    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMemPool_t pool;
    unsigned long long keep = ~0ull, kept = 0;
    CHECK(cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess);
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep);
    cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept);
    CHECK(kept == keep);
    CHECK(cudaMallocAsync(&later, 128, stream) == cudaSuccess);
    cudaMemsetAsync(later, 0, 128, stream);

    cudaPointerAttributes attributes;
    cudaPointerGetAttributes(&attributes, rows);
    CHECK(attributes.type == cudaMemoryTypeDevice && attributes.devicePointer == rows);
    cudaPointerGetAttributes(&attributes, managed);
    CHECK(attributes.type == cudaMemoryTypeManaged);
    cudaPointerGetAttributes(&attributes, pinned);
    CHECK(attributes.type == cudaMemoryTypeHost);
    cudaPointerGetAttributes(&attributes, &total);
    CHECK(attributes.type == cudaMemoryTypeUnregistered);

    void* none = &total;
    CHECK(cudaMalloc(&none, size_t(1) << 45) == cudaErrorMemoryAllocation);
    CHECK(cudaGetLastError() == cudaErrorMemoryAllocation && cudaGetLastError() == cudaSuccess);
    CHECK(cudaFree(nullptr) == cudaSuccess);
    cudaFree(rows);
    cudaFree(volume.ptr);
    cudaFreeHost(pinned);
    cudaFreeHost(mapped);
    cudaFree(managed);
    cudaFreeAsync(later, stream);
    cudaStreamDestroy(stream);
    // What is freed is there again. A GPU keeps some for its pools and streams, so this is measured
    // here.
    size_t after = 0;
    char* large;
    cudaMemGetInfo(&before, &total);
    CHECK(cudaMalloc(&large, size_t(256) << 20) == cudaSuccess);
    cudaMemGetInfo(&during, &total);
    cudaFree(large);
    cudaMemGetInfo(&after, &total);
    CHECK(before - during >= size_t(256) << 20 && after - during >= size_t(256) << 20);
    return failures;
}

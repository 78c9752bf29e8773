// Vector types with their sizes and alignments; accesses of 2 to 16 bytes.
#include "check.h"

static_assert(sizeof(float3) == 12 && alignof(float3) == 4, "");
static_assert(sizeof(float4) == 16 && alignof(float4) == 16, "");
static_assert(sizeof(double2) == 16 && alignof(double2) == 16, "");
static_assert(sizeof(double4) == 32 && alignof(double4) == 16, "");
static_assert(sizeof(uchar4) == 4 && alignof(uchar4) == 4, "");
static_assert(sizeof(short2) == 4 && alignof(short2) == 4, "");
static_assert(sizeof(int2) == 8 && alignof(int2) == 8, "");
static_assert(sizeof(longlong2) == 16 && sizeof(ulonglong4) == 32, "");
static_assert(alignof(dim3) == 4 && sizeof(uint3) == 12, "");

struct __align__(16) Body {
    float3 position;
    float mass;
};
__global__ void wide(const float* in, float* out) {
    const int i = threadIdx.x;
    float4 v = reinterpret_cast<const float4*>(in)[i];
    v.x += 1;
    v.w = v.y * v.z;
    ((float4*)out)[i] = v;
}
__global__ void others(char4* a, double2* b, ushort2* c, int3* d, Body* e) {
    const int i = threadIdx.x;
    a[i] = make_char4(i, -i, 1, 2);
    b[i] = make_double2(i * 0.5, i);
    c[i].y = 65535;
    c[i].x = i;
    d[i] = make_int3(i, i + 1, i + 2);
    e[i] = {make_float3(1, 2, 3), float(i)};
    e[i].position.z += a[i].y;
}

int main() {
    float* x;
    cudaMallocManaged(&x, 256 * sizeof *x);
    for (int i = 0; i < 128; ++i) x[i] = i;
    wide<<<1, 32>>>(x, x + 128);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i) {
        CHECK(x[128 + 4 * i] == 4 * i + 1 && x[128 + 4 * i + 2] == 4 * i + 2);
        CHECK(x[128 + 4 * i + 3] == float(4 * i + 1) * (4 * i + 2));
    }
    char4* a;
    double2* b;
    ushort2* c;
    int3* d;
    Body* e;
    cudaMallocManaged(&a, 32 * sizeof *a);
    cudaMallocManaged(&b, 32 * sizeof *b);
    cudaMallocManaged(&c, 32 * sizeof *c);
    cudaMallocManaged(&d, 32 * sizeof *d);
    cudaMallocManaged(&e, 32 * sizeof *e);
    others<<<1, 32>>>(a, b, c, d, e);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i) {
        CHECK(a[i].x == i && a[i].y == -i && a[i].w == 2);
        CHECK(b[i].x == i * 0.5 && b[i].y == i);
        CHECK(c[i].x == i && c[i].y == 65535 && d[i].z == i + 2);
        CHECK(e[i].position.z == 3 - i && e[i].mass == i);
    }
    for (void* pointer : {(void*)x, (void*)a, (void*)b, (void*)c, (void*)d, (void*)e})
        cudaFree(pointer);
    return failures;
}

// The same step for particles as an array of structs, as arrays of their members, and as float4.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

struct Particle {
    float x, y, z;
    int kind;
};
constexpr int kCount = 256;

__global__ void structs(Particle* p, float dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (p[i].kind == 0) p[i].x += dt;
    p[i].y += dt;
}

__global__ void arrays(float* x, float* y, const int* kind, float dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (kind[i] == 0) x[i] += dt;
    y[i] += dt;
}

__global__ void vectors(float4* p, float dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 one = p[i];
    if (one.w == 0) one.x += dt;
    one.y += dt;
    p[i] = one;
}

int main() {
    std::vector<Particle> host(kCount);
    std::vector<float4> packed(kCount);
    std::vector<float> x(kCount), y(kCount);
    std::vector<int> kind(kCount);
    for (int i = 0; i < kCount; ++i) {
        host[i] = {static_cast<float>(i), static_cast<float>(2 * i), 0, i % 2};
        packed[i] = make_float4(host[i].x, host[i].y, 0, static_cast<float>(i % 2));
        x[i] = host[i].x, y[i] = host[i].y, kind[i] = i % 2;
    }
    Particle* p;
    float4* v;
    float *dx, *dy;
    int* dk;
    cudaMalloc(&p, kCount * sizeof(Particle));
    cudaMalloc(&v, kCount * sizeof(float4));
    cudaMalloc(&dx, kCount * sizeof(float));
    cudaMalloc(&dy, kCount * sizeof(float));
    cudaMalloc(&dk, kCount * sizeof(int));
    cudaMemcpy(p, host.data(), kCount * sizeof(Particle), cudaMemcpyHostToDevice);
    cudaMemcpy(v, packed.data(), kCount * sizeof(float4), cudaMemcpyHostToDevice);
    cudaMemcpy(dx, x.data(), kCount * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y.data(), kCount * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dk, kind.data(), kCount * sizeof(int), cudaMemcpyHostToDevice);
    structs<<<2, 128>>>(p, 0.5f);
    arrays<<<2, 128>>>(dx, dy, dk, 0.5f);
    vectors<<<2, 128>>>(v, 0.5f);
    cudaMemcpy(host.data(), p, kCount * sizeof(Particle), cudaMemcpyDeviceToHost);
    cudaMemcpy(packed.data(), v, kCount * sizeof(float4), cudaMemcpyDeviceToHost);
    cudaMemcpy(x.data(), dx, kCount * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(y.data(), dy, kCount * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < kCount; ++i) {
        float ex = static_cast<float>(i) + (i % 2 == 0 ? 0.5f : 0), ey = 2.0f * i + 0.5f;
        wrong += host[i].x != ex || host[i].y != ey || x[i] != ex || y[i] != ey ||
                 packed[i].x != ex || packed[i].y != ey;
    }
    cudaFree(p);
    cudaFree(v);
    cudaFree(dx);
    cudaFree(dy);
    cudaFree(dk);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}

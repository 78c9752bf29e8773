// Members of one object that are read and written side by side, which become one access, have the
// values that they have one by one, also where two pointers mean the same object.
#include <cuda_fp16.h>

#include "check.h"

struct Nested {
    float2 low, high;
};
struct __align__(16) Mixed {
    float a;
    int b;
    double c;
};

__device__ float twice(float x) { return 2 * x; }

__global__ void assign(float2* p, float4* u, half2* h, Mixed* m) {
    const int i = threadIdx.x;
    p[i] = {1.f * i, 2.f * i};
    p[i + 32].y = 3.f * i;
    p[i + 32].x = p[i].y + 1;
    u[i].w = 4;
    u[i].x = twice(p[i].x);
    u[i].z = p[i].x + p[i].y;
    u[i].y = u[i].x + u[i].w;
    u[i + 32] = {u[i].y, u[i].x, u[i].w, u[i].z};
    h[i] = {half(1.0f), half(2.0f)};
    h[i].y += h[i].x;
    m[i] = {1.5f, i, 2.5};
    m[i].a += m[i].b;
    m[i].b = static_cast<int>(m[i].a + m[i].c);
}
// `p` and `q` may be the same; `words` are the members of p.
__global__ void overlap(float2* p, float2* q, float* words) {
    const int i = threadIdx.x;
    p[i].x = q[i].y;
    p[i].y = q[i].x;
    p[i].x += 1;
    words[2 * i + 1] = 100;
    p[i].y += p[i].x;
    float first = p[i].x;
    words[2 * i] = 7;
    float second = p[i].y;
    q[i].x = first + second + p[i].x;
}
__global__ void shift(Nested* n) {
    Nested& mine = n[threadIdx.x];
    mine.low = {mine.high.y, mine.high.x};
    mine.high.x = mine.low.y;
    mine.high.y = mine.low.x + mine.high.x;
}
__global__ void between_threads(float2* p) {
    __shared__ float2 s[64];
    const int i = threadIdx.x;
    s[i].x = i;
    s[63 - i].y = i;
    __syncthreads();
    p[i].x = s[i].y;
    __syncthreads();
    s[i].y = s[i].x;
    p[i].y = s[i].x + s[i].y;
}

int main() {
    float2 *p, p_host[64];
    float4 *u, u_host[64];
    half2 *h, h_host[32];
    Mixed *m, m_host[32];
    Nested *n, n_host[32];
    cudaMalloc(&p, sizeof p_host);
    cudaMalloc(&u, sizeof u_host);
    cudaMalloc(&h, sizeof h_host);
    cudaMalloc(&m, sizeof m_host);
    cudaMalloc(&n, sizeof n_host);
    assign<<<1, 32>>>(p, u, h, m);
    cudaMemcpy(p_host, p, sizeof p_host, cudaMemcpyDeviceToHost);
    cudaMemcpy(u_host, u, sizeof u_host, cudaMemcpyDeviceToHost);
    cudaMemcpy(h_host, h, sizeof h_host, cudaMemcpyDeviceToHost);
    cudaMemcpy(m_host, m, sizeof m_host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; ++i) {
        CHECK(p_host[i].x == i && p_host[i].y == 2 * i);
        CHECK(p_host[i + 32].x == 2 * i + 1 && p_host[i + 32].y == 3 * i);
        CHECK(u_host[i].x == 2 * i && u_host[i].y == 2 * i + 4);
        CHECK(u_host[i].z == 3 * i && u_host[i].w == 4);
        CHECK(u_host[i + 32].x == 2 * i + 4 && u_host[i + 32].y == 2 * i);
        CHECK(u_host[i + 32].z == 4 && u_host[i + 32].w == 3 * i);
        CHECK(float(h_host[i].x) == 1 && float(h_host[i].y) == 3);
        CHECK(m_host[i].a == 1.5f + i && m_host[i].b == i + 4 && m_host[i].c == 2.5);
    }
    overlap<<<1, 32>>>(p, p, reinterpret_cast<float*>(p));
    cudaMemcpy(p_host, p, sizeof p_host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; ++i) {
        const float x = 2 * i + 1;  // of p[i] after the first three statements
        CHECK(p_host[i].y == 100 + x);
        CHECK(p_host[i].x == x + (100 + x) + 7);
    }
    for (int i = 0; i < 32; ++i) n_host[i] = {{0, 0}, {1.f * i, 10.f * i}};
    cudaMemcpy(n, n_host, sizeof n_host, cudaMemcpyHostToDevice);
    shift<<<1, 32>>>(n);
    cudaMemcpy(n_host, n, sizeof n_host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; ++i) {
        CHECK(n_host[i].low.x == 10 * i && n_host[i].low.y == i);
        CHECK(n_host[i].high.x == i && n_host[i].high.y == 11 * i);
    }
    between_threads<<<1, 64>>>(p);
    cudaMemcpy(p_host, p, sizeof p_host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; ++i) CHECK(p_host[i].x == 63 - i && p_host[i].y == 2 * i);
    for (void* each : {(void*)p, (void*)u, (void*)h, (void*)m, (void*)n}) cudaFree(each);
    return failures;
}

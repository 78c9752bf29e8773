// cuComplex.h. cublas_v2.h brings it, and the headers of half and bfloat16.
#include <cublas_v2.h>

#include "check.h"

__global__ void multiply(const cuComplex* a, cuDoubleComplex* b) {
    const int i = threadIdx.x;
    b[i] = cuCmul(cuComplexFloatToDouble(a[i]), make_cuDoubleComplex(0, 1));
}
__global__ void narrow(__nv_bfloat16* to, __half* half_to, float from) {
    to[threadIdx.x] = __float2bfloat16(from);
    half_to[threadIdx.x] = __float2half(from);
}

int main() {
    cuComplex *a, from[32];
    cuDoubleComplex *b, to[32];
    for (int i = 0; i < 32; ++i) from[i] = make_cuComplex(i, 2 * i);
    cudaMalloc(&a, sizeof from);
    cudaMalloc(&b, sizeof to);
    cudaMemcpy(a, from, sizeof from, cudaMemcpyHostToDevice);
    multiply<<<1, 32>>>(a, b);
    cudaMemcpy(to, b, sizeof to, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; ++i) CHECK(cuCreal(to[i]) == -2 * i && cuCimag(to[i]) == i);
    narrow<<<1, 32>>>((__nv_bfloat16*)a, (__half*)b, 1.5f);
    unsigned short bits[2];
    cudaMemcpy(&bits[0], a, 2, cudaMemcpyDeviceToHost);
    cudaMemcpy(&bits[1], b, 2, cudaMemcpyDeviceToHost);
    CHECK(bits[0] == 0x3fc0 && bits[1] == 0x3e00);
    const cuDoubleComplex quotient = cuCdiv(make_cuDoubleComplex(4, 2), make_cuDoubleComplex(1, 1));
    CHECK(cuCreal(quotient) == 3 && cuCimag(quotient) == -1);
    CHECK(cuCabs(make_cuDoubleComplex(3, -4)) == 5 && cuConjf(from[1]).y == -2);
    cudaFree(a);
    cudaFree(b);
    return failures;
}

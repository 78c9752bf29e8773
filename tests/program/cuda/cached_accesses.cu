// __ldg and its family, stores with cache hints, const __restrict__, volatile.
#include "check.h"

__global__ void copy(const float* __restrict__ in, const int4* __restrict__ wide, float* out,
                     int* sums, volatile int* flag) {
    const int i = threadIdx.x;
    float v = __ldg(&in[i]) + __ldg(in + i) + __ldca(&in[i]) + __ldcg(&in[i]) + __ldcs(&in[i]) +
              __ldcv(&in[i]);
    __stcs(&out[i], v);
    __stcg(&out[32 + i], 2 * v);
    __stwb(out + 64 + i, 3 * v);
    const int4 w = __ldg(&wide[i]);
    sums[i] = w.x + w.y + w.z + w.w;
    flag[i] = flag[i] + 1;
}

int main() {
    float *in, *out;
    int4* wide;
    int *sums, *flag;
    cudaMallocManaged(&in, 32 * sizeof *in);
    cudaMallocManaged(&out, 96 * sizeof *out);
    cudaMallocManaged(&wide, 32 * sizeof *wide);
    cudaMallocManaged(&sums, 32 * sizeof *sums);
    cudaMallocManaged(&flag, 32 * sizeof *flag);
    for (int i = 0; i < 32; ++i) in[i] = i, wide[i] = make_int4(i, 1, 2, 3), flag[i] = i;
    copy<<<1, 32>>>(in, wide, out, sums, flag);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i) {
        CHECK(out[i] == 6 * i && out[32 + i] == 12 * i && out[64 + i] == 18 * i);
        CHECK(sums[i] == i + 6 && flag[i] == i + 1);
    }
    for (void* p : {(void*)in, (void*)out, (void*)wide, (void*)sums, (void*)flag}) cudaFree(p);
    return failures;
}

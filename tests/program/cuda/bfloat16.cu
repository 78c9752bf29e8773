// __nv_bfloat16 and pairs of it.
#include <cuda_bf16.h>

#include "check.h"

__global__ void use(const float* in, __nv_bfloat16* out, __nv_bfloat162* pairs) {
    const int i = threadIdx.x;
    const __nv_bfloat16 a = __float2bfloat16(in[i]);
    out[i] = __hmul(a, a) + __float2bfloat16(1.0f);
    pairs[i] =
        __hfma2(__bfloat162bfloat162(a), __floats2bfloat162_rn(1, 2), __float2bfloat162_rn(3));
}

// Conversions to integers; some are functions of the device only.
__global__ void round(__nv_bfloat16 x, __nv_bfloat16 large, long long* out) {
    const long long results[] = {__bfloat162int_rn(x),       __bfloat162int_rz(x),
                                 __bfloat162int_ru(x),       __bfloat162int_rd(x),
                                 __bfloat162uint_rn(x),      __bfloat162ll_rd(x),
                                 __bfloat162short_rn(large), __bfloat162ushort_rn(large)};
    for (int i = 0; i < 8; ++i) out[i] = results[i];
}

int main() {
    float* in;
    __nv_bfloat16* out;
    __nv_bfloat162* pairs;
    cudaMallocManaged(&in, 16 * sizeof *in);
    cudaMallocManaged(&out, 16 * sizeof *out);
    cudaMallocManaged(&pairs, 16 * sizeof *pairs);
    for (int i = 0; i < 16; ++i) in[i] = i;
    use<<<1, 16>>>(in, out, pairs);
    cudaDeviceSynchronize();
    for (int i = 0; i < 16; ++i) {
        CHECK(__bfloat162float(out[i]) == i * i + 1);
        CHECK(__low2float(pairs[i]) == i + 3 && __high2float(pairs[i]) == 2 * i + 3);
    }
    CHECK(__bfloat162float(__float2bfloat16(257.0f)) == 256.0f);  // rounds to even
    CHECK(__bfloat162float(__float2bfloat16(259.0f)) == 260.0f);
    const __nv_bfloat16 half_way = __float2bfloat16(-2.5f);
    long long* rounded;
    cudaMallocManaged(&rounded, 8 * sizeof *rounded);
    round<<<1, 1>>>(half_way, __float2bfloat16(1e6f), rounded);
    cudaDeviceSynchronize();
    const long long expected[] = {-2, -2, -2, -3, 0, -3, 32767, 65535};
    for (int i = 0; i < 8; ++i) CHECK(rounded[i] == expected[i]);
    CHECK(float(__int2bfloat16_rn(-7)) == -7 && float(__ull2bfloat16_rn(1ull << 40)) == 0x1p40f);
    cudaFree(rounded);
    cudaFree(in);
    cudaFree(out);
    cudaFree(pairs);
    return failures;
}

// Votes, matches and reductions of a warp.
#include "check.h"

__global__ void vote(unsigned* out) {
    const int i = threadIdx.x;
    const unsigned all = 0xffffffff;
    out[i] = __ballot_sync(all, i % 3 == 0);
    out[32 + i] = __all_sync(all, i < 32) + 2 * __all_sync(all, i < 31) +
                  4 * __any_sync(all, i == 31) + 8 * __any_sync(all, i == 32);
    out[64 + i] = __match_any_sync(all, i / 4);
    int same = -1;
    out[96 + i] = __match_all_sync(all, 7.5f, &same) + (same ? 0 : 1);
    out[128 + i] = __match_all_sync(all, i, &same) + same;
    out[160 + i] = __reduce_add_sync(all, unsigned(i));
    out[192 + i] = unsigned(__reduce_min_sync(all, i - 5)) + __reduce_max_sync(all, unsigned(i));
    out[224 + i] = __reduce_or_sync(all, 1u << i % 8) ^ __reduce_xor_sync(all, unsigned(i == 4)) ^
                   __reduce_and_sync(all, 0x300u | unsigned(i));
    out[256 + i] = 0;
    if (i >= 20) out[256 + i] = __activemask();
}

int main() {
    unsigned* out;
    cudaMallocManaged(&out, 288 * sizeof *out);
    vote<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i) {
        CHECK(out[i] == 0x49249249u);
        CHECK(out[32 + i] == 5);
        CHECK(out[64 + i] == 0xfu << i / 4 * 4);
        CHECK(out[96 + i] == 0xffffffffu);
        CHECK(out[128 + i] == 0);
        CHECK(out[160 + i] == 496);
        CHECK(out[192 + i] == 26);  // -5 + 31
        CHECK(out[224 + i] == (0xffu ^ 1u ^ 0x300u));
        CHECK(out[256 + i] == (i >= 20 ? 0xfff00000u : 0));
    }
    cudaFree(out);
    return failures;
}

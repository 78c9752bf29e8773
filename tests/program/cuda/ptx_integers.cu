// Inline PTX: integer arithmetic, carry chains, bits and shifts. Expected values are worked out on
// the host from the definitions of the PTX ISA.
#include <cstdint>

#include "check.h"

template <class T>
struct Result {
    T value[32];
};
#define PTX2(number, text, kind, a, b) \
    asm(text " %0, %1, %2;" : "=" kind(out->value[number]) : kind(a), kind(b))

__global__ void words(Result<uint32_t>* out, uint32_t a, uint32_t b, uint32_t c) {
    PTX2(0, "add.u32", "r", a, b);
    PTX2(1, "sub.s32", "r", a, b);
    PTX2(2, "mul.lo.u32", "r", a, b);
    PTX2(3, "mul.hi.u32", "r", a, b);
    PTX2(4, "mul.hi.s32", "r", a, b);
    asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(out->value[5]) : "r"(a), "r"(b), "r"(c));
    PTX2(6, "div.u32", "r", a, c);
    PTX2(7, "rem.u32", "r", a, c);
    PTX2(8, "min.s32", "r", a, b);
    PTX2(9, "max.u32", "r", a, b);
    asm("abs.s32 %0, %1;" : "=r"(out->value[10]) : "r"(a));
    asm("popc.b32 %0, %1;" : "=r"(out->value[11]) : "r"(a));
    asm("clz.b32 %0, %1;" : "=r"(out->value[12]) : "r"(b));
    asm("brev.b32 %0, %1;" : "=r"(out->value[13]) : "r"(a));
    asm("bfe.u32 %0, %1, 4, 8;" : "=r"(out->value[14]) : "r"(a));
    asm("bfe.s32 %0, %1, 28, 4;" : "=r"(out->value[15]) : "r"(a));
    asm("bfi.b32 %0, %1, %2, 8, 8;" : "=r"(out->value[16]) : "r"(b), "r"(a));
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(out->value[17]) : "r"(a), "r"(b), "r"(c));
    asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(out->value[18]) : "r"(a), "r"(b));
    asm("shf.l.wrap.b32 %0, %1, %2, 8;" : "=r"(out->value[19]) : "r"(a), "r"(b));
    asm("shf.r.clamp.b32 %0, %1, %2, 40;" : "=r"(out->value[20]) : "r"(a), "r"(b));
    asm("shl.b32 %0, %1, 33;" : "=r"(out->value[21]) : "r"(a));
    asm("shr.s32 %0, %1, 40;" : "=r"(out->value[22]) : "r"(a));
    asm("add.sat.s32 %0, %1, %2;" : "=r"(out->value[23]) : "r"(0x7ffffff0), "r"(0x100));
    asm("sad.u32 %0, %1, %2, %3;" : "=r"(out->value[24]) : "r"(b), "r"(a), "r"(c));
    asm("dp4a.s32.s32 %0, %1, %2, %3;"
        : "=r"(out->value[25])
        : "r"(0x01ff02fe), "r"(0x03040506), "r"(c));
    asm("dp4a.u32.u32 %0, %1, %2, %3;"
        : "=r"(out->value[26])
        : "r"(0x01ff02fe), "r"(0x03040506), "r"(c));
    asm("bfind.u32 %0, %1;" : "=r"(out->value[27]) : "r"(b));
    asm("not.b32 %0, %1;" : "=r"(out->value[28]) : "r"(a));
    asm("cnot.b32 %0, %1;" : "=r"(out->value[29]) : "r"(a));
    asm("mul24.lo.u32 %0, %1, %2;" : "=r"(out->value[30]) : "r"(0x01000003u), "r"(5));
    asm("neg.s32 %0, %1;" : "=r"(out->value[31]) : "r"(c));
}

__global__ void wide(Result<uint64_t>* out, uint64_t a, uint64_t b, uint32_t x, uint32_t y) {
    PTX2(0, "add.u64", "l", a, b);
    PTX2(1, "mul.hi.u64", "l", a, b);
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(out->value[2]) : "r"(x), "r"(y));
    asm("mul.wide.s32 %0, %1, %2;" : "=l"(out->value[3]) : "r"(x), "r"(y));
    asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(out->value[4]) : "r"(x), "r"(y), "l"(a));
    asm("clz.b64 %0, %1;" : "=r"(x) : "l"(b));
    out->value[5] = x;
    // 64 bits from words, by a carry.
    uint32_t low, high;
    asm("{\n\tadd.cc.u32 %0, %2, %4;\n\taddc.u32 %1, %3, %5;\n\t}"
        : "=r"(low), "=r"(high)
        : "r"((uint32_t)a), "r"((uint32_t)(a >> 32)), "r"((uint32_t)b), "r"((uint32_t)(b >> 32)));
    out->value[6] = (uint64_t)high << 32 | low;
    asm("{sub.cc.u32 %0, %2, %4; subc.u32 %1, %3, %5;}"
        : "=r"(low), "=r"(high)
        : "r"((uint32_t)a), "r"((uint32_t)(a >> 32)), "r"((uint32_t)b), "r"((uint32_t)(b >> 32)));
    out->value[7] = (uint64_t)high << 32 | low;
    asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(a));
    asm("mov.b64 %0, {%1, %2};" : "=l"(out->value[8]) : "r"(high), "r"(low));
}

// Branches, predicates and registers of the statement's own.
__global__ void control(int* out) {
    int lane = threadIdx.x, sum, chosen;
    asm volatile(
        "{\n\t"
        ".reg .pred %%p;\n\t"
        ".reg .s32 i, n<2>;\n\t"
        "mov.s32 i, 0;\n\t"
        "mov.s32 n0, 0;\n\t"
        "LOOP:\n\t"
        "setp.ge.s32 %%p, i, %1;  // a comment\n\t"
        "@%%p bra DONE;\n\t"
        "add.s32 n0, n0, i; /* another\n one */\n\t"
        "add.s32 i, i, 1;\n\t"
        "bra.uni LOOP;\n\t"
        "DONE:\n\t"
        "mov.s32 n1, n0;\n\t"
        "{ .reg .s32 n0; mov.s32 n0, 7; }\n\t"
        "mov.s32 %0, n1;\n\t"
        "}"
        : "=r"(sum)
        : "r"(lane));
    asm("{.reg .pred p, q; setp.lt.and.s32 p|q, %1, 8, 1; selp.s32 %0, 10, 20, p; @!p add.s32 %0, "
        "%0, 1;}"
        : "=r"(chosen)
        : "r"(lane));
    out[lane] = sum * 1000 + chosen;
}

int main() {
    const uint32_t a = 0xc0ffee12, b = 0x00345678, c = 1000;
    Result<uint32_t>* out;
    cudaMallocManaged(&out, sizeof *out);
    words<<<1, 1>>>(out, a, b, c);
    cudaDeviceSynchronize();
    const uint32_t* v = out->value;
    CHECK(v[0] == a + b);
    CHECK(v[1] == a - b);
    CHECK(v[2] == a * b);
    CHECK(v[3] == uint32_t((uint64_t)a * b >> 32));
    CHECK(v[4] == uint32_t((int64_t)(int32_t)a * (int32_t)b >> 32));
    CHECK(v[5] == a * b + c);
    CHECK(v[6] == a / c && v[7] == a % c);
    CHECK(v[8] == a);  // negative
    CHECK(v[9] == a);
    CHECK(v[10] == 0u - a);
    CHECK(v[11] == 18);
    CHECK(v[12] == 10);
    CHECK(v[13] == 0x4877ff03);
    CHECK(v[14] == 0xe1);
    CHECK(v[15] == 0xfffffffc);
    CHECK(v[16] == 0xc0ff7812);
    CHECK(v[17] == (a ^ b ^ c));
    CHECK(v[18] == 0x5678ee12);
    CHECK(v[19] == 0x345678c0);
    CHECK(v[20] == b);
    CHECK(v[21] == 0 && v[22] == 0xffffffff);
    CHECK(v[23] == 0x7fffffff);
    CHECK(v[24] == c + (a - b));
    CHECK(v[25] == c + 1 * 3 - 1 * 4 + 2 * 5 - 2 * 6);
    CHECK(v[26] == c + 1 * 3 + 255 * 4 + 2 * 5 + 254 * 6);
    CHECK(v[27] == 21);
    CHECK(v[28] == ~a && v[29] == 0);
    CHECK(v[30] == 15 && v[31] == 0u - c);

    Result<uint64_t>* longs;
    cudaMallocManaged(&longs, sizeof *longs);
    const uint64_t p = 0xfedcba9876543210, q = 0x123456789abcdef;
    wide<<<1, 1>>>(longs, p, q, 0xf0000001, 3);
    cudaDeviceSynchronize();
    const uint64_t* w = longs->value;
    CHECK(w[0] == p + q);
    CHECK(w[1] == uint64_t((unsigned __int128)p * q >> 64));
    CHECK(w[2] == 0xf0000001ull * 3);
    CHECK(w[3] == uint64_t((int64_t)(int32_t)0xf0000001 * 3));
    CHECK(w[4] == p + 0xf0000001ull * 3);
    CHECK(w[5] == 7);
    CHECK(w[6] == p + q && w[7] == p - q);
    CHECK(w[8] == (p >> 32 | p << 32));

    int* sums;
    cudaMallocManaged(&sums, 32 * sizeof(int));
    control<<<1, 32>>>(sums);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i) CHECK(sums[i] == i * (i - 1) / 2 * 1000 + (i < 8 ? 10 : 21));
    cudaFree(out), cudaFree(longs), cudaFree(sums);
    return failures;
}

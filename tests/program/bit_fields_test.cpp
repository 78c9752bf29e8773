// Accesses of bit-fields. The expected ones are those of the PTX that nvcc 13.0 makes for sm_90,
// which are the same with and without optimisation (-Xcicc -O1): loads and stores of the word that
// holds the field.
#include <gtest/gtest.h>

#include "instrumentation/analysis/hazards/hazards.h"
#include "tests/program/kernel_requests.h"

namespace tilereel::program::bit_fields_test {
namespace {

constexpr const char* kStructs =
    "struct B { unsigned lo : 4, hi : 28; };\n"
    "struct T { unsigned a : 3, b : 5, c : 24; };\n"
    "struct S { bool a : 1; bool b : 1; short n : 6; int r; };\n"
    "enum E { X, Y };\n"
    "struct Q { E e : 2; unsigned long long big : 40; };\n"
    "struct L { unsigned long long a : 20, b : 24, c : 20; };\n"
    "struct H { unsigned lo : 16, hi : 16; };\n"
    "struct W { unsigned a : 20; unsigned b : 20; };\n"
    "struct __attribute__((packed)) P { unsigned a : 20; unsigned b : 20; };\n"
    "struct R { unsigned low : 8, rest : 24; };\n"
    "struct N { int k; B f[4]; };\n";
constexpr const char* kParameters =
    "B* b, T* t, S* s, Q* q, L* l, H* h, W* w, P* p, R* r, N* n, unsigned* o";
constexpr const char* kArguments =
    "make<B>(), make<T>(), make<S>(), make<Q>(), make<L>(), make<H>(), make<W>(), make<P>(), "
    "make<R>(), make<N>(), make<unsigned>()";

constexpr KernelCase kCases[] = {
    {"reads", "o[i] = b[i].hi;", "b load 4, o store 4"},
    {"reads_bool", "o[i] = s[i].a;", "o store 4, s load 1"},
    {"reads_short", "o[i] = s[i].n;", "o store 4, s load 2"},
    {"reads_enum", "o[i] = q[i].e;", "o store 4, q load 4"},
    {"reads_long", "o[i] = q[i].big;", "o store 4, q load 8"},
    {"reads_middle", "o[i] = l[i].b;", "l load 8, o store 4"},
    {"reads_second_word", "o[i] = w[i].b;", "o store 4, w load 4"},
    {"reads_half", "o[i] = h[i].hi;", "h load 2, o store 4"},
    {"reads_upper_part", "o[i] = r[i].rest;", "o store 4, r load 4"},
    {"reads_packed", "o[i] = p[i].b;", "o store 4, p load 1 x 3"},
    {"reads_nested", "o[i] = n[i].f[i & 3].hi;", "n load 4, o store 4"},
    {"tests", "if (s[i].b) o[i] = 3; else o[i] = 4;", "o store 4, s load 1"},
    {"writes", "b[i].lo = i;", "b load 4, b store 4"},
    {"writes_bool", "s[i].b = true;", "s load 1, s store 1"},
    {"writes_short", "s[i].n = i;", "s load 2, s store 2"},
    {"writes_long", "q[i].big = i;", "q load 8, q store 8"},
    {"writes_half", "h[i].lo = i;", "h store 2"},
    {"writes_rest", "r[i].rest = i;", "r load 1, r store 4"},
    {"writes_packed", "p[i].b = i;", "p load 1, p store 1 x 3"},
    {"writes_result", "s[i].a = max(i, 3) > 7;", "s load 1, s store 1"},
    {"increments", "b[i].lo++;", "b load 4, b store 4"},
    {"adds", "b[i].hi += 3;", "b load 4, b store 4"},
    {"copies", "b[i] = b[i + 32];", "b load 4, b store 4"},
    {"assigned_value", "o[i] = b[i].lo = i;", "b load 4, b store 4, o store 4"},
    // Fields of one word.
    {"reads_both", "o[i] = b[i].lo + b[i].hi;", "b load 4, o store 4"},
    {"writes_both", "b[i].lo = i; b[i].hi = 3 * i;", "b store 4"},
    {"braces", "b[i] = B{1, 7};", "b store 4"},
    {"braces_with_padding", "q[i] = Q{X, 3}; s[i + 32] = S{true, false, 3, i};",
     "q store 8, s store 4 x 2"},
    {"writes_two_of_three", "t[i].a = i; t[i].b = 3;", "t load 4, t store 4"},
    {"writes_all_three", "t[i].a = i; t[i].b = 3; t[i].c = 9;", "t store 4"},
    {"moves", "t[i].a = t[i].b;", "t load 4, t store 4"},
    {"changes_two", "t[i].a++; t[i].b += 2;", "t load 4, t store 4"},
    {"reads_after_write", "t[i].a = 1; o[i] = t[i].b;", "o store 4, t load 4, t store 4"},
    {"copies_fields", "T* d = t + 32; d[i].a = t[i].a; d[i].b = t[i].b; d[i].c = t[i].c;",
     "t load 4 x 4, t store 4 x 3"},
    // What is between may be the same bytes, or changes what other threads see.
    {"store_between", "t[i].a = 1; o[i] = 5; t[i].b = 3;",
     "o store 4, t load 4 x 2, t store 4 x 2"},
    {"store_between_reads", "o[i] = t[i].a; o[i + 32] = t[i].b;", "o store 4 x 2, t load 4 x 2"},
    {"barrier_between", "t[i].a = 1; __syncthreads(); t[i].b = 1;", "t load 4 x 2, t store 4 x 2"},
    {"volatile_reads", "volatile B* v = b; o[i] = v[i].lo + v[i].lo;", "b load 4 x 2, o store 4"},
    {"volatile_writes", "volatile B* v = b; v[i].lo = 1; v[i].hi = 2;",
     "b load 4 x 2, b store 4 x 2"},
    {"shared", "__shared__ B m[32]; m[i].lo = i; __syncthreads(); o[i] = m[i ^ 1].lo;",
     "m load 4 x 2, m store 4, o store 4"},
};

class BitFields : public Program {};

TEST_F(BitFields, AreTheAccessesOfNvcc) {
    const ProgramRun ran = run(program_of(kCases, kStructs, kParameters, kArguments));
    ASSERT_EQ(ran.launches.size(), std::size(kCases))
        << (ran.compile_errors.empty() ? ran.end_sentence : ran.compile_errors.front().message);
    for (std::size_t i = 0; i < std::size(kCases); ++i)
        EXPECT_EQ(requests_of(trace_of(ran.launches[i])), kCases[i].requests)
            << kCases[i].name << ": " << kCases[i].body;
}

// A store of one field keeps the others, whatever they are. It is no read of unwritten memory.
TEST_F(BitFields, OfUnwrittenMemoryAreStoredWithoutAFinding) {
    const ProgramRun ran =
        run("struct F { unsigned low : 4, high : 4; };\n"
            "__global__ void first(F* f) { __shared__ F s[32]; s[threadIdx.x].low = 1; "
            "f[threadIdx.x].low = 1; }\n"
            "__global__ void second(F* f, int* o) { o[threadIdx.x] = f[threadIdx.x].low; }\n"
            "int main() { F* f; int* o; cudaMalloc(&f, 128); cudaMalloc(&o, 128); "
            "first<<<1, 32>>>(f); second<<<1, 32>>>(f, o); cudaFree(f); cudaFree(o); }\n");
    ASSERT_EQ(ran.launches.size(), 2u);
    for (const LaunchSummary& launch : ran.launches) EXPECT_TRUE(launch.findings.empty());
}

// Stores of two fields of one word are a race: each stores the whole word.
TEST_F(BitFields, OfOneWordRaceWithEachOther) {
    const ProgramRun ran =
        run("struct F { unsigned low : 4, high : 4; };\n"
            "__global__ void k(F* f) { if (blockIdx.x == 0) f->low = 1; else f->high = 2; }\n"
            "int main() { F* f; cudaMalloc(&f, 4); cudaMemset(f, 0, 4); k<<<2, 1>>>(f); "
            "return cudaFree(f); }\n");
    ASSERT_EQ(ran.launches.size(), 1u);
    const Trace trace = trace_of(ran.launches[0]);
    EXPECT_EQ(requests_of(trace), "f load 4 x 2, f store 4 x 2");
    EXPECT_FALSE(find_hazards(trace).empty());
}

}  // namespace
}  // namespace tilereel::program::bit_fields_test

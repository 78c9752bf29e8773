// Forms in which C++ accesses memory: each access is recorded once, with its width. The expected
// requests follow from the source: an access for each object of a scalar type that is read or
// stored, as wide as the alignment of its type allows. nvcc 13.0 makes the same for sm_90, but for
// what its optimiser leaves out.
#include <gtest/gtest.h>

#include "tests/program/kernel_requests.h"

namespace tilereel::program::memory_forms_test {
namespace {

constexpr const char* kDeclarations = R"(
#include <algorithm>
#include <array>
#include <complex>
#include <cstring>
#include <new>
#include <utility>
struct __attribute__((packed)) Packed { char c; int x; double d; };
struct __attribute__((packed)) Five { int x; char c; };
struct __attribute__((packed, aligned(4))) Loose { char c; short s; int x; };
struct Bytes { char v[7]; };
struct Shorts { short a, b, c; };
struct Three { int a, b, c; };
struct alignas(16) Wide { float v[4]; };
struct Pair { float x, y; };
struct Held { int v; Held() = default;
    __host__ __device__ Held(const Held& o) : v(o.v) {}
    __host__ __device__ Held& operator=(const Held& o) { v = o.v; return *this; } };
struct Holder { Held held; int n; float w; };
struct Base { int x; };
struct Derived : Base { float y; __device__ float sum() const { return y + x; } };
union Bits { float f; unsigned u; };
__constant__ float table[4][8];
constexpr float square(const float& x) { return x * x; }
constexpr float sum_of(const float* p) { float s = 0; for (int i = 0; i < 4; ++i) s += p[i]; return s; }
constexpr float third(const float* p) { return p[2]; }
float of_host(const float* p) { return third(p); }
__device__ float product(Pair p) { return p.x * p.y; }
__device__ void add(int& to, const int& from) { to += from; }
template <class T, class U> __device__ T* as(U* p) { return reinterpret_cast<T*>(p); }
)";
constexpr const char* kParameters = "char* a, char* o";
constexpr const char* kArguments =
    "reinterpret_cast<char*>(make<std::array<float, 8>>()), "
    "reinterpret_cast<char*>(make<std::array<double, 4>>())";

constexpr KernelCase kCases[] = {
    // Structures that are aligned to less than their members.
    {"packed_int", "as<int>(o)[i] = as<Packed>(a)[i].x;", "a load 1 x 4, o store 4"},
    {"packed_double", "as<Packed>(o)[i].d = 1;", "o store 1 x 8"},
    {"packed_whole", "as<Five>(o)[i] = as<Five>(a)[i];", "a load 1 x 5, o store 1 x 5"},
    {"packed_aligned", "as<int>(o)[i] = as<Loose>(a)[i].s;", "a load 1 x 2, o store 4"},
    // Copies of odd sizes.
    {"seven_bytes", "as<Bytes>(o)[i] = as<Bytes>(a)[i];", "a load 1 x 7, o store 1 x 7"},
    {"three_shorts", "as<Shorts>(o)[i] = as<Shorts>(a)[i];", "a load 2 x 3, o store 2 x 3"},
    {"three_ints", "as<Three>(o)[i] = as<Three>(a)[i];", "a load 4 x 3, o store 4 x 3"},
    {"sixteen_bytes", "as<Wide>(o)[i] = as<Wide>(a)[i];", "a load 16, o store 16"},
    {"int128", "as<__int128>(o)[i] = as<__int128>(a)[i];", "a load 16, o store 16"},
    {"moved_3", "memcpy(o + 3 * i, a + 3 * i, 3);", "a load 1 x 3, o store 1 x 3"},
    {"moved_12", "memmove(o + 12 * i, a + 12 * i, 12);", "a load 1 x 12, o store 1 x 12"},
    {"moved_in", "int v; memcpy(&v, a + 4 * i, 4); as<int>(o)[i] = v;", "a load 1 x 4, o store 4"},
    {"cleared_6", "memset(o + 6 * i, 0, 6);", "o store 1 x 6"},
    {"filled_5", "memset(o + 5 * i, a[i], 5);", "a load 1, o store 1 x 5"},
    // Other types, parts of objects.
    {"as_unsigned", "as<unsigned>(o)[i] = *as<unsigned>(as<float>(a) + i);", "a load 4, o store 4"},
    {"union_part", "Bits b; b.f = as<float>(a)[i]; as<unsigned>(o)[i] = b.u;",
     "a load 4, o store 4"},
    {"real_part", "as<float>(o)[i] = __real__ as<_Complex float>(a)[i];", "a load 4, o store 4"},
    {"imaginary_part", "__imag__ as<_Complex float>(o)[i] = 2;", "o store 4"},
    {"imaginary_double", "as<double>(o)[i] = __imag__ as<_Complex double>(a)[i];",
     "a load 8, o store 8"},
    {"upper_word", "as<int>(o)[i] = as<int>(a)[2 * i + 1];", "a load 4, o store 4"},
    {"member_pointer", "float Derived::*m = &Derived::y; as<float>(o)[i] = as<Derived>(a)[i].*m;",
     "a load 4, o store 4"},
    {"array_of_arrays", "as<int>(o)[i] = as<int[4]>(a)[i][i & 3];", "a load 4, o store 4"},
    {"constant_row", "as<float>(o)[i] = table[i & 3][2];", "o store 4, table load 4"},
    {"shared_row",
     "__shared__ int s[4][8]; s[i / 8][i % 8] = i; __syncthreads(); int(&r)[8] = "
     "s[i & 3]; as<int>(o)[i] = r[2];",
     "o store 4, s load 4, s store 4"},
    {"volatile_member", "volatile Three* v = as<Three>(a); as<int>(o)[i] = v[i].b; v[i].c = 2;",
     "a load 4, a store 4, o store 4"},
    // Values of classes.
    {"passed", "as<float>(o)[i] = product(as<Pair>(a)[i]);", "a load 4 x 2, o store 4"},
    {"placed", "new (o + 12 * i) Three{1, 2, 3};", "o store 4 x 3"},
    {"compound", "as<Three>(o)[i] = (Three){4, 5, i};", "o store 4 x 3"},
    {"cleared", "as<Three>(o)[i] = Three();", "o store 4 x 3"},
    {"bound", "auto& [x, y, z] = as<Three>(a)[i]; as<int>(o)[i] = x + z;",
     "a load 4 x 2, o store 4"},
    {"member_function", "as<float>(o)[i] = as<Derived>(a)[i].sum();", "a load 4 x 2, o store 4"},
    // References, lambdas, operators.
    {"references", "add(as<int>(o)[i], as<int>(a)[i]);", "a load 4, o load 4, o store 4"},
    {"lambda", "auto f = [&](int k) { as<int>(o)[k] = as<int>(a)[k]; }; f(i);",
     "a load 4, o store 4"},
    {"chosen_target", "(i < 16 ? as<int>(a)[i] : as<int>(o)[i]) = 7;", "a store 4, o store 4"},
    {"comma", "as<int>(o)[i] = (as<int>(a)[i] = 3, as<int>(a)[i + 32]);",
     "a load 4, a store 4, o store 4"},
    {"statements", "as<int>(o)[i] = ({ int t = as<int>(a)[i]; t * 2; });", "a load 4, o store 4"},
    // The value of an assignment is what was assigned.
    {"chain", "int *p = as<int>(a), *q = as<int>(o); q[i] = q[i + 32] = p[i];",
     "a load 4, o store 4 x 2"},
    {"chain_of_sums", "int *p = as<int>(a), *q = as<int>(o); q[i] = q[i + 32] += p[i];",
     "a load 4, o load 4, o store 4 x 2"},
    {"incremented", "int *p = as<int>(a), *q = as<int>(o); q[i] = ++p[i];",
     "a load 4, a store 4, o store 4"},
    {"decremented_pointer", "int **p = as<int*>(a), *q = as<int>(o); q[i] = --p[i] == nullptr;",
     "a load 8, a store 8, o store 4"},
    {"compared", "int *p = as<int>(a), *q = as<int>(o); if ((p[i] = q[i]) < 3) q[i] = 1;",
     "a store 4, o load 4, o store 4"},
    {"narrowed", "int* q = as<int>(o); q[i] = a[i] = q[i];", "a store 1, o load 4, o store 4"},
    {"truth", "bool* p = as<bool>(a); int* q = as<int>(o); q[i] = p[i] = q[i];",
     "a store 1, o load 4, o store 4"},
    {"volatile_chain", "volatile int *p = as<int>(a), *q = as<int>(o); q[i] = p[i] = 3;",
     "a load 4, a store 4, o store 4"},
    {"chain_of_structures",
     "Wide *p = as<Wide>(a), *q = as<Wide>(o); q[i] = q[i + 32] = p[i + 32] = p[i];",
     "a load 16, a store 16, o store 16 x 2"},
    {"chain_of_pairs", "__shared__ Pair s[32]; as<Pair>(o)[i] = s[i] = as<Pair>(a)[i];",
     "a load 4 x 2, o store 4 x 2, s store 4 x 2"},
    {"comma_of_structures",
     "Pair *p = as<Pair>(a), *q = as<Pair>(o); q[i] = (q[i + 32] = p[i], p[i + 32]);",
     "a load 4 x 4, o store 4 x 4"},
    {"two_statements", "__shared__ int s[32]; s[i] = as<int>(a)[i]; as<int>(o)[i] = s[i];",
     "a load 4, o store 4, s load 4, s store 4"},
    // Where a compound assignment stores is worked out once ([expr.ass]).
    {"indexed_sum", "int *p = as<int>(a), *q = as<int>(o); q[p[i] & 31] += 1;",
     "a load 4, o load 4, o store 4"},
    {"indexed_const", "const int* p = as<int>(a); int* q = as<int>(o); q[p[i] & 31] -= i;",
     "a load 4, o load 4, o store 4"},
    {"indexed_bits", "const int* p = as<int>(a); int* q = as<int>(o); q[p[i] & 31] |= 1;",
     "a load 4, o load 4, o store 4"},
    {"indexed_shift", "const int* p = as<int>(a); int* q = as<int>(o); *(q + (p[i] & 31)) <<= 1;",
     "a load 4, o load 4, o store 4"},
    {"indexed_member", "int* p = as<int>(a); Three* q = as<Three>(o); q[p[i] & 7].b *= 3;",
     "a load 4, o load 4, o store 4"},
    {"indexed_shared",
     "__shared__ int s[32], k; if (i == 0) k = 3; __syncthreads(); s[(k + i) & 31] ^= 5;",
     "k load 4, k store 4, s load 4, s store 4"},
    {"indexed_kept", "int *p = as<int>(a), *q = as<int>(o); p[i + 32] = q[p[i] & 31] += 2;",
     "a load 4, a store 4, o load 4, o store 4"},
    {"indexed_twice", "int *p = as<int>(a), *q = as<int>(o); q[p[p[i] & 31] & 31] += p[i + 32];",
     "a load 4 x 3, o load 4, o store 4"},
    {"pointed_by_memory", "int** p = as<int*>(a); if (i > 99) p[i][1] += 1; as<int>(o)[i] = i;",
     "o store 4"},
    {"simple_sum", "int *p = as<int>(a), *q = as<int>(o); q[p[i] & 31] = q[p[i] & 31] + 1;",
     "a load 4 x 2, o load 4, o store 4"},
    // Functions without __device__ that nvcc compiles for the device.
    {"constexpr_reference", "as<float>(o)[i] = square(as<float>(a)[i]);",
     "a load 4 x 2, o store 4"},
    {"constexpr_loop", "as<float>(o)[i] = sum_of(as<float>(a) + 4 * i);",
     "a load 4 x 4, o store 4"},
    {"constexpr_of_host_too", "as<float>(o)[i] = third(as<float>(a) + i);", "a load 4, o store 4"},
    {"std_max", "as<float>(o)[i] = std::max(as<float>(a)[i], 1.f + i);", "a load 4, o store 4"},
    {"std_complex", "as<float>(o)[i] = as<std::complex<float>>(a)[i].imag();",
     "a load 4, o store 4"},
    {"std_get", "as<int>(o)[i] = std::get<1>(as<std::pair<int, int>>(a)[i]);",
     "a load 4, o store 4"},
    {"std_array",
     "int s = 0; for (int x : as<std::array<int, 4>>(a)[i]) s += x; as<int>(o)[i] = s;",
     "a load 4 x 4, o store 4"},
    {"implicit_copy", "Holder t = as<Holder>(a)[i]; as<Holder>(o)[i] = t;",
     "a load 4 x 3, o store 4 x 3"},
};

class MemoryForms : public Program {};

TEST_F(MemoryForms, AreRecordedAccessByAccess) {
    const ProgramRun ran = run(program_of(kCases, kDeclarations, kParameters, kArguments));
    ASSERT_EQ(ran.launches.size(), std::size(kCases))
        << (ran.compile_errors.empty() ? ran.end_sentence : ran.compile_errors.front().message);
    for (std::size_t i = 0; i < std::size(kCases); ++i)
        EXPECT_EQ(requests_of(trace_of(ran.launches[i])), kCases[i].requests)
            << kCases[i].name << ": " << kCases[i].body;
}

}  // namespace
}  // namespace tilereel::program::memory_forms_test

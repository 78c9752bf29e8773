// Which accesses members of one object become. The expected ones are those of the PTX that nvcc
// 13.0 makes for sm_90, with and without optimisation (-Xcicc -O1), and follow from its rule
// (plugin/statements/joined_members.cpp): one access of as many aligned bytes as its members cover.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/program/program_fixture.h"

namespace tilereel::program::joined_members_test {
namespace {

struct Case {
    const char* name;
    const char* body;      // of a kernel with one warp; i is threadIdx.x
    const char* accesses;  // "array operation bytes", one for each request
};
constexpr Case kCases[] = {
    // Assigned whole.
    {"braces", "p[i] = {a, b};", "p store 8"},
    {"made", "p[i] = make_float2(a, b);", "p store 8"},
    {"named", "p[i] = float2{.x = a, .y = b};", "p store 8"},
    {"pointer", "*(p + i) = {a, b};", "p store 8"},
    {"reference", "float2& r = p[i]; r = {a, b};", "p store 8"},
    {"local", "float2 e; e.x = a; e.y = b; p[i] = e;", "p store 8"},
    {"copy", "p[i] = q[i];", "p store 8, q load 8"},
    {"four", "u[i] = {a, b, a, b};", "u store 16"},
    {"four_copied", "u[i] = v[i];", "u store 16, v load 16"},
    {"doubles", "d[i] = {a, b};", "d store 16"},
    {"bytes", "c[i] = {1, 2, 3, 4};", "c store 4"},
    {"halves", "h[i] = {half(a), half(b)};", "h store 4"},
    {"halves_made", "h[i] = __floats2half2_rn(a, b);", "h store 4"},
    {"aligned", "s[i] = {a, 1};", "s store 8"},
    {"aligned_copied", "s[i] = s[i + 32];", "s load 8, s store 8"},
    {"plain_structure", "t[i] = {a, 1};", "t store 4, t store 4"},
    {"three", "w[i] = {a, b, a};", "w store 4, w store 4, w store 4"},
    {"shared", "__shared__ float2 m[32]; m[i] = {a, b}; __syncthreads(); p[i] = m[31 - i];",
     "m load 8, m store 8, p store 8"},
    {"chosen", "p[i] = a > 0 ? q[i] : float2{1, 2};", "p store 8, q load 8"},
    // Member by member.
    {"members", "p[i].x = a; p[i].y = b;", "p store 8"},
    {"other_order", "p[i].y = b; p[i].x = a;", "p store 8"},
    {"four_in_any_order", "u[i].w = a; u[i].x = b; u[i].z = a; u[i].y = b;", "u store 16"},
    {"half_members", "half x = half(a), y = half(b); h[i].y = y; h[i].x = x;", "h store 4"},
    {"half_members_made", "h[i].x = half(a); h[i].y = half(b);", "h store 2, h store 2"},
    {"first_three", "u[i].x = a; u[i].y = a; u[i].z = a;", "u store 4, u store 8"},
    {"last_three", "u[i].y = a; u[i].z = a; u[i].w = a;", "u store 4, u store 4, u store 4"},
    {"with_a_gap", "u[i].x = a; u[i].z = a; u[i].w = a;", "u store 4, u store 8"},
    {"twice", "p[i].x = a; p[i].y = a; p[i].x = b;", "p store 8"},
    {"read", "o[i] = p[i].x + p[i].y;", "o store 4, p load 8"},
    {"read_twice", "o[i] = p[i].x * p[i].x + p[i].y * p[i].y;", "o store 4, p load 8"},
    {"read_ends", "o[i] = u[i].x + u[i].w;", "o store 4, u load 16"},
    {"read_middle", "o[i] = u[i].y + u[i].z;", "o store 4, u load 4, u load 4"},
    {"read_last_three", "o[i] = u[i].y + u[i].z + u[i].w;", "o store 4, u load 4, u load 8"},
    {"read_halves", "o[i] = __half2float(h[i].x) + __half2float(h[i].y);",
     "h load 2, h load 2, o store 4"},
    {"two_objects", "o[i] = p[i].x * q[i].x + p[i].y * q[i].y;", "o store 4, p load 8, q load 8"},
    {"members_copied", "p[i].x = q[i].x; p[i].y = q[i].y;", "p store 8, q load 8"},
    {"changed", "p[i].x += a; p[i].y += a;", "p load 8, p store 8"},
    {"turned", "u[i] = {u[i].y, u[i].x, u[i].w, u[i].z};", "u load 16, u store 16"},
    {"computed", "p[i].x = sqrtf(a); p[i].y = sqrtf(b);", "p store 8"},
    // Not joined: what is between may be the same bytes, or changes what other threads see.
    {"swapped", "p[i].x = q[i].y; p[i].y = q[i].x;", "p store 4, p store 4, q load 4, q load 4"},
    {"store_between", "p[i].x = a; o[i] = 2; p[i].y = b;", "o store 4, p store 4, p store 4"},
    {"store_between_reads", "float x = p[i].x; o[i] = x; o[i + 32] = p[i].y;",
     "o store 4, o store 4, p load 4, p load 4"},
    {"barrier_between", "p[i].x = a; __syncthreads(); p[i].y = b;", "p store 4, p store 4"},
    {"branch_between", "float x = p[i].x; if (a > 0) x += p[i].y; o[i] = x;",
     "o store 4, p load 4, p load 4"},
    {"volatile_members", "volatile float2* r = p; o[i] = r[i].x + r[i].y;",
     "o store 4, p load 4, p load 4"},
};

class JoinedMembers : public Program {
  protected:
    static std::string program() {
        std::string text =
            "#include <cuda_fp16.h>\n"
            "struct __align__(8) Aligned { float a; int b; };\n"
            "struct Plain { float a; int b; };\n";
        std::string calls;
        for (const Case& each : kCases) {
            text += std::string("__global__ void ") + each.name +
                    "(float2* p, float2* q, float4* u, float4* v, double2* d, uchar4* c, "
                    "half2* h, Aligned* s, Plain* t, float3* w, float* o, float a, float b) { "
                    "int i = threadIdx.x; " +
                    each.body + " }\n";
            calls +=
                std::string(each.name) + "<<<1, 32>>>(p, q, u, v, d, c, h, s, t, w, o, 1, 2);\n";
        }
        text +=
            "template <class T> T* made() { T* x; cudaMalloc(&x, 64 * sizeof(T)); "
            "cudaMemset(x, 0, 64 * sizeof(T)); return x; }\n"
            "int main() {\n"
            "auto p = made<float2>(), q = made<float2>(); auto u = made<float4>(), "
            "v = made<float4>(); auto d = made<double2>(); auto c = made<uchar4>(); "
            "auto h = made<half2>(); auto s = made<Aligned>(); auto t = made<Plain>(); "
            "auto w = made<float3>(); auto o = made<float>();\n";
        return text + calls + "return cudaDeviceSynchronize();\n}\n";
    }
    static std::string accesses_of(const Trace& trace) {
        std::vector<std::string> all;
        for (const SiteCounts& counted : count_sites(trace)) {
            const tilereel::Site& site = trace.sites[counted.site];
            const bool loads = site.operation == Operation::kLoad;
            if (!loads && site.operation != Operation::kStore) continue;
            for (std::uint64_t i = 0; i < counted.counts.requests; ++i)
                all.push_back(trace.arrays[site.array].name + (loads ? " load " : " store ") +
                              std::to_string(site.width_bytes));
        }
        std::ranges::sort(all);
        std::string text;
        for (const std::string& each : all) text += (text.empty() ? "" : ", ") + each;
        return text;
    }
};

TEST_F(JoinedMembers, AreTheAccessesOfNvcc) {
    const ProgramRun ran = run(program());
    ASSERT_EQ(ran.launches.size(), std::size(kCases))
        << (ran.compile_errors.empty() ? ran.end_sentence : ran.compile_errors.front().message);
    for (std::size_t i = 0; i < std::size(kCases); ++i)
        EXPECT_EQ(accesses_of(trace_of(ran.launches[i])), kCases[i].accesses)
            << kCases[i].name << ": " << kCases[i].body;
}

}  // namespace
}  // namespace tilereel::program::joined_members_test

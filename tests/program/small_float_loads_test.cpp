// Every way in which a program reads and changes an element of 16 bits is recorded. By theory: 32
// lanes read 64 bytes side by side, so a read of one element is one request, two sectors of global
// memory and one wavefront of shared memory.
#include <gtest/gtest.h>

#include "tests/program/program_fixture.h"

namespace tilereel::program::small_float_loads_test {
namespace {

struct Case {
    const char* name;
    const char* expression;  // a float; x is an array of T, i the lane
    std::uint64_t loads;
};
constexpr Case kCases[] = {
    {"cast", "float(x[i])", 1},
    {"static_cast_", "static_cast<float>(x[i])", 1},
    {"pointer", "float(*(x + i))", 1},
    {"function", "to_float(x[i])", 1},
    {"assigned", "([&] { float y; y = float(x[i]); return y; }())", 1},
    {"element_of_array", "([&] { float y[1]; y[0] = float(x[i]); return y[0]; }())", 1},
    {"copied", "([&] { T y = x[i]; return float(y); }())", 1},
    {"deduced", "([&] { auto y = x[i]; return float(y); }())", 1},
    {"by_reference", "([&] { const auto& y = x[i]; return float(y); }())", 1},
    {"by_value", "value(x[i])", 1},
    {"by_const_reference", "reference(x[i])", 1},
    {"as_float", "plain(float(x[i]))", 1},
    {"ternary", "(i >= 0 ? float(x[i]) : 0.0f)", 1},
    {"ternary_of_both", "float(i >= 0 ? x[i] : T(0.0f))", 1},
    {"added", "([&] { float y = 1; y += float(x[i]); return y; }())", 1},
    {"added_in_type", "([&] { T y = T(1.0f); y += x[i]; return float(y); }())", 1},
    {"negated", "float(-x[i])", 1},
    {"unchanged", "float(+x[i])", 1},
    {"as_integer", "float(int(float(x[i])))", 1},
    {"as_double", "float(double(float(x[i])))", 1},
    {"truth", "(bool(x[i]) ? 1.0f : 0.0f)", 1},
    {"not_", "(!bool(x[i]) ? 1.0f : 0.0f)", 1},
    {"absolute", "float(__habs(x[i]))", 1},
    {"compared_with_number", "(float(x[i]) > 0.5f ? 1.0f : 2.0f)", 1},
    {"sum", "float(x[i] + x[i ^ 1])", 2},
    {"product", "float(x[i] * x[i ^ 1])", 2},
    {"product_of_floats", "float(x[i]) * float(x[i ^ 1])", 2},
    {"compared", "(x[i] > x[i ^ 1] ? 1.0f : 2.0f)", 2},
    {"fused", "float(__hfma(x[i], x[i ^ 1], T(1.0f)))", 2},
    {"fused_floats", "fmaf(float(x[i]), float(x[i ^ 1]), 1.0f)", 2},
    {"maximum", "float(__hmax(x[i], x[i ^ 1]))", 2},
};
// Statements that change x[i].
constexpr Case kChanges[] = {
    {"plus", "x[i] += T(2.0f)", 1},  {"minus", "x[i] -= T(2.0f)", 1},
    {"times", "x[i] *= T(2.0f)", 1}, {"over", "x[i] /= T(2.0f)", 1},
    {"more", "++x[i]", 1},           {"assignment", "x[i] = T(float(x[i]) * 2.0f)", 1},
};

class SmallFloatLoads : public Program {
  protected:
    static std::string kernel(const std::string& name, const std::string& body) {
        return "template <class T> __global__ void " + name +
               "(T* g, float* out) {\n__shared__ T s[32];\nint i = threadIdx.x;\n"
               "s[i] = T(1.0f);\n__syncthreads();\n" +
               body + "}\n";
    }
    static std::string program() {
        std::string text =
            "#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n"
            "__device__ float to_float(half a) { return __half2float(a); }\n"
            "__device__ float to_float(__nv_bfloat16 a) { return __bfloat162float(a); }\n"
            "template <class T> __device__ float value(T a) { return float(a); }\n"
            "template <class T> __device__ float reference(const T& a) { return float(a); }\n"
            "__device__ float plain(float a) { return a; }\n";
        std::string calls;
        const auto add = [&](const std::string& name, const std::string& body) {
            text += kernel(name, body);
            calls += name + "<T><<<1, 32>>>(g, out);\n";
        };
        for (const Case& each : kCases)
            add(each.name, std::string("{ T* x = s; out[i] = ") + each.expression +
                               "; }\n{ T* x = g; out[i + 32] = " + each.expression + "; }\n");
        for (const Case& each : kChanges)
            add(each.name, std::string("{ T* x = s; ") + each.expression + "; }\n{ T* x = g; " +
                               each.expression + "; }\nout[i] = 0;\n");
        return text +
               "template <class T> void all() {\nT* g;\nfloat* out;\ncudaMalloc(&g, 64);\n"
               "cudaMalloc(&out, 256);\ncudaMemset(g, 0, 64);\n" +
               calls +
               "cudaFree(g);\ncudaFree(out);\n}\n"
               "int main() { all<half>(); all<__nv_bfloat16>(); return cudaDeviceSynchronize(); "
               "}\n";
    }
    static AccessCounts counts_of(const Trace& trace, const std::string& array,
                                  Operation operation) {
        AccessCounts sum;
        for (const SiteCounts& counted : count_sites(trace)) {
            const tilereel::Site& site = trace.sites[counted.site];
            if (site.operation == operation && site.array != kNoArray &&
                trace.arrays[site.array].name == array)
                sum += counted.counts;
        }
        return sum;
    }
};

TEST_F(SmallFloatLoads, AreRecordedHoweverTheyAreWritten) {
    const ProgramRun ran = run(program());
    const std::size_t of_type = std::size(kCases) + std::size(kChanges);
    ASSERT_EQ(ran.launches.size(), 2 * of_type)
        << (ran.compile_errors.empty() ? ran.end_sentence : ran.compile_errors.front().message);
    for (std::size_t i = 0; i < ran.launches.size(); ++i) {
        const bool changes = i % of_type >= std::size(kCases);
        const Case& each =
            changes ? kChanges[i % of_type - std::size(kCases)] : kCases[i % of_type];
        const Trace trace = trace_of(ran.launches[i]);
        const AccessCounts shared = counts_of(trace, "s", Operation::kLoad),
                           global = counts_of(trace, "g", Operation::kLoad);
        EXPECT_EQ(shared.requests, each.loads) << each.name;
        EXPECT_EQ(shared.accesses, each.loads * 32) << each.name;
        EXPECT_EQ(shared.wavefronts, each.loads) << each.name;
        EXPECT_EQ(global.requests, each.loads) << each.name;
        EXPECT_EQ(global.accesses, each.loads * 32) << each.name;
        EXPECT_EQ(global.sectors, each.loads * 2) << each.name;
        EXPECT_EQ(global.bytes_requested, each.loads * 64) << each.name;
        EXPECT_EQ(counts_of(trace, "s", Operation::kStore).requests, changes ? 2u : 1u)
            << each.name;
        EXPECT_EQ(counts_of(trace, "g", Operation::kStore).requests, changes ? 1u : 0u)
            << each.name;
    }
}

// A typedef hides which of the types of 16 bits it is.
TEST_F(SmallFloatLoads, HaveTheirTypeUnderAnyName) {
    const ProgramRun ran = run(R"(#include <cuda_bf16.h>
#include <cuda_fp16.h>
typedef __nv_bfloat16 bf16;
using f16 = half;
typedef __half2 pair;
__global__ void k(bf16* a, f16* b, pair* c, const bf16* __restrict__ d) {
    a[threadIdx.x] = __float2bfloat16(1);
    b[threadIdx.x] = __float2half(1);
    c[threadIdx.x] = __floats2half2_rn(1, 2);
    auto* e = &a[32];
    e[threadIdx.x] = d[threadIdx.x];
}
int main() {
    void* x;
    cudaMalloc(&x, 1024);
    cudaMemset(x, 0, 1024);
    bf16* a = (bf16*)x;
    k<<<1, 32>>>(a, (f16*)x + 64, (pair*)x + 48, a + 160);
    return cudaDeviceSynchronize() != cudaSuccess || cudaFree(x) != cudaSuccess;
}
)");
    ASSERT_EQ(ran.launches.size(), 1u);
    EXPECT_EQ(ran.exit_code, 0);
    const Trace trace = trace_of(ran.launches[0]);
    ASSERT_EQ(trace.arrays.size(), 1u);  // one allocation
    EXPECT_EQ(trace.arrays[0].type, ElementType::kBfloat16);
    const ProgramRun apart = run(R"(#include <cuda_fp16.h>
using f16 = half;
__global__ void k(f16* b) { b[threadIdx.x] = __float2half(1); }
int main() {
    f16* b;
    cudaMalloc(&b, 64);
    k<<<1, 32>>>(b);
    return cudaFree(b) != cudaSuccess;
}
)");
    ASSERT_EQ(apart.launches.size(), 1u);
    EXPECT_EQ(trace_of(apart.launches[0]).arrays[0].type, ElementType::kFloat16);
}

}  // namespace
}  // namespace tilereel::program::small_float_loads_test

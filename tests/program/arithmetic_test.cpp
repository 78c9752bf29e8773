// The instructions of a warp that a site has for what is computed before it. The expected ones are
// counted by hand: CUDA C++ Programming Guide, "Arithmetic Instructions", and what -O3 leaves of
// addresses, loops and what does not change in them (plugin/arithmetic).
#include <gtest/gtest.h>

#include "tests/program/program_fixture.h"

namespace tilereel::program::arithmetic_test {
namespace {

struct Case {
    const char* name;
    const char* body;  // of a kernel with one warp; i is threadIdx.x
    // FMA pipe, products of integers, ALU, XU, FP64, branches.
    std::array<std::uint64_t, kArithmeticPipes> expected;
    std::uint64_t multiply_adds = 0;  // records
};

constexpr Case kCases[] = {
    {"sum", "o[i] = a[i] + b[i];", {1, 0, 0, 0, 0, 0}},
    {"product_that_is_added", "o[i] = a[i] * b[i] + x;", {0, 0, 0, 0, 0, 0}, 1},
    {"two_products_that_are_added", "o[i] = a[i] * a[i] + b[i] * b[i];", {1, 0, 0, 0, 0, 0}, 1},
    {"quotient", "o[i] = a[i] / b[i];", {7, 0, 1, 1, 0, 3}},
    {"quotient_by_a_power_of_two", "o[i] = a[i] / 8;", {1, 0, 0, 0, 0, 0}},
    {"reciprocal_root", "o[i] = rsqrtf(a[i]);", {2, 0, 1, 1, 0, 0}},
    {"exponential", "o[i] = expf(a[i]);", {6, 0, 1, 1, 0, 0}},
    {"fast_exponential", "o[i] = __expf(a[i]);", {3, 0, 1, 1, 0, 0}},
    {"largest", "o[i] = fmaxf(a[i], b[i]);", {0, 0, 1, 0, 0, 0}},
    {"sign", "o[i] = -fabsf(a[i]);", {0, 0, 0, 0, 0, 0}},
    // I2FP: at the rate of the ALU ("Arithmetic Instructions", type conversions, 9.0).
    {"conversion", "o[i] = m[i];", {0, 0, 1, 0, 0, 0}},
    {"to_integer", "m[i] = (int)a[i];", {0, 0, 0, 1, 0, 0}},
    {"of_doubles", "d[i] = d[i + 32] * d[i];", {0, 0, 0, 0, 1, 0}},
    {"logic", "m[i] = (m[i] & 7) ^ m[i + 32];", {0, 0, 2, 0, 0, 0}},
    {"three_summands", "m[i] = m[i] + m[i + 32] + 1;", {0, 0, 1, 0, 0, 0}},
    {"product_of_integers", "m[i] = m[i] * m[i + 32];", {0, 1, 0, 0, 0, 0}},
    {"quotient_of_integers_by_8", "u[i] = u[i] / 8;", {0, 0, 1, 0, 0, 0}},
    {"condition", "if (m[i] > 3) o[i] = x;", {0, 0, 1, 0, 0, 1}},
    // Parts of addresses.
    {"address", "o[(i + 3) * 4 + 1] = a[2 * i + 5];", {0, 0, 0, 0, 0, 0}},
    {"address_by_logic", "o[i ^ 5] = a[i];", {0, 0, 1, 0, 0, 0}},
    // Loops.
    {"counted_loop",
     "float s = 0; for (int k = 0; k < 8; ++k) s += a[k]; o[i] = s;",
     {8, 0, 0, 0, 0, 0}},
    {"loop_of_n",
     "float s = 0; for (int k = 0; k < n; ++k) s += a[k]; o[i] = s;",
     {8, 0, 0, 0, 0, 0}},
    {"before_the_loop",
     "float s = 0; for (int k = 0; k < n; ++k) s += a[k] / (x * y); o[i] = s;",
     {1 + 8 * 8, 0, 8, 8, 0, 8 * 3}},
    // Rows of a matrix: one product for the whole loop, and none for what steps through them.
    {"rows_of_an_unrolled_loop",
     "float s = 0; for (int k = 0; k < 8; ++k) s += a[k * n + i]; o[i] = s;",
     {8, 0, 0, 0, 0, 0}},
    {"before_a_loop_without_sites_there",
     "float s = 0; for (int k = 0; k < n; ++k) s += a[(i ^ n) + k]; o[i] = s;",
     {8, 0, 1, 0, 0, 0}},
    {"known_counter",
     "float s = x; for (int k = 0; k < 8; ++k) s = s * y + (float)k; o[i] = s;",
     {0, 0, 0, 0, 0, 0},
     8},
    {"known_power_of_two",
     "for (int s = 1; s < 32; s *= 2) if (i % (2 * s) == 0) o[i] = x;",
     {0, 0, 5 * (4 + 1), 0, 0, 5}},
    // Its conditions and its step; the last comparison has no record of its own.
    {"loop_with_two_ends",
     "int k = 0; float v = x; while (k < n && v < 100) { v += y; ++k; } o[i] = v;",
     {8, 0, 3 * 8, 0, 0, 2 * 8}},
};

class Arithmetic : public Program {};

TEST_F(Arithmetic, IsCountedBySite) {
    std::string text = "#include <cstdio>\n";
    const std::string parameters =
        "(const float* a, const float* b, float* o, double* d, int* m,"
        " unsigned* u, float x, float y, int n)";
    std::string calls;
    for (const Case& each : kCases) {
        text += "__global__ void " + std::string(each.name) + parameters +
                " {\n    int i = threadIdx.x;\n    " + each.body + "\n}\n";
        calls += std::string("    ") + each.name + "<<<1, 32>>>(a, b, o, d, m, u, 2, 3, 8);\n";
    }
    text += "int main() {\n    float *a, *b, *o; double* d; int* m; unsigned* u;\n";
    for (const char* name : {"a", "b", "o", "d", "m", "u"})
        text += std::string("    cudaMalloc(&") + name + ", 4096);\n    cudaMemset(" + name +
                ", 0, 4096);\n";
    const ProgramRun ran = run(text + calls + "}\n");
    ASSERT_EQ(ran.launches.size(), std::size(kCases)) << ran.end_sentence;
    for (std::size_t i = 0; i < std::size(kCases); ++i) {
        const Trace trace = trace_of(ran.launches[i]);
        std::array<std::uint64_t, kArithmeticPipes> sums{};
        std::uint64_t multiply_adds = 0;
        for (std::size_t record = 0; record < trace.records.size(); ++record) {
            const tilereel::Site& site = site_at(trace, record);
            multiply_adds += site.operation == Operation::kMultiplyAdd ? 1 : 0;
            for (std::size_t pipe = 0; pipe < kArithmeticPipes; ++pipe)
                sums[pipe] += site.instructions[pipe];
        }
        EXPECT_EQ(sums, kCases[i].expected) << kCases[i].name;
        EXPECT_EQ(multiply_adds, kCases[i].multiply_adds) << kCases[i].name;
    }
}

// The kind of the address of each load of `a`.
TEST_F(Arithmetic, SaysHowAnAddressIsFound) {
    const std::pair<const char*, AddressKind> cases[] = {
        {"o[i] = a[i];", AddressKind::kLinear},
        {"float s = 0; for (int k = 0; k < n; ++k) s += a[i * n + k]; o[i] = s;",
         AddressKind::kLinear},
        {"float s = 0; for (int k = 0; k < n; ++k) s += a[(i + k) % 32]; o[i] = s;",
         AddressKind::kComputed},
        {"float s = 0; for (int k = 0; k < n; ++k) s += a[i % 32 + k]; o[i] = s;",
         AddressKind::kLinear},
        {"o[i] = a[m[i]];", AddressKind::kLoaded},
        {"o[i] = a[m[i] % 32 + 1];", AddressKind::kLoaded},
    };
    std::string text, calls;
    for (std::size_t i = 0; i < std::size(cases); ++i) {
        const std::string name = "k" + std::to_string(i);
        text +=
            "__global__ void " + name +
            "(const float* a, const int* m, float* o, int n) {\n    int i = threadIdx.x;\n    " +
            cases[i].first + "\n}\n";
        calls += "    " + name + "<<<1, 32>>>(a, m, o, 4);\n";
    }
    const ProgramRun ran =
        run(text +
            "int main() {\n    float *a, *o; int* m;\n    cudaMalloc(&a, 4096);\n"
            "    cudaMalloc(&o, 4096);\n    cudaMalloc(&m, 4096);\n"
            "    cudaMemset(a, 0, 4096);\n    cudaMemset(m, 0, 4096);\n" +
            calls + "}\n");
    ASSERT_EQ(ran.launches.size(), std::size(cases)) << ran.end_sentence;
    for (std::size_t i = 0; i < std::size(cases); ++i) {
        const Trace trace = trace_of(ran.launches[i]);
        for (const tilereel::Site& site : trace.sites) {
            if (site.operation != Operation::kLoad || trace.arrays[site.array].name != "a")
                continue;
            EXPECT_EQ(site.address, cases[i].second) << cases[i].first;
        }
    }
}

// Beyond the budget of values, assignments are recorded only where nothing else carries what a
// block computes: 3 n + 1 of a long loop.
TEST_F(Arithmetic, IsCountedWhereAssignmentsAreNotKept) {
    const ProgramRun ran = run(R"(
__global__ void k(unsigned* out, int n) {
    unsigned v = threadIdx.x;
    for (int i = 0; i < n; ++i) v = v ^ (v >> 3);
    out[threadIdx.x] = v;
}
int main() {
    unsigned* out;
    cudaMalloc(&out, 128);
    k<<<1, 32>>>(out, 300000);
}
)");
    ASSERT_EQ(ran.launches.size(), 1u) << ran.end_sentence;
    const Trace trace = trace_of(ran.launches[0]);
    std::uint64_t alu = 0, with_values = 0;
    for (std::size_t record = 0; record < trace.records.size(); ++record) {
        alu += site_at(trace, record).instructions[static_cast<std::size_t>(ArithmeticPipe::kAlu)];
        with_values += has_values(trace, record) ? 1 : 0;
    }
    EXPECT_EQ(alu, 2u * 300000);
    EXPECT_LT(with_values, 300000u);
}

}  // namespace
}  // namespace tilereel::program::arithmetic_test

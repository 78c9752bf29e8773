// The special functions of <cmath>: which programs are compiled with them, and that those can call
// them in all their forms.
#include "instrumentation/program/build/special_functions.h"

#include "tests/program/program_fixture.h"

namespace tilereel::program::special_functions_test {
namespace {

TEST(SpecialFunctions, AreWantedWhereTheyAreCalledOrNamedInANamespace) {
    for (const char* const text :
         {"double x = std::beta(2, 3);", "y = sph_bessell (1, x);", "auto f = &std::cyl_bessel_j;",
          "expintf(1)", "std::transform(a, b, c, std::riemann_zeta<float>)",
          "#ifdef __cpp_lib_math_special_functions\n"})
        EXPECT_TRUE(names_special_function(text)) << text;
}

TEST(SpecialFunctions, AreNotWantedByAVariableOfThatName) {
    for (const char* const text :
         {"", "c = alpha * sum + beta * c;", "void gemm(float alpha, float beta) {}", "my_beta(1)",
          "betas(1)", "std::min(a, b)", "a ? beta : expint", "cyl_bessel_i0f(x)"})
        EXPECT_FALSE(names_special_function(text)) << text;
}

using SpecialFunctionsOfPrograms = Program;

// B(2, 3) = 1! 2! / 4! = 1/12; P2(1/2) = (3/4 - 1) / 2 = -1/8.
TEST_F(SpecialFunctionsOfPrograms, AreThere) {
    const ProgramRun ran = run(R"(#include <cmath>
__global__ void k(int* a) { *a = 1; }
int main() {
    using namespace std;
    int* a;
    cudaMalloc(&a, 4);
    k<<<1, 1>>>(a);
    cudaFree(a);
    const double x = beta(2.0, 3.0) * 12;
    return abs(x - 1) < 1e-12 && abs(std::legendref(2, 0.5f) + 0.125f) < 1e-6f ? 0 : 1;
}
)");
    EXPECT_TRUE(ran.compile_errors.empty());
    EXPECT_EQ(ran.end, ProgramEnd::kExit);
    EXPECT_EQ(ran.exit_code, 0) << ran.output;
}

// From C++17 on, <cmath> with its special functions brings std::min() and std::numeric_limits; a
// program that relies on it compiles also where it is compiled without the functions.
TEST_F(SpecialFunctionsOfPrograms, TakeNothingElseAwayWhereTheyAreNotNamed) {
    const ProgramRun ran = run(R"(#include <cmath>
__global__ void k(float* a, float beta) { *a = beta; }
int main() {
    float* a;
    cudaMalloc(&a, 4);
    k<<<1, 1>>>(a, std::min(1.f, std::numeric_limits<float>::max()));
    cudaFree(a);
}
)");
    EXPECT_TRUE(ran.compile_errors.empty());
    EXPECT_EQ(ran.launches.size(), 1u);
}

}  // namespace
}  // namespace tilereel::program::special_functions_test

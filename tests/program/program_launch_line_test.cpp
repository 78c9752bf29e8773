// Kernels launched as a launch line says: a comment in the file, or the option --call.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/program/program_fixture.h"

namespace tilereel::program::program_launch_line_test {
namespace {

using testing::HasSubstr;

constexpr const char* kWithoutMain = R"(
// tilereel: launch fill<int> grid=2x2 block=8x8 a[16][16]=row+col n=N
constexpr int N = 16;
template <class T>
__global__ void fill(T* a, int n) {
    int row = blockIdx.y * 8 + threadIdx.y, col = blockIdx.x * 8 + threadIdx.x;
    a[row * n + col] += 1;
}
)";

TEST_F(Program, AFileWithoutMainIsLaunchedAsItsCommentSays) {
    const ProgramRun ran = run(kWithoutMain);
    EXPECT_EQ(ran.exit_code, 0);
    ASSERT_EQ(ran.launches.size(), 1u);
    EXPECT_EQ(ran.launches[0].kernel, "fill<int>");
    EXPECT_EQ(ran.launches[0].line, 2u);
    const Trace trace = trace_of(ran.launches[0]);
    ASSERT_EQ(trace.arrays.size(), 1u);
    EXPECT_EQ(trace.arrays[0].extents(), (std::vector<std::uint32_t>{16, 16}));
    const auto* const before = reinterpret_cast<const int*>(trace.arrays[0].first_bytes.data());
    const auto* const after = reinterpret_cast<const int*>(trace.arrays[0].last_bytes.data());
    EXPECT_EQ(before[3 * 16 + 5], 3 + 5);
    EXPECT_EQ(after[3 * 16 + 5], 3 + 5 + 1);
}

TEST_F(Program, TheCallOptionReplacesMain) {
    request_.launch_lines = {"fill<float> grid=1 block=4 a[64]=zeros n=8"};
    const ProgramRun ran = run(std::string(kWithoutMain) + "int main() { return 3; }");
    EXPECT_EQ(ran.exit_code, 0);
    ASSERT_EQ(ran.launches.size(), 1u);
    EXPECT_EQ(ran.launches[0].kernel, "fill<float>");
}

// The first of the file's functions of the name is called.
TEST_F(Program, ALaunchLineTakesAnOverloadedName) {
    request_.launch_lines = {"fill a[32]=zeros n=3", "kernel grid=1 block=32 a[32]=zeros n=4"};
    const ProgramRun ran = run(R"(
__global__ void kernel(int* a, const int n) { a[threadIdx.x] = n; }
__global__ void kernel(float* a, const float n) { a[threadIdx.x] = n; }
void fill(float* a, int n = 1) { kernel<<<1, 32>>>(a, float(n)); }
void fill(void* a, int n) { fill(static_cast<float*>(a), n); }
)");
    EXPECT_EQ(ran.exit_code, 0);
    ASSERT_EQ(ran.launches.size(), 2u);
    EXPECT_EQ(trace_of(ran.launches[0]).arrays[0].type, ElementType::kFloat32);
    EXPECT_EQ(trace_of(ran.launches[1]).arrays[0].type, ElementType::kInt32);
}

TEST_F(Program, ACallOptionThatLacksAParameterIsAWrongCall) {
    request_.launch_lines = {"fill<float> grid=1 block=4 a[64]=zeros"};
    request_.file = folder_ / "program.cu";
    std::ofstream(request_.file) << kWithoutMain;
    const Result<ProgramRun> ran = run_program(request_);
    ASSERT_FALSE(ran);
    EXPECT_EQ(ran.error().kind, ErrorKind::kWrongCall);
    EXPECT_EQ(ran.error().message,
              "--call: the line gives no value for fill's parameter n; add n=1");
}

// Each is a wrong call: nothing is launched with another number.
TEST_F(Program, ACallOptionWhoseNumbersDoNotFitIsAWrongCall) {
    request_.file = folder_ / "program.cu";
    std::ofstream(request_.file) << "__global__ void k(int* a, int n, float x) { a[0] = n; }\n";
    for (const auto& [line, why] : std::initializer_list<std::pair<const char*, const char*>>{
             {"grid=65536*65536 n=1 a[4]=zeros",
              "grid=65536*65536 of the launch line is too large"},
             {"grid=NAN n=1 a[4]=zeros", "grid=NAN of the launch line is no number"},
             {"grid=1 n=99999999999 a[4]=zeros", "n=99999999999 of the launch line is too large"},
             {"grid=1 n=1 a[1e30]=zeros", "a's extent=1e30 of the launch line is too large"},
             {"grid=1 n=1 a[4]=7%0", "a=7%0 of the launch line divides by 0"}}) {
        request_.launch_lines = {std::string("k block=1 x=1 ") + line};
        const Result<ProgramRun> ran = run_program(request_);
        ASSERT_FALSE(ran) << line;
        EXPECT_EQ(ran.error().kind, ErrorKind::kWrongCall);
        EXPECT_EQ(ran.error().message, std::string("--call: ") + why);
    }
}

TEST_F(Program, ANameThatNothingDefinesIsToldInTheWordsOfTheLine) {
    request_.file = folder_ / "program.cu";
    std::ofstream(request_.file) << "__global__ void k(float* x, int n) { x[0] = n; }\n";
    for (const auto& [line, why] : std::initializer_list<std::pair<const char*, const char*>>{
             {"block=1 x[32]=ramp n=1",
              "x=ramp uses ramp, which the file does not define; write a"},
             {"block=1 x[m]=ones n=1", "the extent m of x uses m, which the file does not define"},
             {"block=1 x[32]=ones n=n", "n=n uses n, which the file does not define"},
             {"block=threads x[32]=ones n=1", "the shape of the launch uses threads, which"},
             {"block=1 x[32]=i;exit(3) n=1", "'x[32]=i;exit(3)' has a semicolon; write one value"},
             {"block=1 x[32]=(i n=1", "has a bracket that nothing closes"},
             {"block=1 x[32]=i) n=1", "'x[32]=i)' has a bracket that nothing opens"},
             {"block=1 x[32]=i=nan n=1", "'x[32]=i=nan' assigns with =; write a value"},
             {"block=1 x[32]=i*nan n=1", "'x[32]=i*nan' is no number; write INFINITY or NAN"}}) {
        request_.launch_lines = {std::string("k ") + line};
        const Result<ProgramRun> ran = run_program(request_);
        ASSERT_FALSE(ran) << line;
        EXPECT_EQ(ran.error().kind, ErrorKind::kWrongCall);
        EXPECT_THAT(ran.error().message, HasSubstr(why)) << line;
    }
}

TEST_F(Program, AnUndefinedNameInALaunchLineOfTheFileIsAnErrorOnItsLine) {
    request_.file = folder_ / "program.cu";
    std::ofstream(request_.file) << "// tilereel: launch k block=1 x[8]=ramp\n"
                                    "__global__ void k(float* x) { x[0] = 1; }\n";
    const Result<ProgramRun> ran = run_program(request_);
    ASSERT_TRUE(ran);
    ASSERT_EQ(ran->compile_errors.size(), 1u);
    EXPECT_EQ(ran->compile_errors[0].line, 1u);
    EXPECT_THAT(ran->compile_errors[0].message, HasSubstr("x=ramp uses ramp, which the file"));
}

TEST_F(Program, ACallOptionComputesItsNumbers) {
    request_.file = folder_ / "program.cu";
    std::ofstream(request_.file)
        << "constexpr int N = 5;\n__global__ void k(int* a, int n, float x) { a[n] = x; }\n";
    request_.launch_lines = {"k grid=dim3(2,3) block=(N+3)/4 a[2*N]=8/2 n=7-N*1 x=-INFINITY",
                             "k grid=2,6/2 block=1 a[10]=zeros n=-3%4+4 x=1e30"};
    const Result<ProgramRun> ran = run_program(request_);
    ASSERT_TRUE(ran) << ran.error().message;
    ASSERT_EQ(ran->launches.size(), 2u) << ran->end_sentence;
    EXPECT_EQ(ran->launches[0].grid, (Dim3{2, 3, 1}));
    EXPECT_EQ(ran->launches[1].grid, (Dim3{2, 3, 1}));
    EXPECT_EQ(ran->launches[0].block, (Dim3{2, 1, 1}));
}

TEST_F(Program, ALaunchLineMakesArraysOfEachType) {
    const ProgramRun ran = run(R"(#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cstdint>
// tilereel: launch f grid=1 block=32 m[32]=ones r[32]=random c[32]=index u[32]=ones h[32]=index p[32]=ones b[32]=ones d[32]=index l[32]=index o[32]=zeros
__global__ void f(const bool* m, const bool* r, const char* c, const uint8_t* u, const half* h,
                  const half2* p, const __nv_bfloat16* b, const double* d, const long long* l,
                  unsigned* o) {
    int i = threadIdx.x;
    bool right = m[i] && (r[i] || !r[i]) && c[i] == i && u[i] == 1 && float(h[i]) == i;
    right = right && float(p[i].y) == 1 && float(b[i]) == 1 && d[i] == i && l[i] == i;
    o[i] = right;
    assert(right);
}
)");
    EXPECT_THAT(ran.compile_errors, testing::IsEmpty());
    EXPECT_EQ(ran.exit_code, 0);
    ASSERT_EQ(ran.launches.size(), 1u);
    EXPECT_THAT(ran.launches[0].findings, testing::IsEmpty());
}

}  // namespace
}  // namespace tilereel::program::program_launch_line_test

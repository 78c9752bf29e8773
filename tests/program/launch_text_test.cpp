#include "instrumentation/cuda/text/launch_text.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "instrumentation/cuda/text/device_function_text.h"
#include "instrumentation/cuda/text/unsupported.h"

namespace tilereel::program::launch_text_test {
namespace {

std::string rewritten(std::string_view text) { return rewrite_launches(text); }

TEST(LaunchText, ALaunchBecomesACall) {
    EXPECT_EQ(rewritten("k<<<g, b>>>(x, 1);"), "TILEREEL_LAUNCH(k) TILEREEL_SHAPE(g, b)(x, 1);");
    EXPECT_EQ(rewritten("ns::k<float, 4> <<<dim3(1, 2), b, s, t>>> (x);"),
              "TILEREEL_LAUNCH(ns::k<float, 4>) TILEREEL_SHAPE(dim3(1, 2), b, s, t) (x);");
}

TEST(LaunchText, SpacesBetweenTheBracketsAreAccepted) {
    EXPECT_EQ(rewritten("k<< <g, b>> >(x);"), "TILEREEL_LAUNCH(k) TILEREEL_SHAPE(g, b)(x);");
    EXPECT_EQ(rewritten("k <<< g , b >>> ( x );"),
              "TILEREEL_LAUNCH(k) TILEREEL_SHAPE( g , b ) ( x );");
}

TEST(LaunchText, TheKernelMayBeAnExpression) {
    EXPECT_EQ(rewritten("table[i]<<<g, b>>>(x);"),
              "TILEREEL_LAUNCH(table[i]) TILEREEL_SHAPE(g, b)(x);");
    EXPECT_EQ(rewritten("(*kernel)<<<g, b>>>(x);"),
              "TILEREEL_LAUNCH((*kernel)) TILEREEL_SHAPE(g, b)(x);");
    EXPECT_EQ(rewritten("if (n > 0) k<(N > 1)><<<g, b>>>(x);"),
              "if (n > 0) TILEREEL_LAUNCH(k<(N > 1)>) TILEREEL_SHAPE(g, b)(x);");
}

TEST(LaunchText, TheConfigurationMayHoldTemplatesAndShifts) {
    EXPECT_EQ(rewritten("k<<<f<A<int>>(n), (n >> 3)>>>(x);"),
              "TILEREEL_LAUNCH(k) TILEREEL_SHAPE(f<A<int>>(n), (n >> 3))(x);");
}

TEST(LaunchText, EveryLineStaysWhereItIs) {
    const std::string text = "k<float,\n  4>\n<<<g,\n   b>>>\n(x);\nlast";
    const std::string result = rewritten(text);
    EXPECT_EQ(std::ranges::count(result, '\n'), std::ranges::count(text, '\n'));
    EXPECT_TRUE(result.ends_with("\nlast"));
}

TEST(LaunchText, ALaunchInAMacroKeepsItsContinuedLines) {
    EXPECT_EQ(rewritten("#define L(k) \\\n  k<<<1, \\\n  2>>>()\n"),
              "#define L(k) \\\n  TILEREEL_LAUNCH(k) TILEREEL_SHAPE(1, \\\n  2)()\n");
}

TEST(LaunchText, ALaunchInAMacroMayBeginOnAnEarlierLine) {
    EXPECT_EQ(rewritten("#define L(n) \\\n  k<n> \\\n  <<<1, 2>>>(x); \\\n\n"),
              "#define L(n) \\\n  TILEREEL_LAUNCH(k<n>)\\\n TILEREEL_SHAPE(1, 2)(x); \\\n\n");
}

TEST(LaunchText, CommentsAndLiteralsAreLeftAlone) {
    for (const char* const text :
         {"// k<<<g, b>>>(x)\n", "/* k<<<g,\n b>>>(x) */", "puts(\"k<<<g, b>>>(x)\");",
          "auto s = R\"x(k<<<g, b>>>(x) )\" )x\";", "char c = '\"'; // <<<1>>>(\n",
          "int n = 1'000'000; // '\n", "std::cout << 1 << 2;", "a = b << (c < d);"})
        EXPECT_EQ(rewritten(text), text);
}

TEST(LaunchText, DynamicSharedMemoryStaysExtern) {
    EXPECT_EQ(rewritten("extern __shared__ float s[];"), "extern __dynamic_ float s[];");
    EXPECT_EQ(rewritten("extern __align__(16) __shared__ float s[];"),
              "extern __align__(16) __dynamic_ float s[];");
    EXPECT_EQ(rewritten("__shared__ float s[4];"), "__shared__ float s[4];");
    EXPECT_EQ(rewritten("__shared__ alignas(16) float s[4];"),
              "__shared__ __align__(16) float s[4];");
    EXPECT_EQ(rewritten("static __shared__ float s[4];"), " __shared__ float s[4];");
    EXPECT_EQ(rewritten("__shared__ static volatile int s;"), "__shared__  volatile int s;");
    EXPECT_EQ(rewritten("const static __shared__ int s;"), "const  __shared__ int s;");
    EXPECT_EQ(rewritten("__shared__ extern float s[];"), "extern __dynamic_  float s[];");
    EXPECT_EQ(rewritten("float __shared__ __align__(16) extern s[];"),
              "float extern __dynamic_ __align__(16)  s[];");
    EXPECT_EQ(rewritten("static int n; __shared__ int s;"), "static int n; __shared__ int s;");
    EXPECT_EQ(rewritten("__shared__ int s[4]; static int n;"),
              "__shared__ int s[4]; static int n;");
    EXPECT_EQ(rewritten("extern int n; __shared__ float s[4];"),
              "extern int n; __shared__ float s[4];");
}

TEST(LaunchText, ACastOfAKernelKeepsItsType) {
    const std::string kernel = "__global__ void k(int* a);\n";
    for (const char* const text : {"f((void*)k);", "f((const void *)k<float, 4>);"}) {
        const std::string result = rewritten(kernel + text);
        EXPECT_EQ(result, kernel + "f(::tilereel::runtime::kernel_pointer * k" +
                              std::string(text).substr(std::string(text).find('k') + 1));
    }
    EXPECT_EQ(rewritten(kernel + "f((void*)&k, reinterpret_cast<void*>(k));"),
              kernel +
                  "f(::tilereel::runtime::kernel_pointer * &k, "
                  "::tilereel::runtime::kernel_pointer * (k));");
    EXPECT_EQ(rewritten(kernel + "f((void*)x);"), kernel + "f((void*)x);");
}

TEST(LaunchText, TheArchitectureIsDefinedInDeviceFunctionsOnly) {
    EXPECT_EQ(rewritten("__global__ void k() {\n#if __CUDA_ARCH__ > 600\n#endif\n}"),
              "__global__ void k() {\n#if __TILEREEL_ARCH__ > 600\n#endif\n}");
    EXPECT_EQ(rewritten("#if __CUDA_ARCH__ > 600\n__device__ void k() {}\n#else\n#endif"),
              "#if __TILEREEL_ARCH__ > 600\n__device__ void k() {}\n#else\n#endif");
    for (const char* const text : {"#if __CUDA_ARCH__ > 600\nint k() {}\n#endif\n__device__ int i;",
                                   "__device__ int a;\nint f() { return __CUDA_ARCH__; }"})
        EXPECT_EQ(rewritten(text), text);
}

// nvcc compiles such a function twice, g++ once: the condition is asked when it runs.
TEST(LaunchText, AConditionOfBothWorldsBecomesAnIf) {
    const std::string head = "__host__ __device__ int f(int x) {\n";
    const std::string asked = "::tilereel::runtime::in_kernel()";
    EXPECT_EQ(
        rewritten(head + "#ifdef __CUDA_ARCH__\n x = 1;\n#else\n x = 2;\n#endif\n return x; }"),
        head + "if (" + asked + ") {\n x = 1;\n} else {\n x = 2;\n}\n return x; }");
    EXPECT_EQ(rewritten(head + "#ifndef __CUDA_ARCH__\n g(x);\n#endif\n return x; }"),
              head + "if (!" + asked + ") {\n g(x);\n}\n return x; }");
    // Behind a return the host's part may declare.
    EXPECT_EQ(
        rewritten(head + "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700\n return 1;\n#else\n"
                         " int y = x;\n#endif\n return y; }"),
        head + "if ( " + asked + " && (" + asked +
            " ? __TILEREEL_ARCH__ : 0) >= 700) {\n return 1;\n}\n"
            " int y = x;\n\n return y; }");
}

TEST(LaunchText, AConditionOfBothWorldsThatCannotBeAskedIsTold) {
    const std::string head = "__host__ __device__ int f(int x) {",
                      told = " ::tilereel::runtime::note_host_branch(2);";
    for (const std::string rest :
         {"\n#ifdef __CUDA_ARCH__\n int y = 1;\n#else\n int y = 2;\n#endif\n return y; }",
          "\n#if __CUDA_ARCH__ >= LEVEL\n x = 1;\n#endif\n return x; }",
          "\n#ifdef __CUDA_ARCH__\n if (x)\n#endif\n ++x; return x; }"})
        EXPECT_EQ(rewritten(head + rest), head + told + rest);
    const std::string inside = "\n return x +\n#ifdef __CUDA_ARCH__\n 1\n#else\n 2\n#endif\n ; }";
    EXPECT_EQ(rewritten(head + inside),
              head + " ::tilereel::runtime::note_host_branch(3);" + inside);
    const std::string constant =
        "constexpr __host__ __device__ int f() {\n#ifdef __CUDA_ARCH__\n#endif\n}";
    EXPECT_EQ(rewritten(constant), constant);
}

TEST(DeviceFunctions, AreFoundWithTheirParameters) {
    const auto found = find_device_functions(masked_text(
        "template <int N, class T>\n"
        "__global__ void __launch_bounds__(256, 2) scale(const T* __restrict__ in, T (&x)[N],\n"
        "    std::pair<int, int> p, int n = f(1, 2), float row[]) { if (n) { } }\n"
        "__device__ int counter;\n"
        "extern \"C\" __global__ void empty(void);\n"
        "struct S { __host__ __device__ float operator()(float v) const { return v; } };\n"));
    ASSERT_EQ(found.size(), 3u);
    EXPECT_EQ(found[0].name, "scale");
    EXPECT_TRUE(found[0].kernel && found[0].is_template && !found[0].host);
    EXPECT_EQ(found[0].line, 2u);
    std::string names;
    for (const KernelParameter& parameter : found[0].parameters)
        names += parameter.name + (parameter.pointer ? "* " : " ");
    EXPECT_EQ(names, "in* x* p n row* ");
    EXPECT_EQ(found[1].name, "empty");
    EXPECT_TRUE(found[1].parameters.empty());
    EXPECT_EQ(found[1].body, found[1].end);
    EXPECT_EQ(found[2].name, "operator()");
    EXPECT_TRUE(found[2].host);
}

TEST(UnsupportedFeature, CallsAreNamedWithTheirLineAndWhatToDo) {
    const std::string text =
        "#include <cufft.h>\n"
        "float v = tex3D<float>(t, x, y, z);  // surf3D\n"
        "__global__ void k() {\n  asm(\"mov.u32 %0, %laneid;\" : \"=r\"(x));\n}\n";
    const auto found = find_unsupported(text, masked_text(text));
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].line, 1u);
    EXPECT_EQ(found[0].message,
              "cufft.h is not supported: Tilereel has no cuFFT; open a program without it.");
    EXPECT_EQ(found[1].line, 2u);
    EXPECT_EQ(found[1].message,
              "tex3D is not supported: Tilereel runs textures of one and two dimensions without "
              "layers; use such a texture, or read the data through a pointer.");
}

}  // namespace
}  // namespace tilereel::program::launch_text_test

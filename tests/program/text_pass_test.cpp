// The text pass on hostile texts: each is a megabyte of what once made it recurse or read the same
// place again and again. It reads a text once, so each takes milliseconds; in time that grows with
// the square of the length each would take minutes.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "instrumentation/cuda/text/brackets.h"
#include "instrumentation/cuda/text/device_function_text.h"
#include "instrumentation/cuda/text/host_functions.h"
#include "instrumentation/cuda/text/includes.h"
#include "instrumentation/cuda/text/launch_line_text.h"
#include "instrumentation/cuda/text/launch_text.h"
#include "instrumentation/cuda/text/unsupported.h"

namespace tilereel::program::text_pass_test {
namespace {

std::string repeated(std::string_view part, std::size_t bytes = 1 << 20) {
    std::string text;
    while (text.size() < bytes) text += part;
    return text;
}

// What the text becomes. All other parts of the pass only have to end.
std::string passed(const std::string& text) {
    const std::string masked = masked_text(text);
    EXPECT_EQ(masked.size(), text.size());
    static_cast<void>(find_unsupported(text, masked));
    static_cast<void>(find_includes(text, masked));
    static_cast<void>(find_launch_lines(comments_of(text), "file.cu"));
    static_cast<void>(has_main(masked));
    static_cast<void>(find_defined_functions(masked));
    return rewrite_launches(text);
}

// Depth is limited, length is not.
TEST(TextPass, NestingThatIsTooDeepForACompilerIsFound) {
    const auto many = [](const std::string& text, std::size_t times) {
        std::string all;
        for (std::size_t i = 0; i < times; ++i) all += text;
        return all;
    };
    const auto brackets = [&](std::size_t depth) {
        return "int a[] = {\n" + many("(", depth) + "1" + many(")", depth) + "};";
    };
    EXPECT_FALSE(find_deep_nesting(brackets(kMostBrackets - 1)));
    const std::optional<DeepNesting> deep = find_deep_nesting(brackets(kMostBrackets));
    ASSERT_TRUE(deep);
    EXPECT_EQ(deep->of, DeepNesting::Of::kBrackets);
    EXPECT_EQ(deep->at, 12 + kMostBrackets - 1);
    const std::string arm = "else if (b) { if (c) d(); }\n";
    EXPECT_FALSE(find_deep_nesting("if (a) {}\n" + many(arm, kMostElseIfs)));
    const std::optional<DeepNesting> chain =
        find_deep_nesting("if (a) {}\n" + many(arm, kMostElseIfs + 1));
    ASSERT_TRUE(chain);
    EXPECT_EQ(chain->of, DeepNesting::Of::kElseIfs);
    for (const char* const head : {"if (a[1])\n", "for (int i = 0; i < 1; ++i) ", "while (b) "}) {
        EXPECT_FALSE(find_deep_nesting(many(head, kMostHeads) + "c();")) << head;
        const std::optional<DeepNesting> heads = find_deep_nesting(many(head, kMostHeads + 1));
        ASSERT_TRUE(heads) << head;
        EXPECT_EQ(heads->of, DeepNesting::Of::kHeads);
    }
    EXPECT_FALSE(find_deep_nesting("x = " + many("a ? b : ", kMostConditionals) + "c;"));
    const std::optional<DeepNesting> asked =
        find_deep_nesting(many("a ? b : ", kMostConditionals + 1));
    ASSERT_TRUE(asked);
    EXPECT_EQ(asked->of, DeepNesting::Of::kConditionals);
    for (const char* const flat :
         {"if (a) b(); else if (c) d();\n", "(a[1]);\n", "#else\nif (a) b();\n", "}\n",
          "if (a) { b(); }\n", "#if A\n#define B if (c)\n#endif\n", "# if A\n#endif\n",
          "a ? b : c,\n", "x = a ? b : c;\n", "#define A(b) \\\n  for (b) if (b ? 1 : 2)\n"})
        EXPECT_FALSE(find_deep_nesting(many(flat, 10'000))) << flat;
}

TEST(TextPass, RepeatedWordsAndBracketsAreLeftAlone) {
    for (const char* const part : {"{",
                                   "}",
                                   "(",
                                   "( ",
                                   "< ",
                                   "template<",
                                   "\n",
                                   "__global__ ",
                                   "__device__ f(",
                                   "__device__ f() ",
                                   "__device__ operator ",
                                   "__host__ __device__ f(",
                                   "__CUDA_ARCH__ ",
                                   "__shared__ ",
                                   "1'",
                                   "\"\n",
                                   "R\"",
                                   "R\"abc(",
                                   "a<<<",
                                   "a<<<(",
                                   "x>>>> <<<",
                                   "a<<<b> > > ",
                                   "// \\\n",
                                   "(void*)",
                                   "#if 1\n",
                                   "#ifdef __CUDA_ARCH__\n#endif\n",
                                   "#elif __CUDA_ARCH__\n"}) {
        const std::string text = repeated(part);
        EXPECT_TRUE(passed(text) == text) << part;
    }
}

TEST(TextPass, ManyConditionsOfBothWorldsAreEachRewritten) {
    const std::string condition = "#ifdef __CUDA_ARCH__\n f();\n#endif\n";
    const std::string head = "__host__ __device__ void g() {\n";
    const std::string made = passed(head + repeated(condition, 20'000 * condition.size()) + "}");
    EXPECT_EQ(made.find("__CUDA_ARCH__"), std::string::npos);
    EXPECT_EQ(std::ranges::count(made, '\n'), 3 * 20'000 + 1);
    // Functions that are never closed.
    const std::string nested = "__CUDA_ARCH__ " + repeated("__host__ __device__ void g() {");
    EXPECT_TRUE(passed(nested) == nested);
}

TEST(SpecifierMacros, StandForTheWordsOfAllTheirDefinitions) {
    SpecifierMacros macros;
    macros.add_text(
        "#ifdef __CUDACC__\n# define HD __host__ __device__ inline\n#else\n#define HD inline\n"
        "#endif\n#define BOTH \\\n  HOST DEVICE\n#define HOST __host__\n"
        "#define DEVICE __device__\n#define KERNEL extern \"C\" __global__\n"
        "#define CALL() __device__\n#define F(x) __device__ x\n#define LOOP LOOP2\n"
        "#define LOOP2 LOOP\n#define TEXT __device__ int x; {}\n");
    macros.add_option("OPTION=__device__ BOTH");
    macros.resolve();
    const auto words_of = [&](std::string_view word) {
        const Specifiers found = macros.of(word);
        return std::string(found.host ? "h" : "") + (found.device ? "d" : "") +
               (found.kernel ? "g" : "");
    };
    EXPECT_EQ(words_of("HD"), "hd");
    EXPECT_EQ(words_of("BOTH"), "hd");
    EXPECT_EQ(words_of("DEVICE"), "d");
    EXPECT_EQ(words_of("KERNEL"), "g");
    EXPECT_EQ(words_of("OPTION"), "hd");
    EXPECT_EQ(words_of("__global__"), "g");
    for (const char* const word : {"CALL", "F", "LOOP", "TEXT", "inline", ""})
        EXPECT_EQ(words_of(word), "") << word;
}

TEST(SpecifierMacros, FunctionsBehindThemAreDeviceFunctions) {
    const std::string head = "#define HD __host__ __device__\n#define D __device__\n";
    const std::string body = "{\n#ifdef __CUDA_ARCH__\nf();\n#endif\n}\n";
    const std::string text = head + "void host() " + body + "HD void both() " + body +
                             "template <class T> D void device(T x) " + body;
    SpecifierMacros macros;
    macros.add_text(masked_text(text));
    macros.resolve();
    const auto found = find_device_functions(masked_text(text), macros);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].name, "both");
    EXPECT_TRUE(found[0].host);
    EXPECT_EQ(found[0].line, 8u);
    EXPECT_EQ(found[1].name, "device");
    EXPECT_FALSE(found[1].host);
    EXPECT_EQ(rewrite_launches(text, macros),
              head + "void host() " + body +
                  "HD void both() {\nif (::tilereel::runtime::in_kernel()) {\nf();\n}\n}\n" +
                  "template <class T> D void device(T x) {\n#ifdef __TILEREEL_ARCH__\nf();\n"
                  "#endif\n}\n");
}

TEST(SpecifierMacros, ManyAreLinear) {
    std::string text;
    for (int i = 0; i < 50'000; ++i)
        text += "#define M" + std::to_string(i) + " M" + std::to_string(i + 1) + " x\n";
    text += "#define M50000 __device__\nM0 void f() {}\n";
    SpecifierMacros macros;
    macros.add_text(text);
    macros.resolve();
    EXPECT_TRUE(macros.of("M0").device);
    EXPECT_EQ(find_device_functions(text, macros).size(), 1u);
}

// As nvcc 13.0 takes them (tried with -ptx).
TEST(TextPass, OperandsOfAsmGetTheCommasThatNvccDoesNotAskFor) {
    EXPECT_EQ(
        passed("asm volatile(\"add.s32 %0, %1, %2;\" : \"=r\"(x)\n: \"r\"(a[0]) \"r\"(b(1)));"),
        "asm volatile(\"add.s32 %0, %1, %2;\" : \"=r\"(x)\n: \"r\"(a[0]) ,\"r\"(b(1)));");
    EXPECT_EQ(passed("#define MMA(x) asm(\"\" : [d] \"=r\"(x) \\\n [e] \"=r\"(y))\n"),
              "#define MMA(x) asm(\"\" : [d] \"=r\"(x) \\\n ,[e] \"=r\"(y))\n");
    for (const char* const whole :
         {"asm(\"a\" \"b\" : \"=r\"(x), \"=r\"(y) : \"r\"(f(\"c\") \"d\") : \"memory\");",
          "f(a(1) \"b\");", "asm = g(1); h(asm) \"x\";", "asm(", "asm volatile goto"})
        EXPECT_EQ(passed(whole), whole);
}

TEST(TextPass, ManyLaunchesAreEachRewritten) {
    const std::size_t count = 50'000;
    const std::string launch = "k<<<1, 1>>>();\n",
                      made = "TILEREEL_LAUNCH(k) TILEREEL_SHAPE(1, 1)();\n";
    EXPECT_TRUE(passed("void f() {\n" + repeated(launch, count * launch.size()) + "}") ==
                "void f() {\n" + repeated(made, count * made.size()) + "}");
}

TEST(TextPass, ManyKernelsAreFoundOnTheirLines) {
    const std::string kernel = "__global__ void k(int* a) {\n  a[0] = __CUDA_ARCH__;\n}\n";
    const std::string text = repeated(kernel, 20'000 * kernel.size());
    const std::vector<DeviceFunction> found = find_device_functions(masked_text(text));
    ASSERT_EQ(found.size(), 20'000u);
    EXPECT_EQ(found.back().line, 3 * 19'999 + 1u);
    const std::string made = passed(text);
    EXPECT_EQ(made.find("__CUDA_ARCH__"), std::string::npos);
    EXPECT_EQ(made.size(), text.size() + 20'000 * std::string_view("TILEREEL").size() -
                               20'000 * std::string_view("CUDA").size());
}

TEST(TextPass, NestedConditionsHoldTheirDeviceCode) {
    const std::size_t depth = 20'000;
    const std::string begin = "#if __CUDA_ARCH__\n", made = "#if __TILEREEL_ARCH__\n";
    const std::string rest = "__device__ int f();\n" + repeated("#endif\n", depth * 7);
    EXPECT_TRUE(passed(repeated(begin, depth * begin.size()) + rest) ==
                repeated(made, depth * made.size()) + rest);
}

TEST(TextPass, LongBlanksAndCommentsAreNoRecursion) {
    const std::string blanks = repeated(" ", 1 << 20), comment = "/*" + repeated("c") + "*/";
    for (const std::string& between : {blanks, comment, repeated("// x\n")}) {
        for (const auto& [before, after] :
             {std::pair("puts(", "\"text\");"), {"#if 1\n#elif ", "1\n#endif\n"}, {"", "int a;"}}) {
            const std::string text = before + between + after;
            EXPECT_TRUE(passed(text) == text) << before;
        }
        EXPECT_TRUE(passed("__shared__ " + between + "alignas(16) int a;") ==
                    "__shared__ " + between + "__align__(16) int a;");
        EXPECT_TRUE(
            passed("__global__ void k();\nf((" + between + "void*) k);")
                .starts_with("__global__ void k();\nf(::tilereel::runtime::kernel_pointer"));
    }
}

TEST(TextPass, ADelimiterOfMoreThan16CharactersBeginsNoRawString) {
    const std::string text = "auto s = R\"12345678901234567(\"; k<<<1, 2>>>();";
    EXPECT_EQ(passed(text),
              "auto s = R\"12345678901234567(\"; TILEREEL_LAUNCH(k) TILEREEL_SHAPE(1, 2)();");
}

TEST(Includes, AreFoundInTheCodeOnly) {
    const std::string name = repeated("n", 40'000);
    const std::string text =
        "#include \"a b.h\"\n  #  include <c/d.h> // why\n"
        "// #include \"no.h\"\nauto s = R\"(\n#include \"no.h\"\n)\";\n"
        "#include MACRO\n#include \"open.h\n#import <e.h>\n#include \"" +
        name + "\"\n#include_next <f.h>";
    std::vector<std::string> names;
    for (const Include& include : find_includes(text, masked_text(text)))
        names.emplace_back(include.name);
    EXPECT_EQ(names, (std::vector<std::string>{"a b.h", "c/d.h", "e.h", name, "f.h"}));
}

}  // namespace
}  // namespace tilereel::program::text_pass_test

// Hostile submissions: none passes, each ends in its limits with a sentence, reads nothing of the
// user's, and leaves neither files nor processes.
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <cerrno>

#include "tests/exercise/graded.h"
#include "tests/trace/scratch_folder.h"

namespace tilereel::tests::hostile_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct Hostile {
    std::string name, text, says;
};

std::string repeated(const std::string& text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
}

// A right solution, which follows a hostile beginning.
std::string after(const std::string& begin) {
    return begin +
           "\n__global__ void k(const float* in, float* out, int n) {\n"
           "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) out[i] = 2 * "
           "in[i];\n"
           "}\nvoid scale(const float* in, float* out, int n) { k<<<(n + 127) / 128, 128>>>(in, "
           "out, n); }\n";
}
// A kernel, and how it is launched.
std::string kernel(const std::string& body, const std::string& launch = "<<<1, 32>>>") {
    return "__global__ void k(float* o, int n) { " + body +
           " }\nvoid scale(const float*, float* out, int n) { k" + launch + "(out, n); }\n";
}
std::string host(const std::string& body) {
    return "__global__ void k() {}\nvoid scale(const float*, float* out, int n) { " + body + " }\n";
}

// `secret`: a file of the user's.
std::vector<Hostile> that_read(const std::string& secret) {
    const std::string only_system = "only headers in < > are accepted";
    return {{"include", after("#include \"" + secret + "\""), only_system},
            {"include_angle", after("#include </etc/passwd>"), "is not accepted"},
            {"include_up", after("#include \"../../../../../.." + secret + "\""), only_system},
            {"include_macro", after("#define F \"" + secret + "\"\n#include F"),
             "write #include above the first #define"},
            {"include_itself", after("#include __FILE__"), only_system},
            {"include_next", after("#include_next <cstdio>"), "#include_next is not accepted"},
            {"import", after("#import </etc/passwd>"), "#import is not accepted"},
            {"embed", after("const char s[] = {\n#embed \"" + secret + "\"\n};"),
             "#embed is not accepted"},
            {"digraph", after("%:include \"" + secret + "\""), "%: is not accepted"},
            {"trigraph", after("?\?=include \"" + secret + "\""), "is not accepted"},
            {"continued", after("#inc\\\nlude \"" + secret + "\""), "splits a word"},
            {"commented", after("#/**/include \"" + secret + "\""), only_system},
            {"incbin", after("asm(\".incbin \\\"" + secret + "\\\"\");"), "asm is not accepted"},
            {"line", after("#line 1 \"" + secret + "\""), "#line is not accepted"}};
}

std::vector<Hostile> that_reach_out() {
    return {{"asm", after("void f() { asm volatile(\"syscall\"); }"), "asm is not accepted"},
            {"pragma", after("#pragma GCC system_header"), "#pragma GCC is not accepted"},
            {"pragma_operator", after("_Pragma(\"GCC optimize (\\\"O0\\\")\")"),
             "_Pragma is not accepted"},
            {"constructor", after("__attribute__((constructor)) void f() {}"),
             "__attribute__ is not accepted"},
            {"system", after("extern \"C\" int system(const char*);\nint x = system(\"true\");"),
             "extern is only accepted for shared memory"},
            {"hooks", after("extern \"C\" void tilereel_record(void*) {}"),
             "extern is only accepted for shared memory"},
            {"define_keyword", after("#define __global__"), "#define changes __global__"},
            {"define_function", after("#define scale other"), "there is no function"}};
}

std::vector<Hostile> that_burden_the_compiler() {
    return {{"parentheses", "int x = " + repeated("(", 200'000), "brackets are open"},
            {"braces", "void f() " + repeated("{", 200'000), "brackets are open"},
            {"templates", after("template <int N> struct T { T<N + 1> t; };\nT<0> t;"),
             "template instantiation depth"},
            {"constexpr",
             after("constexpr int f() { int i = 0; for (;;) ++i; return i; }\n"
                   "constexpr int x = f();"),
             "loop iteration count exceeds"},
            {"errors", repeated("int x = y;\n", 20'000), "was not declared"},
            {"huge_array", after("__device__ char big[1ull << 40];"), "more than 2 GiB"},
            {"huge_values", after("__device__ char big[1ull << 36] = {1};"), "more than 2 GiB"},
            {"empty", "", "there is no function"}};
}

std::vector<Hostile> that_run() {
    const std::string in_time = "did not end in time";
    return {
        {"host_loop", host("for (;;) {}"), in_time},
        {"host_launches", host("for (;;) k<<<1, 1>>>();"), "heck the condition of its loops"},
        {"host_memory",
         host("for (;;) { float* p; cudaMalloc(&p, 1 << 30); cudaMemset(p, 1, "
              "1 << 30); }"),
         "(n = "},  // its memory or its time is used up
        {"grid", kernel("o[0] = n;", "<<<2147483647, 1024>>>"), "(n = "},
        {"device_memory", kernel("for (;;) { char* p = (char*)malloc(1 << 20); if (p) *p = 1; }"),
         in_time},
        {"recursion", "__device__ int f(int n) { return n + f(n + 1); }\n" + kernel("o[0] = f(n);"),
         "stack overflow"},
        {"null", kernel("*(volatile int*)0 = n;"), "null pointer"},
        {"wild", kernel("for (long i = 0; i < (1l << 46); i += 4096) *(volatile char*)i = 1;"),
         "null pointer"},
        {"trap", kernel("__trap();"), "__trap()"},
        {"barrier", kernel("if (threadIdx.x == 0) for (;;) __syncthreads();", "<<<1, 64>>>"),
         in_time},
        {"spin", kernel("while (atomicAdd(o, 0.f) != 5) {}"), in_time},
        {"shared", kernel("__shared__ char s[1 << 30]; s[threadIdx.x] = 1;"), "shared memory"},
        {"local",
         kernel("char s[1 << 30]; for (int i = 0; i < 1 << 30; ++i) s[i] = i; "
                "o[0] = s[n];"),
         "512 KiB"}};
}

TEST(HostileSubmissions, AreRefusedWithASentence) {
    const ScratchFolder files, home;
    write_bytes(home / "key", "the-secret-word\n");
    std::vector<Hostile> all = that_read((home / "key").string());
    for (const auto& more : {that_reach_out(), that_burden_the_compiler(), that_run()})
        all.insert(all.end(), more.begin(), more.end());
    EXPECT_GE(all.size(), 40u);
    std::vector<GradeRequest> requests;
    for (const Hostile& each : all) {
        write_bytes(files / (each.name + ".cu"), each.text);
        requests.push_back(grade_request(files / (each.name + ".cu"), "first_kernel"));
        requests.back().seconds = 1;
    }
    const std::vector<Result<Grade>> grades = grade_all(requests);
    for (std::size_t i = 0; i < all.size(); ++i) {
        ASSERT_TRUE(grades[i]) << all[i].name << ": " << grades[i].error().message;
        EXPECT_FALSE(grades[i]->all_passed()) << all[i].name;
        const std::string words = words_of(*grades[i]);
        EXPECT_THAT(words, HasSubstr(all[i].says)) << all[i].name;
        EXPECT_THAT(words, Not(HasSubstr("secret"))) << all[i].name;
        // No sentence names a file of Tilereel's own.
        EXPECT_THAT(words, Not(HasSubstr("libtilereel"))) << all[i].name;
    }
    EXPECT_EQ(home.file_count(), 1);
    EXPECT_EQ(files.file_count(), static_cast<std::ptrdiff_t>(all.size()));
    EXPECT_TRUE(waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD) << "a process is left";
}

// A limit that the recorder meets is the check's, so it is no failure of Tilereel's.
TEST(HostileSubmissions, AllocationsEndAtTheMemoryOfACheck) {
    const ScratchFolder files;
    write_bytes(files / "allocations.cu", host("for (;;) { float* p; cudaMalloc(&p, 1); }"));
    const Result<Grade> grade =
        tilereel::grade(grade_request(files / "allocations.cu", "first_kernel"));
    ASSERT_TRUE(grade) << grade.error().message;
    EXPECT_FALSE(grade->all_passed());
    EXPECT_THAT(words_of(*grade), HasSubstr("it used more than 2 GiB of memory"));
}

}  // namespace
}  // namespace tilereel::tests::hostile_test

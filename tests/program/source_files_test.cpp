// Which files are read as sources, and how their names reach the compiler.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "instrumentation/base/files/text_file.h"
#include "instrumentation/trace/file/trace_file.h"
#include "tests/program/program_fixture.h"

namespace tilereel::program::source_files_test {
namespace {

class SourceFiles : public Program {
  protected:
    // The program in a file of any name.
    Result<ProgramRun> run_as(const std::string& name, const std::string& text) {
        request_.file = folder_ / name;
        std::ofstream(request_.file, std::ios::binary) << text;
        return run_program(request_);
    }
    static constexpr const char* kKernel =
        "__global__ void k(int* a) { a[threadIdx.x] = 1; }\n"
        "int main() { int* a; cudaMalloc(&a, 128); k<<<1, 32>>>(a); cudaFree(a); }\n";
};

TEST_F(SourceFiles, OnlyRegularFilesAreRead) {
    const std::string pipe = folder_ / "pipe", sparse = folder_ / "sparse";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    std::ofstream(sparse) << "x";
    ASSERT_EQ(truncate(sparse.c_str(), off_t{40} << 30), 0);
    for (const std::string& name : {pipe, std::string("/dev/zero"), folder_.string()})
        EXPECT_NE(read_source(name).error().message.find(
                      " is a folder, a pipe or a device; name a regular file"),
                  std::string::npos)
            << name;
    EXPECT_NE(
        read_source(sparse).error().message.find(" has 40960 MiB; name a file of at most 32 MiB"),
        std::string::npos);
    EXPECT_FALSE(read_source(folder_ / "missing"));
}

TEST_F(SourceFiles, AnIncludedDeviceOrPipeIsRefusedAtItsLine) {
    ASSERT_EQ(mkfifo((folder_ / "pipe.h").c_str(), 0600), 0);
    const ProgramRun ran = run("\n#include \"/dev/zero\"\n#include \"pipe.h\"\nint main() {}\n");
    ASSERT_EQ(ran.compile_errors.size(), 2u);
    EXPECT_EQ(ran.compile_errors[0].line, 2u);
    EXPECT_TRUE(ran.compile_errors[0].message.starts_with("/dev/zero is a folder, a pipe"));
    EXPECT_EQ(ran.compile_errors[1].line, 3u);
}

TEST_F(SourceFiles, AByteOrderMarkIsNoPartOfTheText) {
    std::ofstream(folder_ / "size.h") << "\xEF\xBB\xBF#define SIZE 32\n";
    const Result<ProgramRun> ran =
        run_as("mark.cu",
               "\xEF\xBB\xBF#include \"size.h\"\n__global__ void k(int* a) { a[0] = SIZE; }\n"
               "int main() { int* a; cudaMalloc(&a, 4); k<<<1, SIZE>>>(a); cudaFree(a); }\n");
    ASSERT_TRUE(ran && ran->compile_errors.empty());
    ASSERT_EQ(ran->launches.size(), 1u);
    EXPECT_EQ(ran->launches[0].line, 3u);
}

TEST_F(SourceFiles, HeadersThatIncludeEachOtherAreReadOnce) {
    for (int i = 0; i < 3000; ++i)
        std::ofstream(folder_ / ("h" + std::to_string(i) + ".h"))
            << "#if 0\n#include \"h" << (i + 1) % 3000 << ".h\"\n#endif\n";
    const Result<ProgramRun> ran = run_as("chain.cu", std::string("#include \"h0.h\"\n") + kKernel);
    ASSERT_TRUE(ran);
    EXPECT_EQ(ran->launches.size(), 1u);
}

TEST_F(SourceFiles, TheNameMayHaveQuotesLineEndsAndBackslashes) {
    const std::string name = "a \"b\" 'c'\nd\\e\\ ä→ü $(x) %d;.cu";
    const Result<ProgramRun> ran = run_as(name, kKernel);
    ASSERT_TRUE(ran);
    ASSERT_EQ(ran->launches.size(), 1u) << ran->output;
    EXPECT_EQ(ran->launches[0].line, 2u);
    EXPECT_EQ(ran->launches[0].file, folder_ / name);
    const Result<ProgramRun> wrong = run_as(name, "int main() {\n  return nothing;\n}\n");
    ASSERT_TRUE(wrong && wrong->compile_errors.size() == 1);
    EXPECT_EQ(wrong->compile_errors[0].line, 2u);
    EXPECT_EQ(wrong->compile_errors[0].file, folder_ / name);
}

// Generated files have #line; a file can be saved shorter while its program runs.
TEST_F(SourceFiles, AFileThatLacksTheLinesOfItsAccessesIsRecorded) {
    const std::string shrinks =
        "#include <unistd.h>\n\n\n\n\n__global__ void k(int* a) { a[threadIdx.x] = 1; }\n"
        "int main() { truncate(\"shrinks.cu\", 1); int* a; cudaMalloc(&a, 128); k<<<1, 32>>>(a); }";
    const std::pair<std::string, std::string> files[] = {
        {"line.cu", std::string("#line 500 \"missing.y\"\n") + kKernel},
        {"beyond.cu", std::string("#line 4000000000\n") + kKernel},
        {"shrinks.cu", shrinks}};
    for (const auto& [name, text] : files) {
        const Result<ProgramRun> ran = run_as(name, text);
        ASSERT_TRUE(ran) << name << ": " << ran.error().message;
        ASSERT_EQ(ran->launches.size(), 1u) << name;
        const Result<Trace> trace = read_trace(ran->launches[0].trace);
        ASSERT_TRUE(trace) << name << ": " << trace.error().message;
        ASSERT_EQ(trace->sites.size(), 1u) << name;
        EXPECT_EQ(trace->sites[0].line, name == "line.cu"      ? 500u
                                        : name == "shrinks.cu" ? 6u
                                                               : 1u << 20);
    }
}

// Paths can have 4,096 bytes, and the name of a kernel has its template arguments.
TEST_F(SourceFiles, LongNamesAreShortenedInTheTrace) {
    std::string text;
    for (const char c : std::string("abcdef"))
        text += "struct Argument_of_a_kernel_" + std::string(30, c) + " {};\n";
    text +=
        "template <class... T> __global__ void k(int* a) { a[threadIdx.x] = 1; }\n"
        "int main() { int* a; cudaMalloc(&a, 128); k<";
    for (const char c : std::string("abcdef"))
        text +=
            (c == 'a' ? "Argument_of_a_kernel_" : ", Argument_of_a_kernel_") + std::string(30, c);
    text += "><<<1, 32>>>(a); cudaFree(a); }\n";
    const std::filesystem::path folder =
        std::filesystem::path(std::string(150, 'd')) / std::string(150, 'e');
    std::filesystem::create_directories(folder_ / folder);
    const Result<ProgramRun> ran = run_as(folder / "x.cu", text);
    ASSERT_TRUE(ran) << ran.error().message;
    ASSERT_EQ(ran->launches.size(), 1u);
    const Result<Trace> trace = read_trace(ran->launches[0].trace);
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->launch.kernel.size(), 200u);
    EXPECT_TRUE(trace->launch.kernel.starts_with("k<Argument_of_a_kernel_aaa"));
    EXPECT_TRUE(trace->launch.kernel.ends_with("..."));
    EXPECT_EQ(trace->source_name.size(), 200u);
    EXPECT_TRUE(trace->source_name.starts_with("...d"));
    EXPECT_TRUE(trace->source_name.ends_with("ee/x.cu"));
}

}  // namespace
}  // namespace tilereel::program::source_files_test

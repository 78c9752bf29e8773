// Programs of several files: C, files that are found by what is missing, flags of a project.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/cuda/text/host_functions.h"
#include "instrumentation/cuda/text/launch_text.h"
#include "instrumentation/program/build/compile_commands.h"
#include "instrumentation/program/build/compile_errors.h"
#include "instrumentation/program/build/missing_definitions.h"
#include "tests/program/program_fixture.h"

namespace tilereel::program::other_files_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class OtherFiles : public Program {
  protected:
    std::filesystem::path file(const std::string& name, const std::string& text = "") {
        const std::filesystem::path path = folder_ / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
        return path;
    }
    // The messages for symbols that a link misses, and the files that define them.
    std::vector<std::string> told(const std::vector<std::string>& symbols) {
        std::string output;
        for (const std::string& symbol : symbols)
            output += "a.o: undefined reference to `" + symbol + "'\n";
        std::vector<CompileError> errors = link_errors(output, "program.cu");
        find_definitions(errors, request_, {});
        std::vector<std::string> result;
        for (const CompileError& error : errors) {
            std::string text = error.message;
            if (const auto at = text.find(folder_.string() + "/"); at != std::string::npos)
                text.erase(at, folder_.string().size() + 1);
            result.push_back(text);
        }
        return result;
    }
};

std::vector<std::string> names_in(const std::string& text) {
    std::vector<std::string> names;
    for (const DefinedFunction& function : find_defined_functions(masked_text(text)))
        names.push_back((function.device ? "device " : "") +
                        std::string(function.is_static ? "static " : "") + function.name);
    return names;
}

TEST(DefinedFunctions, LieOutsideOfClassesAndOfOtherFunctions) {
    EXPECT_THAT(
        names_in("extern \"C\" void solve(const float* A, int N) { if (N) { g(); } }\n"
                 "int declared(int);\n"
                 "namespace a { namespace { template <int N = 3> int deep() { return N; } } }\n"
                 "struct S { void inside() {} };\n"
                 "void S::method(int (*f)(int)) const noexcept { f(1); }\n"
                 "static void own() {}\n"
                 "int value = make(3);\n"
                 "#define MACRO(x) void x() {}\n"
                 "__global__ void __launch_bounds__(256) kernel(float* x) { x[0] = 1; }\n"
                 "auto lambda = [](int x) { return x; };\n"
                 "S::S() : x(1) {}\n"),
        ElementsAre("solve", "deep", "method", "static own", "device kernel", "S"));
    // C's old notation.
    EXPECT_THAT(names_in("float squash(x, y)\nfloat x;\nint *y; { return x; }\nint next() {}"),
                ElementsAre("squash", "next"));
    EXPECT_TRUE(find_defined_functions("void f() { k<<<1, 2>>>(); }").front().launches);
}

TEST(PlainName, IsWithoutParametersTemplatesAndNamespaces) {
    EXPECT_EQ(plain_name("ns::Class::add<int>(int, std::vector<int>)"), "add");
    EXPECT_EQ(plain_name("void fill<float>(float*, int)"), "fill");
    EXPECT_EQ(plain_name("squash"), "squash");
}

TEST_F(OtherFiles, AreFoundByWhatIsMissing) {
    request_.file = file("program.cu", "int main() {}");
    file("b.cu", "float add(float a, float b) { return a + b; }\nint two();");
    file("parts/c.c", "int two() { return 2; }");
    file("other_program.cu", "int three() { return 3; }\nint main() {}");
    file("twice_1.cpp", "int four() { return 4; }");
    file("twice_2.cpp", "int four() { return 5; }");
    file("own.cpp", "static int five() { return 5; }");
    EXPECT_THAT(
        told({"add(float, float)", "two", "three()", "four()", "five()"}),
        ElementsAre("no file of the program defines add(float, float); b.cu does: add it with "
                    "--with b.cu",
                    "no file of the program defines two; c.c does: add it with --with parts/c.c",
                    "no file of the program defines three(); give its other files with --with",
                    "no file of the program defines four(); twice_1.cpp and twice_2.cpp do: add "
                    "it with --with twice_1.cpp",
                    "no file of the program defines five(); give its other files with --with"));
    request_.more_files = {folder_ / "b.cu"};
    EXPECT_THAT(told({"add(float, float)"}),
                ElementsAre("no file of the program defines add(float, float); give its other "
                            "files with --with"));
}

TEST_F(OtherFiles, AreNamedWhenAProgramIsLinked) {
    file("b.cu",
         "__global__ void k(int* a) { a[threadIdx.x] = 1; }\n"
         "void fill(int* a) { k<<<1, 32>>>(a); }\n");
    const std::string text =
        "void fill(int* a);\n"
        "int main() { int* a; cudaMalloc(&a, 128); fill(a); cudaFree(a); }\n";
    const ProgramRun failed = run(text);
    ASSERT_EQ(failed.compile_errors.size(), 1u);
    EXPECT_EQ(failed.compile_errors[0].defined_in, folder_ / "b.cu");
    request_.more_files = {failed.compile_errors[0].defined_in};
    const ProgramRun ran = run(text);
    EXPECT_THAT(ran.compile_errors, IsEmpty());
    EXPECT_EQ(ran.launches.size(), 1u);
}

// It is no C++: parameters in the old notation, a conversion from void*, a name that C++ reserves.
TEST_F(OtherFiles, InCAreCompiledAsC) {
    request_.defines = {"START=7"};
    request_.keeps_assignments = false;
    request_.more_files = {file("part.c",
                                "#include <stdlib.h>\n"
                                "#include \"part.h\"\n"
                                "int count(class) int class; { return class + START; }\n"
                                "int* room(int n) { int* p = malloc(n * 4); return p; }\n"),
                           file("part.h", "int* room(int n);\n")};
    request_.more_files.pop_back();
    const ProgramRun ran =
        run("extern \"C\" int count(int);\nextern \"C\" int* room(int);\n"
            "int main() { int* p = room(4); free(p); return count(1) - 8; }\n");
    EXPECT_THAT(ran.compile_errors, IsEmpty());
    EXPECT_EQ(ran.exit_code, 0);
    EXPECT_EQ(ran.end, ProgramEnd::kExit);
}

// Our headers for CUDA are C++.
TEST_F(OtherFiles, InCThatIncludeCudaAreCompiledAsCpp) {
    file("cuda_part.h", "#include <cuda_runtime.h>\n");
    request_.more_files = {file("part.c",
                                "#include \"cuda_part.h\"\n"
                                "int* room(int n) { int* p; cudaMalloc((void**)&p, n);"
                                " return p; }\n")};
    const ProgramRun ran = run("int* room(int);\nint main() { return cudaFree(room(4)); }\n");
    EXPECT_THAT(ran.compile_errors, IsEmpty());
    EXPECT_EQ(ran.exit_code, 0);
}

TEST_F(OtherFiles, FlagsComeFromTheProjectsDatabase) {
    const std::filesystem::path source = file("source/a.cu");
    file("build/flags.rsp", "-I\"../in rsp\" -DFROM_RSP");
    const std::string folder = (folder_ / "build").string();
    file("build/compile_commands.json",
         "[1, {\"file\": \"../source/b.cu\", \"directory\": \"" + folder +
             "\", \"command\": \"nvcc -DWRONG\"},\n{\"file\": \"../source/a.cu\", "
             "\"directory\": \"" +
             folder +
             "\", \"command\": \"nvcc -I../include -isystem=/usr/include/x -DSIZE=4 "
             "'-DTEXT=\\\"a b\\\"' --std=c++20 --options-file flags.rsp -I ../include -O3 -c\"}]");
    const FileFlags flags = flags_in_database(source);
    EXPECT_THAT(flags.include_folders,
                ElementsAre(folder_ / "include", "/usr/include/x", folder_ / "in rsp"));
    EXPECT_THAT(flags.defines, ElementsAre("SIZE=4", "TEXT=\"a b\"", "FROM_RSP"));
    EXPECT_EQ(flags.standard, "c++20");

    // The user's come last, so that they count.
    request_.file = source;
    request_.defines = {"SIZE=5"};
    add_flags_of_database(request_, true);
    EXPECT_THAT(request_.defines, ElementsAre("SIZE=4", "TEXT=\"a b\"", "FROM_RSP", "SIZE=5"));
    EXPECT_EQ(request_.standard, "c++17");

    // The nearest database that names the file, with the arguments in a list.
    file("source/compile_commands.json",
         "[{\"file\": \"a.cu\", \"directory\": \".\", \"arguments\": [\"g++\", \"-std=gnu++11\", "
         "\"-D\", \"NEAR\", 3]}]");
    EXPECT_THAT(flags_in_database(source).defines, ElementsAre("NEAR"));
    EXPECT_EQ(flags_in_database(source).standard, "c++14");
}

TEST_F(OtherFiles, ADatabaseThatIsNoneIsIgnored) {
    for (const char* const text :
         {"", "{", "{}", "[[]]", "[{\"file\": 3}]", "[{\"file\": \"a.cu\"}]",
          "[{\"file\": \"a.cu\", \"command\": \"-I\"}]",
          "[{\"file\": \"a.cu\", \"command\": "
          "\"nvcc --options-file compile_commands.json -D\"}]"}) {
        file("compile_commands.json", text);
        EXPECT_EQ(flags_in_database(file("a.cu")), FileFlags()) << text;
    }
}

// Why a program of these files is refused before it is compiled.
TEST_F(OtherFiles, AFileThatIsGivenTwiceOrIsNoneIsNamed) {
    request_.file = file("a.cu", "int main() {}\n");
    file("b.cu", "void other() {}\n");
    std::filesystem::create_symlink(folder_ / "b.cu", folder_ / "link.cu");
    std::filesystem::create_directory(folder_ / "folder.cu");
    const auto told_of = [&](const std::vector<std::filesystem::path>& more) {
        request_.more_files = more;
        const Result<BuiltProgram> built = build_program(request_);
        if (built) return std::string("builds");
        EXPECT_EQ(built.error().kind, ErrorKind::kWrongCall);
        std::string text = built.error().message;
        for (std::size_t at; (at = text.find(folder_.string() + "/")) != std::string::npos;)
            text.erase(at, folder_.string().size() + 1);
        return text;
    };
    EXPECT_EQ(told_of({folder_ / "b.cu", folder_ / "b.cu"}), "b.cu is given twice; leave one out");
    EXPECT_EQ(told_of({folder_ / "a.cu"}), "a.cu is given twice; leave one out");
    EXPECT_EQ(told_of({folder_ / "b.cu", folder_ / "link.cu"}),
              "link.cu is given twice, also as b.cu; leave one out");
    EXPECT_EQ(told_of({folder_ / "folder.cu"}),
              "folder.cu is a folder; name the source files in it");
    EXPECT_EQ(told_of({folder_ / "none.cu"}), "there is no file none.cu");
    EXPECT_EQ(told_of({""}), "--with needs the name of a source file");
    EXPECT_EQ(told_of({"/dev/null"}), "/dev/null is not a regular file; name a source file");
}

}  // namespace
}  // namespace tilereel::program::other_files_test

// What a file is to Tilereel.
#include "app/subject/file_kind.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/trace/scratch_folder.h"

namespace tilereel::tests::file_kind_test {
namespace {

using ::testing::HasSubstr;

class FileKinds : public ::testing::Test {
  protected:
    std::filesystem::path file(const std::string& name, const std::string& text) const {
        std::filesystem::create_directories((folder_ / name).parent_path());
        std::ofstream(folder_ / name, std::ios::binary) << text;
        return folder_ / name;
    }
    [[nodiscard]] static std::string told(const std::filesystem::path& path,
                                          const ProgramParts& parts = {}) {
        const Result<FileKind> kind = kind_of_file(path, parts);
        if (kind) return words_of(*kind);
        EXPECT_EQ(kind.error().kind, ErrorKind::kWrongCall);
        return kind.error().message;
    }
    ScratchFolder folder_;
};

TEST_F(FileKinds, TheCaseOfTheEndingDoesNotMatter) {
    for (const char* name : {"a.cu", "a.CU", "a.Cu", "a.cuh", "a.CUH", "a.b.cu", ".cu"})
        EXPECT_EQ(told(file(name, "int main() {}")), "a CUDA program") << name;
    for (const char* name : {"a.npz", "a.NPZ"}) EXPECT_EQ(told(file(name, "")), "a trace") << name;
    for (const char* name : {"a.toml", "a.TOML"}) EXPECT_EQ(told(file(name, "")), "a lesson");
    for (const char* name : {"a.json", "a.JSON"}) EXPECT_EQ(told(file(name, "")), "a race");
}

TEST_F(FileKinds, CppIsAProgramIfCudaIsInIt) {
    for (const char* text : {"__global__ void k() {}\n", "__device__ int x;\n",
                             "void f() { k<<<1, 32>>>(); }\n", "#include <cuda_runtime.h>\n",
                             "#include <cooperative_groups.h>\n", "# include <thrust/sort.h>\n"})
        for (const char* name : {"a.cpp", "a.cc", "a.cxx", "a.CPP", "a.Cc"})
            EXPECT_EQ(told(file(name, text)), "a CUDA program") << name << ": " << text;
    for (const char* text : {"", "int main() {}\n", "// __global__\n", "/* k<<<1, 1>>>() */\n",
                             "const char* s = \"__global__ <<<\";\n", "#include <vector>\n",
                             "// #include <cuda_runtime.h>\n"})
        EXPECT_THAT(told(file("a.cpp", text)), HasSubstr("a.cpp' has no CUDA in it")) << text;
}

TEST_F(FileKinds, CudaMayBeInAnIncludedFile) {
    file("kernels/deep.h", "#pragma once\n#include \"deep.h\"\n__global__ void k();\n");
    file("near.h", "#include \"kernels/deep.h\"\n");
    EXPECT_EQ(told(file("a.cpp", "#include \"near.h\"\nint main() {}\n")), "a CUDA program");
    const std::filesystem::path far = file("b.cpp", "#include \"deep.h\"\n");
    EXPECT_THAT(told(far), HasSubstr("has no CUDA in it"));
    EXPECT_EQ(told(far, {.more_files = {}, .include_folders = {folder_ / "kernels"}}),
              "a CUDA program");
}

TEST_F(FileKinds, CppWithoutCudaIsAProgramTogetherWithAnotherFile) {
    const std::filesystem::path main = file("main.cpp", "void run(); int main() { run(); }\n");
    const std::filesystem::path other = file("other.cpp", "void other() {}\n");
    EXPECT_THAT(told(main, {.more_files = {other}, .include_folders = {}}),
                HasSubstr("has no CUDA in it"));
    for (const char* name : {"kernel.cu", "kernel.CU", "kernel.cpp"})
        EXPECT_EQ(told(main, {.more_files = {other, file(name, "__global__ void k() {}\n")},
                              .include_folders = {}}),
                  "a CUDA program");
}

TEST_F(FileKinds, WhatIsNoRegularFileIsRefused) {
    EXPECT_THAT(told(folder_ / "none.cu"), HasSubstr("there is no file '"));
    EXPECT_THAT(told(folder_ / "none.cpp"), HasSubstr("there is no file '"));
    std::filesystem::create_directories(folder_ / "folder.cu");
    EXPECT_THAT(told(folder_ / "folder.cu"), HasSubstr("is a folder"));
    for (const char* name : {"pipe.cu", "pipe.cpp", "pipe"}) {
        ASSERT_EQ(mkfifo((folder_ / name).c_str(), 0600), 0);  // reading it would wait forever
        EXPECT_THAT(told(folder_ / name), HasSubstr("is not a regular file")) << name;
    }
    std::filesystem::create_symlink(file("a.cu", ""), folder_ / "link.cu");
    EXPECT_EQ(told(folder_ / "link.cu"), "a CUDA program");
    std::filesystem::create_symlink(folder_ / "none", folder_ / "broken.cu");
    EXPECT_THAT(told(folder_ / "broken.cu"), HasSubstr("there is no file '"));
    EXPECT_THAT(told(std::string(5000, 'x') + ".cu"), HasSubstr("there is no file '"));
    EXPECT_THAT(told(""), HasSubstr("there is no file ''"));
}

TEST_F(FileKinds, OtherEndings) {
    EXPECT_EQ(told(file("trace", "PK\x03\x04 and more")), "a trace");
    EXPECT_THAT(told(file("notes.txt", "text")), HasSubstr("is a file of another kind"));
    EXPECT_THAT(told(file("empty", "")), HasSubstr("is a file of another kind"));
    for (const char* name : {"a.c", "a.h", "a.hpp", "a.C"})
        EXPECT_THAT(told(file(name, "__global__ void k() {}")),
                    HasSubstr("rename it to end in .cu"))
            << name;
}

TEST_F(FileKinds, APlaceSaysWhatItTakes) {
    const auto kind =
        kind_of_file(file("a.toml", ""), "a comparison", {FileKind::kProgram, FileKind::kTrace});
    ASSERT_FALSE(kind);
    EXPECT_THAT(kind.error().message,
                HasSubstr("a.toml' is a lesson; a comparison takes a CUDA program or a trace"));
}

}  // namespace
}  // namespace tilereel::tests::file_kind_test

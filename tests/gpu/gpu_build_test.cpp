// If nvcc is installed: ptxas accepts the patched PTX of unmodified programs.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "instrumentation/program/gpu/nvcc_build.h"
#include "instrumentation/program/program.h"

namespace tilereel::gpu::gpu_build_test {
namespace {

namespace fs = std::filesystem;

std::string text_of(const Result<program::BuiltProgram>& built) {
    if (!built) return built.error().message;
    std::string words = built->compiler_output;
    for (const program::CompileError& error : built->errors) words += error.message + "\n";
    return words;
}

program::BuiltProgram expect_built(const fs::path& file, const std::string& architecture) {
    program::ProgramRequest request;
    request.file = file;
    request.standard = "c++20";
    request.on_gpu = true;
    request.gpu_architecture = architecture;
    const Result<program::BuiltProgram> built = program::build_program(request);
    EXPECT_TRUE(built && built->errors.empty() && !built->program.empty())
        << file << " for " << architecture << ":\n"
        << text_of(built);
    return built ? *built : program::BuiltProgram{};
}

TEST(GpuBuild, APatchedProgramIsAssembledAndLinked) {
    if (program::find_nvcc().empty()) GTEST_SKIP() << "there is no nvcc";
    const program::BuiltProgram built =
        expect_built(TILEREEL_SOURCE_DIR "/assets/programs/histogram.cu", "sm_90");
    ASSERT_NE(built.gpu, nullptr);
    const auto kernel = std::ranges::find_if(built.gpu->kernels, [](const auto& entry) {
        return entry.second.name == "in_shared" || entry.second.name == "in_global";
    });
    ASSERT_NE(kernel, built.gpu->kernels.end());
    EXPECT_FALSE(kernel->second.parameters.empty());
    EXPECT_TRUE(std::ranges::any_of(built.gpu->sites, [](const PtxSite& site) {
        return site.operation == Operation::kAtomic;
    }));
}

// Matrix loads and stores, products of every shape, and fragments of wmma: ptxas takes the calls
// around them, and nothing is left out.
TEST(GpuBuild, ProgramsWithTensorCoresAreAssembled) {
    if (program::find_nvcc().empty()) GTEST_SKIP() << "there is no nvcc";
    for (const char* const name : {"ptx_matrices", "ptx_warpgroup", "wmma_half", "wmma_types"}) {
        const program::BuiltProgram built = expect_built(
            std::string(TILEREEL_SOURCE_DIR "/tests/program/cuda/") + name + ".cu", "sm_90a");
        ASSERT_NE(built.gpu, nullptr) << name;
        for (const auto& [kernel, left_out] : built.gpu->left_out)
            EXPECT_TRUE(left_out.empty())
                << name << " " << kernel << ": " << left_out.front().instruction;
        EXPECT_TRUE(std::ranges::any_of(built.gpu->sites, [](const PtxSite& site) {
            return site.operation == Operation::kMatrixProduct;
        })) << name;
    }
}

// struct Particle { float x, y, z; int kind; }
TEST(GpuBuild, MembersOfAStructureHaveTheirOffsets) {
    if (program::find_nvcc().empty()) GTEST_SKIP() << "there is no nvcc";
    const program::BuiltProgram built =
        expect_built(TILEREEL_SOURCE_DIR "/assets/programs/particles.cu", "sm_90");
    ASSERT_NE(built.gpu, nullptr);
    const auto kernel = std::ranges::find_if(
        built.gpu->kernels, [](const auto& entry) { return entry.second.name == "structs"; });
    ASSERT_NE(kernel, built.gpu->kernels.end());
    const DebugType& particle = kernel->second.parameters.at(0).target;
    ASSERT_EQ(particle.members.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(particle.members[i].offset_bytes, 4 * i);
    EXPECT_EQ(particle.members[3].name, "kind");
}

TEST(GpuBuild, AnNvccErrorHasItsLine) {
    if (program::find_nvcc().empty()) GTEST_SKIP() << "there is no nvcc";
    const auto folder = program::temporary_folder();
    ASSERT_TRUE(folder);
    std::ofstream(**folder / "wrong.cu")
        << "__global__ void k() {\n    int i = nothing;\n}\nint main() {}\n";
    program::ProgramRequest request;
    request.file = **folder / "wrong.cu";
    request.on_gpu = true;
    request.gpu_architecture = "sm_90";
    const Result<program::BuiltProgram> built = program::build_program(request);
    ASSERT_TRUE(built);
    ASSERT_FALSE(built->errors.empty());
    EXPECT_EQ(built->errors[0].line, 2u);
    EXPECT_NE(built->errors[0].message.find("nothing"), std::string::npos);
}

TEST(GpuBuild, WithoutAGpuTheErrorSaysWhatToDo) {
    if (program::gpu_architecture()) GTEST_SKIP() << "there is a GPU";
    program::ProgramRequest request;
    request.file = TILEREEL_SOURCE_DIR "/assets/programs/histogram.cu";
    request.on_gpu = true;
    const Result<program::BuiltProgram> built = program::build_program(request);
    ASSERT_FALSE(built);
    EXPECT_NE(built.error().message.find("no GPU was found"), std::string::npos);
    EXPECT_NE(built.error().message.find("without --device gpu"), std::string::npos);
}

// A minute or two: ctest -C all -R nvcc
TEST(GpuBuild, DISABLED_EveryProgramIsAssembled) {
    if (program::find_nvcc().empty()) GTEST_SKIP() << "there is no nvcc";
    for (const char* const folder : {"/assets/programs", "/tests/program/cuda"})
        for (const auto& entry :
             fs::directory_iterator(std::string(TILEREEL_SOURCE_DIR) + folder)) {
            const std::string name = entry.path().stem();
            if (entry.path().extension() != ".cu" || name == "no_main" || name == "cublas" ||
                name == "curand")
                continue;  // without main(), or with libraries that may not be installed
            expect_built(entry.path(), "sm_90a");
            // Inline PTX has instructions of 9.0, and bulk copies need it (CUDA C++ Programming
            // Guide, "Tensor Memory Access").
            if (name != "barrier_bytes" && name != "bulk_copies" && !name.starts_with("ptx_"))
                expect_built(entry.path(), "sm_80");
        }
}

}  // namespace
}  // namespace tilereel::gpu::gpu_build_test

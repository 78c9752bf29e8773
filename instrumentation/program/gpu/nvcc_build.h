#pragma once
// Compiles CUDA files to a program that records itself on a GPU: runs nvcc's own steps and patches
// the PTX (ptx_patch.h) between the compiler and the assembler. nvcc compiles with -Xcicc -O1, so
// that each access of the source is one access in PTX.
#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "instrumentation/gpu/convert/gpu_facts.h"
#include "instrumentation/program/program_run.h"

namespace tilereel::program {

struct GpuToolchain {
    std::string nvcc, version;     // "/usr/local/cuda/bin/nvcc", "13.0"
    std::string architecture;      // "sm_90a"
    std::filesystem::path folder;  // in the cache: recorder.ptx, host_*.o
};
// The path of nvcc; empty if there is none.
[[nodiscard]] std::string find_nvcc();
// nvcc's options for an architecture. With -arch=sm_90a alone, nvcc also compiles for compute_90,
// which lacks instructions such as wgmma.
[[nodiscard]] std::vector<std::string> architecture_options(const std::string& architecture);
// The architecture of this computer's first GPU, "sm_90a". Fails if no GPU can be used.
[[nodiscard]] Result<std::string> gpu_architecture();
// Compiles the recorder at the first use. Fails if there is no nvcc.
[[nodiscard]] Result<GpuToolchain> prepare_gpu_toolchain(const std::string& architecture);

// The errors in the output of nvcc, or else of g++: "file.cu(12): error: ...".
[[nodiscard]] std::vector<CompileError> nvcc_errors(const std::string& output);

struct GpuProgram {
    std::filesystem::path program;  // empty if there are errors
    std::vector<CompileError> errors;
    std::string compiler_output;
    std::shared_ptr<const gpu::GpuFacts> facts;
};
// `folder`: an existing folder for all files that are made.
[[nodiscard]] Result<GpuProgram> build_gpu_program(const ProgramRequest& request,
                                                   const GpuToolchain& tools,
                                                   const std::filesystem::path& folder,
                                                   const std::atomic<bool>* cancel);

}  // namespace tilereel::program

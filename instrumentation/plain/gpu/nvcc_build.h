#pragma once
// From CUDA files to a program that a GPU runs and records: nvcc's own steps, with the PTX patched
// (ptx_patch.h) between its compiler and its assembler. nvcc compiles with -Xcicc -O1: its PTX then
// has one access for each access of the source.
#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "instrumentation/plain/gpu/gpu_facts.h"
#include "instrumentation/plain/program.h"

namespace tilereel::plain {

struct GpuToolchain {
    std::string nvcc, version;     // "/usr/local/cuda/bin/nvcc", "13.0"
    std::string architecture;      // "sm_90"
    std::filesystem::path folder;  // in the cache: recorder.ptx, host_*.o
};
// Its path; empty: there is none.
[[nodiscard]] std::string find_nvcc();
// The architecture of this computer's first GPU, "sm_90". Fails where no GPU can be used.
[[nodiscard]] Result<std::string> gpu_architecture();
// Compiles the recorder at the first use. Fails where there is no nvcc.
[[nodiscard]] Result<GpuToolchain> prepare_gpu_toolchain(const std::string& architecture);

struct GpuProgram {
    std::filesystem::path program;  // empty: `errors`
    std::vector<CompileError> errors;
    std::string words;  // all that the compiler said
    std::shared_ptr<const GpuFacts> facts;
};
// Works in `folder`, which exists.
[[nodiscard]] Result<GpuProgram> build_gpu_program(const ProgramRequest& request,
                                                   const GpuToolchain& tools,
                                                   const std::filesystem::path& folder,
                                                   const std::atomic<bool>* cancel);

}  // namespace tilereel::plain

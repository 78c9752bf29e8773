#pragma once
// The program that launches a kernel of the ladder (ladder_main.cu): the built-in one, or one that
// is compiled on demand for a TILE and PAD that are not built in.
#include <atomic>
#include <filesystem>
#include <memory>
#include <string_view>

#include "instrumentation/program/program.h"
#include "kernels/catalog.h"

namespace tilereel {

struct LadderProgram {
    program::BuiltProgram program;
    // The folder of the source, which the recorder reads after the run; null for the built-in
    // program.
    std::shared_ptr<const std::filesystem::path> source{};
};

// Whether the built-in program contains the kernel at this TILE and PAD.
[[nodiscard]] bool is_in_built_program(const KernelInfo& kernel, const KernelParameters& p);

enum class LadderBuild : std::uint8_t {
    kBuiltIn,   // the built-in program if it has the kernel, else as kCompiled
    kCompiled,  // by g++ and the plugin, for the CPU
};

// Returns the built-in program, a program that was compiled before, or one that it compiles now.
// `compiling` (may be null) is true while a compiler runs. kFailed, with what to do, if the kernel
// does not compile; kCancelled.
[[nodiscard]] Result<LadderProgram> ladder_program(const KernelInfo& kernel,
                                                   const KernelParameters& p, LadderBuild build,
                                                   program::ProgramProgress& progress,
                                                   std::atomic<bool>* compiling);

// The text of ladder_main.cu.
[[nodiscard]] std::string_view ladder_main_text();

// Writes the kernel's file, and the headers that it may include, to a folder.
[[nodiscard]] Status write_kernel(const std::filesystem::path& folder, const KernelInfo& kernel);

// "09_tiled with TILE 16 and PAD 0"
[[nodiscard]] std::string variant_text(const KernelInfo& kernel, const KernelParameters& p);

}  // namespace tilereel

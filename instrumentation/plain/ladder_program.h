#pragma once
// The program that launches a kernel of the ladder (ladder_main.cu): the one that was compiled when
// Tilereel was built, or one that is compiled now for a TILE and PAD that are not built in.
#include <atomic>
#include <filesystem>
#include <memory>

#include "instrumentation/plain/program.h"
#include "kernels/catalog.h"

namespace tilereel::plain {

struct LadderProgram {
    BuiltProgram program;
    // The source's folder, which a compiled program reads when it has run; null: it is built in.
    std::shared_ptr<const std::filesystem::path> source{};
};

// Whether the program that is built in has the kernel.
[[nodiscard]] bool is_in_built_program(const KernelInfo& kernel, const KernelParameters& p);

enum class LadderBuild : std::uint8_t {
    kBuiltIn,   // the built-in program if it has the kernel, else as kCompiled
    kCompiled,  // by g++ and the plugin, for the CPU
};

// Compiles the kernel where it is not built in, or returns what was compiled before. `compiling`
// (may be null) is true while a compiler works. kFailed, with what to do, where the kernel does not
// compile; kCancelled.
[[nodiscard]] Result<LadderProgram> ladder_program(const KernelInfo& kernel,
                                                   const KernelParameters& p, LadderBuild build,
                                                   ProgramProgress& progress,
                                                   std::atomic<bool>* compiling);

// "09_tiled with TILE 16 and PAD 0"
[[nodiscard]] std::string variant_words(const KernelInfo& kernel, const KernelParameters& p);

}  // namespace tilereel::plain

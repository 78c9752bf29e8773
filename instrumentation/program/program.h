#pragma once
// Opens a CUDA program as its author wrote it: compiles it with g++ and our plugin, runs it as a
// process of its own, without a GPU and without the CUDA Toolkit, and records what its launches do
// to memory. Each recorded launch becomes a trace file. On request nvcc compiles it, and a GPU runs
// and records it.
#include <filesystem>
#include <memory>

#include "instrumentation/base/result.h"
#include "instrumentation/program/program_run.h"

namespace tilereel::program {

[[nodiscard]] Result<BuiltProgram> build_program(const ProgramRequest& request,
                                                 ProgramProgress* progress = nullptr);
// Uses the parts of `request` that concern the run, not those that concern the compilation.
[[nodiscard]] Result<ProgramRun> run_built(const BuiltProgram& built, const ProgramRequest& request,
                                           ProgramProgress* progress = nullptr);
// "launch 1 ended with cudaErrorIllegalAddress", of the first launch that was refused or ended with
// an error; empty: none did.
[[nodiscard]] std::string launch_error_text(const ProgramRun& run);
// Whether this computer has a GPU and nvcc.
[[nodiscard]] bool can_record_on_gpu();
// A new folder in the system's temporary folder, removed with the last reference.
[[nodiscard]] Result<std::shared_ptr<const std::filesystem::path>> temporary_folder();

// build_program(), then run_built(). Fails if there is no g++ or the file does not exist. A program
// that does not compile, or that crashes, is not a failure but a result.
[[nodiscard]] Result<ProgramRun> run_program(const ProgramRequest& request,
                                             ProgramProgress* progress = nullptr);

}  // namespace tilereel::program

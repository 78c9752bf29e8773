#pragma once
// Which CUDA programs run with the rights of the user. All others run in a sandbox
// (instrumentation/program/sandbox.h), where this computer can make one: a program that was
// downloaded is a stranger's.
//
// Trusted are all programs of a process with --trust, and those in folders that the user has
// trusted once in the window. Such a folder is meant alone, without the folders in it. The list is
// trusted.json in state_folder().
#include <filesystem>
#include <string>
#include <vector>

#include "instrumentation/base/result.h"
#include "instrumentation/program/program_run.h"

namespace tilereel {

// For the rest of the process: --trust.
void trust_all_programs();
[[nodiscard]] bool is_trusted(const std::filesystem::path& file);
// Trusts the folder of a file from now on. kFailed if the list cannot be written.
Status trust_folder_of(const std::filesystem::path& file);

// Sets ProgramRequest::in_sandbox.
void choose_sandbox(program::ProgramRequest& request);

// A sentence, once for a user: this computer has no sandbox, so programs run with the user's
// rights. Empty where it has one, and if it was said before.
[[nodiscard]] std::string sandbox_notice();

// Why the program may have failed, as a sentence that ends before what to do: it ran in a sandbox
// and ended with an error, or printed one about a file or the network. Else empty.
[[nodiscard]] std::string sandbox_hint(const program::ProgramRequest& request,
                                       const program::ProgramRun& run);

// Whether a program does not compile because its sandbox has none of its headers.
[[nodiscard]] bool lacks_headers_in_sandbox(const std::vector<program::CompileError>& errors);

}  // namespace tilereel

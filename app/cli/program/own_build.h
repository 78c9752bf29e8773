#pragma once
// Compiles a product kernel of the user's own by nvcc, as its file has it, into a library with one
// function that launches it.
#include <filesystem>
#include <string>

#include "app/cli/program/own_call.h"

namespace tilereel {

// The text of the library: the file, without its main(), and the launch.
[[nodiscard]] Result<std::string> own_library_text(const std::filesystem::path& file,
                                                   const OwnCall& call);
// For this computer's GPU or, without one, for all. kFailed with the compiler's words.
[[nodiscard]] Status build_own_library(const std::filesystem::path& file, const OwnCall& call,
                                       const std::filesystem::path& library);

}  // namespace tilereel

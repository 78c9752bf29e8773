#pragma once
// Compiles a kernel of the user's own by nvcc, as its file has it, into a library with one function
// that launches it.
#include <atomic>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/own_kernel/own_call.h"
#include "app/own_kernel/own_source.h"
#include "instrumentation/program/program_run.h"

namespace tilereel {

// A library, or why there is none.
struct OwnLibrary {
    std::shared_ptr<const std::filesystem::path> folder{};  // of this library alone; may be null
    std::filesystem::path file{};                           // empty: see `errors`
    std::vector<program::CompileError> errors{};            // at lines of the file, or of line 0
};

// The text of a product's library: the file, without its main(), and the launch.
[[nodiscard]] Result<std::string> own_library_text(const OwnSource& source, const OwnCall& call);
// Why nothing can be compiled for a GPU here, as a sentence; empty: it can.
[[nodiscard]] std::string why_no_nvcc();
// For this computer's GPU or, without one, for all. `data`: of what is no product, the bytes of
// WorkData. kFailed without nvcc; kCancelled.
[[nodiscard]] Result<OwnLibrary> build_own_library(const OwnSource& source, const OwnCall& call,
                                                   const std::vector<std::byte>& data,
                                                   const std::filesystem::path& library,
                                                   const std::atomic<bool>* cancel = nullptr);
// The errors as one text, a line each: "multiply.cu:12: identifier "k" is undefined".
[[nodiscard]] std::string text_of_errors(const std::vector<program::CompileError>& errors);

}  // namespace tilereel

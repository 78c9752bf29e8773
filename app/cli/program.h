#pragma once
// What a program with a command line does around its commands.
#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>

#include "instrumentation/base/result.h"

namespace tilereel {

// One line on stderr, whatever the message quotes: no control characters reach the terminal.
// Returns the exit code: 1 the work failed, 2 the call was wrong.
int report_error(const std::string& program, std::string message, ErrorKind kind);
// Prints the result or its error.
int exit_code_of(const std::string& program, const Result<std::string>& result);
// A code to exit with, or none when the call is sound.
std::optional<int> parse(CLI::App& app, int argc, char** argv);
// Runs the work with files too large and pipes closed as errors to report, not ways to die. What
// it throws, such as for want of memory or threads, ends in a sentence and exit code 1. (Give it
// std::ref(work): a std::function of that takes no memory.)
int run_guarded(const char* program, const std::function<int()>& work) noexcept;

}  // namespace tilereel

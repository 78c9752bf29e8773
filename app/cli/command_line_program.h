#pragma once
// What every command line program does: it parses the call, prints the result and reports errors.
#include <functional>
#include <optional>
#include <string>

#include "instrumentation/base/result.h"

// Declared only: CLI11's header takes seconds to compile.
namespace CLI {
class App;
}

namespace tilereel {

// Prints one line to stderr without control characters, whatever the message contains. Returns the
// exit code: 1 if the work failed, 2 for a wrong call.
int report_error(const std::string& program, std::string message, ErrorKind kind);
// Prints the result or its error. Returns the exit code.
int exit_code_of(const std::string& program, const Result<std::string>& result);
// Parses the command line. Returns an exit code, or nullopt if the call is right and work remains.
std::optional<int> parse(CLI::App& app, int argc, char** argv);
// Runs `work`. Files that are too large and closed pipes become errors instead of signals. An
// exception, such as for lack of memory or threads, becomes a sentence and exit code 1. Pass
// std::ref(work), because a std::function of a reference allocates no memory.
int run_guarded(const char* program, const std::function<int()>& work) noexcept;

}  // namespace tilereel

#include <cstdlib>
#include <string>
#include <vector>

#include "instrumentation/program/build/compile_errors.h"
#include "tests/fuzz/targets.h"

namespace tilereel::fuzz {

void run_messages(Input input) {
    using namespace program;
    const std::string output(reinterpret_cast<const char*>(input.data()), input.size());
    std::vector<CompileError> errors = errors_in(output, "/ours");
    for (const CompileError& error : errors)
        if (error.file.empty() || error.message.find('\n') != std::string::npos) std::abort();
    for (CompileError& error : link_errors(output, "file.cu")) errors.push_back(std::move(error));
    remove_repeated(errors);
    if (without_our_headers(output, "/ours").size() > output.size() + 1) std::abort();
    ProcessResult ended;
    ended.output = output;
    if (!output.empty() && failure_of_tool(ended, "g++", "a.cu").message.empty()) std::abort();
}

}  // namespace tilereel::fuzz

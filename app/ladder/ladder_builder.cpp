// Compiles the program that records the built-in kernels of the ladder, when Tilereel is built:
//   tilereel_ladder_builder PROGRAM MAIN FOLDER...
// PROGRAM is the output. MAIN is the source with main(); FOLDERs hold the headers. g++ and our
// plugin compile it, even if another compiler builds Tilereel. Without g++'s headers for plugins
// PROGRAM is left empty, and each kernel is compiled when it is recorded.
#include <cstdio>
#include <fstream>

#include "instrumentation/program/program.h"

namespace tilereel {
namespace {

int build(const std::filesystem::path& program, const program::ProgramRequest& request) {
    const Result<program::BuiltProgram> built = program::build_program(request);
    if (!built) {
        std::fprintf(stderr, "the ladder: %s\n", built.error().message.c_str());
        return 1;
    }
    for (const program::CompileError& error : built->errors)
        std::fprintf(stderr, "%s:%u: %s\n", error.file.c_str(), error.line, error.message.c_str());
    if (built->program.empty()) return 1;
    std::error_code error;
    std::filesystem::copy_file(built->program, program,
                               std::filesystem::copy_options::overwrite_existing, error);
    if (!error) return 0;
    std::fprintf(stderr, "cannot write %s: %s\n", program.c_str(), error.message().c_str());
    return 1;
}

}  // namespace
}  // namespace tilereel

int main(int count, char** argument) {
    if (count < 3) return 2;
    tilereel::program::ProgramRequest request;
    request.file = argument[2];
    request.keeps_assignments = false;
    request.hands_trace_over = true;
    for (int i = 3; i < count; ++i) request.include_folders.emplace_back(argument[i]);
    return tilereel::build(argument[1], request);
}

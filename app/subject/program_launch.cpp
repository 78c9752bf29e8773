#include "app/subject/program_launch.h"

#include "app/subject/trust.h"
#include "instrumentation/program/build/compile_commands.h"

namespace tilereel {

program::ProgramRequest program_request(const Subject& subject) {
    program::ProgramRequest request;
    request.file = subject.file;
    request.more_files = subject.more_files;
    request.arguments = subject.arguments;
    request.include_folders = subject.include_folders;
    request.defines = subject.defines;
    request.launch_lines = subject.launch_lines;
    if (!subject.standard.empty()) request.standard = subject.standard;
    if (!subject.generation.empty()) request.generation = subject.generation;
    program::add_flags_of_database(request, !subject.standard.empty());
    choose_sandbox(request);
    return request;
}

}  // namespace tilereel

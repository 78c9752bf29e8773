#include "app/cli/program/own_race.h"

#include <unistd.h>

#include <system_error>

#include "app/cli/program/own_build.h"
#include "app/cli/program/program_report.h"
#include "app/subject/file_kind.h"

namespace tilereel {
namespace {

// The statement of --call, or else what a recording of the program says.
Result<OwnCall> call_of(const RaceOptions& options, const std::string& file) {
    if (!options.call.empty()) {
        OwnCall call;
        call.statement = options.call;
        return call;
    }
    const Trace trace = TRY(trace_of_launch(file, ProgramOptions{}, default_generation()));
    return recognise_call(trace);
}

}  // namespace

Result<OwnKernel> make_own_kernel(const RaceOptions& options, const std::string& file) {
    if (file.ends_with(".so")) return open_own_kernel(file);
    if (const auto kind = kind_of_file(file); !kind) return kind.error();
    const OwnCall call = TRY(call_of(options, file));
    std::error_code unknown;
    const std::filesystem::path temporary = std::filesystem::temp_directory_path(unknown) /
                                            ("tilereel_own_" + std::to_string(::getpid()) + ".so");
    const std::filesystem::path library =
        options.library.empty() ? temporary : std::filesystem::path(options.library);
    TRY(build_own_library(file, call, library));
    const Result<OwnKernel> kernel = open_own_kernel(library);
    if (options.library.empty()) std::filesystem::remove(library, unknown);  // it stays loaded
    return kernel;
}

}  // namespace tilereel

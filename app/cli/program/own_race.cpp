#include "app/cli/program/own_race.h"

#include "app/cli/program/own_build.h"
#include "app/cli/program/program_report.h"
#include "app/subject/file_kind.h"
#include "instrumentation/program/program.h"

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
    // A folder of this run alone: nobody else can put a library in its place.
    const auto folder = TRY(program::temporary_folder());
    const std::filesystem::path library = options.own_library.empty()
                                              ? *folder / "own.so"
                                              : std::filesystem::path(options.own_library);
    TRY(build_own_library(file, call, library));
    return open_own_kernel(library);  // it stays loaded when its file is removed
}

}  // namespace tilereel

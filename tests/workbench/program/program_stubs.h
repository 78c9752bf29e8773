#pragma once
// Stubs of what a ProgramBench calls: a run with a launch that was refused and one that was
// recorded.
#include <filesystem>
#include <string>
#include <utility>

#include "app/workbench/program/program_bench.h"
#include "tests/trace/program_traces.h"

namespace tilereel::tests {

inline program::ProgramRun two_launches() {
    program::ProgramRun run;
    run.output = "0 wrong\n";
    program::LaunchSummary refused;
    refused.kernel = "too_large";
    refused.reason = "The block has 2048 threads";
    program::LaunchSummary recorded;
    recorded.number = 1;
    recorded.kernel = "reduce";
    recorded.trace = "reduce.npz";
    run.launches = {refused, recorded};
    return run;
}

inline Result<Trace> read_stub(const std::filesystem::path& file) {
    if (file == "reduce.npz") return reduction_trace();
    return failed("there is no file " + file.string());
}

inline program::ProgramRequest request_of(const char* file) {
    program::ProgramRequest request;
    request.file = file;
    return request;
}

inline ProgramBenchOptions options_of(RunProgram run) {
    return {.on_thread = false, .run = std::move(run), .read = read_stub};
}

}  // namespace tilereel::tests

#pragma once
// Programs that are not matrix products, for tests of the whole frame.
#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "tests/trace/program_traces.h"

namespace tilereel {

struct Program {
    const char* array;  // a global array that must be on the stage
    std::function<Trace()> trace;
};

inline const Program kPrograms[] = {{"in", tests::reduction_trace},
                                    {"out", tests::transpose_trace},
                                    {"histogram", tests::histogram_trace},
                                    {"in", tests::stencil_trace},
                                    {"weights", tests::six_arrays_trace}};

inline const Program& kSixArrays = kPrograms[4];

inline WorkbenchOptions options_for(Program program) {
    WorkbenchOptions options;
    options.playing = false;
    options.record_on_worker = false;
    options.programs = std::make_unique<ProgramBench>(
        ProgramBenchOptions{.on_thread = false,
                            .run =
                                [](const auto&, auto*) {
                                    program::ProgramRun run;
                                    run.launches.resize(2);
                                    run.launches[1].kernel = "second";
                                    run.launches[1].trace = "second.npz";
                                    return run;
                                },
                            .read = [program](const std::filesystem::path&) -> Result<Trace> {
                                return program.trace();
                            }});
    return options;
}

}  // namespace tilereel

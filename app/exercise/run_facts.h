#pragma once
// What the recordings of one run of a submission say: its counters, its findings, and whether its
// outputs are right.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "app/exercise/exercise.h"
#include "app/exercise/outputs.h"
#include "instrumentation/program/program_run.h"

namespace tilereel {

struct FindingFacts {
    std::string sentence;
    std::uint32_t line = 0;  // 0: of no line
    // Others may follow from it: an access beyond an array, or a barrier that threads leave out.
    bool is_cause = false;
    // The parts of the sentence: what is wrong and where, and what to do. Empty: it has no parts.
    std::string what{}, advice{};
};

// Counters by name (counter_names()), summed over the launches.
struct RunFacts {
    NamedNumbers sizes;
    FindingFacts problem;  // why there are no other facts; empty: there are
    // It did not end in time, which also depends on the computer and on what else runs there.
    bool is_late = false;
    std::vector<OutputFacts> outputs;
    NamedNumbers counters;
    std::map<std::uint32_t, NamedNumbers> lines;  // counters of each source line
    std::vector<FindingFacts> errors, warnings;
};

// The facts of a run of the harness (harness.h). `exercise`: null for a program with a main() of
// its own, all of whose launches count.
[[nodiscard]] RunFacts facts_of_run(const program::ProgramRun& run, const Exercise* exercise);

}  // namespace tilereel

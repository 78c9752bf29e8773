#pragma once
// What a recorded launch shows of a fact: its figure beside the document's.
#include <optional>
#include <string>
#include <vector>

#include "instrumentation/analysis/counters.h"
#include "instrumentation/analysis/generation.h"
#include "instrumentation/trace/trace.h"
#include "kernels/facts.h"

namespace tilereel {

// A fact with what was recorded. Figures follow `sites` and `generation`, which may count the trace
// by another GPU's rules.
struct RecordedFact {
    Fact fact;
    std::string recorded;  // "this launch: 4 FLOP a byte"; empty: nothing to show
    std::vector<FactFigure> figures;
};
// The facts of the kernel that the trace records. Walks one block of the trace: too slow to call in
// every frame.
[[nodiscard]] std::vector<RecordedFact> recorded_facts(
    const Trace& trace, const std::vector<SiteCounts>& sites,
    const Generation& generation = default_generation());

}  // namespace tilereel

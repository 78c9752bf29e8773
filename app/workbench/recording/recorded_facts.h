#pragma once
// Facts about a kernel: what its sources say, and the same figures of a recorded launch.
#include <optional>
#include <string>
#include <vector>

#include "instrumentation/analysis/cost/counters.h"
#include "instrumentation/analysis/generations/generation.h"
#include "instrumentation/trace/trace.h"
#include "kernels/facts.h"

namespace tilereel {

// A fact and the recorded figure, which is computed from `sites` by the rules of `generation`.
struct RecordedFact {
    Fact fact;
    std::string recorded;  // "4 FLOP a byte read"; empty: nothing to show
    std::vector<FactFigure> figures;
};
// The facts about the trace's kernel. Walks one block of the trace: do not call it in every frame.
[[nodiscard]] std::vector<RecordedFact> recorded_facts(
    const Trace& trace, const std::vector<SiteCounts>& sites,
    const Generation& generation = default_generation());

}  // namespace tilereel

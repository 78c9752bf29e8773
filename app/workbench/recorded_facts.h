#pragma once
// Facts about a kernel with figures of a recorded launch beside the document's.
#include <optional>
#include <string>
#include <vector>

#include "instrumentation/analysis/counters.h"
#include "instrumentation/analysis/generation.h"
#include "instrumentation/trace/trace.h"
#include "kernels/facts.h"

namespace tilereel {

// A fact and the recorded figure, which is computed from `sites` by the rules of `generation`.
struct RecordedFact {
    Fact fact;
    std::string recorded;  // "this launch: 4 FLOP a byte"; empty: nothing to show
    std::vector<FactFigure> figures;
};
// The facts about the trace's kernel. Walks one block of the trace: do not call it in every frame.
[[nodiscard]] std::vector<RecordedFact> recorded_facts(
    const Trace& trace, const std::vector<SiteCounts>& sites,
    const Generation& generation = default_generation());

}  // namespace tilereel

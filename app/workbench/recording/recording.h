#pragma once
// A recorded launch with everything that the window shows.
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/ladder/record_request.h"
#include "app/workbench/recording/wrong_product.h"
#include "app/workbench/tables/as_compiled.h"
#include "instrumentation/analysis/cost/counters.h"
#include "instrumentation/analysis/generations/generation.h"
#include "instrumentation/analysis/hazards/hazards.h"
#include "instrumentation/base/result.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// The counts in the "before" column (plan_before()): at first those of 02_naive, after a change of
// kernel, TILE, PAD, barrier or generation those of the launch before the change.
struct CountsColumn {
    std::string label;  // "02 naive", "PAD 0"
    KernelCounts counts;
};

// Made on the worker thread; constant afterwards.
struct Recording {
    RecordRequest request;
    std::uint64_t id = 0;  // Replay::id() of its first replay; unique among recordings
    // Shared with the worker while it counts the same trace by another generation's rules.
    std::shared_ptr<const Trace> trace;
    KernelCounts counts;
    std::vector<SiteCounts> sites;
    const Generation* generation = &default_generation();  // whose rules the counts follow
    std::vector<Finding> findings{};                       // find_hazards() for that generation
    std::vector<WrongElement> wrong{};                     // row-major
    std::string judged_part{};                             // judged_part_text()
    AsCompiled compiled{};      // a profiler's counts of the native build
    bool from_request = false;  // a kernel of the ladder was recorded for it
};

// The type of record_ladder() (app/ladder/ladder.h).
using RecordFunction = std::function<Result<Trace>(
    const RecordRequest& request, RecordProgress* progress, std::string* without_gpu)>;

}  // namespace tilereel

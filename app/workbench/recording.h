#pragma once
// A recorded launch with all that the window shows of it.
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/workbench/as_compiled.h"
#include "app/workbench/wrong_product.h"
#include "instrumentation/analysis/counters.h"
#include "instrumentation/analysis/generation.h"
#include "instrumentation/analysis/hazards.h"
#include "instrumentation/base/result.h"
#include "instrumentation/record/record.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// A kernel's counts beside another's: "before | after". After a change of PAD: the same kernel with
// the former PAD. Otherwise: 02_naive in the same blocks, or the former kernel.
struct CountsColumn {
    std::string label;  // "02 naive", "PAD 0"
    KernelCounts counts;
};

// One recorded launch with everything a frame reads of it; made on the worker thread, immutable but
// for the replay's cursor.
struct Recording {
    RecordRequest request;
    std::uint64_t id = 0;  // Replay::id() of its first replay: no other recording has it
    // Shared with the worker while it counts the same trace by another generation's rules.
    std::shared_ptr<const Trace> trace;
    KernelCounts counts;
    std::vector<SiteCounts> sites;
    const Generation* generation = &default_generation();  // whose rules the counts follow
    std::vector<Finding> findings{};    // by that generation, as find_hazards() sorts them
    std::vector<WrongElement> wrong{};  // row-major
    AsCompiled compiled{};              // what a profiler counts of the native build
};

// As plain::record_ladder() of instrumentation/plain/ladder.h.
using RecordFunction = std::function<Result<Trace>(
    const RecordRequest& request, RecordProgress* progress, std::string* without_gpu)>;

}  // namespace tilereel

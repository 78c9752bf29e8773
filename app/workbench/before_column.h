#pragma once
// What the counters are compared with: "before | after".
#include <optional>
#include <string>

#include "app/workbench/recording.h"

namespace tilereel {

// Which launch the column shows, apart from its sizes: those are always the present ones.
struct BeforeLaunch {
    std::string label;  // empty: there is none
    std::string kernel;
    int tile = 0, pad = 0;
    std::uint32_t removed_barrier = 0;  // as RecordRequest has it
    ThreadOrder order = ThreadOrder::kTurns;
    const Generation* generation = &default_generation();
    bool edited = false;  // the same launch of a program, before its file was edited
    bool operator==(const BeforeLaunch&) const = default;
};

// How to fill the column beside a recording to come.
struct BeforePlan {
    BeforeLaunch launch;
    std::optional<KernelCounts> counts;    // known already
    std::optional<RecordRequest> request;  // or to be recorded for them; neither: left empty
};

// Where there is none yet, 02 naive in the same blocks; the label is empty for 02 naive itself.
[[nodiscard]] BeforeLaunch first_before(const RecordRequest& request,
                                        const Generation& generation = default_generation());
// Beside a kernel that has just lost a barrier: the same kernel with all of them.
// `former` is what is on the screen (nullptr: nothing), `present` the launch and column beside it.
[[nodiscard]] BeforePlan plan_before(const Recording* former, const BeforeLaunch& present,
                                     const CountsColumn& column, const RecordRequest& next,
                                     const Generation& generation = default_generation());

}  // namespace tilereel

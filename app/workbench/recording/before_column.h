#pragma once
// The first column of "before | after": the launch with which the counters are compared.
#include <optional>
#include <string>

#include "app/workbench/recording/recording.h"

namespace tilereel {

// The launch of the column. Its sizes are always the present ones.
struct BeforeLaunch {
    std::string label;  // empty: there is no column
    std::string kernel;
    int tile = 0, pad = 0;
    std::uint32_t removed_barrier = 0;  // RecordRequest::removed_barrier
    ThreadOrder order = ThreadOrder::kRoundRobin;
    const Generation* generation = &default_generation();
    bool edited = false;  // the same launch of a program, before its file was edited
    bool operator==(const BeforeLaunch&) const = default;
};

// How to fill the column for the next recording: with known counts, or with those of a launch that
// is recorded for them. Without either it stays empty.
struct BeforePlan {
    BeforeLaunch launch;
    std::optional<KernelCounts> counts;
    std::optional<RecordRequest> request;
};

// The initial column: 02 naive in the same blocks. The label is empty for 02 naive itself.
[[nodiscard]] BeforeLaunch first_before(const RecordRequest& request,
                                        const Generation& generation = default_generation());
// The column for the recording of `next`. If a barrier was just removed, it is the same kernel with
// all barriers. `former`: the recording on the screen (nullptr: none). `present`, `column`: the
// launch and the counts of the column beside it.
[[nodiscard]] BeforePlan plan_before(const Recording* former, const BeforeLaunch& present,
                                     const CountsColumn& column, const RecordRequest& next,
                                     const Generation& generation = default_generation());

}  // namespace tilereel

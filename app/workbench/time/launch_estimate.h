#pragma once
// The estimated time of a launch, and of the same launch with one thing changed. Both the command
// line and the window ask here.
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/ladder/record_request.h"
#include "app/workbench/time/launch_l2.h"
#include "instrumentation/analysis/machine/machine_instruction.h"
#include "instrumentation/analysis/time/time_estimate.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

struct TimeQuestion {
    const GpuModel* gpu = nullptr;
    bool cold = true;
    bool with_changes = true;              // also the launch with one thing changed
    bool only_l2 = false;                  // not the time, but what its blocks find in L2
    RecordRequest request{};               // a kernel of the ladder with the launch's M, N and K
    std::shared_ptr<const Trace> trace{};  // not nullptr: this recording instead
    std::shared_ptr<const MachineKernel> machine{};  // of the recording; nullptr: not known
    std::string why_no_machine{};                    // it was asked for; a clause
    // Further launches of the ladder to compare with: the rung that comes next, for example.
    std::vector<RecordRequest> others{};
};

// The launch with one thing changed. A launch of which only a bound is known is none.
enum class ChangeKind : std::uint8_t {
    kNoConflicts,  // each request of shared memory takes its ideal wavefronts
    kCoalesced,    // each request of global memory moves no more than it needs
    kVariant,      // the same kernel with another TILE or PAD
    kOtherKernel,
};
struct TimeChange {
    ChangeKind kind = ChangeKind::kVariant;
    std::string what;  // "PAD 1"
    double seconds = 0;
    int blocks_an_sm = 0;                   // as estimated
    std::optional<RecordRequest> launch{};  // that has the change; nullopt: no launch is known
};

struct EstimatedLaunch {
    std::string title;        // "09_tiled  M 2,048  N 2,048  K 2,048  TILE 32  PAD 0"
    std::uint64_t flop = 0;   // 0: unknown
    bool is_product = false;  // a matrix product
    TimeEstimate estimate{};
    struct Array {
        std::string name;
        Space space = Space::kGlobal;
    };
    std::vector<Array> arrays{};  // by ArrayId of `estimate`
    std::vector<TimeChange> changes{};
    std::shared_ptr<const LaunchL2> l2{};  // nullptr: not asked for, not yet, or not known
    std::string why_no_l2{};               // a clause
    [[nodiscard]] double times_as_fast(const TimeChange& change) const {
        return change.seconds > 0 ? estimate.seconds / change.seconds : 1;
    }
};
// A change by less than this is called "the same".
inline constexpr double kSameSpeed = 0.03;

// What to try first: the best TILE or PAD, then another kernel, then what costs most; nullptr if
// nothing makes the launch a tenth faster.
[[nodiscard]] const TimeChange* change_to_try(const EstimatedLaunch& launch);
// As they are listed: what to try first, then the others in their order.
[[nodiscard]] std::vector<const TimeChange*> listed_changes(const EstimatedLaunch& launch);

// Is given what is known so far: the launch alone, then with one change after the other.
using EstimateStep = std::function<void(const EstimatedLaunch& so_far)>;

// Error: the launch cannot be estimated (kWrongCall, with a sentence), or progress->cancel was set
// (kCancelled).
Result<EstimatedLaunch> estimate_launch(const TimeQuestion& question,
                                        RecordProgress* progress = nullptr,
                                        const EstimateStep& step = {});

}  // namespace tilereel

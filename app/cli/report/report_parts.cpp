#include "app/cli/report/report_parts.h"

namespace tilereel {

const char* operation_name(Operation operation) {
    switch (operation) {
        case Operation::kLoad:
            return "load";
        case Operation::kStore:
            return "store";
        case Operation::kMultiplyAdd:
            return "multiply_add";
        case Operation::kBarrier:
            return "barrier";
        case Operation::kWarpBarrier:
            return "warp_barrier";
        case Operation::kCopyLoad:
            return "copy_load";
        case Operation::kCopyStore:
            return "copy_store";
        case Operation::kCommitCopies:
            return "commit_copies";
        case Operation::kWaitCopies:
            return "wait_copies";
        case Operation::kArrive:
            return "arrive";
        case Operation::kStartBulkCopy:
            return "start_bulk_copy";
        case Operation::kWaitPhase:
            return "wait_phase";
        case Operation::kInitBarrier:
            return "init_barrier";
        case Operation::kAtomic:
            return "atomic";
        case Operation::kExchange:
            return "exchange";
        case Operation::kAssign:
            return "assign";
    }
    return "";
}

CounterPlace counter_place_of(const Trace& trace, const Site& site) {
    if (!is_access(site.operation)) return kOfOthers;
    return trace.arrays[site.array].space == Space::kGlobal ? kOfGlobal : kOfShared;
}

bool has_sums(const Trace& trace, const KernelCounts& counts) {
    return !trace.recorded_by.accesses_only || counts.multiply_adds > 0;
}

}  // namespace tilereel

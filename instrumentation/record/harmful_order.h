#pragma once
// In which order the threads of a kernel without one of its barriers leave a wrong C.
#include "instrumentation/record/emulator.h"

namespace tilereel {

struct HarmSearch {
    ThreadOrder order = ThreadOrder::kTurns;  // the first that does harm; else the launch's own
    bool harms = false;
    Inputs inputs;  // those given
};

// Runs the kernel, without recording it, in its launch's order and then in the others, with kLanes
// last and only if lanes_may_part, until C is not the product. `progress` gets the search's blocks
// added to those it counts already. kFailed if a run fails, kCancelled if it is cancelled.
Result<HarmSearch> find_harmful_order(EmulatedLaunch launch, bool lanes_may_part, Inputs inputs,
                                      RecordProgress* progress);

}  // namespace tilereel

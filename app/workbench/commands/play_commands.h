#pragma once
// Commands that move the replay.
#include <variant>

#include "app/replay/places/navigation.h"

namespace tilereel {

struct PlayPause {};
struct StepForward {};  // by the unit that SetUnit chose
struct StepBack {};
struct PartForward {};  // plays up to the next load, barrier, compute, ...
struct PartBack {};
struct PhaseForward {};
struct PhaseBack {};
struct GoToStart {};
struct GoToEnd {};
struct ToggleLoop {};  // repeats the current phase
// Jumps to the end of a forward step that is being animated. Comes before what acts on the
// position, so that the outcome does not depend on how far the animation is.
struct FinishStep {};
struct SeekTo {
    double tick = 0;
    bool scrubbing = false;
};
struct SeekBoth {
    double tick = 0;  // of LockStep, while two replays are compared
    bool scrubbing = false;
};
struct SetUnit {
    StepUnit unit = StepUnit::kRequest;
};
struct SetSpeed {
    double factor = 1.0;
};
struct ChangeSpeed {
    int steps = 0;  // +1, -1: the next or previous of offered_speeds()
};

using PlayCommand = std::variant<PlayPause, StepForward, StepBack, PartForward, PartBack,
                                 PhaseForward, PhaseBack, GoToStart, GoToEnd, ToggleLoop,
                                 FinishStep, SeekTo, SeekBoth, SetUnit, SetSpeed, ChangeSpeed>;

}  // namespace tilereel

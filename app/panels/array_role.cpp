#include "app/panels/array_role.h"

namespace tilereel {

Role role_of_array(const Replay& replay, ArrayId array) {
    if (array >= replay.trace().arrays.size()) return Role::kNone;
    switch (replay.tone_of(array)) {
        case Tone::kA:
            return Role::kA;
        case Tone::kB:
            return Role::kB;
        case Tone::kC:
            return Role::kC;
        default:
            return replay.trace().product ? Role::kC : Role::kNone;
    }
}

}  // namespace tilereel

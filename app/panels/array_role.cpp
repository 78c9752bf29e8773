#include "app/panels/array_role.h"

namespace tilereel {

ColorRole role_of_array(const Replay& replay, ArrayId array) {
    if (array >= replay.trace().arrays.size()) return ColorRole::kNone;
    switch (replay.tone_of(array)) {
        case Tone::kA:
            return ColorRole::kA;
        case Tone::kB:
            return ColorRole::kB;
        case Tone::kC:
            return ColorRole::kC;
        default:
            return replay.trace().product ? ColorRole::kC : ColorRole::kNone;
    }
}

}  // namespace tilereel

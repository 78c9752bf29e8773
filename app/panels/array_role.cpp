#include "app/panels/array_role.h"

namespace tilereel {

ColorRole role_of_array(const Replay& replay, ArrayId array) {
    if (array >= replay.trace().arrays.size()) return ColorRole::kNone;
    const Tone tone = replay.tone_of(array);
    if (tone == Tone::kA) return ColorRole::kA;
    if (tone == Tone::kB) return ColorRole::kB;
    return tone == Tone::kC || replay.trace().product ? ColorRole::kC : ColorRole::kNone;
}

}  // namespace tilereel

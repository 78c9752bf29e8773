#pragma once
// The role of an array, which determines its colour.
#include "app/replay/replay.h"
#include "app/ui/theme.h"

namespace tilereel {

// In a product: A and As are kA, B and Bs are kB, all other arrays kC. In other traces, arrays
// without one of these tones (Replay::tone_of()) are kNone.
[[nodiscard]] inline ColorRole role_of_array(const Replay& replay, ArrayId array) {
    if (array >= replay.trace().arrays.size()) return ColorRole::kNone;
    const Tone tone = replay.tone_of(array);
    if (tone == Tone::kA) return ColorRole::kA;
    if (tone == Tone::kB) return ColorRole::kB;
    return tone == Tone::kC || replay.trace().product ? ColorRole::kC : ColorRole::kNone;
}

}  // namespace tilereel

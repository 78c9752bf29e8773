#pragma once
// The role of an array, which determines its colour.
#include <optional>
#include <string_view>

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

// Of the array with this name; nullopt: the replay has none. For figures of another recording of
// the same kernel.
[[nodiscard]] inline std::optional<ColorRole> role_of_named(const Replay* replay,
                                                            std::string_view name) {
    if (replay == nullptr) return std::nullopt;
    const auto& arrays = replay->trace().arrays;
    for (ArrayId array = 0; array < arrays.size(); ++array)
        if (arrays[array].name == name) return role_of_array(*replay, array);
    return std::nullopt;
}

}  // namespace tilereel

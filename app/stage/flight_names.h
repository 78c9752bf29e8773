#pragma once
// Places the name of a flying group on it or beside it, without covering other text.
#include <optional>
#include <span>

#include "app/ui/draw.h"

namespace tilereel::stage {

// The bounding box of one or more rectangles.
[[nodiscard]] Rect hull_of(std::span<const Rect> parts);

// A rectangle of `size` inside `all` that overlaps none of `taken`: in the middle of one of
// `parts`, beside all of them, or near `wanted`. Of these it is the one whose centre is closest to
// `wanted`. nullopt if there is none.
[[nodiscard]] std::optional<Rect> place_of_name(ImVec2 wanted, ImVec2 size,
                                                std::span<const Rect> parts,
                                                std::span<const Rect> taken, const Rect& all);

}  // namespace tilereel::stage

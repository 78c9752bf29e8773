#pragma once
// Places the name of what flies on it or beside it, but on nothing that must be read.
#include <optional>
#include <span>

#include "app/ui/draw.h"

namespace tilereel::stage {

// The hull of rectangles, of which there is at least one.
[[nodiscard]] Rect hull_of(std::span<const Rect> parts);

// The place for `size` nearest to `wanted` (its middle) that lies inside `all` and on none of
// `taken`: in the middle of one of `parts`, beside all of them, or not far from `wanted`. nullopt:
// there is none.
[[nodiscard]] std::optional<Rect> place_of_name(ImVec2 wanted, ImVec2 size,
                                                std::span<const Rect> parts,
                                                std::span<const Rect> taken, const Rect& all);

}  // namespace tilereel::stage

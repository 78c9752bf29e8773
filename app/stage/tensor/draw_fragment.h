#pragma once
// Draws the matrix of a fragment: cells with the lanes that hold them, and what stands around it.
#include "app/stage/tensor/fragment_place.h"

namespace tilereel::stage {

void draw_fragment(TensorScene& scene, const FragmentPlace& place, const FragmentTexts& texts);
// Index of the fragment's cell under a point; nullopt: none.
[[nodiscard]] std::optional<std::size_t> cell_at(const TensorScene& scene,
                                                 const FragmentPlace& place, ImVec2 point);
// "A[3][2..3] = 3, 2: register a0 of lane 13, 0x40004040"
[[nodiscard]] std::string cell_text(const TensorScene& scene, const FragmentPlace& place,
                                    std::size_t cell);
// The colour of the lanes of a group of four: darker than the panel by 12 to 32 percent.
[[nodiscard]] ImU32 group_tint(const LaneScene& scene, ColorRole role, int lane);

}  // namespace tilereel::stage

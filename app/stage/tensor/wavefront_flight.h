#pragma once
// The flight of a wavefront of a matrix load: eight pieces of 16 bytes leave their slots, gather to
// one bar, cross the picture as one object and land as the rows of an 8 x 8 quarter of the
// fragment. A matrix store flies the other way.
#include "app/stage/tensor/fragment_place.h"
#include "app/stage/tensor/slots.h"

namespace tilereel::stage {

// The cells of a fragment's picture that hold row `row` of matrix `matrix` of the request; nullopt:
// the matrix belongs to another product.
[[nodiscard]] std::optional<Rect> target_of_row(const TensorScene& scene,
                                                std::span<const FragmentPlace> places, int matrix,
                                                int row);
// A piece on its way at `share` of it. `bar`: its place in the bar where all leave, and where they
// arrive.
[[nodiscard]] Rect piece_on_way(const Rect& from, const Rect& bar_from, const Rect& bar_to,
                                const Rect& to, float share);
void draw_wavefront_flight(TensorScene& scene, const SlotsPlace& slots,
                           std::span<const FragmentPlace> places);

}  // namespace tilereel::stage

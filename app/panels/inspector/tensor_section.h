#pragma once
// What the chosen lane holds for the tensor cores: register by register of A, B and C.
#include "app/replay/tensor/tensor_moment.h"
#include "app/ui/draw/draw.h"

namespace tilereel {

// Draws from the top left corner of `rect`; returns the height in pixels.
float draw_tensor_section(const Look& look, const Rect& rect, const TensorMoment& moment,
                          std::uint32_t lane);
// "It names the address of row 5 of matrix 1, and gets parts of row 3 of each matrix."; empty if
// the request is no matrix load or store.
[[nodiscard]] std::string address_sentence(const TensorMoment& moment, std::uint32_t lane);

}  // namespace tilereel

#pragma once
// Faces at the pixel sizes asked for. A size that is not baked yet is drawn from the nearest one
// and baked before the next frame.
#include <imgui.h>

#include <cstdint>

namespace tilereel {

enum class Face : std::uint8_t { kRegular, kSemiBold, kBold, kMono, kMonoBold };

// `px` is rounded to a whole pixel.
[[nodiscard]] ImFont* font(Face face, float px);
// Rebuilds the atlas if sizes were asked for that it lacks; call between frames. True if the GPU's
// copy of the atlas must be made anew.
bool bake_requested_fonts();
// Forgets all sizes (after a change of scale), so that the atlas stays small.
void forget_fonts();

}  // namespace tilereel

#pragma once
// What must happen between two frames, in the window, offscreen and in tests alike.

namespace tilereel {

// Call before ImGui::NewFrame(): bakes fonts, forgets last frame's widgets and cells, takes the
// keys pressed. True if the font atlas was rebuilt, so that the GPU's copy must be made anew.
bool begin_ui_frame();

}  // namespace tilereel

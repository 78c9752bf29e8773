#pragma once
// The work between two frames. The window, the offscreen renderer and the tests all need it.

namespace tilereel {

// Call it before ImGui::NewFrame(). Adds requested fonts to the atlas, clears the previous frame's
// widgets and cells, and takes the queued keys. Returns true if the font atlas was rebuilt, so that
// its texture must be uploaded again.
bool begin_ui_frame();

}  // namespace tilereel

#pragma once

namespace tilereel {

// Dear ImGui does not look whether it was given memory. After this call it throws std::bad_alloc
// where there is none, instead of writing to address 0. To be called before ImGui::CreateContext().
void let_imgui_throw_bad_alloc();

}  // namespace tilereel

#pragma once

namespace tilereel {

// Dear ImGui does not check whether an allocation succeeded. After this call a failed allocation
// throws std::bad_alloc. Call it before ImGui::CreateContext().
void let_imgui_throw_bad_alloc();

}  // namespace tilereel

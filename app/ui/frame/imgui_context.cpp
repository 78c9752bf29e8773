#include "app/ui/frame/imgui_context.h"

#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include <cstdlib>
#include <new>

#include "app/ui/frame/ui_frame.h"

namespace tilereel {

ImGuiOnOpenGl::ImGuiOnOpenGl() {
    IMGUI_CHECKVERSION();
    const auto take = [](std::size_t bytes, void*) -> void* {
        void* const memory = std::malloc(bytes);
        if (memory == nullptr && bytes > 0) throw std::bad_alloc();
        return memory;
    };
    ImGui::SetAllocatorFunctions(take, [](void* memory, void*) { std::free(memory); });
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    started_ = ImGui_ImplOpenGL3_Init("#version 330 core");
}

ImGuiOnOpenGl::~ImGuiOnOpenGl() {
    if (started_) ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext();
}

bool begin_frame_on_open_gl() {
    const bool rebuilt = begin_ui_frame();
    if (rebuilt) ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_NewFrame();
    if (ImGui::GetIO().Fonts->TexID == nullptr) ImGui_ImplOpenGL3_CreateFontsTexture();
    return rebuilt;
}

}  // namespace tilereel

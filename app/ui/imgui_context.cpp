#include "app/ui/imgui_context.h"

#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include <cstdlib>
#include <new>

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

}  // namespace tilereel

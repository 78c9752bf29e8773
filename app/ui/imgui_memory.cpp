#include "app/ui/imgui_memory.h"

#include <imgui.h>

#include <cstdlib>
#include <new>

namespace tilereel {

void let_imgui_throw_bad_alloc() {
    const auto take = [](std::size_t bytes, void*) -> void* {
        void* const memory = std::malloc(bytes);
        if (memory == nullptr && bytes > 0) throw std::bad_alloc();
        return memory;
    };
    ImGui::SetAllocatorFunctions(take, [](void* memory, void*) { std::free(memory); });
}

}  // namespace tilereel

#include "app/ui/draw/clear.h"

#include <algorithm>
#include <cmath>
#include <deque>

#include "app/ui/gl/gl.h"

namespace tilereel {
namespace {

constexpr float kSmallestArea = 20000;  // pixels; for smaller rectangles an extra draw command
                                        // costs more than the fill

std::deque<QueuedClear> g_clears;  // of the current frame; callbacks hold pointers into it

void draw_clear(const ImDrawList*, const ImDrawCmd* command) {
    const auto& clear = *static_cast<const QueuedClear*>(command->UserCallbackData);
    const ImVec4& clip = command->ClipRect;
    const ImVec4 part{std::max(clip.x, clear.rect.x), std::max(clip.y, clear.rect.y),
                      std::min(clip.z, clear.rect.right()), std::min(clip.w, clear.rect.bottom())};
    if (!set_scissor(part)) return;
    const ImVec4 color = ImGui::ColorConvertU32ToFloat4(clear.color);
    glClearColor(color.x, color.y, color.z, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
}

bool is_whole(float length) { return length == std::floor(length); }

}  // namespace

bool is_worth_clearing(const Rect& rect, ImU32 color) {
    return (color & IM_COL32_A_MASK) == IM_COL32_A_MASK && rect.w > 0 && rect.h > 0 &&
           rect.w * rect.h >= kSmallestArea && is_whole(rect.x) && is_whole(rect.y) &&
           is_whole(rect.right()) && is_whole(rect.bottom());
}

void add_clear(ImDrawList* list, const Rect& rect, ImU32 color) {
    list->AddCallback(draw_clear, &g_clears.emplace_back(QueuedClear{rect, color}));
}

const QueuedClear* queued_clear(const ImDrawCmd& command) {
    return command.UserCallback == draw_clear
               ? static_cast<const QueuedClear*>(command.UserCallbackData)
               : nullptr;
}

void new_frame_of_clears() { g_clears.clear(); }

}  // namespace tilereel

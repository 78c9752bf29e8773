#include "app/panels/presenter/presenter.h"

#include <algorithm>
#include <cmath>

#include "app/ui/widgets/widgets.h"

namespace tilereel {
namespace {

constexpr float kLensZoom = 2.2f;
constexpr float kLensShare = 0.2f, kSpotShare = 0.19f;  // radii, as a share of the window's height

void take_stroke(PresenterMemory& memory, const Rect& screen, ImVec2 pointer) {
    const bool down = ImGui::IsMouseDown(ImGuiMouseButton_Left);
    if (!down || !screen.contains(pointer)) {
        memory.drawing = false;
        return;
    }
    if (!memory.drawing) memory.strokes.emplace_back();
    memory.drawing = true;
    const ImVec2 point{pointer.x / screen.w, pointer.y / screen.h};
    std::vector<ImVec2>& stroke = memory.strokes.back();
    const bool moved = stroke.empty() || std::abs(stroke.back().x - point.x) * screen.w >= 1.5f ||
                       std::abs(stroke.back().y - point.y) * screen.h >= 1.5f;
    if (moved) stroke.push_back(point);
}

void draw_strokes(ImDrawList& list, const Look& look, const PresenterMemory& memory,
                  const Rect& screen) {
    const float width = std::max(3.0f, screen.h / 180);
    const ImU32 color = look.colors().accent;
    for (const std::vector<ImVec2>& stroke : memory.strokes) {
        std::vector<ImVec2> points;
        for (const ImVec2& point : stroke)
            points.push_back({point.x * screen.w, point.y * screen.h});
        // The strokes have round ends. A stroke of one point is a dot.
        for (const ImVec2& end : {points.front(), points.back()})
            list.AddCircleFilled(end, width / 2, color);
        list.AddPolyline(points.data(), static_cast<int>(points.size()), color, ImDrawFlags_None,
                         width);
    }
}

// Dims everything outside a disc around the pointer. The dimmed part is a ring that is wider than
// the window.
void draw_spotlight(ImDrawList& list, const Rect& screen, ImVec2 pointer) {
    constexpr int kSegments = 128;
    const float inner = kSpotShare * screen.h, outer = 2 * (screen.w + screen.h);
    list.AddCircle(pointer, (inner + outer) / 2, IM_COL32(0, 0, 0, 190), kSegments, outer - inner);
}

// Hides a pointer that rests, and one that a tool replaces.
void hide_pointer(const Look& look, const ViewState& view, ImVec2 pointer,
                  PresenterMemory& memory) {
    constexpr double kShownSeconds = 1.5;
    const bool moved = pointer.x != memory.pointer.x || pointer.y != memory.pointer.y ||
                       ImGui::IsMouseDown(ImGuiMouseButton_Left);
    if (moved) memory.since = look.now_seconds;
    memory.pointer = pointer;
    memory.waits = look.now_seconds - memory.since < kShownSeconds;
    if (!memory.waits || takes_pointer(view)) ImGui::SetMouseCursor(ImGuiMouseCursor_None);
}

}  // namespace

bool takes_pointer(const ViewState& view) {
    return view.presenting && (view.tool != PresenterTool::kNone || view.curtain != Curtain::kNone);
}

void draw_presenter(const Look& look, const Rect& screen, const ViewState& view, ImVec2 pointer,
                    PresenterMemory& memory) {
    if (!view.presenting) {
        memory.strokes.clear();
        memory.drawing = memory.waits = false;
        return;
    }
    hide_pointer(look, view, pointer, memory);
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    if (view.curtain != Curtain::kNone) {
        list.AddRectFilled(screen.min(), screen.max(),
                           view.curtain == Curtain::kBlack ? IM_COL32_BLACK : IM_COL32_WHITE);
        register_widget("presenter.curtain", screen);
        return;
    }
    if (view.tool == PresenterTool::kPen)
        take_stroke(memory, screen, pointer);
    else
        memory.drawing = false;
    draw_strokes(list, look, memory, screen);
    const bool here = screen.contains(pointer);
    if (view.tool == PresenterTool::kSpotlight && here) draw_spotlight(list, screen, pointer);
    if (view.tool == PresenterTool::kMagnifier && here)
        memory.magnifier.draw(list, look, pointer, kLensShare * screen.h, kLensZoom);
    if (view.tool == PresenterTool::kPen && here)
        list.AddCircle(pointer, std::max(4.0f, screen.h / 150), look.colors().accent, 24,
                       look.hair());
}

}  // namespace tilereel

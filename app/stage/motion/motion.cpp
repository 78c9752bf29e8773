// The state that a frame takes over from the previous one, and the zoom and pan by the user.
#include <algorithm>
#include <cmath>

#include "app/stage/scene.h"
#include "app/stage/word_glide.h"

namespace tilereel::stage {
namespace {

constexpr float kLargestZoomPitch = 64;

// Zooms about the cell under the pointer. Along an axis that the matrix under the pointer does not
// have, the middle keeps its place. The windows themselves may grow.
void zoom_about(Scene& scene, const MatrixView& over, float factor) {
    StageView& view = scene.view;
    const StageLayout& before = scene.layout;
    const UserZoom& user_zoom = view;
    Zoom zoom{user_zoom, before.planes, before.watched};
    zoom.zoom *= factor;
    zoom.follows = false;
    const StageLayout after =
        layout_stage(scene.look, before.all, scene.trace, scene.plan, zoom, scene.banks());
    const bool in_a = &over == &before.a, in_b = &over == &before.b;
    // The first visible cell of a matrix after the zoom.
    const auto first = [&](MatrixView StageLayout::*matrix, bool about_x, bool about_y) {
        const auto cells = [&](const MatrixView& m) {
            return m.in_cells({about_x ? scene.mouse.x - m.window.x : m.window.w / 2,
                               about_y ? scene.mouse.y - m.window.y : m.window.h / 2});
        };
        const ImVec2 was = cells(before.*matrix), is = cells(after.*matrix);
        return ImVec2{(before.*matrix).column0 + was.x - is.x,
                      (before.*matrix).row0 + was.y - is.y};
    };
    view.pan = first(&StageLayout::c, !in_a, !in_b);
    view.pan_k = in_b ? first(&StageLayout::b, true, true).y : first(&StageLayout::a, in_a, true).x;
    view.zoom *= factor;
}

void drag(Scene& scene, const MatrixView& over, ImVec2 by) {
    StageView& view = scene.view;
    const ImVec2 cells = over.in_cells(by);
    (&over == &scene.layout.a ? view.pan_k : view.pan.x) -= cells.x;
    (&over == &scene.layout.b ? view.pan_k : view.pan.y) -= cells.y;
}

// The index in the layout of the shared array under a point. kNoIndex if there is none.
std::uint32_t shared_under(const Scene& scene, ImVec2 point) {
    for (std::uint32_t i = 0; i < scene.layout.arrays.size(); ++i)
        if (!scene.layout.arrays[i].small && scene.layout.arrays[i].window.contains(point))
            return i;
    return kNoIndex;
}

void zoom_shared(Scene& scene, std::uint32_t over, float wheel) {
    StageView& view = scene.view;
    const SharedView& under = scene.layout.arrays[over];
    const float pitch = std::min(under.pitch_x, under.pitch_y) / view.shared_zoom;
    const float largest = std::max(1.0f, scene.look.px(kLargestZoomPitch) / pitch);
    const float wanted = std::clamp(view.shared_zoom * std::pow(1.2f, wheel), 1.0f, largest);
    const float factor = wanted / view.shared_zoom;
    for (std::uint32_t i = 0; i < scene.layout.arrays.size(); ++i) {
        const SharedView& array = scene.layout.arrays[i];
        // All arrays show the same part, so that tiles can be compared.
        const ImVec2 cells =
            array.in_cells({scene.mouse.x - under.window.x, scene.mouse.y - under.window.y});
        view.shared_pan[i].x += cells.x - cells.x / factor;
        view.shared_pan[i].y += cells.y - cells.y / factor;
    }
    view.shared_zoom = wanted;
}

const MatrixView* matrix_under(const Scene& scene, ImVec2 point) {
    for (const MatrixView* m : {&scene.layout.a, &scene.layout.b, &scene.layout.c})
        if (m->window.contains(point)) return m;
    return nullptr;
}

// Handles the mouse wheel and dragging.
void follow_mouse(Scene& scene, const MatrixView* over, std::uint32_t shared, bool held) {
    StageView& view = scene.view;
    const ImGuiIO& io = ImGui::GetIO();
    if (scene.mouse_here && over != nullptr && io.MouseWheel != 0) {
        const float largest = scene.look.px(kLargestZoomPitch) / (over->pitch_x / view.zoom);
        const float wanted = view.zoom * std::pow(1.2f, io.MouseWheel);
        if (wanted < 1 && scene.layout.cropped) view.whole = true;
        view.follows = false;
        zoom_about(scene, *over, std::clamp(wanted, 1.0f, std::max(1.0f, largest)) / view.zoom);
    }
    if (scene.mouse_here && shared != kNoIndex && io.MouseWheel != 0)
        zoom_shared(scene, shared, io.MouseWheel);
    if (!view.dragging || !held) return;
    const MatrixView* from = matrix_under(scene, view.pressed_at);
    if (from != nullptr && (view.zoom > 1 || scene.layout.cropped)) {
        if (io.MouseDelta.x != 0 || io.MouseDelta.y != 0) view.follows = false;
        drag(scene, *from, io.MouseDelta);
    }
    const std::uint32_t from_shared = shared_under(scene, view.pressed_at);
    if (from_shared != kNoIndex && view.shared_zoom > 1) {
        const ImVec2 cells = scene.layout.arrays[from_shared].in_cells(io.MouseDelta);
        view.shared_pan[from_shared].x -= cells.x, view.shared_pan[from_shared].y -= cells.y;
    }
}

}  // namespace

void advance_motion(StageView& view, const Workbench& workbench, const Look& look) {
    const double position = workbench.position(), from = workbench.moved_from();
    const bool replaced = view.plan.refresh(*workbench.replay());
    view.hazards.refresh(workbench, replaced);
    begin_glide(view, workbench, look, replaced);
    // A movement that starts at the previous frame's position continues from its picture.
    view.jumped = replaced || workbench.scrubbing() || !workbench.view().motion ||
                  (from != view.last_moved_from && from != view.last_position);
    view.settled_seconds = workbench.moving() ? 0 : view.settled_seconds + look.frame_seconds;
    view.last_position = position;
    view.last_moved_from = from;
    const ImVec2 mouse = ImGui::GetCurrentContext() != nullptr ? ImGui::GetIO().MousePos : ImVec2{};
    if (view.pointer && (mouse.x != view.pointer->x || mouse.y != view.pointer->y))
        view.pointer_moved = look.now_seconds;
    view.pointer = mouse;
}

void zoom_and_pan(Scene& scene) {
    StageView& view = scene.view;
    const bool down = ImGui::IsMouseClicked(ImGuiMouseButton_Left) ||
                      ImGui::IsMouseClicked(ImGuiMouseButton_Middle);
    if (scene.mouse_here && down) {
        view.pressed_at = scene.mouse;
        view.dragging = true;
    }
    const MatrixView* over = matrix_under(scene, scene.mouse);
    const std::uint32_t shared = shared_under(scene, scene.mouse);
    const bool held =
        ImGui::IsMouseDown(ImGuiMouseButton_Left) || ImGui::IsMouseDown(ImGuiMouseButton_Middle);
    follow_mouse(scene, over, shared, held);
    if (view.dragging && !held) {
        const float dx = scene.mouse.x - view.pressed_at.x, dy = scene.mouse.y - view.pressed_at.y;
        scene.clicked = scene.mouse_here && dx * dx + dy * dy < 25 &&
                        ImGui::IsMouseReleased(ImGuiMouseButton_Left);
        view.dragging = false;
    }
    // A double click on an empty place resets the zoom. Blocks of C and the map handle clicks
    // themselves.
    if (scene.mouse_here && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) &&
        over != &scene.layout.c) {
        if (shared == kNoIndex) view.reset();
        if (over == nullptr) view.shared_zoom = 1;
    }
    if (view.zoom <= 1.001f && !scene.layout.cropped) view.reset();
}

}  // namespace tilereel::stage

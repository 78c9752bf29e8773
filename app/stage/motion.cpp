// The picture's time, and the eye's zoom and pan.
#include <algorithm>
#include <cmath>

#include "app/stage/scene.h"

namespace tilereel::stage {
namespace {

constexpr double kSecondsPerTick = 0.16;  // at x1
constexpr double kRunOutSeconds = 0.3;
constexpr double kLongestStep = 80;  // ticks: a longer move on is a jump, not a step
constexpr float kLargestZoomPitch = 64;

void jump(StageView& view, double position) {
    view.shown_position = view.step_from = view.landed_before = position;
    view.settled_seconds = kRunOutSeconds;
    view.jumped = true;
}

void follow_pause(StageView& view, double position, double seconds) {
    const double moved = position - view.last_position;
    if (view.was_playing) {
        view.step_from = view.shown_position;
        view.settled_seconds = 0;
    } else if (moved < 0 || moved > kLongestStep) {
        jump(view, position);
        return;
    } else if (moved > 0) {
        view.step_from = view.shown_position;
        view.settled_seconds = 0;
    }
    view.settled_seconds += seconds;
    const double s = std::clamp(view.settled_seconds / kRunOutSeconds, 0.0, 1.0);
    const double eased = 1 - std::pow(1 - s, 3);
    view.shown_position = view.step_from + (position - view.step_from) * eased;
    if (s >= 1) view.landed_before = position;
}

}  // namespace

void advance_motion(StageView& view, const Workbench& workbench, const Look& look) {
    const double position = workbench.position();
    const bool replaced = view.plan.refresh(*workbench.replay());
    const bool fresh = replaced || view.last_position < 0;
    view.jumped = false;
    if (fresh || workbench.scrubbing()) {
        jump(view, position);
    } else if (workbench.playing()) {
        const double moved = position - view.last_position;
        const double expected = look.frame_seconds * workbench.speed() / kSecondsPerTick;
        if (moved < -1e-9 || moved > 4 * expected + 2)
            jump(view, position);
        else
            view.shown_position = position;
        view.settled_seconds = 0;
    } else {
        follow_pause(view, position, look.frame_seconds);
    }
    view.last_position = position;
    view.was_playing = workbench.playing();
}

namespace {

// Keeps the cell under the pointer where it is while the pitch changes.
float anchored(float first, float pointer, float pitch, float factor) {
    return first + pointer / pitch - pointer / (pitch * factor);
}

void zoom_about(Scene& scene, const MatrixView& over, float factor) {
    const MatrixView& a = scene.layout.a;
    const MatrixView& c = scene.layout.c;
    const auto centre = [](const MatrixView& v) { return ImVec2{v.window.w / 2, v.window.h / 2}; };
    ImVec2 in_c = centre(c);
    float in_k = a.window.w / 2;
    const ImVec2 at{scene.mouse.x - over.window.x, scene.mouse.y - over.window.y};
    if (&over == &c) in_c = at;
    if (&over == &a) in_c.y = at.y, in_k = at.x;
    if (&over == &scene.layout.b) in_c.x = at.x, in_k = at.y;
    StageView& view = scene.view;
    view.pan.x = anchored(view.pan.x, in_c.x, c.pitch_x, factor);
    view.pan.y = anchored(view.pan.y, in_c.y, c.pitch_y, factor);
    view.pan_k = anchored(view.pan_k, in_k, a.pitch_x, factor);
    view.zoom *= factor;
}

void drag(Scene& scene, const MatrixView& over, ImVec2 by) {
    StageView& view = scene.view;
    const float x = by.x / over.pitch_x, y = by.y / over.pitch_y;
    if (&over == &scene.layout.a)
        view.pan_k -= x, view.pan.y -= y;
    else if (&over == &scene.layout.b)
        view.pan.x -= x, view.pan_k -= y;
    else
        view.pan.x -= x, view.pan.y -= y;
}

const MatrixView* matrix_under(const Scene& scene, ImVec2 point) {
    for (const MatrixView* m : {&scene.layout.a, &scene.layout.b, &scene.layout.c})
        if (m->window.contains(point)) return m;
    return nullptr;
}

void reset(StageView& view) {
    view.zoom = 1;
    view.pan = {};
    view.pan_k = 0;
}

}  // namespace

void zoom_and_pan(Scene& scene) {
    const ImGuiIO& io = ImGui::GetIO();
    StageView& view = scene.view;
    const bool down = ImGui::IsMouseClicked(ImGuiMouseButton_Left) ||
                      ImGui::IsMouseClicked(ImGuiMouseButton_Middle);
    if (scene.mouse_here && down) {
        view.pressed_at = scene.mouse;
        view.dragging = true;
    }
    const MatrixView* over = matrix_under(scene, scene.mouse);
    if (scene.mouse_here && over != nullptr && io.MouseWheel != 0) {
        const float largest = scene.look.px(kLargestZoomPitch) / (over->pitch_x / view.zoom);
        const float wanted = view.zoom * std::pow(1.2f, io.MouseWheel);
        zoom_about(scene, *over, std::clamp(wanted, 1.0f, std::max(1.0f, largest)) / view.zoom);
    }
    const bool held =
        ImGui::IsMouseDown(ImGuiMouseButton_Left) || ImGui::IsMouseDown(ImGuiMouseButton_Middle);
    if (view.dragging && held && view.zoom > 1)
        if (const MatrixView* from = matrix_under(scene, view.pressed_at))
            drag(scene, *from, io.MouseDelta);
    if (view.dragging && !held) {
        const float dx = scene.mouse.x - view.pressed_at.x, dy = scene.mouse.y - view.pressed_at.y;
        scene.clicked = scene.mouse_here && dx * dx + dy * dy < 25 &&
                        ImGui::IsMouseReleased(ImGuiMouseButton_Left);
        view.dragging = false;
    }
    // Double click on empty ground; C's blocks and the map answer clicks themselves.
    if (scene.mouse_here && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) &&
        over != &scene.layout.c)
        reset(view);
    if (view.zoom <= 1.001f) reset(view);
}

}  // namespace tilereel::stage

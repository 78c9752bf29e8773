#include "app/stage/stage.h"

#include <algorithm>
#include <cmath>

#include "app/stage/scene.h"
#include "app/ui/widgets.h"

namespace tilereel {
namespace {

// "x2.4, back with 0", at the lower right of C, while zoomed in.
void draw_zoom_chip(stage::Scene& scene) {
    if (scene.view.zoom <= 1.001f) return;
    const Rect& c = scene.layout.c.window;
    const float h = scene.u(10) + scene.f(18);
    char label[32];
    std::snprintf(label, sizeof label, "\xc3\x97%.1f", static_cast<double>(scene.view.zoom));
    const float w = text_width(label, Face::kRegular, scene.f(15)) + scene.u(28);
    const Rect rect{c.right() - w - scene.u(6), c.bottom() - h - scene.u(6), w, h};
    if (!text_button(scene.look, "stage.reset_zoom", rect, label, false, "Show all of it (0)"))
        return;
    scene.view.zoom = 1;
    scene.view.pan = {};
    scene.view.pan_k = 0;
}

void draw_empty(const Look& look, const Rect& rect, ImDrawList* list, const Workbench& workbench) {
    const char* words = workbench.recording_progress() != nullptr ? "Recording\xe2\x80\xa6"
                                                                  : "Nothing recorded yet";
    draw_text(list, rect.center(), words,
              {Face::kRegular, look.font_px(18), look.colors().ink2, Align::kCenter});
}

}  // namespace

Commands draw_stage(const Look& window_look, const Rect& rect, const Workbench& workbench,
                    StageView& view) {
    // In a small window the picture cannot give all of its room to large words.
    Look look = window_look;
    const float fits = std::min(rect.w / look.px(470), rect.h / look.px(235));
    look.text = std::min(look.text, std::max(1.0f, fits));
    ImDrawList* list = ImGui::GetWindowDrawList();
    fill_rect(list, rect, look.colors().panel, look.px(10));
    const Recording* recording = workbench.recording();
    const Replay* replay = workbench.replay();
    if (recording == nullptr || replay == nullptr) {
        draw_empty(look, rect, list, workbench);
        return {};
    }
    stage::advance_motion(view, workbench, look);
    stage::Zoom zoom{view.zoom, view.pan.x, view.pan.y, view.pan_k};
    const stage::StageLayout layout =
        stage::layout_stage(look, rect, replay->trace(), view.plan, zoom);
    view.pan = {zoom.column, zoom.row};
    view.pan_k = zoom.k;

    stage::Scene scene{look, list,      workbench, *replay, replay->trace(), replay->state(),
                       view, view.plan, layout};
    scene.mouse = ImGui::GetIO().MousePos;
    scene.mouse_here =
        rect.contains(scene.mouse) && ImGui::IsWindowHovered() && !ImGui::IsAnyItemActive();
    list->PushClipRect(rect.min(), rect.max(), true);
    stage::zoom_and_pan(scene);
    stage::draw_matrices(scene);
    stage::draw_corner(scene);
    stage::draw_shared(scene);
    stage::draw_legend(scene);
    stage::draw_flights(scene);
    draw_zoom_chip(scene);
    list->PopClipRect();
    stage::draw_hover(scene);
    return std::move(scene.commands);
}

}  // namespace tilereel

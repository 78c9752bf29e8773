#include "app/stage/stage.h"

#include <algorithm>

#include "app/stage/general/general.h"
#include "app/stage/lane_view.h"
#include "app/stage/matrices/finding_picture.h"
#include "app/stage/scene.h"
#include "app/stage/shared/ring.h"
#include "app/stage/tensor/tensor_picture.h"
#include "app/stage/word_glide.h"
#include "app/ui/widgets/widgets.h"
#include "instrumentation/base/format/decimal_text.h"

namespace tilereel {
namespace {

// Draws the zoom factor at the lower right of a zoomed view. Returns true when clicked.
bool zoom_chip(stage::Scene& scene, const char* name, const Rect& of, float zoom) {
    if (zoom <= 1.001f) return false;
    return stage::chip(scene, name, {of.right() - scene.u(6), of.bottom()},
                       printed("\xc3\x97%.1f", static_cast<double>(zoom)), "Reset the zoom (0)");
}

// Draws the button that switches between the watched part with values and all of A, B and C.
void whole_chip(stage::Scene& scene) {
    const Rect rect = stage::whole_chip_rect(scene);
    if (rect.w <= 0) return;
    const bool whole = scene.view.whole;
    if (text_button(scene.look, "stage.whole", rect, stage::whole_chip_text(scene), false,
                    whole ? "Show the part that is worked on, with its values (0)"
                          : "Show all of A, B and C (0)"))
        scene.view.whole = !whole;
}

const char* label_of_product(bool as_arrays) { return as_arrays ? "as a product" : "as arrays"; }

// Draws the button that shows a program's product as A, B and C, or as separate arrays.
void product_chip(stage::Scene& scene) {
    if (!scene.workbench.shows_program() || !scene.trace.product || !scene.has_controls()) return;
    const bool as_arrays = scene.workbench.view().product_as_arrays;
    if (text_button(scene.look, "stage.as_arrays", scene.chips.as_arrays,
                    label_of_product(as_arrays), false,
                    as_arrays ? "Show A, B and C as a matrix product"
                              : "Show A, B and C as arrays like any others"))
        scene.commands.push_back(ShowAsArrays{!as_arrays});
}

constexpr const char* kShowFragments = "show the fragments";

bool offers_fragments(const Workbench& workbench) {
    return !workbench.view().tensor_picture && stage::has_tensor_picture(workbench);
}

// Draws the button that shows what the lanes hold for the tensor cores.
void fragments_chip(stage::Scene& scene) {
    if (scene.chips.fragments.w <= 0) return;
    if (text_button(scene.look, "stage.tensor.open", scene.chips.fragments, kShowFragments, false,
                    "What each lane holds of A, B and C (Shift+M)"))
        scene.commands.push_back(ShowTensorPicture{true});
}

// The places of these buttons and, at their left, of the one that names a product.
stage::ProgramChips chips_of_program(const stage::Scene& scene, const Rect& stage) {
    if (!scene.workbench.shows_program() || !scene.has_controls()) return {};
    const float h = scene.u(6) + scene.f(16), top = stage.bottom() - h - scene.u(6);
    float right = stage.right() - scene.u(10);
    stage::ProgramChips chips;
    const auto place = [&](Rect& chip, const std::string& label) {
        const float w = stage::chooser_width(scene.look, label);
        chip = {right - w, top, w, h};
        right = chip.x - scene.u(8);
        chips.all = chips.all.w > 0 ? chips.all.joined(chip) : chip;
    };
    if (scene.trace.product)
        place(chips.as_arrays, label_of_product(scene.workbench.view().product_as_arrays));
    if (offers_fragments(scene.workbench)) place(chips.fragments, kShowFragments);
    if (const std::string name = stage::product_card_label(scene); !name.empty())
        place(chips.name_product, name);
    return chips;
}

void draw_zoom_chips(stage::Scene& scene) {
    StageView& view = scene.view;
    if (zoom_chip(scene, "stage.reset_zoom", scene.layout.c.window, view.zoom)) view.reset();
    const auto last =
        std::ranges::find_if(scene.layout.arrays.rbegin(), scene.layout.arrays.rend(),
                             [](const stage::SharedView& array) { return !array.small; });
    if (last != scene.layout.arrays.rend() &&
        zoom_chip(scene, "stage.reset_shared_zoom", last->window, view.shared_zoom))
        view.shared_zoom = 1;
}

// Moves the visible part of A, B and C towards the watched part; at once if the replay has jumped.
void glide_to_watched(const Look& look, StageView& view, stage::StageLayout& layout,
                      stage::Zoom& zoom) {
    if (zoom.follows_watched() && layout.cropped && view.was_cropped && !view.jumped) {
        zoom.pan = {look.glide(view.pan.x, zoom.pan.x), look.glide(view.pan.y, zoom.pan.y)};
        zoom.pan_k = look.glide(view.pan_k, zoom.pan_k);
        stage::scroll_matrices(layout, zoom);
    }
    view.was_cropped = layout.cropped;
}

// Takes over what has changed in the model since it was taken over last.
void take_zoom(StageView& view, const StageZoom& zoom) {
    if (zoom == view.taken_zoom) return;
    view.taken_zoom = zoom;
    view.zoom = zoom.zoom;
    view.whole = zoom.whole;
    view.follows = zoom.follows;
    view.pan = {zoom.pan[0], zoom.pan[1]};
    view.pan_k = zoom.pan[2];
    view.shared_zoom = zoom.shared_zoom;
    view.shared_pan.clear();
    for (const auto& pan : zoom.shared_pan) view.shared_pan.push_back({pan[0], pan[1]});
}

void draw_empty(const Look& look, const Rect& rect, const Workbench& workbench) {
    const RecordProgress* const progress = workbench.recording_progress();
    const char* words = progress == nullptr          ? "Nothing recorded yet"
                        : progress->compiling.load() ? "Compiling the kernel\xe2\x80\xa6"
                                                     : "Recording\xe2\x80\xa6";
    draw_text(rect.center(), words,
              {Face::kRegular, look.font_px(18), look.colors().ink2, Align::kCenter});
}

// Lays out a kernel that is not a matrix product, or whose arrays are shown instead.
stage::GeneralLayout place_general(const Look& look, const Rect& rect, const Replay& replay,
                                   StageView& view, std::uint32_t lane, stage::Zoom& zoom,
                                   stage::StageLayout& layout) {
    if (view.general.plan.refresh(replay, view.plan)) view.general.origins.clear();
    const ReplayState& state = replay.state();
    const std::uint32_t step = state.request.step == kNoStep ? 0 : state.request.step;
    return stage::layout_general(look, rect, replay.trace(), view.plan, view.general,
                                 {step, state.phase, lane, view.jumped}, zoom,
                                 stage::banks_of(replay), layout);
}

void draw_parts_of_arrays(stage::Scene& scene, const stage::GeneralLayout& layout) {
    stage::draw_general_head(scene, layout.head);
    if (layout.warps.w > 0) stage::draw_warps(scene, layout.warps);
    if (layout.barrier.w > 0 && !scene.replay.schedule().barriers.empty())
        stage::draw_barrier(scene, layout.barrier);
    stage::draw_global_arrays(scene, layout);
    stage::draw_shared(scene);
    stage::draw_hazard_marks(scene);
    stage::draw_general_legend(scene, layout.legend);
    stage::draw_rack(scene);
    stage::draw_general_flights(scene, layout);
}

void draw_parts_of_product(stage::Scene& scene) {
    scene.heat_legend = stage::place_of_heat_legend(scene);
    stage::draw_fragments(scene);  // before C, where the sum that it marks is drawn differently
    stage::draw_matrices(scene);
    stage::draw_shared(scene);
    stage::draw_hazard_marks(scene);
    stage::draw_registers(scene);
    stage::draw_warp_parts(scene);
    stage::draw_rack(scene);
    stage::draw_flights(scene);
    stage::draw_corner(scene);  // nothing flies over the warps and their barrier
    stage::draw_legend(scene);
}

// If the user moved windows or enlarged strips, all follow the accesses again. If all follow
// already, switches between whole arrays and windows.
void show_arrays_or_windows(stage::GeneralView& view) {
    const bool held =
        !view.raised.empty() ||
        std::ranges::any_of(view.origins, [](const auto& origin) { return origin.second.held; });
    view.raised.clear();
    for (auto& [array, origin] : view.origins) origin.held = false;
    if (held) return;
    if (view.origins.empty()) view.whole.clear();
    for (const auto& [array, origin] : view.origins) view.whole[array] = true;
}

// Whether the arrays of the launch are shown, not A, B and C of a product.
bool shows_arrays(const Workbench& workbench) {
    return !workbench.replay()->trace().product ||
           (workbench.shows_program() && workbench.view().product_as_arrays);
}

// In a small window, large text must leave enough room for the picture. Arrays with their names and
// controls, above shared memory, need more of it.
Look look_of_stage(Look look, const Rect& rect, bool as_arrays) {
    const float width = as_arrays ? 560 : 470, height = as_arrays ? 290 : 235;  // units
    const float fits = std::min(rect.w / look.px(width), rect.h / look.px(height));
    look.text = std::min(look.text, std::max(1.0f, fits));
    return look;
}

}  // namespace

StageZoom stage_zoom_of(const StageView& view) {
    StageZoom zoom{.zoom = view.zoom,
                   .whole = view.whole,
                   .follows = view.follows,
                   .pan = {view.pan.x, view.pan.y, view.pan_k},
                   .shared_zoom = view.shared_zoom,
                   .shared_pan = {}};
    for (const ImVec2& pan : view.shared_pan) zoom.shared_pan.push_back({pan.x, pan.y});
    return zoom;
}

Commands show_all_or_watched(StageView& view) {
    show_arrays_or_windows(view.general);
    StageZoom zoom = stage_zoom_of(view);
    if (zoom.zoom <= 1.001f && zoom.shared_zoom <= 1.001f && zoom.follows)
        zoom.whole = !zoom.whole;
    else
        zoom.zoom = zoom.shared_zoom = 1, zoom.follows = true;
    return {SetZoom{std::move(zoom)}};
}

Commands draw_stage(const Look& window_look, const Rect& rect, const Workbench& workbench,
                    StageView& view) {
    const Replay* replay = workbench.replay();
    const bool as_arrays = replay != nullptr && shows_arrays(workbench);
    const Look look = look_of_stage(window_look, rect, as_arrays);
    draw_card(look, rect);
    if (workbench.recording() == nullptr || replay == nullptr) {
        draw_empty(look, rect, workbench);
        return {};
    }
    stage::advance_motion(view, workbench, look);
    take_zoom(view, workbench.stage_zoom());
    view.heat.refresh(workbench);
    view.lanes.refresh(*replay);
    if (stage::shows_finding(workbench)) {
        if (stage::draw_finding_picture(look, rect, workbench, view)) return {CloseFinding{}};
        return {};
    }
    if (stage::shows_tensor(workbench))
        return stage::draw_tensor_picture(look, rect, workbench, view);
    const WatchedThread& thread = workbench.watched_thread();
    stage::UserZoom& user_zoom = view;
    stage::Zoom zoom{user_zoom, stage::large_planes(*replay, view.plan, thread.chosen_warp())};
    stage::StageLayout layout;
    stage::GeneralLayout general;
    if (as_arrays) {
        general = place_general(look, rect, *replay, view, thread.lane(), zoom, layout);
    } else {
        zoom.watched = stage::watched_part(*replay, view.plan, thread, view.lanes);
        zoom.below_shared = view.heat.shown() ? stage::height_of_heat_legend(look) : 0;
        layout = stage::layout_stage(look, rect, replay->trace(), view.plan, zoom,
                                     stage::banks_of(*replay));
        glide_to_watched(look, view, layout, zoom);
    }
    user_zoom = static_cast<const stage::UserZoom&>(zoom);

    stage::Scene scene{look, workbench, *replay, replay->trace(), replay->state(),
                       view, view.plan, layout};
    scene.mouse = ImGui::GetIO().MousePos;
    scene.mouse_here =
        rect.contains(scene.mouse) && ImGui::IsWindowHovered() && !ImGui::IsAnyItemActive();
    {
        const Clip clip(rect);
        scene.chips = chips_of_program(scene, rect);
        const StageZoom before = stage_zoom_of(view);
        stage::zoom_and_pan(scene);
        stage::find_route(scene);
        if (scene.plan.transfers().legs().size() > 0) stage::ask_for_route_type(scene);
        if (as_arrays)
            draw_parts_of_arrays(scene, general);
        else
            draw_parts_of_product(scene);
        stage::draw_texts_on_top(scene);
        draw_zoom_chips(scene);
        whole_chip(scene);
        if (StageZoom after = stage_zoom_of(view); after != before)
            scene.commands.push_back(SetZoom{std::move(after)});
        product_chip(scene);
        fragments_chip(scene);
        stage::draw_route_label(scene);
    }
    stage::keep_for_glide(scene);
    stage::draw_hover(scene);
    stage::draw_product_card(scene, rect);
    return std::move(scene.commands);
}

}  // namespace tilereel

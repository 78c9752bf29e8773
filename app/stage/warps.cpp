// The warps of the block as tokens on their way to the gate.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/stage/warp_token.h"
#include "app/ui/widgets.h"

namespace tilereel::stage {
namespace {

constexpr double kReleaseSeconds = 0.24;

// How far a warp is between two barriers, 0..1.
double advance_of(const Scene& scene, const WarpState& warp, std::uint32_t index) {
    if (warp.activity == Activity::kDone) return 1;
    if (warp.activity == Activity::kReady || warp.step >= scene.replay.steps().size()) return 0;
    const TickSpan span = scene.plan.epoch_of_warp(scene.replay.steps()[warp.step].epoch, index);
    const double length = std::max(span.end - span.begin, 1e-6);
    return std::clamp((scene.view.shown_position - span.begin) / length, 0.0, 1.0);
}

void note_change(Scene& scene, std::size_t index, Activity now) {
    StageView::WarpMotion& motion = scene.view.warps[index];
    if (scene.view.jumped) {
        motion.changed = -1e9;
        motion.released = false;
        motion.activity = now;
        motion.x = motion.y = -1;
    } else if (motion.activity != now) {
        motion.released = motion.activity == Activity::kWaits && now != Activity::kDone;
        motion.changed = scene.look.now_seconds;
        motion.activity = now;
    }
}

struct Lane {
    float left = 0, gate = 0;  // x between which tokens move
};

// Where a released token is: through the gate in 240 ms, then back at the start of its lane.
bool release_offset(const Scene& scene, std::size_t index, float& share) {
    const StageView::WarpMotion& motion = scene.view.warps[index];
    const double since = scene.look.now_seconds - motion.changed;
    if (!motion.released || since >= kReleaseSeconds || since < 0) return false;
    share = static_cast<float>(since / kReleaseSeconds);
    return true;
}

// One lane a warp.
float draw_lanes_of_warps(Scene& scene, const Rect& area, float pitch, const Lane& lane) {
    const Palette& colors = scene.colors();
    const auto n = static_cast<float>(scene.state.warps.size());
    const float h = std::min(scene.u(14) + scene.f(20), pitch - scene.u(5));
    const float px = std::min(scene.f(15), h * 0.52f);
    const float around = scene.u(12 + 9 + 9 + 9) + std::min(scene.f(16), h * 0.62f) +
                         text_width("warp 00", Face::kSemiBold, px);
    scene.list->PushClipRect({area.x, area.y}, {area.right(), area.y + n * pitch + scene.u(8)},
                             true);
    for (std::uint32_t i = 0; i < scene.state.warps.size(); ++i) {
        const WarpState& warp = scene.state.warps[i];
        const float y = area.y + static_cast<float>(i) * pitch;
        const float rule = y + pitch;
        scene.list->AddLine({area.x, rule}, {lane.gate, rule}, colors.line, scene.look.px(1));
        const float word_w = text_width(word_of(warp.activity), Face::kRegular, px * 0.8f);
        const float w =
            std::min(std::max(around + word_w, scene.u(148)), (lane.gate - lane.left) * 0.86f);
        const float at_gate = lane.gate - scene.u(8) - w;
        float x = at_gate;
        float share = 0;
        if (release_offset(scene, i, share))
            x = at_gate + share * (area.right() + scene.u(8) - at_gate);
        else if (warp.activity != Activity::kWaits)
            x = lane.left + static_cast<float>(advance_of(scene, warp, i)) *
                                (at_gate - scene.u(24) - lane.left);
        draw_token(scene, {{std::round(x), std::round(rule - scene.u(4) - h), w, h}, true}, i);
    }
    scene.list->PopClipRect();
    return area.y + n * pitch;
}

// Slots in rows: the waiting ones fill up from the gate in order of arrival, the others from the
// left.
struct Slots {
    std::uint32_t rows = 1, columns = 1;
    float w = 0, h = 0;
};
Slots slots_for(const Scene& scene, std::uint32_t n, float width, float height) {
    const float least_h = scene.u(4) + scene.f(14), most_h = scene.u(8) + scene.f(22);
    Slots slots;
    const auto fit = static_cast<std::uint32_t>(std::max(1.0f, std::floor(height / least_h)));
    // No narrower than icon and number, even if the rows then get low.
    const float least_w = scene.u(18) + scene.f(18);
    const auto most = static_cast<std::uint32_t>(std::max(1.0f, std::floor(width / least_w)));
    slots.columns = std::clamp((n + fit - 1) / fit, 1u, most);
    slots.rows = (n + slots.columns - 1) / slots.columns;
    slots.w = width / static_cast<float>(slots.columns);
    slots.h = std::min(most_h, height / static_cast<float>(slots.rows));
    return slots;
}

// Order of a warp among those that wait or those that do not.
std::uint32_t rank_of(const Scene& scene, std::uint32_t index) {
    const std::vector<WarpState>& warps = scene.state.warps;
    if (warps[index].activity == Activity::kWaits) return warps[index].arrival;
    std::uint32_t rank = 0;
    for (std::uint32_t i = 0; i < index; ++i)
        if (warps[i].activity != Activity::kWaits) ++rank;
    return rank;
}

float draw_slots(Scene& scene, const Rect& area, const Lane& lane) {
    const auto n = static_cast<std::uint32_t>(scene.state.warps.size());
    const Slots slots = slots_for(scene, n, lane.gate - scene.u(8) - lane.left, area.h);
    const float gap = scene.u(4);
    const float seconds = static_cast<float>(scene.look.frame_seconds);
    const float follow = 1 - std::exp(-seconds / 0.05f);
    for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint32_t rank = rank_of(scene, i);
        const bool waits = scene.state.warps[i].activity == Activity::kWaits;
        // Those that wait fill up from the last slot backwards, so that the two never meet.
        const std::uint32_t place = waits ? slots.rows * slots.columns - 1 - rank : rank;
        const float to_x = lane.left + static_cast<float>(place / slots.rows) * slots.w;
        const float to_y = area.y + static_cast<float>(place % slots.rows) * slots.h;
        StageView::WarpMotion& motion = scene.view.warps[i];
        if (motion.x < 0) motion.x = to_x - area.x, motion.y = to_y - area.y;
        motion.x += (to_x - area.x - motion.x) * follow;
        motion.y += (to_y - area.y - motion.y) * follow;
        const Rect rect{std::round(area.x + motion.x), std::round(area.y + motion.y), slots.w - gap,
                        slots.h - gap};
        const float px = std::min(scene.f(15), rect.h * 0.52f);
        const float name = scene.u(12 + 16 + 9 + 8) + text_width("warp 00", Face::kSemiBold, px);
        draw_token(scene, {rect, rect.w >= name}, i);
    }
    return area.y + static_cast<float>(slots.rows) * slots.h;
}

// "8 warps: 3 wait, 5 load"
std::string summary(const Scene& scene, bool with_words) {
    const std::size_t n = scene.state.warps.size();
    std::string text = plural(n, "warp", "warps");
    if (!with_words) return text;
    constexpr std::array<std::pair<Activity, const char*>, 6> kWords = {
        {{Activity::kWaits, "wait"},
         {Activity::kLoads, "load"},
         {Activity::kComputes, "compute"},
         {Activity::kStores, "store"},
         {Activity::kReady, "ready"},
         {Activity::kDone, "done"}}};
    const char* separator = ": ";
    for (const auto& [activity, word] : kWords) {
        const auto count =
            std::count_if(scene.state.warps.begin(), scene.state.warps.end(),
                          [wanted = activity](const WarpState& w) { return w.activity == wanted; });
        if (count == 0) continue;
        text += separator + std::to_string(count) + " " + word;
        separator = ", ";
    }
    return text;
}

}  // namespace

float draw_warps(Scene& scene, const Rect& area) {
    const std::size_t n = scene.state.warps.size();
    if (n == 0) return area.y;
    scene.view.warps.resize(n);
    for (std::size_t i = 0; i < n; ++i) note_change(scene, i, scene.state.warps[i].activity);
    register_widget("stage.warps", area);
    const Palette& colors = scene.colors();
    const bool gate = !scene.replay.barriers().empty();
    const float label_y = area.y + scene.f(8);
    const float top = label_y + scene.f(12) + scene.u(6);
    const float room = area.bottom() - top - scene.u(6);
    const float least_pitch = scene.look.px(6) + scene.f(24);
    const float pitch = std::floor(
        std::clamp(room / static_cast<float>(n), least_pitch, scene.look.px(14) + scene.f(31)));
    const bool lanes = static_cast<float>(n) * pitch <= room + scene.u(4);
    const Lane lane{area.x, area.right() - scene.u(gate ? 22 : 0)};
    const TextStyle style = scene.text(Face::kRegular, 14, colors.ink3);
    const float barrier_w =
        gate ? text_width("barrier", Face::kSemiBold, scene.f(14)) + scene.u(12) : 0;
    const float free = area.w - barrier_w;
    std::string label = summary(scene, !lanes);
    if (text_width(label, style.face, style.px) > free) label = summary(scene, false);
    if (text_width(label, style.face, style.px) > free) label = std::to_string(n);
    draw_text(scene.list, {area.x, label_y}, label, style);
    if (gate)
        draw_text(scene.list, {area.right(), label_y}, "barrier",
                  scene.text(Face::kSemiBold, 14, colors.wait_text, Align::kRight));
    const Rect inner{area.x, top, area.w, room};
    const float bottom =
        lanes ? draw_lanes_of_warps(scene, inner, pitch, lane) : draw_slots(scene, inner, lane);
    if (gate)
        fill_rect(scene.list, {lane.gate, top, scene.u(6), bottom + scene.u(6) - top}, colors.wait,
                  scene.look.px(2));
    return bottom;
}

}  // namespace tilereel::stage

// One row that explains the visible states of cells.
#include <algorithm>
#include <cmath>

#include "app/stage/general/general.h"
#include "app/stage/scene.h"

namespace tilereel::stage {
namespace {

enum class Mark : std::uint8_t { kNone, kHazard, kWrong };  // drawn over an idle cell

struct Entry {
    CellLook look;
    const char* words;
    Mark mark = Mark::kNone;
};

std::vector<Entry> entries_of(const Scene& scene) {
    std::vector<Entry> entries;
    if (scene.shows_wrong) entries.push_back({CellLook::kIdle, "wrong", Mark::kWrong});
    if (scene.shows_hazards) entries.push_back({CellLook::kIdle, "hazard", Mark::kHazard});
    const bool shared = !scene.plan.shared().empty();
    const bool flights = !scene.replay.flights().empty();
    if (shared) {
        entries.push_back({CellLook::kNeverWritten, "never written"});
        entries.push_back({CellLook::kStale, "stale"});
        entries.push_back({CellLook::kValid, "valid"});
        if (scene.replay.stores_unloaded()) entries.push_back({CellLook::kNotLoaded, "not loaded"});
    }
    entries.push_back({CellLook::kInFlight, "in flight"});
    if (flights && !scene.conflicted()) {
        entries.push_back({CellLook::kBeingCopied, "being copied"});
        entries.push_back({CellLook::kCopied, "copied"});
    }
    if (scene.conflicted()) {
        entries.push_back({CellLook::kConflictCurrent, "conflict"});
        entries.push_back({CellLook::kConflictWaiting, "waits for its bank"});
    }
    if (scene.shows_padding && scene.shows_off_lanes)
        entries.push_back({CellLook::kOff, "lane off, padding"});
    else if (scene.shows_padding)
        entries.push_back({CellLook::kOff, "padding"});
    else if (scene.shows_off_lanes || shared)
        entries.push_back({CellLook::kOff, "lane off"});
    return entries;
}

// A heat map needs its numbers. If the usual legend has no room, they are drawn below shared
// memory.
void draw_heat_legend_below(Scene& scene) {
    const Rect& plate = scene.heat_legend;
    if (plate.h <= 0) return;
    const float pad = scene.u(8);
    fill_rect(plate, scene.colors().raised, scene.look.corner());
    draw_heat_legend(scene, {plate.x + pad, plate.y, plate.w - 2 * pad, plate.h});
}

// Draws as many entries as fit.
void draw_entries(Scene& scene, const Rect& area, ColorRole role,
                  const std::vector<Entry>& entries) {
    TextStyle style = scene.body(scene.colors().ink2);
    const float side = scene.u(4) + scene.f(14);
    float between = scene.u(25), beside = scene.u(10);
    const auto wanted = [&] {
        float w = -between;
        for (const Entry& entry : entries)
            w += side + beside + text_width(entry.words, style) + between;
        return w;
    };
    if (wanted() > area.w) between = scene.u(12), beside = scene.u(7);
    while (wanted() > area.w && style.px > scene.f(12)) style.px -= 0.5f;
    float x = area.x;
    std::vector<MovingCell> boxes;
    for (const Entry& entry : entries) {
        const float w = text_width(entry.words, style);
        if (x + side + beside + w > area.right() + 1) break;
        const Rect box{std::round(x), std::round(area.center().y - side / 2), side, side};
        boxes.push_back({box, entry.look, role, 255, scene.look.px(3)});
        x += side + beside;
        draw_text({x, area.center().y}, entry.words, style);
        x += w + between;
    }
    add_moving_cells(scene.look, boxes);
    for (std::size_t i = 0; i < boxes.size(); ++i)
        if (const Rect& box = boxes[i].rect; entries[i].mark == Mark::kHazard)
            draw_hazard_mark(scene.colors(), box.center(), 0.66f * side, true);
        else if (entries[i].mark == Mark::kWrong)
            draw_wrong_mark(scene.colors(), box.inset(0.26f * side), std::max(2.0f, 0.12f * side));
}

}  // namespace

Rect place_of_heat_legend(const Scene& scene) {
    if (!scene.view.heat.shown() || scene.layout.legend.w > 0) return {};
    const Rect& all = scene.layout.all;
    const float h = height_of_heat_legend(scene.look) - 2 * scene.u(6);
    const float x = scene.layout.shared.x;
    const Rect& chips = scene.chips.all;  // in the same row
    const float right = chips.w > 0 ? chips.x - scene.u(8) : all.right();
    return {x - scene.u(8), all.bottom() - h - scene.u(6), right - x, h};
}

void draw_legend(Scene& scene) {
    const Rect& area = scene.layout.legend;
    if (area.w <= 0) return draw_heat_legend_below(scene);
    if (draw_heat_legend(scene, area)) return;
    const ColorRole role = scene.role_of_request();
    draw_entries(scene, area, role == ColorRole::kNone ? ColorRole::kB : role, entries_of(scene));
}

void draw_general_legend(Scene& scene, const Rect& area) {
    if (area.h <= 0 || draw_heat_legend(scene, area)) return;
    std::vector<Entry> entries{{CellLook::kSolid, "accessed now"},
                               {CellLook::kValid, "in use"},
                               {CellLook::kBand, "used later"},
                               {CellLook::kIdle, "not used by this block"}};
    if (scene.shows_off_lanes) entries.push_back({CellLook::kOff, "lane off"});
    if (scene.conflicted()) {
        entries.push_back({CellLook::kConflictCurrent, "conflict, at the bank"});
        entries.push_back({CellLook::kConflictWaiting, "waits for its bank"});
    }
    draw_entries(scene, area, ColorRole::kA, entries);
}

}  // namespace tilereel::stage

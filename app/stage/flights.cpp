// Cells on their way from global to shared memory.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "app/stage/flight_path.h"
#include "app/stage/scene.h"
#include "app/ui/drawn_text.h"

namespace tilereel::stage {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr float kTail = 0.09f;          // of the path
constexpr float kTailGone = 0.875f;     // the last eighth has none
constexpr std::size_t kMostTails = 96;  // with more, tails hide what flies
constexpr float kBow = 0.16f;           // of the distance, upwards
constexpr std::size_t kMostRows = 8;    // in the air as single cells

float eased(double p) { return static_cast<float>(0.5 - 0.5 * std::cos(kPi * p)); }

ImVec2 inside(const Rect& rect, ImVec2 p) {
    return {std::clamp(p.x, rect.x, rect.right()), std::clamp(p.y, rect.y, rect.bottom())};
}

// The same for all cells between two arrays, so that a row stays level.
float bow_of(const MatrixView& from, const SharedView& to) {
    const ImVec2 a = from.window.center(), b = to.window.center();
    return kBow * std::hypot(b.x - a.x, b.y - a.y);
}

struct Airborne {
    MovingCell cell;
    FlightPath path;
    float along = 0;
    float value = 0;
    ArrayId to = kNoArray;
    std::uint32_t request = 0, row = 0;  // the step that loads it, and its row in the matrix
    int target_y = 0;                    // pixels: the row in which it lands
};

// The flights of one array that are in the air, those that leave last at the bottom.
std::vector<Airborne> airborne(const Scene& scene, ArrayId from) {
    std::vector<Airborne> found;
    const std::vector<Flight>& flights = scene.replay.flights();
    const MatrixView* m = matrix_of_array(scene, from);
    if (m == nullptr) return found;
    const double earliest = scene.workbench.position() - scene.plan.longest_ticks() - kFlightTicks;
    auto begin = std::lower_bound(
        flights.begin(), flights.end(), earliest,
        [](const Flight& f, double t) { return static_cast<double>(f.depart) < t; });
    const auto end = std::upper_bound(
        begin, flights.end(), scene.workbench.position(),
        [](double t, const Flight& f) { return t < static_cast<double>(f.depart); });
    found.reserve(static_cast<std::size_t>(end - begin));
    const SharedView* last = nullptr;
    float bow = 0;
    for (; begin != end; ++begin) {
        if (begin->from != from) continue;
        const auto index = static_cast<std::uint32_t>(begin - flights.begin());
        const double p = flight_progress(scene, index);
        if (p <= 0 || p >= 1) continue;
        const SharedView* to = view_of_row(scene, begin->to, begin->to_row);
        if (to == nullptr) continue;
        const Rect source = m->cell(begin->from_row, begin->from_column);
        const Rect target = to->cell(begin->to_row, begin->to_column);
        Airborne one;
        if (to != last) bow = bow_of(*m, *to), last = to;
        // What is scrolled out of sight sends from the window's edge, or receives there.
        one.path = path_of(inside(m->window, source.center()), inside(to->window, target.center()),
                           bow, scene.layout.corner);
        one.along = eased(p);
        const ImVec2 at = one.path.at(one.along);
        const float gap = scene.u(2);
        const float w = source.w + (target.w - source.w) * one.along - gap;
        const float h = source.h + (target.h - source.h) * one.along - gap;
        one.cell.rect = {at.x - w / 2, at.y - h / 2, std::max(w, 3.0f), std::max(h, 3.0f)};
        one.cell.role = scene.plan.role(from);
        one.cell.radius = scene.look.px(4);
        one.value = begin->value;
        one.to = begin->to;
        one.request = begin->load_step;
        one.row = begin->from_row;
        one.target_y = static_cast<int>(target.y);
        found.push_back(one);
    }
    return found;
}

// Many rows in the air: what stays together from a row of the matrix to a row in shared memory
// flies as one bar, from its first to its last cell, without values.
std::vector<Airborne> as_bars(const Scene& scene, const std::vector<Airborne>& cells) {
    using Key = std::tuple<std::uint32_t, std::uint32_t, int>;
    std::vector<Airborne> bars;
    std::map<Key, std::size_t> bar_of;
    Key last{};  // most often the next cell goes to the same bar
    std::size_t at = 0;
    for (const Airborne& cell : cells) {
        const Key key{cell.request, cell.row, cell.target_y};
        if (bars.empty() || key != last) {
            const auto [entry, fresh] = bar_of.try_emplace(key, bars.size());
            last = key, at = entry->second;
            if (fresh) {
                bars.push_back(cell);
                continue;
            }
        }
        Rect& bar = bars[at].cell.rect;
        const Rect& one = cell.cell.rect;
        const float x = std::min(bar.x, one.x), y = std::min(bar.y, one.y);
        bar = {x, y, std::max(bar.right(), one.right()) - x,
               std::max(bar.bottom(), one.bottom()) - y};
    }
    // What they fly over shows through, also where there are so many that they overlap.
    Rect all = bars.front().cell.rect;
    float area = 0;
    for (const Airborne& bar : bars) {
        const Rect& one = bar.cell.rect;
        const float x = std::min(all.x, one.x), y = std::min(all.y, one.y);
        all = {x, y, std::max(all.right(), one.right()) - x,
               std::max(all.bottom(), one.bottom()) - y};
        area += one.w * one.h;
    }
    const float layers = std::max(1.0f, area / std::max(all.w * all.h, 1.0f));
    const auto alpha = static_cast<std::uint8_t>(std::max(24.0f, 170 / layers));
    for (Airborne& bar : bars) {
        bar.cell.radius = scene.look.px(3);
        bar.cell.alpha = alpha;
        // The gap around a low one would be all of it.
        if (bar.cell.rect.h >= scene.look.px(5)) continue;
        bar.cell.look = CellLook::kSolid;
        bar.cell.radius = 0;
    }
    return bars;
}

bool many_rows(const std::vector<Airborne>& cells) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> rows;
    for (const Airborne& cell : cells) {
        rows.insert({cell.request, cell.row});
        if (rows.size() > kMostRows) return true;
    }
    return false;
}

void draw_tails(Scene& scene, const std::vector<Airborne>& cells) {
    for (const Airborne& a : cells) {
        if (a.along > kTailGone) continue;
        const ImVec2 head = a.path.at(a.along);
        const ImVec2 end = a.path.at(std::max(0.0f, a.along - kTail));
        const ImU32 color = mix(scene.colors().panel, scene.colors().solid(a.cell.role), 0.55f);
        scene.list->AddLine(end, head, color, scene.look.px(2));
    }
}

// "A to As" in the middle of what flies without values.
void draw_name(Scene& scene, ArrayId from, const std::vector<Airborne>& flying) {
    ImVec2 middle{};
    for (const Airborne& one : flying) {
        middle.x += one.cell.rect.center().x / static_cast<float>(flying.size());
        middle.y += one.cell.rect.center().y / static_cast<float>(flying.size());
    }
    const std::string words =
        scene.trace.arrays[from].name + " to " + scene.trace.arrays[flying.front().to].name;
    const Palette& colors = scene.colors();
    const ImU32 color = colors.solid(scene.plan.role(from));
    const TextStyle style = scene.text(Face::kSemiBold, 15, color, Align::kCenter);
    const float w = text_width(words, style.face, style.px) + scene.u(16);
    const float h = style.px + scene.u(8);
    const Rect plate{std::round(middle.x - w / 2), std::round(middle.y - h / 2), w, h};
    fill_rect(scene.list, plate, colors.panel, scene.u(5));
    stroke_rect(scene.list, plate, color, scene.look.px(1.5f), scene.u(5));
    draw_text(scene.list, plate.center(), words, style);
}

void draw_array(Scene& scene, ArrayId from) {
    const std::vector<Airborne> cells = airborne(scene, from);
    if (cells.empty()) return;
    std::vector<MovingCell> moving;
    if (many_rows(cells)) {
        const std::vector<Airborne> bars = as_bars(scene, cells);
        for (const Airborne& bar : bars) {
            moving.push_back(bar.cell);
            scene.flying.push_back(bar.cell.rect);
        }
        add_moving_cells(scene.list, scene.look, std::move(moving));
        draw_name(scene, from, bars);
        return;
    }
    if (cells.size() <= kMostTails) draw_tails(scene, cells);
    moving.reserve(cells.size());
    for (const Airborne& a : cells) {
        moving.push_back(a.cell);
        scene.flying.push_back(a.cell.rect);
    }
    add_moving_cells(scene.list, scene.look, std::move(moving));
    bool values = false;
    for (const Airborne& a : cells) {
        const CellText text = text_of(a.value);
        const Rect cell = a.cell.rect.inset(-scene.u(1));
        const float px = cell_type(scene.look, cell.w, cell.h, static_cast<int>(text.length));
        values = values || px > 0;
        if (px > 0)
            draw_text(scene.list, a.cell.rect.center(), text.view(),
                      {Face::kMonoBold, px, scene.colors().on, Align::kCenter});
    }
    if (!values) draw_name(scene, from, cells);
}

}  // namespace

void draw_flights(Scene& scene) {
    const TextInMotion in_motion;
    scene.list->PushClipRect(scene.layout.all.min(), scene.layout.all.max(), true);
    for (const char* name : {"A", "B"}) draw_array(scene, scene.plan.find(name));
    scene.list->PopClipRect();
}

}  // namespace tilereel::stage

#include "app/stage/tensor/fragment_place.h"

#include <algorithm>

#include "app/stage/plan/values.h"

namespace tilereel::stage {
namespace {

constexpr float kMonoCharacter = 0.6f;  // width of a character of the monospaced face, of its size

float title_height(const TensorScene& scene) { return scene.u(4) + scene.f(22); }
float number_type_of(const TensorScene& scene) {
    return std::max(scene.look.px(9), std::min(scene.f(11), scene.look.px(14)));
}
// Room for row numbers at the left, for brackets at either side.
float side_width(const TensorScene& scene) { return 3.3f * number_type_of(scene); }

// One font size for the numbers of lanes, if cells of this height and width have room for them.
float lane_type_of(const TensorScene& scene, float type) {
    return std::max(scene.look.px(9), 0.8f * type);
}

// The rows and columns of a cell; all cells of a fragment are alike.
std::pair<int, int> shape_of(const FragmentGrid& grid) {
    if (grid.cells.empty()) return {1, 1};
    return {grid.cells.front().rows, grid.cells.front().columns};
}

// Adds what lies around the cells.
FragmentPlace around(const TensorScene& scene, FragmentPlace place, const FragmentGrid& grid,
                     bool numbered) {
    const float side = numbered ? side_width(scene) : 0;
    const float above = title_height(scene) + (numbered ? 1.5f * number_type_of(scene) : 0);
    place.number_type = numbered ? number_type_of(scene) : 0;
    place.window = {side, above, static_cast<float>(grid.columns) * place.pitch_x,
                    static_cast<float>(grid.rows) * place.pitch_y};
    place.all = {0, 0, place.window.right() + side, place.window.bottom()};
    return place;
}

}  // namespace

float least_type(const Look& look) { return look.px(9.5f); }
float most_type(const Look& look) { return look.font_px(13); }

FragmentTexts texts_of(const HeldFragment& fragment) {
    FragmentTexts texts;
    const FragmentGrid& grid = fragment.grid;
    const bool as_register = grid.bits() < 8;
    const auto [rows, columns] = shape_of(grid);
    texts.across = as_register ? 1 : columns;
    texts.down = as_register ? 1 : rows;
    for (const FragmentCell& cell : grid.cells) {
        std::vector<std::string>& its = texts.values.emplace_back();
        if (!fragment.has_values()) continue;
        if (as_register)
            its = fragment.bits_of(fragment.words, cell.lane, grid.first_register(cell),
                                   grid.last_register(cell));
        for (int i = 0; i < cell.count && !as_register; ++i)
            its.emplace_back(text_of(fragment.value(cell.lane, cell.first + i)).view());
        for (const std::string& text : its) texts.longest = std::max(texts.longest, text.size());
        if (fragment.former.empty()) continue;
        std::vector<std::string>& before = texts.former.emplace_back();
        for (int i = 0; i < cell.count; ++i)
            before.emplace_back(text_of(fragment.former_value(cell.lane, cell.first + i)).view());
        for (const std::string& text : before) texts.longest = std::max(texts.longest, text.size());
    }
    return texts;
}

FragmentPlace natural_place(const TensorScene& scene, std::size_t which, const FragmentTexts& texts,
                            float type) {
    const FragmentGrid& grid = scene.moment.fragments[which].grid;
    const auto [rows, columns] = shape_of(grid);
    FragmentPlace place{.which = which, .detail = CellDetail::kValues, .type = type};
    place.lane_type = lane_type_of(scene, type);
    place.lane_width = 2 * kMonoCharacter * place.lane_type + scene.u(5);
    const float value = (static_cast<float>(texts.longest) + 0.7f) * kMonoCharacter * type;
    const float w = place.lane_width + value * static_cast<float>(texts.across) + scene.u(4);
    const float h = 1.35f * type * static_cast<float>(texts.down) + scene.u(2);
    place.pitch_x = std::floor(w) / static_cast<float>(columns);
    place.pitch_y = std::floor(h) / static_cast<float>(rows);
    return around(scene, place, grid, true);
}

FragmentPlace with_pitch(FragmentPlace place, const FragmentGrid& grid, float x, float y) {
    const float w = (x - place.pitch_x) * static_cast<float>(grid.columns);
    const float h = (y - place.pitch_y) * static_cast<float>(grid.rows);
    place.window.w += w, place.all.w += w;
    place.window.h += h, place.all.h += h;
    place.pitch_x = x, place.pitch_y = y;
    return place;
}

FragmentPlace widened(const FragmentPlace& place, const FragmentGrid& grid, float room) {
    constexpr float kMostStretch = 1.5f;
    const float stretch =
        std::min(kMostStretch, (room - place.all.w + place.window.w) / place.window.w);
    if (stretch <= 1) return place;
    return with_pitch(place, grid, std::floor(stretch * place.pitch_x), place.pitch_y);
}

FragmentPlace moved_to(FragmentPlace place, ImVec2 corner) {
    place.all.x += corner.x, place.all.y += corner.y;
    place.window.x += corner.x, place.window.y += corner.y;
    return place;
}

FragmentPlace place_in(const TensorScene& scene, std::size_t which, const FragmentTexts& texts,
                       const Rect& room) {
    const FragmentGrid& grid = scene.moment.fragments[which].grid;
    const auto fits = [&](const FragmentPlace& place) {
        return place.all.w <= room.w && place.all.h <= room.h;
    };
    if (scene.moment.fragments[which].has_values())
        for (float type = most_type(scene.look); type >= least_type(scene.look);
             type -= scene.look.px(0.5f)) {
            FragmentPlace place = natural_place(scene, which, texts, type);
            if (!fits(place)) continue;
            place = widened(place, grid, room.w);
            return moved_to(place, room.min());
        }
    const auto [rows, columns] = shape_of(grid);
    FragmentPlace place{.which = which};
    const FragmentPlace empty =
        around(scene, {.which = which, .pitch_x = 0, .pitch_y = 0}, grid, false);
    const float most_w = scene.f(40), most_h = scene.f(20);  // of a cell
    const float w = (room.w - empty.all.w) / static_cast<float>(grid.columns);
    const float h = (room.h - empty.all.h) / static_cast<float>(grid.rows);
    place.pitch_x = std::clamp(w, 0.5f, most_w / static_cast<float>(columns));
    place.pitch_y = std::clamp(h, 0.5f, most_h / static_cast<float>(rows));
    const float cell_w = place.pitch_x * static_cast<float>(columns);
    const float cell_h = place.pitch_y * static_cast<float>(rows);
    place.type = std::min({scene.f(11), cell_h / 1.2f, cell_w / (2.6f * kMonoCharacter)});
    if (place.type >= scene.look.px(9)) place.detail = CellDetail::kLanes;
    return moved_to(around(scene, place, grid, false), room.min());
}

}  // namespace tilereel::stage

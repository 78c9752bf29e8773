// Heat maps of global arrays: how often each element was read.

#include <algorithm>
#include <cmath>

#include "app/stage/scene.h"

namespace tilereel::stage {
namespace {

using CellAt = std::function<std::uint64_t(Element)>;

// HeatView::Picture::classes of the visible cells. If there are more cells than pixels, one class
// for each square of `key.each` x `key.each` cells.
const std::vector<std::uint8_t>& classes_of(HeatView& heat, ArrayId array, const CellGrid& grid,
                                            const HeatView::PictureKey& key,
                                            const CellAt& cell_at) {
    HeatView::Picture& picture = heat.picture(array);
    if (picture.key == key && !picture.classes.empty()) return picture.classes;
    picture.key = key;
    picture.classes.assign(std::size_t{grid.rows} * grid.columns, 0);
    const HeatView::OfArray& counts = *heat.of(array);
    for_each_element(key.part, [&](Element at) {
        const std::uint32_t count = counts.count(cell_at(at));
        if (count == 0) return;
        std::uint8_t& drawn =
            picture.classes[std::size_t{(at.row - key.part.row0) / key.each} * grid.columns +
                            (at.column - key.part.column0) / key.each];
        drawn = std::max(drawn, static_cast<std::uint8_t>(counts.class_of(count) + 1));
    });
    return picture.classes;
}

Cell cell_of_class(std::uint8_t number, std::size_t classes, ColorRole role) {
    if (number == 0) return {CellLook::kIdle, role};
    const float share = heat_share(number - std::size_t{1}, classes);
    return {CellLook::kSolid, role, 0, static_cast<std::uint8_t>(std::lround(255 * (1 - share)))};
}

void draw_counts(Scene& scene, const CellWindow& view, const HeatView::OfArray& heat,
                 ColorRole role, const CellAt& cell_at) {
    if (heat.classes.empty()) return;
    const float px = scene.type_in(view, std::to_string(heat.classes.back().most).size());
    if (px <= 0) return;
    for_each_element(view.visible(), [&](Element at) {
        const std::uint32_t count = heat.count(cell_at(at));
        if (count == 0) return;
        const ImU32 fill =
            heat_color(scene.colors(), role, heat_share(heat.class_of(count), heat.classes.size()));
        draw_text(view.cell(at).center(), std::to_string(count),
                  {Face::kMonoBold, px, text_on(scene.colors(), fill), Align::kCenter});
    });
}

const char* heat_name(Heat heat) {
    return heat == Heat::kGlobal ? "reads from global memory" : "reads from shared memory";
}

std::string heat_class_text(const HeatClass& one) {
    if (one.least == one.most) return with_commas(one.least);
    return with_commas(one.least) + "\xe2\x80\x93" + with_commas(one.most);
}

}  // namespace

bool draw_heat(Scene& scene, ArrayId array, ColorRole role, const CellWindow& view,
               std::uint32_t row_length, const CellAt& cell_at) {
    const HeatView::OfArray* heat = scene.view.heat.of(array);
    const CellRect part = view.visible();
    if (heat == nullptr || part.empty()) return false;
    const float least = std::min(view.pitch_x, view.pitch_y);
    const auto each = static_cast<std::uint32_t>(std::max(1.0f, std::ceil(1 / least)));
    CellGrid grid{view.cells(part).min(), view.pitch_x * static_cast<float>(each),
                  view.pitch_y * static_cast<float>(each), (part.rows() + each - 1) / each,
                  (part.columns() + each - 1) / each};
    grid.gap = view.flat(scene.look) ? 0 : scene.u(2);
    grid.radius = scene.look.px(least >= scene.look.wide() ? 3 : 1);
    const auto& classes =
        classes_of(scene.view.heat, array, grid, {part, each, row_length}, cell_at);
    grid.cells.reserve(classes.size());
    for (const std::uint8_t number : classes)
        grid.cells.push_back(cell_of_class(number, heat->classes.size(), role));
    add_cell_grid(scene.look, std::move(grid));
    draw_counts(scene, view, *heat, role, cell_at);
    return true;
}

std::string heat_text(const Scene& scene, ArrayId array) {
    const HeatView::OfArray* heat = scene.view.heat.of(array);
    if (heat == nullptr) return {};
    const char* const memory = scene.view.heat.heat() == Heat::kGlobal ? "global" : "shared";
    if (heat->classes.empty()) return std::string("never read from ") + memory;
    const HeatClass all{heat->classes.front().least, heat->classes.back().most};
    return "read " + heat_class_text(all) + " \xc3\x97 from " + memory;
}

void say_heat(Scene& scene, ArrayId array, std::uint64_t cell) {
    const ElementReads* reads = scene.view.heat.reads();
    if (reads == nullptr || array >= reads->arrays.size()) return;
    const ReadCounts& counts = reads->arrays[array];
    if (cell >= counts.global.size()) return;
    scene.hover.add("by all threads: read " + with_commas(counts.global[cell]) +
                    " \xc3\x97 from global, " + with_commas(counts.shared[cell]) +
                    " \xc3\x97 from shared memory");
}

float height_of_heat_legend(const Look& look) { return look.font_px(26) + 2 * look.snug(); }

bool draw_heat_legend(Scene& scene, const Rect& area) {
    const HeatView& view = scene.view.heat;
    if (!view.shown() || area.w <= 0) return view.shown();
    const TextStyle style = scene.body(scene.colors().ink2);
    if (view.reads() == nullptr) {
        draw_text_fit({area.x, area.center().y}, area.w, "counting reads: " + view.progress(),
                      style);
        return true;
    }
    std::vector<ArrayId> arrays;
    for (ArrayId id = 0; id < scene.trace.arrays.size(); ++id)
        if (view.of(id) != nullptr && !view.of(id)->classes.empty()) arrays.push_back(id);
    const std::uint64_t all = scene.trace.launch.grid.count();
    const std::uint32_t read_in = view.reads()->blocks;
    const std::string blocks = read_in == all
                                   ? counted(all, "block", "blocks")
                                   : with_commas(read_in) + " of " + with_commas(all) + " blocks";
    std::string caption = std::string(heat_name(view.heat())) + ", " +
                          (read_in == all && all > 1 ? "all " : "") + blocks;
    if (arrays.empty()) caption += ": none";
    const float side = scene.u(4) + scene.f(14), beside = scene.u(6), between = scene.u(12);
    bool ends_only = false;  // draw only the lowest and the highest class of each array
    const auto draw = [&] {
        const float y = area.center().y;
        float x = area.x + draw_text({area.x, y}, caption, style);
        for (const ArrayId id : arrays) {
            const std::vector<HeatClass>& classes = view.of(id)->classes;
            const ColorRole role = scene.plan.role(id);
            x += 2 * between;
            x += draw_text({x, y}, scene.trace.arrays[id].name,
                           {Face::kSemiBold, style.px, scene.colors().solid(role)});
            for (std::size_t i = 0; i < classes.size(); ++i) {
                if (ends_only && i > 0 && i + 1 < classes.size()) continue;
                x += between;
                fill_rect({std::round(x), std::round(y - side / 2), side, side},
                          heat_color(scene.colors(), role, heat_share(i, classes.size())),
                          scene.look.px(3));
                x += side + beside;
                x += draw_text({x, y}, heat_class_text(classes[i]), style);
            }
        }
        return x;
    };
    const auto fits = [&] { return measured(draw) <= area.right(); };
    // If there is not enough room: only the ends of each scale, then fewer arrays.
    ends_only = !fits();
    if (!fits()) caption = view.heat() == Heat::kGlobal ? "global reads" : "shared reads";
    while (arrays.size() > 1 && !fits()) arrays.pop_back();
    draw();
    return true;
}

}  // namespace tilereel::stage

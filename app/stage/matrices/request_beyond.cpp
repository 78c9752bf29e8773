#include "app/stage/matrices/request_beyond.h"

#include <algorithm>

#include "app/replay/elements.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel::stage {
namespace {

// The smallest rectangle around the elements of the current request.
CellRect extent_of_request(const Scene& scene, ArrayId array) {
    CellRect all{UINT32_MAX, UINT32_MAX, 0, 0};
    for_each_element(scene.state.request, scene.trace.arrays[array],
                     [&](std::uint32_t, std::uint32_t, Element at) {
                         all.row0 = std::min(all.row0, at.row);
                         all.row1 = std::max(all.row1, at.row + 1);
                         all.column0 = std::min(all.column0, at.column);
                         all.column1 = std::max(all.column1, at.column + 1);
                     });
    return all;
}

// Where the request lies from the window. Rows before columns: requests mostly cover whole rows.
struct Beyond {
    ImVec2 way;  // one of the four directions, as a unit vector
    std::string words, brief;
};
std::optional<Beyond> beyond_of(const CellRect& request, const CellRect& visible) {
    const auto of = [&](ImVec2 way, const char* one, std::uint32_t begin, std::uint32_t end) {
        const std::string last = std::to_string(end - 1);
        return Beyond{way, tilereel::range_of(one, begin, end),
                      end - begin == 1 ? last : std::to_string(begin) + ".." + last};
    };
    if (request.row0 >= visible.row1) return of({0, 1}, "row", request.row0, request.row1);
    if (request.row1 <= visible.row0) return of({0, -1}, "row", request.row0, request.row1);
    if (request.column0 >= visible.column1)
        return of({1, 0}, "column", request.column0, request.column1);
    if (request.column1 <= visible.column0)
        return of({-1, 0}, "column", request.column0, request.column1);
    return std::nullopt;
}

// The room of the arrow behind the words.
float arrow_of(const Scene& scene, const TextStyle& style) { return scene.u(4) + 0.7f * style.px; }

}  // namespace

std::optional<RequestBeyond> request_beyond(const Scene& scene, ArrayId array,
                                            const MatrixView& m) {
    if (scene.running_on(array) == nullptr || (scene.route && scene.route->from == array))
        return std::nullopt;
    const CellRect request = extent_of_request(scene, array);
    if (request.row0 >= request.row1) return std::nullopt;
    const std::optional<Beyond> beyond = beyond_of(request, m.visible());
    if (!beyond) return std::nullopt;
    RequestBeyond out{.way = beyond->way};
    out.style = scene.text(Face::kSemiBold, 14, scene.colors().solid(scene.plan.role(array)),
                           Align::kCenter);
    const float aside = 2 * scene.u(6) + arrow_of(scene, out.style);
    const float most = m.window.w - aside;
    out.words = longest_that_fits({beyond->words, beyond->brief}, most, out.style);
    out.style = scene.shrunk(out.style, out.words, most);
    // At an edge above or below it is as wide as the window, so that no value is half covered.
    const float width = out.way.y != 0 ? m.window.w - scene.u(4)
                                       : std::min(text_width(out.words, out.style), most) + aside;
    const float height = std::max(out.style.px + scene.u(4), m.pitch_y);
    const ImVec2 reach{m.window.w / 2 - width / 2 - scene.u(2),
                       m.window.h / 2 - height / 2 - scene.u(2)};
    const ImVec2 middle = m.window.center();
    out.plate = Rect::around({middle.x + out.way.x * reach.x, middle.y + out.way.y * reach.y},
                             {width, height});
    return out;
}

void draw_request_beyond(const Scene& scene, const RequestBeyond& beyond) {
    const auto& [way, words, style, plate] = beyond;
    draw_box(plate, scene.colors().panel, style.color, scene.look.frame(), scene.u(5));
    const float arrow = arrow_of(scene, style), size = arrow - scene.u(4);
    const ImVec2 center = plate.center();
    draw_text({center.x - arrow / 2, center.y}, words, style);
    const float x = center.x + text_width(words, style) / 2 + scene.u(4);
    const ImVec2 tip{x + way.x * size / 2, center.y + way.y * size / 2};
    const ImVec2 back{tip.x - way.x * size, tip.y - way.y * size};
    const ImVec2 across{way.y * size / 2, way.x * size / 2};
    draw_list()->AddTriangleFilled(tip, {back.x + across.x, back.y + across.y},
                                   {back.x - across.x, back.y - across.y}, style.color);
    register_widget("stage.beyond", plate);
}

}  // namespace tilereel::stage

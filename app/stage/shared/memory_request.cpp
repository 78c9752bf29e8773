// For kernels without shared memory: the transactions of the current request, and the bytes of them
// that it requested. Constant memory is read address by address and has no transactions.
#include <algorithm>
#include <cmath>

#include "app/stage/plan/request_rows.h"
#include "app/stage/scene.h"
#include "app/ui/draw/wrap_text.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel::stage {
namespace {

constexpr std::uint32_t kGapEvery = 8;  // words: every 32 bytes

// The first element in a row of 128 bytes.
std::string element_of(const Array& array, std::uint64_t line) {
    const auto index = static_cast<std::uint32_t>(line * kRowBytes / array.element_bytes);
    return element_name(array, array.place_of(index));
}

// The positions of a row's words in `area`, with a gap after every 32 bytes.
struct Ruler {
    float left = 0, word = 0, gap = 0;
    explicit Ruler(const Rect& area, float gap_px)
        : left(area.x),
          word((area.w - (kRowWords / kGapEvery - 1) * gap_px) / kRowWords),
          gap(gap_px) {}
    [[nodiscard]] float at(std::uint32_t index) const {
        const auto gaps = static_cast<float>(index / kGapEvery);
        return std::round(left + static_cast<float>(index) * word + gaps * gap);
    }
    // The right edge of the word before `index`.
    [[nodiscard]] float until(std::uint32_t index) const {
        return index % kGapEvery == 0 ? std::round(at(index) - gap) : at(index);
    }
};

// `moves`: the boxes are transactions, and all of their bytes are moved.
void draw_row(Scene& scene, const Rect& area, const RequestRow& row, ColorRole role, bool moves) {
    const Palette& colors = scene.colors();
    const Ruler ruler(area, scene.u(4));
    for (std::uint32_t word = 0; word < kRowWords; word += kGapEvery) {
        const float x = ruler.at(word);
        fill_rect({x, area.y, ruler.until(word + kGapEvery) - x, area.h}, colors.cell, scene.u(2));
    }
    const float apart = ruler.word >= 5 ? 1.0f : 0.0f;
    for (const RequestBox& box : row.boxes) {
        const std::uint32_t first = box.begin / 4, last = (box.begin + box.bytes) / 4;
        const Rect moved{ruler.at(first), area.y, ruler.until(last) - ruler.at(first), area.h};
        if (moves) fill_rect(moved, colors.tint(role), scene.u(2));
        for (std::uint32_t word = first; word < last; ++word) {
            if ((box.words >> word & 1) == 0) continue;
            const float x = ruler.at(word);
            fill_rect({x, area.y, ruler.until(word + 1) - x - apart, area.h}, colors.solid(role),
                      scene.u(2));
        }
        if (moves)
            stroke_rect(moved, colors.solid(role), std::max(1.0f, scene.look.line()), scene.u(2));
    }
}

// Draws text on as many lines as needed. Returns the y of the middle of the last line.
float draw_lines(ImVec2 at, float width, const std::string& words, const TextStyle& style) {
    const float leading = 1.3f * style.px;
    const std::vector<std::string_view> lines = wrap_text(words, width, style.face, style.px);
    tilereel::draw_lines(at, lines, style, leading);
    return at.y + leading * static_cast<float>(std::max<std::size_t>(lines.size(), 1) - 1);
}

void draw_figure(Scene& scene, ImVec2 at, const std::string& figure, const std::string& unit,
                 float width) {
    draw_text_shrunk(scene, at, width, figure, scene.text(Face::kSemiBold, 28, scene.colors().ink));
    draw_text_shrunk(scene, {at.x, at.y + scene.f(26)}, width, unit,
                     scene.body(scene.colors().ink2));
}

// "100%", "12.5%"
std::string percent(std::uint32_t part, std::uint32_t whole) {
    if (whole == 0) return "0%";
    const std::uint32_t tenths = (part * 1000 + whole / 2) / whole;
    const std::string text = std::to_string(tenths / 10);
    return tenths % 10 == 0 ? text + "%" : text + "." + std::to_string(tenths % 10) + "%";
}

// Explains the solid and, if there is one, the tinted fill, one line each.
void draw_key(Scene& scene, const Rect& area, ColorRole role, bool moves) {
    const Palette& colors = scene.colors();
    const float side = scene.u(2) + scene.f(12);
    const float indent = side + scene.u(10);
    float y = area.y + side / 2;
    for (const auto& [fill, words] : {std::pair(colors.solid(role), "bytes asked for"),
                                      std::pair(colors.tint(role), "moved with them, unused")}) {
        if (!moves && fill == colors.tint(role)) return;
        draw_box({area.x, y - side / 2, side, side}, fill, colors.solid(role),
                 std::max(1.0f, scene.look.line()), scene.u(2));
        y = draw_lines({area.x + indent, y}, area.w - indent, words, scene.body(colors.ink2));
        y += side + scene.u(8);
    }
}

// Draws "load A" and "32 lanes want 4 words" on one line or two. Returns the y of the middle of the
// last line.
float draw_request_title(Scene& scene, const Rect& area, float y, const Site& site) {
    const Palette& colors = scene.colors();
    const std::uint32_t lanes = scene.state.request.cost.lanes;
    const float x =
        area.x + scene.u(10) +
        draw_request(scene, {area.x, y}, "", site, scene.text(Face::kRegular, 18, colors.ink2));
    const std::string words = counted(lanes, "lane", "lanes") +
                              (lanes == 1 ? " wants " : " want ") +
                              counted(words_asked(scene.state.request.access), "word", "words");
    const TextStyle style = scene.body(colors.ink2);
    const bool beside = text_width(words, style) <= area.right() - x;
    if (!beside) y += scene.f(22);
    draw_text_shrunk(scene, {beside ? x : area.x, y}, area.w, words, style);
    return y;
}

bool reads_constant(const Scene& scene) {
    return scene.state.request.access.space == Space::kConstant;
}

// CUDA C++ Programming Guide, "Constant Memory".
std::string why_reads(const RequestCost& cost) {
    return cost.wavefronts <= 1 ? "one address: one read serves every lane"
                                : "different addresses are read one after another";
}

void draw_request_figures(Scene& scene, const Rect& area, float y) {
    const RequestCost& cost = scene.state.request.cost;
    const GlobalRules& rules = scene.replay.generation().global;
    const float third = area.w / 3, room = third - scene.u(8);
    if (reads_constant(scene)) {
        draw_figure(scene, {area.x, y}, std::to_string(cost.wavefronts),
                    cost.wavefronts == 1 ? "address" : "addresses", room);
        draw_figure(scene, {area.x + third, y}, std::to_string(cost.lanes),
                    cost.lanes == 1 ? "lane" : "lanes", room);
        draw_figure(scene, {area.x + 2 * third, y}, with_commas(cost.bytes_requested),
                    "bytes asked", third);
        return;
    }
    draw_figure(scene, {area.x, y}, std::to_string(cost.transactions),
                std::string(cost.transactions == 1 ? rules.unit : rules.units), room);
    const bool lines = rules.coalescing == Coalescing::kSectors &&
                       rules.sector_bytes < rules.line_bytes;  // several sectors to a line
    if (lines)
        draw_figure(scene, {area.x + third, y}, std::to_string(cost.lines),
                    cost.lines == 1 ? "line" : "lines", room);
    else
        draw_figure(scene, {area.x + third, y}, with_commas(cost.bytes_moved), "bytes moved", room);
    draw_figure(scene, {area.x + 2 * third, y}, percent(cost.bytes_used, cost.bytes_moved),
                "bytes used", third);
}

// The whole pixels inside an area. Clipping within a pixel would cut off the edge of the last
// sector.
Rect whole_pixels(const Rect& area) {
    const float x = std::ceil(area.x), y = std::ceil(area.y);
    return {x, y, std::floor(area.right()) - x, std::floor(area.bottom()) - y};
}

// Draws the rows in `room_for_rows`. Returns the y position of their bottom.
float draw_rows(Scene& scene, const Rect& room_for_rows, const Site& site) {
    const Rect area = whole_pixels(room_for_rows);
    const WarpAccess& access = scene.state.request.access;
    const GlobalRules& rules = scene.replay.generation().global;
    const Array& array = scene.trace.arrays[site.array];
    const std::vector<RequestRow> rows = request_rows(access, rules);
    const auto together = static_cast<std::uint32_t>(rules.lanes.of(access.width_bytes));
    const bool groups = together < kWarpSize;
    // If there is more than one group of lanes, the lanes of each group are named above its rows.
    const auto group_count = static_cast<float>(groups ? kWarpSize / together : 0);
    const float group_h = scene.f(19);
    const auto count = static_cast<float>(std::max<std::size_t>(rows.size(), 1));
    const float room = area.h - group_count * group_h;
    const float pitch = std::floor(std::clamp(room / count, scene.u(5), scene.u(24)));
    const bool named = pitch >= scene.f(12) && !rows.empty();
    const TextStyle name = scene.number(Align::kLeft);
    const float name_w =
        named ? std::ceil(text_width(element_of(array, rows.back().line) + "00", name)) : 0;
    const float gap = scene.u(pitch >= scene.u(9) ? 4 : 2);
    const Clip clip(area);
    float y = area.y;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const RequestRow& row = rows[i];
        if (groups && (i == 0 || rows[i - 1].first_lane != row.first_lane)) {
            draw_text_shrunk(
                scene, {area.x, y + group_h / 2}, area.w,
                range_of("lane", row.first_lane, row.first_lane + together) + ", served together",
                scene.text(Face::kRegular, 13, scene.colors().ink3));
            y += group_h;
        }
        if (named && (i == 0 || rows[i - 1].line != row.line))
            draw_text({area.x, y + pitch / 2}, element_of(array, row.line), name);
        draw_row(scene, {area.x + name_w, y + 1, area.w - name_w, pitch - gap}, row,
                 scene.plan.role(site.array), !reads_constant(scene));
        y += pitch;
    }
    register_widget("stage.request", {area.x + name_w, area.y, area.w - name_w, y - area.y});
    return y;
}

}  // namespace

void draw_memory_request(Scene& scene) {
    const Palette& colors = scene.colors();
    const Rect& area = scene.layout.shared;
    const Site* site = scene.site();
    float y = area.y + (scene.layout.small ? scene.u(10) + scene.f(14) : scene.u(14) + scene.f(18));
    draw_text_shrunk(scene, {area.x, y}, area.w, "Memory request",
                     scene.text(Face::kSemiBold, 20, colors.ink));
    if (site == nullptr || site->array == kNoArray) return;
    y += scene.u(8) + scene.f(26);
    y = draw_request_title(scene, area, y, *site);
    y += scene.u(10) + scene.f(28);
    draw_request_figures(scene, area, y);
    y += scene.f(26) + scene.u(14) + scene.f(14);
    const RequestState& request = scene.state.request;
    y = draw_lines({area.x, y}, area.w,
                   reads_constant(scene)
                       ? why_reads(request.cost)
                       : why_transactions(request.access, scene.replay.generation().global),
                   scene.body(colors.ink3));
    y += scene.u(6) + scene.f(12);
    const float key_h = 2 * (scene.u(10) + scene.f(12)) + scene.u(14) +
                        (scene.layout.small ? scene.f(18) : 0);  // height of a second line
    y = draw_rows(scene, {area.x, y, area.w, area.bottom() - y - key_h}, *site);
    const Rect key{area.x, y + scene.u(12), area.w, key_h};
    if (key.bottom() <= area.bottom() + scene.u(8))
        draw_key(scene, key, scene.plan.role(site->array), !reads_constant(scene));
}

}  // namespace tilereel::stage

// For kernels without shared memory: the lines and sectors that the request in flight moves, and
// which of their bytes it asked for. One row is a 128-byte line, four sectors of eight words.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>

#include "app/stage/scene.h"
#include "app/ui/widgets.h"

namespace tilereel::stage {
namespace {

constexpr std::uint32_t kWordsALine = 32, kWordsASector = 8, kSectorsALine = 4, kSectorBytes = 32;

struct Line {
    std::uint32_t words = 0;  // asked for, one bit a word
    [[nodiscard]] bool sector(std::uint32_t s) const {
        return (words >> (s * kWordsASector) & 0xff) != 0;
    }
};

std::map<std::uint32_t, Line> lines_of(const Scene& scene) {
    std::map<std::uint32_t, Line> lines;
    const WarpAccess& access = scene.state.request.access;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
        if ((access.lanes.mask >> lane & 1) == 0) continue;
        for (std::uint32_t at = 0; at < access.width_bytes; at += 4) {
            const std::uint32_t word = (access.lanes.bytes[lane] + at) / 4;
            lines[word / kWordsALine].words |= 1u << (word % kWordsALine);
        }
    }
    return lines;
}

// "A[4][0]": the first element of a line.
std::string element_of(const Array& array, std::uint32_t line) {
    const std::uint32_t index = line * kWordsALine * 4 / array.element_bytes;
    return array.name + "[" + std::to_string(index / array.leading_dimension) + "][" +
           std::to_string(index % array.leading_dimension) + "]";
}

void draw_line(Scene& scene, const Rect& area, const Line& line, Role role) {
    const Palette& colors = scene.colors();
    const float sector_gap = scene.u(4);
    const float sector_w = (area.w - 3 * sector_gap) / kSectorsALine;
    const float word_w = sector_w / kWordsASector;
    const float gap = word_w >= 5 ? 1.0f : 0.0f;
    for (std::uint32_t s = 0; s < kSectorsALine; ++s) {
        const float x = area.x + static_cast<float>(s) * (sector_w + sector_gap);
        const Rect sector{std::round(x), area.y, std::floor(sector_w), area.h};
        if (!line.sector(s)) {
            fill_rect(scene.list, sector, colors.cell, scene.u(2));
            continue;
        }
        fill_rect(scene.list, sector, colors.tint(role), scene.u(2));
        for (std::uint32_t w = 0; w < kWordsASector; ++w) {
            if ((line.words >> (s * kWordsASector + w) & 1) == 0) continue;
            const float left = std::round(x + static_cast<float>(w) * word_w);
            fill_rect(scene.list,
                      {left, area.y,
                       std::round(x + static_cast<float>(w + 1) * word_w) - left - gap, area.h},
                      colors.solid(role), scene.u(2));
        }
        stroke_rect(scene.list, sector, colors.solid(role), std::max(1.0f, scene.look.px(1)),
                    scene.u(2));
    }
}

struct Sums {
    std::uint32_t sectors = 0, words = 0;
};
Sums sums_of(const std::map<std::uint32_t, Line>& lines) {
    Sums sums;
    for (const auto& [number, line] : lines) {
        for (std::uint32_t s = 0; s < kSectorsALine; ++s) sums.sectors += line.sector(s) ? 1 : 0;
        sums.words += static_cast<std::uint32_t>(std::popcount(line.words));
    }
    return sums;
}

// "all 32 lanes read one word: one sector serves them"
std::string why(const Scene& scene, const Sums& sums) {
    const RequestCost& cost = scene.state.request.cost;
    const std::uint32_t ideal = (sums.words * 4 + kSectorBytes - 1) / kSectorBytes;
    if (sums.words == 1 && cost.lanes > 1) return "every lane wants the same word";
    if (sums.words < cost.lanes && sums.sectors <= ideal) return "lanes share words: a broadcast";
    if (sums.words * 4 == sums.sectors * kSectorBytes) return "coalesced: every byte moved is used";
    if (sums.sectors <= ideal) return "no more sectors than the words need";
    if (sums.sectors >= sums.words && sums.words > 1)
        return "each word lies in a sector of its own";
    return std::to_string(ideal) + " full sectors would hold these words";
}

void draw_figure(Scene& scene, ImVec2 at, const std::string& figure, const std::string& unit,
                 float width) {
    float size = 28;
    while (size > 15 && text_width(figure, Face::kSemiBold, scene.f(size)) > width) --size;
    draw_text(scene.list, at, figure, scene.text(Face::kSemiBold, size, scene.colors().ink));
    draw_text_shrunk(scene, {at.x, at.y + scene.f(26)}, width, unit,
                     scene.text(Face::kRegular, 14, scene.colors().ink2));
}

// "100%", "12.5%"
std::string percent(std::uint32_t part, std::uint32_t whole) {
    if (whole == 0) return "0%";
    const std::uint32_t tenths = (part * 1000 + whole / 2) / whole;
    const std::string text = std::to_string(tenths / 10);
    return tenths % 10 == 0 ? text + "%" : text + "." + std::to_string(tenths % 10) + "%";
}

// What solid and tint mean, in one line each.
void draw_key(Scene& scene, const Rect& area, Role role) {
    const Palette& colors = scene.colors();
    const float side = scene.u(2) + scene.f(12);
    const std::array<std::pair<bool, const char*>, 2> rows = {
        {{true, "bytes asked for"}, {false, "moved with them, unused"}}};
    float y = area.y;
    for (const auto& [solid, words] : rows) {
        const Rect box{area.x, y, side, side};
        fill_rect(scene.list, box, solid ? colors.solid(role) : colors.tint(role), scene.u(2));
        stroke_rect(scene.list, box, colors.solid(role), std::max(1.0f, scene.look.px(1)),
                    scene.u(2));
        draw_text_shrunk(scene, {area.x + side + scene.u(10), y + side / 2},
                         area.w - side - scene.u(10), words,
                         scene.text(Face::kRegular, 14, colors.ink2));
        y += side + scene.u(8);
    }
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
    const Array& array = scene.trace.arrays[site->array];
    const Role role = scene.plan.role(site->array);
    const std::map<std::uint32_t, Line> lines = lines_of(scene);
    const Sums sums = sums_of(lines);
    y += scene.u(8) + scene.f(26);
    const bool load = site->operation == Operation::kLoad;
    float x = area.x + draw_text(scene.list, {area.x, y}, load ? "load " : "store ",
                                 scene.text(Face::kRegular, 18, colors.ink2));
    x += draw_text(scene.list, {x, y}, array.name,
                   scene.text(Face::kSemiBold, 18, colors.solid(role)));
    draw_text_shrunk(scene, {x + scene.u(10), y}, area.right() - x - scene.u(10),
                     plural(scene.state.request.cost.lanes, "lane", "lanes") +
                         (scene.state.request.cost.lanes == 1 ? " wants " : " want ") +
                         plural(sums.words, "word", "words"),
                     scene.text(Face::kRegular, 14, colors.ink2));
    y += scene.u(10) + scene.f(28);
    const float third = area.w / 3;
    const std::uint32_t moved = sums.sectors * kSectorBytes;
    draw_figure(scene, {area.x, y}, std::to_string(sums.sectors),
                sums.sectors == 1 ? "sector" : "sectors", third - scene.u(8));
    draw_figure(scene, {area.x + third, y}, std::to_string(lines.size()),
                lines.size() == 1 ? "line" : "lines", third - scene.u(8));
    draw_figure(scene, {area.x + 2 * third, y}, percent(sums.words * 4, moved), "bytes used",
                third);
    y += scene.f(26) + scene.u(14) + scene.f(14);
    draw_text_shrunk(scene, {area.x, y}, area.w, why(scene, sums),
                     scene.text(Face::kRegular, 14, colors.ink3));
    y += scene.u(6) + scene.f(12);

    const float key_h = 2 * (scene.u(10) + scene.f(12)) + scene.u(14);
    const float room = area.bottom() - y - key_h;
    const auto count = static_cast<float>(std::max<std::size_t>(lines.size(), 1));
    const float pitch = std::floor(std::clamp(room / count, scene.u(5), scene.u(24)));
    const bool named = pitch >= scene.f(12);
    const float name_px = scene.f(11);
    const float name_w =
        named ? text_width(element_of(array, lines.rbegin()->first) + "00", Face::kMono, name_px)
              : 0;
    const Rect strip{area.x + name_w, y, area.w - name_w, pitch * count};
    register_widget("stage.request", strip);
    scene.list->PushClipRect({area.x, y}, {area.right(), area.bottom() - key_h}, true);
    for (const auto& [number, line] : lines) {
        if (named)
            draw_text(scene.list, {area.x, y + pitch / 2}, element_of(array, number),
                      {Face::kMono, name_px, colors.ink3, Align::kLeft});
        draw_line(scene, {strip.x, y + 1, strip.w, pitch - scene.u(pitch >= scene.u(9) ? 4 : 2)},
                  line, role);
        y += pitch;
    }
    scene.list->PopClipRect();
    draw_key(scene,
             {area.x, std::min(y + scene.u(12), area.bottom() - key_h + scene.u(8)), area.w, key_h},
             role);
}

}  // namespace tilereel::stage

// The 128-byte lines of global memory that a warp's access touches, and the parts of them that are
// moved.
#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "app/panels/patterns/pattern_views.h"
#include "instrumentation/analysis/global_transactions.h"

namespace tilereel {
namespace {

constexpr std::uint32_t kWordsOfLine = 32, kWordBytes = 4, kLineBytes = 128;

// The words of one line of 128 bytes.
struct TouchedLine {
    std::uint32_t moved = 0;                         // one bit per word
    std::array<std::int8_t, kWordsOfLine> lane{};    // the lowest lane at each word; -1: none
    std::array<std::uint8_t, kWordsOfLine> lanes{};  // how many lanes access each word
    TouchedLine() { lane.fill(-1); }
};
using TouchedLines = std::map<std::uint64_t, TouchedLine>;  // key: line number

TouchedLines touched_lines(const PatternAnswer& answer) {
    TouchedLines lines;
    for (const GlobalTransaction& moved :
         list_transactions(answer.access, answer.generation->global))
        for (std::uint64_t byte = moved.begin; byte < moved.begin + moved.bytes; byte += kWordBytes)
            lines[byte / kLineBytes].moved |= 1u << (byte % kLineBytes / kWordBytes);
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
        if ((answer.access.lanes.mask >> lane & 1u) == 0) continue;
        const std::uint64_t first = answer.access.lanes.bytes[lane];
        const std::uint64_t last = first + answer.access.width_bytes - 1;
        for (std::uint64_t word = first / kWordBytes; word <= last / kWordBytes; ++word) {
            TouchedLine& line = lines[word / kWordsOfLine];
            const std::size_t at = word % kWordsOfLine;
            if (line.lane[at] < 0) line.lane[at] = static_cast<std::int8_t>(lane);
            ++line.lanes[at];
        }
    }
    return lines;
}

void draw_word(const PatternContext& lab, const Rect& cell, const TouchedLine& line,
               std::uint32_t word) {
    const Palette& colors = lab.colors();
    const float radius = lab.look.px(cell.h < 10 ? 1 : 3);
    const bool moved = (line.moved >> word & 1u) != 0, wanted = line.lane[word] >= 0;
    fill_rect(cell, wanted ? colors.a : moved ? colors.a_tint : colors.cell, radius);
    if (moved && !wanted) stroke_rect(cell, colors.a, 1, radius);
    if (!wanted) return;
    std::string text = std::to_string(line.lane[word]);
    if (line.lanes[word] > 1) text += "+" + std::to_string(line.lanes[word] - 1);
    const float px = lab.type(12);
    const float fits = std::min(std::min(px, 0.8f * cell.h),
                                0.92f * px * cell.w / text_width(text, Face::kMonoBold, px));
    if (fits >= lab.look.px(9) - 0.5f)
        draw_text(cell.center(), text, {Face::kMonoBold, fits, colors.on, Align::kCenter});
}

}  // namespace

void draw_pattern_sectors(const PatternContext& lab, const Rect& place) {
    const TouchedLines lines = touched_lines(lab.answer());
    if (lines.empty()) return;
    const float px = lab.type(12);
    const std::string last = "byte " + with_commas(lines.rbegin()->first * kLineBytes);
    const float left = text_width(last, Face::kMono, px) + lab.look.px(10);
    const float sector_gap = lab.look.snug();
    const float pitch_x = (place.w - left - 3 * sector_gap) / static_cast<float>(kWordsOfLine);
    const float least = 1.25f * px;
    const float more = 1.6f * px;  // height of the row with the number of lines not drawn
    auto shown = static_cast<std::size_t>(std::max(1.0f, place.h / least));
    if (shown < lines.size())
        shown = static_cast<std::size_t>(std::max(1.0f, (place.h - more) / least));
    shown = std::min(shown, lines.size());
    const float room = shown < lines.size() ? place.h - more : place.h;
    const float pitch_y = std::clamp(room / static_cast<float>(shown), least, 2.6f * px);
    float y = place.y;
    std::size_t drawn = 0;
    for (const auto& [number, line] : lines) {
        if (drawn++ == shown) break;
        draw_text({place.x + left - lab.look.px(10), y + pitch_y / 2},
                  "byte " + with_commas(number * kLineBytes),
                  {Face::kMono, px, lab.colors().ink2, Align::kRight});
        for (std::uint32_t word = 0; word < kWordsOfLine; ++word) {
            const auto sector = static_cast<float>(word / 8);
            draw_word(lab,
                      {place.x + left + static_cast<float>(word) * pitch_x + sector * sector_gap, y,
                       pitch_x - lab.look.px(1.5f), pitch_y - lab.look.hair()},
                      line, word);
        }
        y += pitch_y;
    }
    if (shown < lines.size())
        draw_text({place.x + left, y + more / 2},
                  "and " + std::to_string(lines.size() - shown) + " more lines",
                  {Face::kRegular, px, lab.colors().ink2});
}

}  // namespace tilereel

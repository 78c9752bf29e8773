// The 128-byte lines of global memory that a warp's access touches, and the parts of them that are
// moved.
#include <array>
#include <map>

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

}  // namespace

std::vector<PatternCells> line_rows(const PatternContext& lab) {
    const Palette& colors = lab.colors();
    std::vector<PatternCells> rows;
    for (const auto& [number, line] : touched_lines(lab.answer())) {
        PatternCells row{"byte " + with_commas(number * kLineBytes), {}};
        for (std::uint32_t word = 0; word < kWordsOfLine; ++word) {
            const bool moved = (line.moved >> word & 1u) != 0, wanted = line.lane[word] >= 0;
            row.cells.push_back(
                {wanted ? lane_text(static_cast<std::uint32_t>(line.lane[word]), line.lanes[word])
                        : "",
                 wanted  ? colors.a
                 : moved ? colors.a_tint
                         : colors.cell,
                 moved && !wanted ? colors.a : 0, colors.on});
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace tilereel

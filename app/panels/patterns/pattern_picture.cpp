// The picture of an access: its cost, and below it the lane that each bank serves in each
// wavefront, or the 128-byte lines of global memory and the parts of them that are moved.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/panel_column.h"
#include "app/panels/patterns/pattern_glide.h"
#include "app/panels/patterns/pattern_grid.h"
#include "app/panels/patterns/pattern_views.h"
#include "app/replay/sentence/wording.h"
#include "app/ui/widgets/scroll_bar.h"
#include "instrumentation/analysis/cost/global_transactions.h"
#include "instrumentation/analysis/cost/word_service.h"

namespace tilereel {
namespace {

constexpr std::uint32_t kLeastWavefronts = 4;  // smallest number of rows that are drawn

std::vector<Figure> figures_of_shared(const PatternContext& lab) {
    const PatternAnswer& answer = lab.answer();
    const RequestCost& cost = answer.cost;
    const std::vector<std::uint32_t> drawn = counting_pattern_figures(
        lab,
        {cost.wavefronts, cost.bank_conflicts, answer.banks.banks_used,
         static_cast<std::uint32_t>(std::ranges::count_if(
             answer.banks.worst_group_wavefronts, [](std::uint8_t count) { return count > 1; }))});
    const std::uint32_t wavefronts = drawn[0], conflicts = drawn[1], crowded = drawn[3];
    std::vector<Figure> figures = {
        {std::to_string(wavefronts),
         std::string(wavefronts == 1 ? "wavefront" : "wavefronts") + " of " + lab.request() +
             "; the ideal is " + std::to_string(cost.ideal_wavefronts),
         conflicts > 0},
        {std::to_string(conflicts), conflicts == 1 ? "bank conflict" : "bank conflicts",
         conflicts > 0}};
    if (lab.of_matrices() && answer.plain)
        figures.push_back({std::to_string(answer.plain->wavefronts), "without PAD and swizzle",
                           answer.plain->bank_conflicts > 0});
    figures.push_back({std::to_string(drawn[2]), "banks used"});
    figures.push_back({std::to_string(crowded), "banks asked for several words", crowded > 0});
    figures.push_back(
        {with_commas(answer.block.wavefronts),
         lab.loads_tile()
             ? "wavefronts of the tile's " + counted(answer.block.requests, "request", "requests")
             : "wavefronts of the block's " +
                   counted(answer.block.requests, "request", "requests")});
    return figures;
}

std::vector<Figure> figures_of_global(const PatternAnswer& answer) {
    const RequestCost& cost = answer.cost;
    const GlobalRules& rules = answer.generation->global;
    const std::uint32_t used =
        cost.bytes_moved == 0 ? 0
                              : (100 * cost.bytes_used + cost.bytes_moved / 2) / cost.bytes_moved;
    return {{std::to_string(cost.transactions),
             std::string(cost.transactions == 1 ? rules.unit : rules.units) + " of warp " +
                 std::to_string(answer.warp)},
            {std::to_string(cost.lines), cost.lines == 1 ? "line" : "lines"},
            {with_commas(cost.bytes_moved), "bytes moved"},
            {std::to_string(used) + " %", "of them used"},
            {with_commas(answer.block.sectors),
             "sectors of the block's " + counted(answer.block.requests, "request", "requests")}};
}

// The lanes that one bank serves in one wavefront.
struct Served {
    std::uint32_t first_lane = 0, lanes = 0;  // the lowest lane, and the number of lanes
    bool conflict = false;     // a later wavefront than the first of its group of lanes
    std::uint32_t number = 0;  // of the word among those that the lowest lane wants
};
using ServedCells = std::map<std::pair<std::uint32_t, std::uint32_t>, Served>;  // wavefront, bank

ServedCells served_cells(const PatternAnswer& answer) {
    const WordService service = word_service(answer.access, *answer.generation);
    ServedCells cells;
    for (const ServedWord& word : service.words) {
        Served& cell = cells[{word.wavefront, word.bank}];
        if (cell.lanes++ == 0 || word.lane < cell.first_lane) {
            cell.first_lane = word.lane;
            cell.number = word.number;
        }
        cell.conflict = is_served_late(service, word);
    }
    return cells;
}

// "5", or "5+2" if two more lanes want the same word.
std::string lane_text(std::uint32_t first, std::uint32_t lanes) {
    return std::to_string(first) + (lanes > 1 ? "+" + std::to_string(lanes - 1) : "");
}

// The banks below their wavefronts, the first wavefront at the bottom.
std::vector<PatternCells> bank_rows(const PatternContext& lab) {
    const Palette& colors = lab.colors();
    const PatternAnswer& answer = lab.answer();
    const auto banks = static_cast<std::uint32_t>(answer.generation->shared.banks);
    const ServedCells served = served_cells(answer);
    std::vector<PatternCells> rows;
    for (std::uint32_t row = std::max(answer.cost.wavefronts, kLeastWavefronts); row-- > 0;) {
        PatternCells cells{std::to_string(row + 1), {}};
        for (std::uint32_t bank = 0; bank < banks; ++bank) {
            const auto found = served.find({row, bank});
            if (found == served.end()) {
                cells.cells.push_back({"", 0, mix(colors.panel, colors.line, 0.5f), 0});
                continue;
            }
            const Served& cell = found->second;
            cells.cells.push_back({lane_text(cell.first_lane, cell.lanes),
                                   cell.conflict ? colors.conflict_tint : colors.b,
                                   cell.conflict ? colors.conflict : 0,
                                   cell.conflict ? colors.ink : colors.on,
                                   GlidingWord{cell.first_lane, cell.number}});
        }
        rows.push_back(std::move(cells));
    }
    rows.push_back(names_of_banks(lab, "bank", 1));
    return rows;
}

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

}  // namespace

void draw_pattern_picture(const PatternContext& lab, const Rect& card) {
    begin_pattern_glide(lab);
    const Rect inner = inside_card(lab.look, card);
    // Where there is little room, the rows have it.
    constexpr float kLeastRows = 5;
    const float least = kLeastRows * 1.25f * lab.type(12) + lab.look.gap();
    std::vector<Figure> figures =
        lab.shared() ? figures_of_shared(lab) : figures_of_global(lab.answer());
    const auto height = [&] {
        return measured([&] {
            Column trial(lab.look, inner);
            trial.figures(figures);
            return trial.height();
        });
    };
    constexpr std::size_t kFirstFigures = 2;  // wavefronts and conflicts, or sectors and lines
    while (figures.size() > kFirstFigures && inner.y + height() + least > inner.bottom())
        figures.pop_back();
    Column column(lab.look, inner);
    column.figures(figures);
    const auto explain = [&](Column& at) {
        at.space(lab.look.tight());
        at.paragraph(
            lab.of_matrices()
                ? "left: wavefront by wavefront, upwards; right: shared memory as it lies, 128 "
                  "bytes a row; m1 r5: row 5 of matrix 1, in its slot of 16 bytes"
            : lab.shared()
                ? "wavefront by wavefront, upwards; in a cell: the lane that is served, +n: n more "
                  "that want the same word"
                : "lines of 128 bytes; in a cell: the lane that wants the word; tinted: moved but "
                  "not wanted",
            {Face::kRegular, lab.type(12), lab.colors().ink3});
    };
    const float words = measured([&] {
        Column trial(lab.look, inner);
        explain(trial);
        return trial.height();
    });
    if (column.y() + words + least <= inner.bottom()) explain(column);
    column.space(lab.look.gap());
    const Rect place{inner.x, column.y(), inner.w, inner.bottom() - column.y()};
    register_widget("patterns.picture", place);
    if (lab.of_matrices()) return draw_pattern_slots(lab, place);
    draw_pattern_grid(lab, place, lab.shared() ? bank_rows(lab) : line_rows(lab), lab.shared(),
                      lab.memory.picture_scroll);
}

}  // namespace tilereel

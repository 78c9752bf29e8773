// The cost of the access, and the lane that each bank serves in each wavefront.
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/column.h"
#include "app/panels/patterns/pattern_views.h"
#include "app/replay/wording.h"
#include "instrumentation/analysis/word_service.h"

namespace tilereel {
namespace {

constexpr std::uint32_t kLeastWavefronts = 4;  // smallest number of rows that are drawn

std::vector<Figure> figures_of_shared(const PatternAnswer& answer) {
    std::uint64_t crowded = 0;
    for (const std::uint8_t wavefronts : answer.banks.worst_group_wavefronts)
        crowded += wavefronts > 1 ? 1 : 0;
    const RequestCost& cost = answer.cost;
    return {
        {std::to_string(cost.wavefronts),
         std::string(cost.wavefronts == 1 ? "wavefront" : "wavefronts") + " of warp " +
             std::to_string(answer.warp) + "; the ideal is " +
             std::to_string(cost.ideal_wavefronts),
         cost.bank_conflicts > 0},
        {std::to_string(cost.bank_conflicts),
         cost.bank_conflicts == 1 ? "bank conflict" : "bank conflicts", cost.bank_conflicts > 0},
        {std::to_string(answer.banks.banks_used), "banks used"},
        {std::to_string(crowded), "banks with conflicts", crowded > 0},
        {with_commas(answer.block.wavefronts),
         "wavefronts of the block's " + counted(answer.block.requests, "request", "requests")}};
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
    bool conflict = false;  // a later wavefront than the first of its group of lanes
};
using ServedCells = std::map<std::pair<std::uint32_t, std::uint32_t>, Served>;  // wavefront, bank

ServedCells served_cells(const PatternAnswer& answer) {
    const WordService service = word_service(answer.access, *answer.generation);
    ServedCells cells;
    for (const ServedWord& word : service.words) {
        const auto group = std::ranges::find_if(service.groups, [&](const LaneGroup& each) {
            return word.wavefront >= each.first_wavefront &&
                   word.wavefront < each.first_wavefront + each.wavefronts;
        });
        Served& cell = cells[{word.wavefront, word.bank}];
        cell.first_lane =
            cell.lanes == 0 ? word.lane : std::min<std::uint32_t>(cell.first_lane, word.lane);
        ++cell.lanes;
        cell.conflict = group != service.groups.end() && word.wavefront > group->first_wavefront;
    }
    return cells;
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
                                   cell.conflict ? colors.ink : colors.on});
        }
        rows.push_back(std::move(cells));
    }
    PatternCells names{"bank", {}};
    for (std::uint32_t bank = 0; bank < banks; ++bank) {
        const bool used = answer.banks.words_in_bank[bank] > 0;
        const bool crowded = answer.banks.worst_group_wavefronts[bank] > 1;
        names.cells.push_back({std::to_string(bank),
                               crowded ? colors.conflict
                               : used  ? colors.b
                                       : colors.cell,
                               crowded ? colors.ink : 0, used ? colors.on : colors.ink3});
    }
    rows.push_back(std::move(names));
    return rows;
}

}  // namespace

std::string lane_text(std::uint32_t first, std::uint32_t lanes) {
    return std::to_string(first) + (lanes > 1 ? "+" + std::to_string(lanes - 1) : "");
}

void draw_pattern_picture(const PatternContext& lab, const Rect& card) {
    const Rect inner = inside_card(lab.look, card);
    Column column(lab.look, inner);
    column.figures(lab.shared() ? figures_of_shared(lab.answer())
                                : figures_of_global(lab.answer()));
    column.space(lab.look.tight());
    column.paragraph(lab.shared() ? "wavefront by wavefront, upwards; in a cell: the lane that is "
                                    "served, +n: n more that want the same word"
                                  : "lines of 128 bytes; in a cell: the lane that wants the word; "
                                    "tinted: moved but not wanted",
                     {Face::kRegular, lab.type(12), lab.colors().ink3});
    column.space(lab.look.gap());
    const Rect place{inner.x, column.y(), inner.w, inner.bottom() - column.y()};
    register_widget("patterns.picture", place);
    draw_pattern_grid(lab, place, lab.shared() ? bank_rows(lab) : line_rows(lab));
}

}  // namespace tilereel

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
    return {{std::to_string(wavefronts),
             std::string(wavefronts == 1 ? "wavefront" : "wavefronts") + " of warp " +
                 std::to_string(answer.warp) + "; the ideal is " +
                 std::to_string(cost.ideal_wavefronts),
             conflicts > 0},
            {std::to_string(conflicts), conflicts == 1 ? "bank conflict" : "bank conflicts",
             conflicts > 0},
            {std::to_string(drawn[2]), "banks used"},
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
    bool conflict = false;     // a later wavefront than the first of its group of lanes
    std::uint32_t number = 0;  // of the word among those that the lowest lane wants
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
        if (cell.lanes++ == 0 || word.lane < cell.first_lane) {
            cell.first_lane = word.lane;
            cell.number = word.number;
        }
        cell.conflict = group != service.groups.end() && word.wavefront > group->first_wavefront;
    }
    return cells;
}

// A row of cells, with its label at the left. The colours are 0 for none.
struct PatternCell {
    std::string text;
    ImU32 fill = 0, edge = 0, ink = 0;
    std::optional<GlidingWord> word{};  // it slides with the word that a lane wants
};
struct PatternCells {
    std::string label;
    std::vector<PatternCell> cells;
};

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

constexpr std::size_t kWordsOfSector = 8;

void draw_grid_cell(const PatternContext& lab, const Rect& cell, const PatternCell& content) {
    const float radius = lab.look.hair();
    if (content.fill != 0) fill_rect(cell, content.fill, radius);
    if (content.edge != 0) stroke_rect(cell, content.edge, lab.look.line(), radius);
    // A number is drawn where a readable size fits.
    const float px = lab.type(12);
    const float width = std::max(text_width(content.text, Face::kMonoBold, px), 1.0f);
    const float fits = std::min({px, 0.8f * cell.h, 0.92f * px * cell.w / width});
    if (fits >= lab.look.px(9) - 0.5f)
        draw_text(cell.center(), content.text,
                  {Face::kMonoBold, fits, content.ink, Align::kCenter});
}

// The layout of the grid: its labels at the left, then the cells, each a bank or a word of a cache
// line.
struct GridLayout {
    float px, left, pitch, height;  // px: of the labels; height: of a row
};

GridLayout grid_layout(const PatternContext& lab, const Rect& place,
                       const std::vector<PatternCells>& rows) {
    const float px = lab.type(12);
    const float left = widest(rows, Face::kMono, px, &PatternCells::label) + lab.look.gap();
    const auto count = static_cast<float>(rows.front().cells.size());
    const float gaps = lab.look.tight() * count / kWordsOfSector;
    return {px, left, (place.w - lab.look.gap() - left - gaps) / count,
            std::clamp(place.h / static_cast<float>(rows.size()), 1.25f * px, 2.6f * px)};
}

using MovingCells = std::vector<std::pair<Rect, PatternCell>>;

// `moving`: takes the cells that are drawn later, as they slide over others.
void draw_grid_row(const PatternContext& lab, const GridLayout& grid, ImVec2 at,
                   const PatternCells& row, MovingCells& moving) {
    if (measures()) return;
    draw_text({at.x + grid.left - lab.look.gap(), at.y + grid.height / 2}, row.label,
              {Face::kMono, grid.px, lab.colors().ink2, Align::kRight});
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
        const float x = at.x + grid.left + static_cast<float>(i) * grid.pitch +
                        static_cast<float>(i / kWordsOfSector) * lab.look.tight();
        const Rect place{x, at.y, grid.pitch - lab.look.frame(), grid.height - lab.look.hair()};
        const PatternCell& cell = row.cells[i];
        const Rect now = cell.word ? gliding_pattern_cell(lab, *cell.word, place) : place;
        if (!cell.word || !pattern_glides(lab)) {
            draw_grid_cell(lab, place, cell);
            continue;
        }
        draw_grid_cell(lab, place, {"", 0, mix(lab.colors().panel, lab.colors().line, 0.5f), 0});
        moving.emplace_back(now, cell);
    }
}

// Draws rows of cells. The names of the banks stay below while the wavefronts above are scrolled,
// and the first wavefront is beside them at first.
void draw_grid(const PatternContext& lab, const Rect& place,
               const std::vector<PatternCells>& rows) {
    if (rows.empty() || place.h < 1) return;
    const GridLayout grid = grid_layout(lab, place, rows);
    const std::size_t kept = lab.shared() ? 1 : 0, scrolled = rows.size() - kept;
    const float length = static_cast<float>(scrolled) * grid.height;
    const Rect room{place.x, place.y, place.w,
                    std::clamp(place.h - static_cast<float>(kept) * grid.height, 0.0f, length)};
    float& kept_scroll = lab.memory.picture_scroll;  // from the bottom, where banks stay there
    const float most = std::max(length - room.h, 0.0f);
    float offset = lab.shared() ? most - kept_scroll : kept_scroll;
    MovingCells moving;
    {
        const ScrollArea area(lab.look, room, length, offset);
        for (std::size_t i = 0; i < scrolled; ++i)
            draw_grid_row(lab, grid, {room.x, area.top() + static_cast<float>(i) * grid.height},
                          rows[i], moving);
        for (const auto& [rect, cell] : moving) {
            register_widget("patterns.gliding." + std::to_string(cell.word->first) + "." +
                                std::to_string(cell.word->second),
                            rect);
            draw_grid_cell(lab, rect, cell);
        }
    }
    kept_scroll = lab.shared() ? most - offset : offset;
    if (kept == 0) return;
    register_widget("patterns.banks", {room.x, room.bottom(), room.w, grid.height});
    draw_grid_row(lab, grid, {room.x, room.bottom()}, rows.back(), moving);
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
    const float all = measured([&] {
        Column trial(lab.look, inner);
        trial.figures(figures);
        return trial.height();
    });
    if (inner.y + all + least > inner.bottom()) figures.pop_back();  // of the whole block
    Column column(lab.look, inner);
    column.figures(figures);
    const auto explain = [&](Column& at) {
        at.space(lab.look.tight());
        at.paragraph(
            lab.shared()
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
    draw_grid(lab, place, lab.shared() ? bank_rows(lab) : line_rows(lab));
}

}  // namespace tilereel

#include "app/panels/inspector/lane_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "app/panels/array_role.h"
#include "app/panels/measure.h"
#include "app/ui/widgets.h"
#include "instrumentation/analysis/global_transactions.h"

namespace tilereel {
namespace {

constexpr float kLeastUnits = 10;  // smallest readable font size, in units at the default text size

constexpr std::string_view kLaneName = "lane";  // drawn as a caption only if there is room

// A column of one half: its caption, the texts of all lanes, and its place.
struct LaneColumn {
    std::string name, caption;  // name: of its widget
    Align align = Align::kRight;
    std::array<std::string, kWarpSize> text{};
    float x = 0, numbers = 0;  // left or right edge in the half, and the width of the longest text
};
enum : std::size_t { kLane, kElement, kPlace, kWave };

struct LaneTable {
    const Look& look;
    const RequestState& request;
    const Array& array;
    Role role;
    bool shared;
    bool waves;                        // show a wavefront column, because there are several
    std::size_t rows = kWarpSize / 2;  // lanes in a column
    float px = 0, row = 0, half = 0;   // font, height of a row, width of a half; pixels
    std::vector<LaneColumn> columns{};
    // Global memory: the sector, line or transaction of each lane.
    std::array<std::uint32_t, kWarpSize> units{};
    [[nodiscard]] float right() const { return columns.back().x; }
};

// The bank of the last word that a lane accesses.
std::uint32_t last_bank(const LaneTable& table, std::size_t lane) {
    std::uint32_t bank = 0;
    for (const ServedWord& served : table.request.words.words)
        if (served.lane == lane) bank = served.bank;
    return bank;
}

// Global memory: sets the number of the sector or line that each lane accesses, counted from the
// array's start. Under rules with other transactions, it is the number of the request's transaction
// that serves the lane, counted from 1.
std::string number_units(LaneTable& table, const GlobalRules& rules) {
    const bool in_place = rules.coalescing == Coalescing::kSectors;
    const std::vector<GlobalTransaction> moved = list_transactions(table.request.access, rules);
    for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
        const auto serves = [&](const GlobalTransaction& t) { return (t.lanes >> lane & 1) != 0; };
        const auto first = std::ranges::find_if(moved, serves);
        if (first == moved.end()) continue;
        table.units[lane] = in_place ? static_cast<std::uint32_t>(first->begin / rules.sector_bytes)
                                     : static_cast<std::uint32_t>(first - moved.begin()) + 1;
    }
    return !in_place ? "transaction" : rules.sector_bytes < rules.line_bytes ? "sector" : "line";
}

void fill_text(LaneTable& table, const std::string& unit) {
    table.columns = {
        {"lane", "lane"}, {"element", table.array.name, Align::kLeft}, {"place", unit}};
    if (table.waves) table.columns.push_back({"wave", "wave"});
    const std::uint32_t bytes = table.request.access.width_bytes;
    const std::uint32_t elements = bytes / std::max(table.array.element_bytes, 1u);
    for (std::size_t i = 0; i < kWarpSize; ++i) {
        const LaneState& lane = table.request.lanes[i];
        table.columns[kLane].text[i] = std::to_string(i);
        if (!lane.active) continue;
        // The caption has the array's name. A wide access shows its first and last element, and its
        // first and last bank: "[3][4..7]", "4..7".
        std::string element = element_name(table.array, lane.row, lane.column);
        element.erase(0, element.find('['));
        if (elements > 1) {
            element.pop_back();
            element += ".." + std::to_string(lane.column + elements - 1) + "]";
        }
        table.columns[kElement].text[i] = std::move(element);
        std::string& place = table.columns[kPlace].text[i];
        place = std::to_string(table.shared ? lane.bank : table.units[i]);
        if (table.shared && bytes > 4) place += ".." + std::to_string(last_bank(table, i));
        if (table.waves) table.columns[kWave].text[i] = std::to_string(lane.wavefront + 1);
    }
}

// Places the columns, in two halves of 16 lanes. If their font would be too small, all lanes are in
// one half.
void place_columns(LaneTable& table, float width) {
    const Look& look = table.look;
    const float wanted = type_px(look, 12), gap = 0.6f * wanted, rule = look.px(10);
    std::vector<float> widths;
    float needed = rule;
    for (const LaneColumn& column : table.columns) {
        widths.push_back(widest(column.text, Face::kMono, wanted));
        if (column.name != kLaneName)
            widths.back() =
                std::max(widths.back(), text_width(column.caption, Face::kMono, wanted));
        needed += widths.back() + gap;
    }
    const float least = look.px(kLeastUnits) * (0.4f + 0.6f * look.text);
    if (wanted * width / 2 < least * needed) table.rows = kWarpSize;
    table.half = width * static_cast<float>(table.rows) / kWarpSize;
    const float fit = std::min(1.0f, table.half / needed);
    table.px = wanted * fit;
    table.row = std::round(1.22f * table.px);
    const float spare = std::max(0.0f, table.half - needed) / static_cast<float>(widths.size());
    float x = 0;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        LaneColumn& column = table.columns[i];
        column.numbers = widest(column.text, Face::kMono, table.px);
        column.x = column.align == Align::kLeft ? x : x + widths[i] * fit;
        x += (widths[i] + gap) * fit + std::min(spare, 2 * gap);
    }
}

LaneTable table_of(const Look& look, float width, const Replay& replay, const RequestState& request,
                   const Step& step) {
    const Trace& trace = replay.trace();
    const ArrayId id = trace.sites[step.site].array;
    const bool shared = request.access.space == Space::kShared;
    LaneTable table{.look = look,
                    .request = request,
                    .array = trace.arrays[id],
                    .role = role_of_array(replay, id),
                    .shared = shared,
                    .waves = shared && request.cost.wavefronts > 1};
    fill_text(table, shared ? "bank" : number_units(table, replay.generation().global));
    place_columns(table, width);
    return table;
}

// Draws the captions and registers the visible part of each, as wide as its numbers.
void draw_captions(const LaneTable& table, std::size_t half, const Rect& row) {
    const float y = row.center().y;
    for (const LaneColumn& column : table.columns) {
        const bool left = column.align == Align::kLeft;
        const TextStyle style{
            Face::kMono, table.px,
            left ? table.look.colors().solid(table.role) : table.look.colors().ink3, column.align};
        if (column.name != kLaneName)
            draw_text({row.x + column.x, y}, column.caption, style);
        else if (text_width(column.caption, style.face, style.px) < table.columns[kElement].x)
            draw_text({row.x, y}, column.caption, {style.face, style.px, style.color});
        const Rect seen = seen_part(
            {row.x + column.x - (left ? 0 : column.numbers), row.y, column.numbers, row.h});
        if (seen.h > 1)
            register_widget("inspector.lanes." + std::to_string(half) + "." + column.name, seen);
    }
}

ImU32 place_color(const LaneTable& table, const LaneState& lane) {
    const Palette& colors = table.look.colors();
    const bool conflict = table.shared && table.request.cost.bank_conflicts > 0 &&
                          lane.bank < table.request.service.worst_group_wavefronts.size() &&
                          table.request.service.worst_group_wavefronts[lane.bank] > 1;
    return conflict ? colors.conflict : colors.solid(table.role);
}

void draw_lane(const LaneTable& table, std::size_t i, const Rect& row) {
    const Look& look = table.look;
    const Palette& colors = look.colors();
    const LaneState& lane = table.request.lanes[i];
    const bool current = table.waves && lane.active && lane.wavefront == table.request.wavefront;
    const bool waiting = table.waves && lane.active && lane.wavefront > table.request.wavefront;
    if (current) {  // served now; red for a bank conflict, not for halves of a warp in turn
        const bool conflict = table.request.cost.bank_conflicts > 0;
        draw_box({row.x - look.px(3), row.y, table.right() + look.snug(), row.h},
                 conflict ? colors.conflict_tint : colors.tint(table.role),
                 conflict ? colors.conflict : colors.solid(table.role), look.line(), look.px(3));
    }
    if (!lane.active) {
        const float left = table.columns[kElement].x;
        hatch_rect({row.x + left, row.y + look.hair(), table.right() - left, row.h - look.tight()},
                   mix(colors.ink3, colors.panel, 0.62f), look.px(4));
    }
    const ImU32 rest = waiting ? colors.ink2 : colors.ink;
    const std::array<ImU32, 4> inks = {current ? colors.ink : colors.ink3, rest,
                                       place_color(table, lane), rest};
    for (std::size_t c = 0; c < table.columns.size(); ++c)
        draw_text({row.x + table.columns[c].x, row.center().y}, table.columns[c].text[i],
                  {c == kPlace || (c == kWave && current) ? Face::kMonoBold : Face::kMono, table.px,
                   inks[c], table.columns[c].align});
}

// A vertical line beside consecutive lanes that the same transaction serves.
void draw_unit_rules(const LaneTable& table, std::size_t first, float left, float top) {
    const Look& look = table.look;
    const auto& lanes = table.request.lanes;
    const std::size_t end = first + table.rows;
    for (std::size_t i = first, next = first; i < end; i = next) {
        while (next < end && lanes[next].active == lanes[i].active &&
               table.units[next] == table.units[i])
            ++next;
        if (!lanes[i].active) continue;
        fill_rect({left + table.right() + look.tight(),
                   top + static_cast<float>(i - first) * table.row + look.hair(), look.px(3),
                   static_cast<float>(next - i) * table.row - look.tight()},
                  look.colors().solid(table.role), look.line());
    }
}

// A horizontal line between groups of lanes that are served together.
void draw_group_rules(const LaneTable& table, float left, float top) {
    if (table.request.words.groups.size() < 2) return;
    const std::size_t together = table.request.words.lanes_together;
    for (std::size_t i = together; i < table.rows; i += together)
        fill_rect({left - table.look.px(3), std::round(top + static_cast<float>(i) * table.row) - 1,
                   table.right() + table.look.px(9), 2},
                  table.look.colors().ink3);
}

}  // namespace

float draw_lane_table(const Look& look, const Rect& rect, const Replay& replay,
                      const RequestState& request, const Step& step) {
    const LaneTable table = table_of(look, rect.w, replay, request, step);
    const float head = 1.6f * table.px, top = std::round(rect.y + head);
    for (std::size_t first = 0; first < kWarpSize; first += table.rows) {
        const std::size_t half = first / table.rows;
        const float left = rect.x + static_cast<float>(half) * table.half;
        draw_captions(table, half, {left, rect.y, table.half, head});
        for (std::size_t i = 0; i < table.rows; ++i)
            draw_lane(table, first + i,
                      {left, top + static_cast<float>(i) * table.row, table.half, table.row});
        if (table.shared)
            draw_group_rules(table, left, top);
        else
            draw_unit_rules(table, first, left, top);
    }
    return head + static_cast<float>(table.rows) * table.row;
}

}  // namespace tilereel

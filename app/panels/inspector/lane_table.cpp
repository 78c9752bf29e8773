#include "app/panels/inspector/lane_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "app/panels/array_role.h"
#include "app/panels/panel_table.h"
#include "app/ui/widgets/widgets.h"
#include "instrumentation/analysis/cost/global_transactions.h"

namespace tilereel {
namespace {

// The columns of the table.
constexpr std::array<const char*, 4> kColumns = {"lane", "element", "place", "wave"};

struct Lanes {
    const Look& look;
    const RequestState& request;
    const Array& array;
    ColorRole role;
    bool shared;
    bool waves;  // show a wavefront column, because there are several
    // Not shared memory: the sector, line, transaction, read or byte of each lane.
    std::array<std::uint32_t, kWarpSize> units{};
    std::string unit = "bank";
    // Elements that one lane accesses.
    [[nodiscard]] std::uint32_t elements() const {
        return request.access.width_bytes / std::max(array.element_bytes, 1u);
    }
    [[nodiscard]] bool current(std::size_t i) const {
        return waves && request.lanes[i].active && request.lanes[i].wavefront == request.wavefront;
    }
};

// The bank of the last word that a lane accesses.
std::uint32_t last_bank(const Lanes& lanes, std::size_t lane) {
    std::uint32_t bank = 0;
    for (const ServedWord& served : lanes.request.words.words)
        if (served.lane == lane) bank = served.bank;
    return bank;
}

// Global memory: sets the number of the sector or line that each lane accesses, counted from the
// array's start. On a GPU generation that does not load by sectors (Coalescing), sets the number of
// the transaction that serves the lane, counted from 1 within the request.
void number_units(Lanes& lanes, const GlobalRules& rules) {
    const bool in_place = rules.coalescing == Coalescing::kSectors;
    const std::vector<GlobalTransaction> moved = list_transactions(lanes.request.access, rules);
    for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
        const auto serves = [&](const GlobalTransaction& t) { return (t.lanes >> lane & 1) != 0; };
        const auto first = std::ranges::find_if(moved, serves);
        if (first == moved.end()) continue;
        lanes.units[lane] = in_place ? static_cast<std::uint32_t>(first->begin / rules.sector_bytes)
                                     : static_cast<std::uint32_t>(first - moved.begin()) + 1;
    }
    lanes.unit = !in_place                               ? "transaction"
                 : rules.sector_bytes < rules.line_bytes ? "sector"
                                                         : "line";
}

// Constant memory: sets the number of the read that serves each lane, counted from 1. Lanes at one
// address share a read: CUDA C++ Programming Guide, "Constant Memory".
void number_reads(Lanes& lanes) {
    const LaneOffsets& at = lanes.request.access.lanes;
    std::vector<std::uint32_t> addresses;
    for (const std::uint32_t lane : lanes_in(at.mask)) {
        const auto known = std::ranges::find(addresses, at.bytes[lane]);
        lanes.units[lane] = static_cast<std::uint32_t>(known - addresses.begin()) + 1;
        if (known == addresses.end()) addresses.push_back(at.bytes[lane]);
    }
    lanes.unit = "read";
}

// Shared memory of another block, of which no counter tells how it is read: sets the byte of it.
void number_bytes(Lanes& lanes) {
    const LaneOffsets& at = lanes.request.access.lanes;
    for (const std::uint32_t lane : lanes_in(at.mask)) lanes.units[lane] = at.bytes[lane];
    lanes.unit = "byte";
}

ImU32 place_color(const Lanes& lanes, const LaneState& lane) {
    const Palette& colors = lanes.look.colors();
    const bool conflict = lanes.shared && lanes.request.cost.bank_conflicts > 0 &&
                          lane.bank < lanes.request.service.worst_group_wavefronts.size() &&
                          lanes.request.service.worst_group_wavefronts[lane.bank] > 1;
    return conflict ? colors.conflict : colors.solid(lanes.role);
}

// A wide access shows its first and last element, and its first and last bank: "[3][4..7]", "4..7".
// The caption has the array's name.
std::string element_text(const Lanes& lanes, const LaneState& lane) {
    std::string text = element_name(lanes.array, lane.row, lane.column);
    text.erase(0, text.find('['));
    if (lanes.elements() < 2) return text;
    text.pop_back();
    return text + ".." + std::to_string(lane.column + lanes.elements() - 1) + "]";
}
std::string place_text(const Lanes& lanes, std::size_t i) {
    if (!lanes.shared) return std::to_string(lanes.units[i]);
    const std::string first = std::to_string(lanes.request.lanes[i].bank);
    if (lanes.request.access.width_bytes <= 4) return first;
    return first + ".." + std::to_string(last_bank(lanes, i));
}

void add_lane(WrapTable& table, const Lanes& lanes, std::size_t i) {
    const Palette& colors = lanes.look.colors();
    const LaneState& lane = lanes.request.lanes[i];
    const bool current = lanes.current(i);
    const bool waiting = lanes.waves && lane.wavefront > lanes.request.wavefront;
    const ImU32 ink = waiting ? colors.ink2 : colors.ink;
    std::vector<TableCell> row = {
        {std::to_string(i), Face::kMono, current ? colors.ink : colors.ink3}};
    if (lane.active) {
        row.push_back({element_text(lanes, lane), Face::kMono, ink});
        row.push_back({place_text(lanes, i), Face::kMonoBold, place_color(lanes, lane)});
        if (lanes.waves)
            row.push_back(
                {std::to_string(lane.wavefront + 1), current ? Face::kMonoBold : Face::kMono, ink});
    }
    table.add(std::move(row));
}

// The smallest font size, in pixels, that is legible from the back of a classroom.
float least_legible_px(const Look& look) {
    return std::max(look.px(10.4f), look.px(9.5f) * look.text);
}

// Adds a row that is not drawn, with the last element and the last bank. It keeps the columns
// equally wide from request to request.
void add_widest(WrapTable& table, const Lanes& lanes) {
    const std::uint32_t elements = std::max(lanes.elements(), 1u);
    LaneState last;
    last.row = std::max(lanes.array.rows, 1u) - 1;
    last.column = std::max(lanes.array.columns, elements) - elements;
    table.add({{"31", Face::kMono},
               {element_text(lanes, last), Face::kMono},
               {lanes.shared && elements > 1 ? "28..31" : "", Face::kMonoBold}});
}

// The captions and all lanes.
WrapTable table_of(const Lanes& lanes) {
    const Palette& colors = lanes.look.colors();
    std::vector<Align> aligns = {Align::kRight, Align::kLeft, Align::kRight};
    if (lanes.waves) aligns.push_back(Align::kRight);
    // The figures grow more slowly than the text, so that all lanes can be seen.
    const float px =
        std::max(lanes.look.px(6) * (1 + lanes.look.text), least_legible_px(lanes.look));
    WrapTable table(lanes.look, px, aligns, 2, 1.22f);
    table.add({{},
               {lanes.array.name, Face::kMono, colors.solid(lanes.role)},
               {lanes.unit, Face::kMono, colors.ink3},
               {lanes.waves ? "wave" : "", Face::kMono, colors.ink3}});
    for (std::size_t i = 0; i < kWarpSize; ++i) add_lane(table, lanes, i);
    add_widest(table, lanes);
    return table;
}

// The background of a lane that is served now, and the hatch of one that is off.
void draw_mark(const Lanes& lanes, std::size_t i, const Rect& row, float left) {
    const Look& look = lanes.look;
    const Palette& colors = look.colors();
    // Red only for bank conflicts: half-warps that are served one after another are not conflicts.
    if (lanes.current(i)) {
        const bool conflict = lanes.request.cost.bank_conflicts > 0;
        draw_box({row.x - look.px(3), row.y, row.w + look.snug(), row.h},
                 conflict ? colors.conflict_tint : colors.tint(lanes.role),
                 conflict ? colors.conflict : colors.solid(lanes.role), look.line(), look.px(3));
    }
    if (!lanes.request.lanes[i].active)
        hatch_rect({left, row.y + look.hair(), row.right() - left, row.h - look.tight()},
                   mix(colors.ink3, colors.panel, 0.62f), look.px(4));
}

// A vertical line beside consecutive lanes that the same transaction serves. `rows`: where the rows
// of the lanes from `first` on stand.
void draw_unit_rules(const Lanes& lanes, std::size_t first, const Rect& rows, float height) {
    const Look& look = lanes.look;
    const auto& all = lanes.request.lanes;
    const std::size_t end = first + static_cast<std::size_t>(std::round(rows.h / height));
    for (std::size_t i = first, next = first; i < end; i = next) {
        while (next < end && all[next].active == all[i].active &&
               lanes.units[next] == lanes.units[i])
            ++next;
        if (!all[i].active) continue;
        fill_rect({rows.right() + look.tight(),
                   rows.y + static_cast<float>(i - first) * height + look.hair(), look.px(3),
                   static_cast<float>(next - i) * height - look.tight()},
                  look.colors().solid(lanes.role), look.line());
    }
}

// A horizontal line between groups of lanes that are served together.
void draw_group_rules(const Lanes& lanes, const Rect& rows, float height) {
    if (lanes.request.words.groups.size() < 2) return;
    const float pitch = static_cast<float>(lanes.request.words.lanes_together) * height;
    for (float y = pitch; y < rows.h - 1; y += pitch)
        fill_rect(
            {rows.x - lanes.look.px(3), std::round(rows.y + y) - 1, rows.w + lanes.look.snug(), 2},
            lanes.look.colors().ink3);
}

// Draws `count` lanes from lane `first` on. Returns the height in pixels.
float draw_part(const Lanes& lanes, const WrapTable& table, std::size_t first, std::size_t count,
                const Rect& rect) {
    const float height = table.row_height();
    const std::string part = "inspector.lanes." + std::to_string(first / count) + ".";
    for (std::size_t c = 0; c < (lanes.waves ? 4u : 3u); ++c)
        register_seen(part + kColumns[c], table.column(c, {rect.x, rect.y, rect.w, height}));
    table.draw_row(0, rect.min());
    const Rect rows{rect.x, rect.y + height, rect.w, static_cast<float>(count) * height};
    for (std::size_t i = 0; i < count; ++i) {
        const Rect row{rows.x, rows.y + static_cast<float>(i) * height, rows.w, height};
        draw_mark(lanes, first + i, row, table.column(1, row).x);
        table.draw_row(1 + first + i, row.min());
    }
    if (lanes.shared)
        draw_group_rules(lanes, rows, height);
    else
        draw_unit_rules(lanes, first, rows, height);
    return height + rows.h;
}

}  // namespace

float draw_lane_table(const Look& look, const Rect& rect, const Replay& replay,
                      const RequestState& request, const Step& step) {
    const ArrayId id = replay.trace().sites[step.site].array;
    const bool shared = request.access.space == Space::kShared;
    Lanes lanes{.look = look,
                .request = request,
                .array = replay.trace().arrays[id],
                .role = role_of_array(replay, id),
                .shared = shared,
                .waves = shared && request.cost.wavefronts > 1};
    if (request.access.space == Space::kConstant)
        number_reads(lanes);
    else if (request.access.space == Space::kGlobal)
        number_units(lanes, replay.generation().global);
    else if (!shared)
        number_bytes(lanes);
    // Two parts of 16 lanes or, where they are too narrow for legible type, one of all lanes.
    const float rule = look.px(10);  // the room for a line at the right
    const auto placed = [&](float width) {
        WrapTable table = table_of(lanes);
        table.place(width - rule);
        return table;
    };
    WrapTable halves = placed(rect.w / 2);
    const bool fits = !halves.two_lines() && halves.px() >= least_legible_px(look);
    const std::size_t parts = fits ? 2 : 1, count = kWarpSize / parts;
    const float pitch = rect.w / static_cast<float>(parts);
    const WrapTable table = fits ? std::move(halves) : placed(rect.w);
    float height = 0;
    if (shared && fits)  // separates the left part's last column from the right part's first
        fill_rect({std::round(rect.x + pitch - 0.4f * rule), rect.y, look.line(),
                   table.row_height() * static_cast<float>(count + 1)},
                  look.colors().line);
    for (std::size_t part = 0; part < parts; ++part)
        height = draw_part(
            lanes, table, part * count, count,
            {rect.x + static_cast<float>(part) * pitch, std::round(rect.y), pitch - rule, 0});
    return height;
}

}  // namespace tilereel

#include "app/panels/inspector/lane_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/panels/array_role.h"
#include "app/ui/widgets.h"
#include "instrumentation/analysis/global_transactions.h"

namespace tilereel {
namespace {

constexpr float kLeastUnits = 10;  // smallest readable font size, in units at the default text size

constexpr int kHalf = kWarpSize / 2;

struct LaneText {
    std::string element, place, wave;  // B[4][8] | sector or bank | wavefront, from 1, or empty
};

struct Table {
    const Look& look;
    const LaneTablePlace& place;
    const RequestState& request;
    const Array& array;
    Role role;
    bool shared;
    bool waves;                 // show a wavefront column, because there are several
    const char* unit = "bank";  // what the column after the element counts
    std::array<std::uint32_t, kWarpSize> units{};  // global memory: unit of each lane
    std::array<LaneText, kWarpSize> text;
    float px = 0, advance = 0;
    bool narrow = false;       // columns may be narrower than their captions
    std::size_t rows = kHalf;  // lanes in a column
    [[nodiscard]] float width() const {
        return place.rect.w * static_cast<float>(rows) / static_cast<float>(kWarpSize);
    }
    const char* element_caption = "word";
    // Column positions, relative to the left edge of a half: right edges of lane, place and wave,
    // left edge of element.
    float lane_right = 0, element_left = 0, place_right = 0, wave_right = 0;
};

// The bank of the last word that a lane accesses.
std::uint32_t last_bank(const Table& table, std::size_t lane) {
    std::uint32_t bank = 0;
    for (const ServedWord& served : table.request.words.words)
        if (served.lane == lane) bank = served.bank;
    return bank;
}

void fill_text(Table& table) {
    for (std::size_t i = 0; i < kWarpSize; ++i) {
        const LaneState& lane = table.request.lanes[i];
        if (!lane.active) continue;
        LaneText& text = table.text[i];
        text.element = element_name(table.array, lane.row, lane.column);
        text.place = std::to_string(table.shared ? lane.bank : table.units[i]);
        const std::uint32_t elements =
            table.request.access.width_bytes / std::max(table.array.element_bytes, 1u);
        if (elements > 1) {  // a wide access shows its first and last element: "[3][4..7]"
            text.element.pop_back();
            text.element += ".." + std::to_string(lane.column + elements - 1) + "]";
        }
        if (table.request.access.width_bytes > 4) {  // the same for banks: "4..7"
            if (table.shared) text.place += ".." + std::to_string(last_bank(table, i));
        }
        if (table.waves) text.wave = std::to_string(lane.wavefront + 1);
    }
}

// Global memory: sets the number of the sector or line that each lane accesses, counted from the
// array's start. Under rules with other transactions, it is the number of the request's transaction
// that serves the lane, counted from 1.
void number_units(Table& table, const GlobalRules& rules) {
    const bool in_place = rules.coalescing == Coalescing::kSectors;
    table.unit = !in_place                               ? "transaction"
                 : rules.sector_bytes < rules.line_bytes ? "sector"
                                                         : "line";
    const std::vector<GlobalTransaction> moved = list_transactions(table.request.access, rules);
    for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
        const auto serves = [&](const GlobalTransaction& t) { return (t.lanes >> lane & 1) != 0; };
        const auto first = std::ranges::find_if(moved, serves);
        if (first == moved.end()) continue;
        table.units[lane] = in_place ? static_cast<std::uint32_t>(first->begin / rules.sector_bytes)
                                     : static_cast<std::uint32_t>(first - moved.begin()) + 1;
    }
}

// Places the columns for a font size. Returns true if the longest row fits its half and, unless the
// table is narrow, the captions fit too. Spare room is distributed between the columns.
bool place_columns(Table& table, float px) {
    constexpr float kApart = 1.2f, kMostApart = 3;  // characters
    const LaneTablePlace& place = table.place;
    std::size_t element = 0, number = 0, wave = 0;
    for (const LaneText& text : table.text) {
        element = std::max(element, text.element.size());
        number = std::max(number, text.place.size());
        wave = std::max(wave, text.wave.size());
    }
    table.px = px;
    table.advance = px * text_width("0", Face::kMono, 100) / 100;
    const auto characters = [&](float count) { return count * table.advance; };
    const auto caption = [&](const char* word) {
        return table.narrow ? 0
                            : text_width(word, Face::kRegular, place.caption_px) + table.look.px(5);
    };
    // Each column needs room for its number and its caption, plus a gap to the column before.
    const float of_place =
        std::max(characters(static_cast<float>(number) + kApart), caption(table.unit));
    const float of_wave =
        table.waves
            ? std::max(characters(static_cast<float>(std::max<std::size_t>(wave, 2)) + kApart),
                       caption("wave"))
            : 0;
    const float lane = characters(2), of_element = characters(static_cast<float>(element) + kApart);
    const float end = table.width() - table.look.px(table.shared ? 10 : 14);
    const float room = end - lane - of_element - of_place - of_wave;
    const float spare = std::clamp(room / (table.waves ? 3 : 2), 0.0f, characters(kMostApart));
    table.lane_right = lane;
    table.element_left = lane + characters(kApart) + std::min(spare, characters(1));
    table.wave_right = end;
    table.place_right = table.waves ? end - of_wave - spare : end;
    return room >= 0;
}

bool fits_from(Table& table, float least) {
    for (float px = std::floor(table.place.px); px >= least; px -= 0.5f)
        if (place_columns(table, px)) return true;
    return false;
}

// Chooses the largest font that fits. If it would be unreadable, the array's name moves from the
// elements into the caption. If that is not enough, all 32 lanes are stacked in one column.
void fit_columns(Table& table) {
    const Look& look = table.look;
    const float least = std::min(table.place.px, look.px(kLeastUnits) * (0.4f + 0.6f * look.text));
    if (fits_from(table, least)) return;
    for (LaneText& text : table.text) text.element.erase(0, text.element.find('['));
    table.element_caption = table.array.name.c_str();
    if (fits_from(table, least)) return;
    table.rows = kWarpSize;
    if (fits_from(table, least)) return;
    table.narrow = true;
    if (!fits_from(table, look.snug())) place_columns(table, look.snug());
}

Table table_of(const Look& look, const LaneTablePlace& place, const Replay& replay,
               const RequestState& request, const Step& step) {
    const Trace& trace = replay.trace();
    const ArrayId id = trace.sites[step.site].array;
    const bool shared = request.access.space == Space::kShared;
    Table table{.look = look,
                .place = place,
                .request = request,
                .array = trace.arrays[id],
                .role = role_of_array(replay, id),
                .shared = shared,
                .waves = shared && request.cost.wavefronts > 1,
                .text = {}};
    if (!shared) table.element_caption = "element";
    if (!shared) number_units(table, replay.generation().global);
    fill_text(table);
    fit_columns(table);
    return table;
}

void draw_captions(const Table& table, float left) {
    const float middle = table.place.rect.y + table.place.head / 2;
    const float half = table.width();
    TextStyle style{Face::kRegular, table.place.caption_px, table.look.colors().ink3};
    const float lane = text_width("lane", style.face, style.px);
    const float apart = table.look.tight();
    if (lane + apart <= table.element_left) draw_text({left, middle}, "lane", style);
    const char* name = table.element_caption;
    const char* number = table.unit;
    const float number_left = table.place_right - text_width(number, style.face, style.px);
    if (table.element_left + text_width(name, style.face, style.px) + apart <= number_left)
        draw_text({left + table.element_left, middle}, name, style);
    style.align = Align::kRight;
    const float wave_left = table.wave_right - text_width("wave", style.face, style.px);
    if (!table.waves || table.place_right + apart <= wave_left)
        draw_text({left + table.place_right, middle}, number, style);
    if (table.waves) draw_text({left + std::min(table.wave_right, half), middle}, "wave", style);
}

// Registers the head of each column, as wide as its numbers. A head that is scrolled out of view is
// not registered.
void register_columns(const Table& table, int half, float left) {
    if (table.place.rect.y < draw_list()->GetClipRectMin().y ||
        table.place.rect.y + table.place.head > draw_list()->GetClipRectMax().y)
        return;
    std::size_t element = 0, number = 0, wave = 0;
    for (const LaneText& text : table.text) {
        element = std::max(element, text.element.size());
        number = std::max(number, text.place.size());
        wave = std::max(wave, text.wave.size());
    }
    const auto add = [&](const char* name, float x, std::size_t count, bool to_the_left) {
        const float w = static_cast<float>(count) * table.advance;
        const float from = left + x - (to_the_left ? w : 0);
        register_widget("inspector.lanes." + std::to_string(half) + "." + name,
                        {from, table.place.rect.y, w, table.place.head});
    };
    add("lane", table.lane_right, 2, true);
    add("element", table.element_left, element, false);
    add("place", table.place_right, number, true);
    if (table.waves) add("wave", table.wave_right, wave, true);
}

void draw_off_lane(const Table& table, float left, float middle) {
    const Palette& colors = table.look.colors();
    const float height = std::min(table.look.px(13), table.place.row - table.look.tight());
    const Rect rect{std::round(left + table.element_left), std::round(middle - height / 2),
                    table.wave_right - table.element_left, height};
    hatch_rect(rect, mix(colors.ink3, colors.panel, 0.62f), table.look.px(4));
}

ImU32 place_color(const Table& table, const LaneState& lane) {
    const Palette& colors = table.look.colors();
    const bool conflict = table.shared && table.request.cost.bank_conflicts > 0 &&
                          lane.bank < table.request.service.worst_group_wavefronts.size() &&
                          table.request.service.worst_group_wavefronts[lane.bank] > 1;
    return conflict ? colors.conflict : colors.solid(table.role);
}

void draw_lane(const Table& table, std::size_t i, float left, float top) {
    const Look& look = table.look;
    const Palette& colors = look.colors();
    const LaneState& lane = table.request.lanes[i];
    const float middle = top + table.place.row / 2;
    const bool current = table.waves && lane.active && lane.wavefront == table.request.wavefront;
    const bool waiting = table.waves && lane.active && lane.wavefront > table.request.wavefront;
    if (current) {  // served now; red for a bank conflict, not for halves of a warp in turn
        const bool conflict = table.request.cost.bank_conflicts > 0;
        const Rect bar{left - look.px(3), top, table.width() - look.snug(), table.place.row};
        draw_box(bar, conflict ? colors.conflict_tint : colors.tint(table.role),
                 conflict ? colors.conflict : colors.solid(table.role), look.line(), look.px(3));
    }
    draw_text({left + table.lane_right, middle}, std::to_string(i),
              {Face::kMono, table.px, current ? colors.ink : colors.ink3, Align::kRight});
    if (!lane.active) return draw_off_lane(table, left, middle);
    draw_text({left + table.element_left, middle}, table.text[i].element,
              {Face::kMono, table.px, waiting ? colors.ink2 : colors.ink});
    draw_text({left + table.place_right, middle}, table.text[i].place,
              {Face::kMonoBold, table.px, place_color(table, lane), Align::kRight});
    if (table.waves)
        draw_text({left + table.wave_right, middle}, table.text[i].wave,
                  {current ? Face::kMonoBold : Face::kMono, table.px,
                   waiting ? colors.ink3 : colors.ink, Align::kRight});
}

// A vertical line beside consecutive lanes that the same transaction serves.
void draw_unit_rules(const Table& table, std::size_t first, float left, float top) {
    const Look& look = table.look;
    const auto same = [&](std::size_t a, std::size_t b) {
        const auto& lanes = table.request.lanes;
        return lanes[a].active && lanes[b].active && table.units[a] == table.units[b];
    };
    const std::size_t end = first + table.rows;
    for (std::size_t i = first; i < end;) {
        std::size_t last = i;
        while (last + 1 < end && same(i, last + 1)) ++last;
        if (table.request.lanes[i].active) {
            const float x = left + table.wave_right + look.tight();
            const float from = top + static_cast<float>(i - first) * table.place.row;
            const float to = top + static_cast<float>(last - first + 1) * table.place.row;
            draw_list()->AddRectFilled({x, from + look.px(2)}, {x + look.px(3), to - look.px(2)},
                                       look.colors().solid(table.role), look.px(1));
        }
        i = last + 1;
    }
}

// A horizontal line between groups of lanes that are served together.
void draw_group_rules(const Table& table, float left, float top) {
    const std::vector<LaneGroup>& groups = table.request.words.groups;
    if (groups.size() < 2) return;
    const std::size_t together = table.request.words.lanes_together;
    for (std::size_t i = together; i < table.rows; i += together) {
        const float y = std::round(top + static_cast<float>(i) * table.place.row);
        draw_list()->AddRectFilled({left - table.look.px(3), y - 1},
                                   {left + table.wave_right + table.look.snug(), y + 1},
                                   table.look.colors().ink3);
    }
}

}  // namespace

std::size_t lane_table_rows(const Look& look, const LaneTablePlace& place, const Replay& replay,
                            const RequestState& request, const Step& step) {
    return table_of(look, place, replay, request, step).rows;
}

void draw_lane_table(const Look& look, const LaneTablePlace& place, const Replay& replay,
                     const RequestState& request, const Step& step) {
    const Table table = table_of(look, place, replay, request, step);
    const float top = place.rect.y + place.head;
    const int halves = table.rows == kWarpSize ? 1 : 2;
    for (int half = 0; half < halves; ++half) {
        const float left = place.rect.x + static_cast<float>(half) * table.width();
        draw_captions(table, left);
        register_columns(table, half, left);
    }
    draw_list()->PushClipRect({place.rect.x - look.gap(), top},
                              {place.rect.right() + look.gap(), place.rect.bottom()}, true);
    for (int half = 0; half < halves; ++half) {
        const float left = place.rect.x + static_cast<float>(half) * table.width();
        const std::size_t first = static_cast<std::size_t>(half) * table.rows;
        for (std::size_t i = 0; i < table.rows; ++i)
            draw_lane(table, first + i, left,
                      std::round(top - place.offset + static_cast<float>(i) * place.row));
        if (!table.shared) draw_unit_rules(table, first, left, top - place.offset);
        if (table.shared) draw_group_rules(table, left, top - place.offset);
    }
    draw_list()->PopClipRect();
}

}  // namespace tilereel

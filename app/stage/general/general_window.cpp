// The window onto the picture of a global array.
#include <algorithm>
#include <cmath>

#include "app/stage/general/general.h"
#include "app/stage/layout/layout_parts.h"

namespace tilereel::stage {
namespace {

constexpr float kLargestCell = 44;                    // units
constexpr float kFewestRows = 2, kFewestColumns = 2;  // cells of a window with values
constexpr float kBetween = 10;                        // units: gap between stacked arrays
constexpr float kLeastWidth = 15, kLeastHeight = 17;  // units: smallest cell with a value
constexpr float kTypeInRow = 0.68f;                   // font size as a share of the cell's height
constexpr float kCharacter = 0.6f, kMargin = 0.8f;    // width of a character, margin; / font size

// The pitch of cells that show values of `characters` characters at this font size.
ImVec2 pitch_of_values(const Measure& m, int characters, float type) {
    const float y = std::ceil(std::max(m.look.px(kLeastHeight), type / kTypeInRow));
    const float wide = type * (kCharacter * static_cast<float>(characters) + kMargin);
    return {std::ceil(std::max(m.look.px(kLeastWidth), wide)), y};
}

// The largest cells with which the whole picture fits.
ImVec2 pitch_of_all(const Measure& m, const ArrayShape& shape, ImVec2 values, float w, float h) {
    const float most = m.u(kLargestCell) * m.stretch();
    ImVec2 fit{std::min(w / static_cast<float>(shape.columns()), most),
               std::min(h / static_cast<float>(shape.rows()), most)};
    fit.x = std::min(fit.x, fit.y * std::max(values.x / values.y, 1.0f));
    fit.y = std::min(fit.y, fit.x);
    const auto whole = [&m](float pitch) {
        return pitch >= m.look.px(3) ? std::floor(pitch) : pitch;
    };
    return {whole(fit.x), whole(fit.y)};
}

bool can_hold_values(ImVec2 pitch, ImVec2 values) {
    return pitch.x >= values.x * 0.9f && pitch.y >= values.y * 0.9f;
}

// A box, split into the window with values and the map of the whole picture.
struct WindowParts {
    Rect window, map;
    float rows = 0, columns = 0;  // of the window, in cells
};
// `wanted`: number of columns that should be visible.
WindowParts split_box(const Measure& m, const ArrayShape& shape, ImVec2 values, float wanted,
                      const Rect& room) {
    const auto cells = [&](float w, float h) {
        return std::pair(std::min(std::floor(w / values.x), static_cast<float>(shape.columns())),
                         std::min(std::floor(h / values.y), static_cast<float>(shape.rows())));
    };
    const float gap = m.u(10);
    const auto of_picture = static_cast<float>(shape.columns()) / static_cast<float>(shape.rows());
    // The map is beside the window or below it, whichever leaves more cells in the window.
    const float side = std::clamp(room.w * 0.24f, m.u(30), m.u(150));
    const float below = std::clamp(room.h * 0.22f, m.u(14), m.u(110));
    const auto [beside_columns, beside_rows] = cells(room.w - side - gap, room.h);
    const auto [below_columns, below_rows] = cells(room.w, room.h - below - gap);
    WindowParts split;
    Rect map;
    // Columns are more important than rows, because the lanes of a warp mostly access one row.
    const auto worth = [wanted](float columns, float rows) {
        return std::min(columns, wanted) * 1000 + columns * rows / 1000;
    };
    if (worth(beside_columns, beside_rows) >= worth(below_columns, below_rows)) {
        split.columns = beside_columns, split.rows = beside_rows;
        map = {room.x + beside_columns * values.x + gap, room.y, side, room.h};
    } else {
        split.columns = below_columns, split.rows = below_rows;
        map = {room.x, room.y + below_rows * values.y + gap, room.w, below};
    }
    split.window = {room.x, room.y, split.columns * values.x, split.rows * values.y};
    // The map has nearly the proportions of the picture. It is stretched, but not too much.
    constexpr float kStretch = 3;
    const float w =
        std::max(std::min(map.w, map.h * of_picture * kStretch), std::min(map.w, m.u(14)));
    const float h =
        std::max(std::min(map.h, map.w / of_picture * kStretch), std::min(map.h, m.u(8)));
    split.map = {map.x, map.y, std::round(w), std::round(h)};
    return split;
}

// Whether the window has enough cells to be useful.
bool is_useful_window(const WindowParts& split, const ArrayShape& shape) {
    return split.rows >= std::min(kFewestRows, static_cast<float>(shape.rows())) &&
           split.columns >= std::min(kFewestColumns, static_cast<float>(shape.columns()));
}

// The spans of rows or columns of the boxes worth seeing, in the given order.
std::vector<PictureSpan> spans_of(const std::vector<CellRect>& boxes, bool rows) {
    std::vector<PictureSpan> spans;
    for (const CellRect& box : boxes)
        if (!box.empty())
            spans.push_back(rows ? PictureSpan{box.row0, box.row1}
                                 : PictureSpan{box.column0, box.column1});
    return spans;
}

// The picture's shape. The row length is the user's choice, else what the accesses suggest.
// If they suggest none, it is the warp size, or half or a quarter of it if no more values fit into
// `width`.
ArrayShape shape_of(const Measure& m, const GlobalArray& here, const GeneralView& chosen,
                    float width) {
    const Array& array = m.trace.arrays[here.id];
    if (const auto row = chosen.rows.find(array.name); row != chosen.rows.end())
        return {array, row->second};
    std::uint32_t length = here.guessed_row;
    const float pitch = pitch_of_values(m, here.characters, 0.9f * m.good_type()).x;
    if (!here.structured && here.one_extent)
        while (length > kWarpSize / 4 && length % 2 == 0 &&
               pitch * static_cast<float>(length) > width)
            length /= 2;
    return {array, length};
}

// The height of the name, and of the controls beside or below it.
float title_height(const Measure& m, bool two_lines) {
    return two_lines ? m.u(18) + m.f(42) : m.u(14) + m.f(26);
}

bool needs_two_lines(const Measure& m, const GlobalArray& here, std::uint32_t row_length,
                     float width) {
    const TitleWidths needed =
        title_widths(m.look, m.trace.arrays[here.id], here, row_length, "all");
    return needed.words + needed.buttons > width;
}

// The pitch of cells at the largest readable font with which all columns fit. If there is none,
// tries the columns that the block uses, then the columns that a phase uses, then the columns of
// one plane. If none of these fit, returns the pitch at good_type(). `wanted` receives the number
// of columns.
ImVec2 values_that_fit(const Measure& m, const ArrayShape& shape, const GlobalArray& here,
                       const ArrayUses& uses, float width, float& wanted) {
    const float good = m.good_type(), least = std::max(0.8f * good, m.least_type());
    const CellRect& block = uses.of_block(here.id, shape);
    std::uint32_t phase = 0;
    for (const CellRect& box : uses.of_phases(here.id, shape))
        phase = std::max(phase, box.columns());
    const std::uint32_t plane = shape.planes() > 1 ? shape.row_length() : 0;
    for (const std::uint32_t columns : {shape.columns(), block.columns(), phase, plane})
        for (float type = good; type >= least && columns > 0; type -= m.look.px(0.5f)) {
            const ImVec2 pitch = pitch_of_values(m, here.characters, type);
            if (pitch.x * static_cast<float>(columns) > width) continue;
            wanted = static_cast<float>(columns);
            return pitch;
        }
    wanted = static_cast<float>(std::max(phase, 1u));
    return pitch_of_values(m, here.characters, good);
}

}  // namespace

void follow_accesses(const Measure& m, GeneralView& chosen, const std::string& name,
                     const Followed& followed, GlobalView& view) {
    GeneralView::WindowOrigin& origin = chosen.origins[name];
    if (!origin.held) {
        ArrayUses& uses = chosen.plan.uses();
        const std::uint32_t step = uses.nearest(view.array, followed.step);
        const std::vector<CellRect>& phases = uses.of_phases(view.array, view.shape);
        const std::vector<CellRect> boxes{
            uses.of_block(view.array, view.shape),
            phases[std::min<std::size_t>(followed.phase, phases.size() - 1)],
            uses.of_step(view.array, view.shape, step),
            uses.of_lane(view.array, view.shape, step, followed.lane)};
        const auto begin = [&](bool rows, float shown, std::uint32_t count) {
            return static_cast<float>(window_begin(
                spans_of(boxes, rows), static_cast<std::uint32_t>(std::round(shown)), count));
        };
        const float row = begin(true, view.visible_rows(), view.rows);
        const float column = begin(false, view.visible_columns(), view.columns);
        const bool glides = origin.placed && !followed.jumped;
        origin = {glides ? m.look.glide(origin.row, row) : row,
                  glides ? m.look.glide(origin.column, column) : column, true, false};
    }
    view.scroll_to({origin.column, origin.row});
    origin.row = view.row0, origin.column = view.column0;
}

GlobalView place_one(const Measure& m, const GlobalArray& here, const GeneralView& chosen,
                     const Rect& box) {
    GlobalView view(shape_of(m, here, chosen, box.w));
    view.array = here.id;
    view.role = here.role;
    view.box = box;
    view.two_lines = needs_two_lines(m, here, view.shape.row_length(), box.w);
    const float title = title_height(m, view.two_lines);
    const Rect room{box.x, box.y + title, box.w, std::max(box.h - title, m.u(8))};
    const ImVec2 values =
        values_that_fit(m, view.shape, here, chosen.plan.uses(), room.w, view.wanted);
    view.values = values;
    const ImVec2 all = pitch_of_all(m, view.shape, values, room.w, room.h);
    const WindowParts split = split_box(m, view.shape, values, view.wanted, room);
    view.can_change = !can_hold_values(all, values) && is_useful_window(split, view.shape);
    if (view.can_change && !chosen.shows_whole(m.trace.arrays[here.id].name)) {
        view.pitch_x = values.x, view.pitch_y = values.y;
        view.window = split.window;
        view.map = split.map;
    } else {
        view.show_all(room.min(), all);
    }
    return view;
}

std::vector<float> heights_of(const Measure& m, const GeneralView& chosen, std::uint32_t across,
                              float width, float height) {
    const std::vector<GlobalArray>& arrays = chosen.plan.arrays();
    const std::size_t down = (arrays.size() + across - 1) / across;
    std::vector<float> most(down, 0), least(down, 0);
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        const ArrayShape shape = shape_of(m, arrays[i], chosen, width);
        const ImVec2 values = pitch_of_values(m, arrays[i].characters, m.good_type());
        const auto rows = static_cast<float>(shape.rows());
        const float title =
            title_height(m, needs_two_lines(m, arrays[i], shape.row_length(), width));
        // One additional row, so that a few rows do not get very large cells.
        const float wanted = title + (rows + 1) * values.y;
        most[i / across] = std::max(most[i / across], wanted);
        least[i / across] = std::max(least[i / across], title + std::min(rows, 3.0f) * values.y);
    }
    const float between = m.u(kBetween) * static_cast<float>(down - 1);
    float free = height - between;
    for (const float each : least) free -= each;
    std::vector<float> heights = least;
    if (free <= 0) {  // not enough room: equal shares
        std::ranges::fill(heights, (height - between) / static_cast<float>(down));
        return heights;
    }
    for (std::size_t round = 0; round < down && free > 1; ++round) {
        std::size_t open = 0;
        for (std::size_t i = 0; i < down; ++i) open += heights[i] + 0.5f < most[i] ? 1 : 0;
        if (open == 0) break;
        const float each = free / static_cast<float>(open);
        for (std::size_t i = 0; i < down; ++i) {
            const float more = std::clamp(most[i] - heights[i], 0.0f, each);
            heights[i] += more;
            free -= more;
        }
    }
    for (float& each : heights) each += std::max(free, 0.0f) / static_cast<float>(down);
    return heights;
}

float least_value_type(const Look& look) {
    // values_that_fit() goes down to 0.8 of the good size, and holds_values() accepts 0.9 of that.
    return std::max(0.72f * good_type(look), look.px(kLeastType));
}

bool GlobalView::whole() const { return map.w <= 0; }

bool GlobalView::holds_values() const { return can_hold_values({pitch_x, pitch_y}, values); }

bool GlobalView::shows(std::uint64_t cell) const {
    return cell < shape.cells() && contains(visible(), shape.place(cell));
}

std::optional<std::uint64_t> GlobalView::cell_at(ImVec2 point) const {
    const std::optional<Element> place = at(point);
    return place ? shape.at(*place) : std::nullopt;
}

}  // namespace tilereel::stage

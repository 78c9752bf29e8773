// Draws a shared array by bank: each column of the picture is one bank.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>

#include "app/panels/array_role.h"
#include "app/panels/lesson/lesson_parts.h"

namespace tilereel {
namespace {

// Places the array's words in rows. A row has one word for each bank.
struct BankGrid {
    std::uint32_t banks = 32, first_row = 0, rows = 0;
    Rect cells{};
    float pitch_x = 0, pitch_y = 0;
    [[nodiscard]] Rect cell(std::uint32_t word) const {
        return {cells.x + static_cast<float>(word % banks) * pitch_x,
                cells.y + static_cast<float>(word / banks - first_row) * pitch_y, pitch_x - 2,
                pitch_y - 2};
    }
};

// The largest number of rows that are drawn.
constexpr std::uint32_t kMostRows = 40;

BankGrid grid_of(const LessonScope& scope, const Array& array, const Rect& rect) {
    BankGrid grid;
    grid.banks = static_cast<std::uint32_t>(scope.replay()->generation().shared.banks);
    const std::uint32_t first = array.base_bytes / 4;
    const std::uint32_t last =
        (array.base_bytes + static_cast<std::uint32_t>(array.size_bytes()) - 1) / 4;
    grid.first_row = first / grid.banks;
    grid.rows = std::min(kMostRows, last / grid.banks - grid.first_row + 1);
    const auto rows = static_cast<float>(grid.rows), banks = static_cast<float>(grid.banks);
    grid.pitch_x = std::floor(rect.w / banks);
    grid.pitch_y = std::floor(std::min({rect.h / rows, 1.5f * grid.pitch_x, scope.measure.u(40)}));
    grid.cells = {rect.x, rect.y, grid.pitch_x * banks, grid.pitch_y * rows};
    return grid;
}

// The largest font size at which so many digits fit into a cell. A digit's width is 0.6 of the font
// size.
float type_of(const BankGrid& grid, int digits) {
    return 0.9f * (grid.pitch_x - 2) / (0.6f * static_cast<float>(digits));
}

// Cells that are not requested must be visible against the background on a projector.
ImU32 color_of(const Palette& colors, ColorRole role, bool requested, bool conflict) {
    if (!requested) return mix(colors.cell, colors.line, 0.45f);
    return conflict ? colors.conflict : colors.solid(role);
}

struct WordUse {
    std::uint32_t lanes = 0, first_lane = 0;
};

// For each word of shared memory: the lanes of the current request that access it.
using WordUses = std::map<std::uint32_t, WordUse>;
WordUses uses_of(const RequestState& request) {
    WordUses uses;
    for (const ServedWord& served : request.words.words) {
        WordUse& use = uses[served.word];
        if (use.lanes == 0 || served.lane < use.first_lane) use.first_lane = served.lane;
        ++use.lanes;
    }
    return uses;
}

bool is_padding(const Array& array, std::uint32_t word) {
    if (array.leading_dimension == 0 || word * 4 < array.base_bytes) return false;
    const std::uint32_t element = (word * 4 - array.base_bytes) / std::max(1u, array.element_bytes);
    return element % array.leading_dimension >= array.columns;
}

// Draws the array's words. A requested word contains the number of its lane or, if several lanes
// request it, how many. It is drawn as a conflict if several words of its bank are requested.
void draw_cells(const LessonScope& scope, const BankGrid& grid, const Array& array,
                const WordUses& uses, const std::array<std::uint32_t, 32>& words_in_bank,
                ColorRole role) {
    const Palette& colors = scope.colors();
    const bool conflicts = scope.replay()->state().request.cost.bank_conflicts > 0;
    const auto bytes = static_cast<std::uint32_t>(array.size_bytes());
    for (std::uint32_t word = array.base_bytes / 4; word * 4 < array.base_bytes + bytes; ++word) {
        if (word / grid.banks - grid.first_row >= grid.rows) break;
        const Rect cell = grid.cell(word);
        const auto use = uses.find(word);
        const bool bad = conflicts && words_in_bank[word % grid.banks] > 1;
        fill_rect(cell, color_of(colors, role, use != uses.end(), bad), scope.measure.u(3));
        if (is_padding(array, word)) hatch_rect(cell, colors.ink3, scope.measure.u(5));
        if (use == uses.end()) continue;
        const auto& [lanes, first_lane] = use->second;
        const std::string words =
            lanes > 1 ? "\xc3\x97" + std::to_string(lanes) : std::to_string(first_lane);
        const float px = std::min(0.85f * grid.pitch_y, type_of(grid, lanes > 9 ? 3 : 2));
        if (px >= 8)
            draw_text(cell.center(), words, {Face::kMonoBold, px, colors.on, Align::kCenter});
    }
}

// Draws a box for each bank. Its colour shows whether none, one or several words of the bank are
// requested.
void draw_bank_row(const LessonScope& scope, const BankGrid& grid, float top,
                   const std::array<std::uint32_t, 32>& words_in_bank, ColorRole role) {
    const Palette& colors = scope.colors();
    const float height = scope.measure.u(42);
    const bool conflicts = scope.replay()->state().request.cost.bank_conflicts > 0;
    for (std::uint32_t bank = 0; bank < grid.banks; ++bank) {
        const Rect cell{grid.cells.x + static_cast<float>(bank) * grid.pitch_x, top,
                        grid.pitch_x - 2, height};
        const std::uint32_t words = words_in_bank[bank];
        const bool bad = conflicts && words > 1;
        fill_rect(cell, color_of(colors, role, words > 0, bad), scope.measure.u(4));
        if (bad)
            stroke_rect(cell.inset(-scope.measure.u(3)), colors.ink, scope.measure.u(2.5f),
                        scope.measure.u(5));
        const bool named = bank % 8 == 0 || bank + 1 == grid.banks || bad;
        if (named && grid.pitch_x >= 12)
            draw_text(cell.center(), std::to_string(bank),
                      {Face::kMonoBold, std::min(type_of(grid, 2), scope.measure.type(18)),
                       words == 0 ? colors.ink2 : colors.on, Align::kCenter});
    }
}

std::string title_of(const Array& array) {
    std::string text;
    for (const std::uint32_t extent : array.extents()) text += "[" + std::to_string(extent) + "]";
    return text + ": a column of this picture is a bank";
}

// The step whose array is drawn. While a question about its cost is open, the step has not begun,
// and no word is marked as requested.
std::uint32_t step_shown(const LessonScope& scope, const Replay& replay) {
    if (scope.lesson.beat_shown().kind != LessonBeat::Kind::kPrediction)
        return replay.state().request.step;
    const std::uint32_t step = step_asked(scope, replay);
    return step < replay.schedule().steps.size() ? step : kNoStep;
}

}  // namespace

void draw_lesson_banks(const LessonScope& scope, const Rect& rect) {
    const Replay* const replay = scope.replay();
    if (replay == nullptr) return;
    const std::uint32_t step = step_shown(scope, *replay);
    if (step == kNoStep) return;
    const Site& site = replay->trace().sites[replay->schedule().steps[step].site];
    if (site.array == kNoArray) return;
    const Array& array = replay->trace().arrays[site.array];
    if (array.space != Space::kShared) return;
    const ColorRole role = role_of_array(*replay, site.array);
    const Palette& colors = scope.colors();
    const float px = scope.measure.type(28), foot = scope.measure.u(60) + 1.8f * px;
    const float name =
        draw_text({rect.x, rect.y + 0.6f * px}, array.name, {Face::kBold, px, colors.solid(role)});
    draw_text_fit({rect.x + name, rect.y + 0.6f * px}, rect.w - name, title_of(array),
                  {Face::kRegular, px, colors.ink2});
    const Rect room{rect.x, rect.y + 1.6f * px, rect.w, rect.h - 1.6f * px - foot};
    const BankGrid grid = grid_of(scope, array, room);
    std::array<std::uint32_t, 32> words_in_bank{};
    const RequestState& request = replay->state().request;
    const WordUses uses = request.step == step ? uses_of(request) : WordUses();
    for (const auto& [word, use] : uses) ++words_in_bank[word % grid.banks];
    draw_cells(scope, grid, array, uses, words_in_bank, role);
    const float top = grid.cells.bottom() + scope.measure.u(10);
    draw_bank_row(scope, grid, top, words_in_bank, role);
    const float caption = top + scope.measure.u(42) + 0.9f * px;
    const TextStyle style{Face::kRegular, 0.85f * px, colors.ink2};
    const float used =
        draw_text({rect.x, caption}, "banks 0 to " + std::to_string(grid.banks - 1), style);
    const bool several =
        std::ranges::any_of(uses, [](const auto& it) { return it.second.lanes > 1; });
    const std::string_view what =
        several ? "in a cell: the lane; \xc3\x97n: n lanes" : "in a cell: the lane";
    const float wide = text_width(what, style);
    if (used + wide + px < grid.cells.w)
        draw_text({grid.cells.right(), caption}, what,
                  {style.face, style.px, style.color, Align::kRight});
}

}  // namespace tilereel

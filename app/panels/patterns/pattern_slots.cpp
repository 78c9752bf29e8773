// A matrix load or store in slots of 16 bytes, 8 of which are a row of all banks.
#include <algorithm>
#include <map>

#include "app/panels/patterns/pattern_grid.h"
#include "instrumentation/analysis/cost/matrix_loads.h"
#include "instrumentation/analysis/cost/word_service.h"
#include "instrumentation/base/format/with_commas.h"

namespace tilereel {
namespace {

constexpr std::uint32_t kSlots = 8, kBanksOfSlot = 4, kBytesOfAllBanks = 128;
constexpr std::uint32_t kLeastSlotRows = 4;  // smallest number of wavefronts that are drawn

// A row of a matrix, by the lane that names it.
struct ServedRow {
    std::uint32_t lane = 0, wavefront = 0;
    bool conflict = false;  // a later wavefront than the first of its matrix
};

std::vector<ServedRow> served_rows(const PatternAnswer& answer) {
    const WordService service = word_service(answer.access, *answer.generation);
    std::vector<ServedRow> rows;
    for (const ServedWord& word : service.words) {
        if (word.number != 0) continue;
        rows.push_back({word.lane, word.wavefront, is_served_late(service, word)});
    }
    return rows;
}

// `grid`: 0 for the wavefronts, 1 for the lines; a row slides in each of them.
PatternCell cell_of(const PatternContext& lab, const ServedRow& row, std::uint32_t grid) {
    const Palette& colors = lab.colors();
    return {"m" + std::to_string(row.lane / kRowsOfMatrix) + " r" +
                std::to_string(row.lane % kRowsOfMatrix),
            row.conflict ? colors.conflict_tint : colors.b, row.conflict ? colors.conflict : 0,
            row.conflict ? colors.ink : colors.on, PatternsMemory::GlidingWord{row.lane, grid}};
}

PatternCell free_cell(const PatternContext& lab) {
    return {"", 0, mix(lab.colors().panel, lab.colors().line, 0.5f), 0};
}

std::vector<PatternCells> wavefront_rows(const PatternContext& lab,
                                         const std::vector<ServedRow>& served) {
    const PatternAnswer& answer = lab.answer();
    std::vector<PatternCells> rows;
    for (std::uint32_t wavefront = std::max(answer.cost.wavefronts, kLeastSlotRows);
         wavefront-- > 0;) {
        PatternCells cells{std::to_string(wavefront + 1),
                           std::vector<PatternCell>(kSlots, free_cell(lab))};
        for (const ServedRow& row : served)
            if (row.wavefront == wavefront)
                cells.cells[slot_of(answer.access, row.lane)] = cell_of(lab, row, 0);
        rows.push_back(std::move(cells));
    }
    rows.push_back(names_of_banks(lab, "slot", kBanksOfSlot));
    return rows;
}

// The lines of 128 bytes in which rows lie.
std::vector<PatternCells> line_rows_of(const PatternContext& lab,
                                       const std::vector<ServedRow>& served) {
    const WarpAccess& access = lab.answer().access;
    std::map<std::uint32_t, std::vector<PatternCell>> lines;
    for (const ServedRow& row : served) {
        auto& line = lines[access.lanes.bytes[row.lane] / kBytesOfAllBanks];
        line.resize(kSlots, free_cell(lab));
        line[slot_of(access, row.lane)] = cell_of(lab, row, 1);
    }
    std::vector<PatternCells> rows;
    for (auto& [line, cells] : lines)
        rows.push_back(
            {"byte " + with_commas(std::uint64_t{line} * kBytesOfAllBanks), std::move(cells)});
    return rows;
}

}  // namespace

void draw_pattern_slots(const PatternContext& lab, const Rect& place) {
    const std::vector<ServedRow> served = served_rows(lab.answer());
    const float half = (place.w - lab.look.pad()) / 2;
    draw_pattern_grid(lab, {place.x, place.y, half, place.h}, wavefront_rows(lab, served), true,
                      lab.memory.picture_scroll);
    const Rect right{place.right() - half, place.y, half, place.h};
    register_widget("patterns.lines", right);
    draw_pattern_grid(lab, right, line_rows_of(lab, served), false, lab.memory.lines_scroll);
}

}  // namespace tilereel

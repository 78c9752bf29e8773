#include "app/export/html/array_picture.h"

#include <algorithm>
#include <bit>
#include <set>

#include "app/replay/arrays/row_length.h"
#include "app/replay/sentence/wording.h"

namespace tilereel {
namespace {

constexpr std::uint64_t kShownWhole = 4096;     // cells; a larger array is shown in part
constexpr std::uint64_t kMostShown = 1u << 18;  // cells of all arrays; browsers can draw these

bool is_matrix(const Trace& trace, ArrayId array) {
    const MatrixProduct matrices = matrices_of(trace);
    return array == matrices.a || array == matrices.b || array == matrices.c;
}

// The rows and columns with cells that the block accesses.
struct UsedCells {
    std::set<std::uint64_t> rows;
    PictureRange columns{~std::uint64_t{0}, 0};
};

UsedCells used_cells(const Replay& replay, const ArrayPicture& picture) {
    const Trace& trace = replay.trace();
    UsedCells used;
    for (const Step& step : replay.schedule().steps) {
        const Site& site = trace.sites[step.site];
        if (site.array != picture.array) continue;
        const LaneOffsets lanes = lane_offsets(trace, step.record);
        for (std::uint32_t mask = lanes.mask; mask != 0; mask &= mask - 1) {
            const std::uint64_t offset =
                lanes.bytes[static_cast<std::size_t>(std::countr_zero(mask))] -
                trace.arrays[site.array].base_bytes;
            const std::uint64_t last = (offset + site.width_bytes - 1) / picture.cell_bytes;
            for (std::uint64_t cell = offset / picture.cell_bytes; cell <= last; ++cell) {
                const std::uint64_t column = picture.column_of(cell);
                used.rows.insert(picture.row_of(cell));
                used.columns.first = std::min(used.columns.first, column);
                used.columns.last = std::max(used.columns.last, column + 1);
            }
        }
    }
    return used;
}

void set_shape(ArrayPicture& picture, const Replay& replay) {
    const Array& array = replay.trace().arrays[picture.array];
    const bool shared = array.space == Space::kShared;
    picture.cell_bytes = shared ? std::max(array.element_bytes, 1u) : cell_bytes(array);
    picture.cells = array.size_bytes() / picture.cell_bytes;
    const std::uint64_t of_element = std::max(array.element_bytes / picture.cell_bytes, 1u);
    picture.by_columns = array.by_columns;
    if (!shared && (array.one_extent || array.rows <= 1)) {
        picture.row_length = std::max(row_length_of(replay, picture.array), 1u);
        picture.used_columns = picture.row_length;
        return;
    }
    picture.row_length = std::max<std::uint64_t>(array.leading_dimension * of_element, 1);
    picture.used_columns = (array.by_columns ? array.rows : array.columns) * of_element;
    if (array.planes() > 1) picture.rows_of_plane = array.rows_of_plane();
}

void choose_cells(ArrayPicture& picture, const Replay& replay) {
    const std::uint64_t longer = (picture.cells + picture.row_length - 1) / picture.row_length;
    const std::uint64_t shorter = std::min(picture.row_length, picture.cells);
    const std::uint64_t rows = picture.by_columns ? shorter : longer;
    const std::uint64_t columns = picture.by_columns ? longer : shorter;
    picture.rows = {{0, rows}};
    picture.columns = {0, columns};
    const bool shared = replay.trace().arrays[picture.array].space == Space::kShared;
    if (shared || picture.cells <= kShownWhole) return;
    const UsedCells used = used_cells(replay, picture);
    if (used.rows.empty()) {  // a product's matrix that the block does not access: its corner
        picture.rows = {{0, std::min<std::uint64_t>(rows, 16)}};
        picture.columns = {0, std::min<std::uint64_t>(columns, 16)};
        return;
    }
    picture.rows.clear();
    picture.columns = used.columns;
    for (const std::uint64_t row : used.rows) {
        if (picture.rows.empty() || picture.rows.back().last != row)
            picture.rows.push_back({row, row});
        picture.rows.back().last = row + 1;
    }
}

bool is_accessed(const Replay& replay, ArrayId array) {
    return std::ranges::any_of(replay.schedule().steps, [&](const Step& step) {
        return replay.trace().sites[step.site].array == array;
    });
}

char role_of(const Trace& trace, ArrayId array) {
    const MatrixProduct matrices = matrices_of(trace);
    if (array == matrices.c) return 'C';
    if (array == matrices.a) return 'A';
    return array == matrices.b ? 'B' : ' ';
}

}  // namespace

bool ArrayPicture::shows(std::uint64_t cell) const {
    const std::uint64_t row = row_of(cell), column = column_of(cell);
    return cell < cells && column >= columns.first && column < columns.last &&
           std::ranges::any_of(rows, [row](const PictureRange& range) {
               return row >= range.first && row < range.last;
           });
}

std::uint64_t ArrayPicture::shown_cells() const {
    std::uint64_t count = 0;
    for (const PictureRange& range : rows) count += range.last - range.first;
    return count * (columns.last - columns.first);
}

std::vector<ArrayPicture> pictures_of_arrays(const Replay& replay) {
    const Trace& trace = replay.trace();
    std::vector<ArrayPicture> pictures;
    for (ArrayId id = 0; id < trace.arrays.size(); ++id) {
        const bool shared = trace.arrays[id].space == Space::kShared;
        if (trace.arrays[id].size_bytes() == 0) continue;
        if (!shared && !is_matrix(trace, id) && !is_accessed(replay, id)) continue;
        ArrayPicture& picture = pictures.emplace_back();
        picture.array = id;
        set_shape(picture, replay);
        choose_cells(picture, replay);
    }
    return pictures;
}

Status check_drawable(const std::vector<ArrayPicture>& pictures, const Trace& trace) {
    std::uint64_t all = 0;
    const ArrayPicture* largest = nullptr;
    for (const ArrayPicture& picture : pictures) {
        all += picture.shown_cells();
        if (largest == nullptr || picture.shown_cells() > largest->shown_cells())
            largest = &picture;
    }
    if (all <= kMostShown) return Done{};
    return failed("the page would show " + with_commas(all) + " cells, " +
                  with_commas(largest->shown_cells()) + " of them of " +
                  trace.arrays[largest->array].name + ", but a page can show " +
                  with_commas(kMostShown) + " at most; choose smaller sizes");
}

nlohmann::ordered_json picture_json(const ArrayPicture& picture, const Replay& replay) {
    const Trace& trace = replay.trace();
    const Array& array = trace.arrays[picture.array];
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const PictureRange& range : picture.rows)
        rows.push_back({range.first, range.last - range.first});
    return {{"name", array.name},
            {"space", space_name(array.space)},
            {"type", array.type_text()},
            {"extents", array.extents()},
            {"role", std::string(1, role_of(trace, picture.array))},
            {"tone", static_cast<int>(replay.tone_of(picture.array))},
            {"base", array.base_bytes},
            {"cellBytes", picture.cell_bytes},
            {"cells", picture.cells},
            {"rowLength", picture.row_length},
            {"usedColumns", picture.used_columns},
            {"byColumns", picture.by_columns},
            {"oneExtent", array.one_extent || (array.rows == 1 && array.space == Space::kShared)},
            {"planeRows", picture.rows_of_plane},
            {"rows", std::move(rows)},
            {"columns", {picture.columns.first, picture.columns.last}}};
}

}  // namespace tilereel

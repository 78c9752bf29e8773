#include "app/stage/stage_layout.h"

namespace tilereel::stage {

Element SharedView::place(Element element) const {
    const std::uint32_t row = element.row - first_row;
    if (!by_bank) return {row, element.column};
    const std::uint32_t word = first_cell % columns + row * leading_dimension + element.column;
    return {word / columns, word % columns};
}

bool SharedView::zoomed() const {
    return static_cast<float>(columns) > visible_columns() + 0.5f / pitch_x ||
           static_cast<float>(rows) > visible_rows() + 0.5f / pitch_y;
}

std::optional<Element> SharedView::element_at(ImVec2 point) const {
    std::optional<Element> here = at(point);
    if (!here) return std::nullopt;
    if (by_bank) {
        const std::uint32_t from = first_cell % columns, word = here->row * columns + here->column;
        if (word < from) return std::nullopt;
        here = {(word - from) / leading_dimension, (word - from) % leading_dimension};
    }
    if (here->row >= row_count || here->column >= leading_dimension) return std::nullopt;
    return Element{here->row + first_row, here->column};
}

}  // namespace tilereel::stage

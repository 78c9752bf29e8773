#include "app/panels/inspector/tensor_section.h"

#include <algorithm>
#include <set>

#include "app/panels/panel_column.h"
#include "app/panels/panel_table.h"
#include "app/replay/sentence/wording.h"
#include "app/ui/widgets/widgets.h"
#include "instrumentation/base/format/decimal_text.h"

namespace tilereel {
namespace {

// "3", "2, 3", "2..9"
std::string span_text(int first, int last) {
    if (first == last) return std::to_string(first);
    return std::to_string(first) + (last == first + 1 ? ", " : "..") + std::to_string(last);
}

class TensorColumn : public Column {
  public:
    TensorColumn(const Look& look, const Rect& rect, const TensorMoment& moment, int lane)
        : Column(look, rect), moment_(moment), lane_(lane), colors_(look.colors()) {}

    void draw() {
        const float top = y_;
        styled({{"Registers of lane " + std::to_string(lane_), Face::kBold, colors_.accent}},
               type_px(look_, 18));
        space(look_.hair());
        const bool grouped = !moment_.product || moment_.product->count() == 1;
        if (grouped)
            styled({{std::to_string(lane_) + " = 4 \xc2\xb7 " + std::to_string(lane_ / 4) + " + " +
                         std::to_string(lane_ % 4) + ": ",
                     Face::kMono, colors_.ink2},
                    {"group " + std::to_string(lane_ / 4) + ", place " + std::to_string(lane_ % 4),
                     Face::kRegular, colors_.ink2}},
                   px_);
        if (const std::string says = address_sentence(moment_, static_cast<std::uint32_t>(lane_));
            !says.empty())
            paragraph(says, Face::kRegular, colors_.ink3);
        for (std::size_t i = 0; i < moment_.fragments.size(); ++i) fragment(i);
        if (std::ranges::any_of(moment_.fragments, [](const HeldFragment& held) {
                return held.grid.bits() < 32 && held.has_values();
            }))
            paragraph("The element of the lower index lies in the lower bits.", Face::kRegular,
                      colors_.ink3);
        register_seen("inspector.tensor", {rect_.x, top, rect_.w, y_ - top});
    }

  private:
    struct Place {
        int row0 = 1 << 20, row1 = -1, column0 = 1 << 20, column1 = -1;
        void include(int row, int column) {
            row0 = std::min(row0, row), row1 = std::max(row1, row);
            column0 = std::min(column0, column), column1 = std::max(column1, column);
        }
    };

    // Where the elements `first` to `last` of the lane lie.
    [[nodiscard]] Place place_of(const FragmentGrid& grid, int first, int last) const {
        Place place;
        for (const FragmentCell& cell : grid.cells) {
            if (cell.lane != lane_) continue;
            for (int i = 0; i < cell.count; ++i)
                if (cell.first + i >= first && cell.first + i <= last)
                    place.include(cell.at.row + (cell.rows > 1 ? i : 0),
                                  cell.at.column + (cell.columns > 1 ? i : 0));
        }
        return place;
    }

    void fragment(std::size_t which) {
        const HeldFragment& held = moment_.fragments[which];
        const FragmentGrid& grid = held.grid;
        const bool of_product = moment_.product.has_value();
        const ColorRole role = !of_product  ? ColorRole::kA
                               : which == 0 ? ColorRole::kA
                               : which == 1 ? ColorRole::kB
                                            : ColorRole::kC;
        // Sums are those before the product until its last fragment comes.
        const bool is_sum = of_product && grid.operand == MatrixOperand::kD;
        const HeldSince since = held.since.front();
        const bool is_summed =
            since == HeldSince::kBefore ||
            (since == HeldSince::kNow && moment_.computes && moment_.at_last_wavefront);
        const bool is_former = is_sum && !is_summed && !held.former.empty();
        const bool later = is_sum ? !is_summed && !is_former : since == HeldSince::kLater;
        const std::vector<std::uint32_t>& words = is_former ? held.former : held.words;
        space(look_.snug());
        WrapTable table(look_, px_,
                        {Align::kLeft, Align::kLeft, Align::kLeft, Align::kRight, Align::kRight}, 3,
                        1.45f);
        const ImU32 faint = colors_.ink3;
        const std::string letter =
            of_product ? std::string(1, register_name(grid, 0)[0] - 'a' + 'A') : "";
        table.add(
            {{letter, Face::kBold, colors_.solid(role)},
             {grid.operand == MatrixOperand::kB && of_product ? "k" : "row", Face::kRegular, faint},
             {grid.operand == MatrixOperand::kA && of_product ? "k" : "column", Face::kRegular,
              faint},
             {later       ? "not there yet"
              : is_former ? "sums so far"
                          : "values",
              Face::kRegular, faint},
             {std::to_string(std::max(32, grid.bits())) + " bits", Face::kRegular, faint}});
        const int elements = std::max(1, 32 / grid.bits()), step = std::max(1, grid.bits() / 32);
        for (int i = 0; i < held.registers; i += step) {
            const int first = i * 32 / grid.bits(), last = first + elements - 1;
            const Place at = place_of(grid, first, last);
            const int matrix_row = of_product ? at.row0 : at.row0 % 8;
            const int matrix_column = of_product ? at.column0 : at.column0 % 8;
            const bool shown =
                held.has_values() && !later &&
                (is_sum || held.since[static_cast<std::size_t>(i)] != HeldSince::kLater);
            std::string values;
            for (int e = first; e <= last && shown && grid.bits() >= 8; ++e)
                values +=
                    (e == first ? "" : "  ") +
                    decimal_text(is_former ? held.former_value(lane_, e) : held.value(lane_, e));
            table.add(
                {{of_product ? register_name(grid, i) : "r" + std::to_string(i), Face::kMonoBold,
                  colors_.solid(role)},
                 {span_text(matrix_row, matrix_row + at.row1 - at.row0), Face::kMono, colors_.ink},
                 {span_text(matrix_column, matrix_column + at.column1 - at.column0), Face::kMono,
                  colors_.ink},
                 {values, Face::kMonoBold, colors_.ink},
                 {shown ? held.bits_of(words, lane_, i, i + step - 1).front() : "", Face::kMono,
                  colors_.ink2}});
        }
        table.place(rect_.w);
        y_ += table.draw({rect_.x, y_});
    }

    const TensorMoment& moment_;
    const int lane_;
    const Palette& colors_;
};

}  // namespace

std::string address_sentence(const TensorMoment& moment, std::uint32_t lane) {
    if (moment.matrices.empty()) return {};
    const std::string matrix = std::to_string(lane / 8), row = std::to_string(lane % 8);
    const std::string names = lane < 8 * moment.matrices.size()
                                  ? "It names the address of row " + row + " of matrix " + matrix
                                  : "It names no address";
    const bool stores = moment.operation == Operation::kMatrixStore;
    const std::string line = moment.transposed ? "column " : "row ";
    return names + (stores ? ", and gives parts of " : ", and gets parts of ") + line +
           std::to_string(lane / 4) + (moment.matrices.size() > 1 ? " of each matrix." : ".");
}

float draw_tensor_section(const Look& look, const Rect& rect, const TensorMoment& moment,
                          std::uint32_t lane) {
    TensorColumn column(look, rect, moment, static_cast<int>(lane));
    column.draw();
    return column.height();
}

}  // namespace tilereel

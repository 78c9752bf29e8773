#include "app/panels/inspector/warpgroup_section.h"

#include "app/panels/panel_column.h"
#include "app/panels/panel_table.h"
#include "app/ui/widgets/widgets.h"
#include "instrumentation/base/format/decimal_text.h"

namespace tilereel {
namespace {

constexpr int kElementsOfPart = 4;  // of a lane, in 16 rows and 8 columns

class WarpgroupColumn : public Column {
  public:
    WarpgroupColumn(const Look& look, const Rect& rect, const Replay& replay,
                    const WarpgroupMoment& moment)
        : Column(look, rect),
          replay_(replay),
          moment_(moment),
          product_(replay.warpgroups().products()[moment.number]) {}

    void draw(int lane, int part) {
        const Palette& colors = look_.colors();
        const float top = y_;
        const std::uint32_t warp = moment_.first_warp + static_cast<std::uint32_t>(moment_.chosen);
        styled({{"Registers of lane " + std::to_string(lane) + " of warp " + std::to_string(warp),
                 Face::kBold, colors.accent}},
               type_px(look_, 18));
        space(look_.hair());
        const int count = elements_of(product_.product, MatrixOperand::kD);
        const std::string first = std::to_string(kElementsOfPart * part);
        const std::string last = std::to_string(kElementsOfPart * part + kElementsOfPart - 1);
        paragraph("elements " + first + " to " + last + " of its " + std::to_string(count) +
                      " of D, in columns " + std::to_string(8 * part) + " to " +
                      std::to_string(8 * part + 7),
                  Face::kRegular, colors.ink3);
        space(look_.snug());
        table(lane, part);
        if (!product_.sums.empty())
            paragraph(
                "The sums are worked out from what lies in shared memory, and agree with what the "
                "lanes store.",
                Face::kRegular, colors.ink3);
        register_seen("inspector.wgmma", {rect_.x, top, rect_.w, y_ - top});
    }

  private:
    void table(int lane, int part) {
        const Palette& colors = look_.colors();
        const ImU32 faint = colors.ink3, solid = colors.solid(ColorRole::kC);
        WrapTable table(look_, px_,
                        {Align::kLeft, Align::kLeft, Align::kLeft, Align::kRight, Align::kRight}, 3,
                        1.45f);
        table.add({{"D", Face::kBold, solid},
                   {"row", Face::kRegular, faint},
                   {"column", Face::kRegular, faint},
                   {"before", Face::kRegular, faint},
                   {"after", Face::kRegular, faint}});
        const HeldSince since = moment_.sums[static_cast<std::size_t>(moment_.chosen)];
        const bool summed = moment_.stores || since == HeldSince::kBefore ||
                            (since == HeldSince::kNow && moment_.at_last_wavefront);
        for (int i = kElementsOfPart * part; i < kElementsOfPart * (part + 1); ++i) {
            const MatrixElement at =
                element_of(product_.product, MatrixOperand::kD, 32 * moment_.chosen + lane, i);
            const auto text = [&](bool former) {
                const auto sum = sum_of(replay_, moment_, moment_.chosen, lane, i, former);
                return sum && (former || summed) ? decimal_text(*sum) : std::string();
            };
            table.add({{std::to_string(i), Face::kMonoBold, solid},
                       {std::to_string(at.row), Face::kMono, colors.ink},
                       {std::to_string(at.column), Face::kMono, colors.ink},
                       {text(true), Face::kMono, colors.ink2},
                       {text(false), Face::kMonoBold, colors.ink}});
        }
        table.place(rect_.w);
        y_ += table.draw({rect_.x, y_});
    }

    const Replay& replay_;
    const WarpgroupMoment& moment_;
    const GroupProduct& product_;
};

}  // namespace

float draw_warpgroup_section(const Look& look, const Rect& rect, const Replay& replay,
                             const WarpgroupMoment& moment, int lane, int part) {
    WarpgroupColumn column(look, rect, replay, moment);
    column.draw(lane, moment.stores ? moment.stored_element / kElementsOfPart : part);
    return column.height();
}

}  // namespace tilereel

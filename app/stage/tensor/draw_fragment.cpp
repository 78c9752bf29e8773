#include "app/stage/tensor/draw_fragment.h"

#include <algorithm>
#include <map>
#include <set>

#include "app/stage/plan/values.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel::stage {
namespace {

class FragmentDrawing {
  public:
    FragmentDrawing(TensorScene& scene, const FragmentPlace& place, const FragmentTexts& texts)
        : scene_(scene),
          colors_(scene.colors()),
          place_(place),
          texts_(texts),
          held_(scene.moment.fragments[place.which]),
          role_(role_of_fragment(scene, place.which)) {}

    void draw() {
        title();
        for (std::size_t i = 0; i < held_.grid.cells.size(); ++i) cell(i);
        lights();
        for (const FragmentCell& cell : held_.grid.cells) mark(cell);
        if (place_.number_type > 0) numbers();
        if (place_.number_type > 0) brackets();
    }

  private:
    // "A 16 x 16, 4 registers a lane", or what of it has room.
    void title() {
        const FragmentGrid& grid = held_.grid;
        const float y = place_.all.y + scene_.f(11);
        const float px = std::min(scene_.f(20), scene_.u(26));
        const std::string name = scene_.moment.product
                                     ? std::string(1, register_name(grid, 0)[0] - 'a' + 'A')
                                     : "Matrices";
        float x = place_.window.x;
        x += draw_text({x, y}, name, {Face::kBold, px, colors_.solid(role_)}) + scene_.u(8);
        const std::string size =
            std::to_string(grid.rows) + " \xc3\x97 " + std::to_string(grid.columns);
        const std::string type(ptx_name(grid.type));
        const std::string registers = std::to_string(held_.registers) + " registers a lane";
        const std::string_view when = time_words();
        std::vector<std::string> choices;
        const auto joined = [&](std::initializer_list<std::string_view> parts) {
            std::string text;
            for (const std::string_view part : parts)
                if (!part.empty()) text.append(text.empty() ? "" : ", ").append(part);
            choices.push_back(text);
        };
        joined({size, type, registers, when});
        joined({size, type, when});
        joined({size, when});
        joined({size});
        const TextStyle style{Face::kRegular, scene_.f(14), colors_.ink2};
        const float room = place_.all.right() - x;
        const std::string text = longest_that_fits(choices, room, style);
        if (text_width(text, style) <= room) draw_text({x, y}, text, style);
    }

    [[nodiscard]] std::string_view time_words() const {
        const bool is_sum = this->is_sum();
        if (!held_.has_values()) return "values not recorded";
        const auto of_all = [&](HeldSince since) {
            return std::ranges::all_of(held_.since, [&](HeldSince each) { return each == since; });
        };
        if (scene_.moment.stores_sums && is_sum) return "being stored";
        if (is_sum && scene_.lit < 1 && !of_all(HeldSince::kBefore))
            return held_.former.empty() ? "not summed yet" : "sums so far";
        if (of_all(HeldSince::kLater)) return "not loaded yet";
        if (is_sum) return "with this product";
        return "";
    }

    [[nodiscard]] bool is_chosen(const FragmentCell& cell) const {
        return cell.lane == scene_.lane;
    }
    [[nodiscard]] bool is_sum() const {
        return held_.grid.operand == MatrixOperand::kD && scene_.moment.product.has_value();
    }
    // Sums to which the product has not been added yet.
    [[nodiscard]] bool is_former(const FragmentCell& cell) const {
        return is_sum() && !held_.former.empty() && scene_.lit < 1 &&
               held_.since_of(cell) != HeldSince::kBefore;
    }
    // Whether the cell's value has been there before, or has come with this request or product.
    [[nodiscard]] bool is_there(const FragmentCell& cell) const {
        const HeldSince since = held_.since_of(cell);
        if (is_former(cell)) return true;
        if (since == HeldSince::kLater) return false;
        if (since == HeldSince::kBefore || scene_.stores()) return true;
        if (is_sum()) return scene_.lit >= 1;
        return scene_.has_landed(held_.wavefront_of(cell));
    }

    void cell(std::size_t index) {
        const FragmentCell& cell = held_.grid.cells[index];
        const bool there = is_there(cell);
        const Rect whole = place_.cell(cell);
        const float gap = std::min(whole.w, whole.h) >= scene_.look.px(6) ? scene_.u(1) : 0.0f;
        const Rect rect{whole.x + gap, whole.y + gap, whole.w - 2 * gap, whole.h - 2 * gap};
        const float radius = gap > 0 ? scene_.look.px(3) : 0;
        const bool solid = is_chosen(cell) && there;
        const ImU32 fill = solid   ? colors_.solid(role_)
                           : there ? group_tint(scene_, role_, cell.lane)
                                   : mix(colors_.panel, colors_.solid(role_), 0.05f);
        fill_rect(rect, fill, radius);
        if (!there && gap > 0)
            dashed_rect(rect, mix(colors_.panel, colors_.solid(role_), 0.4f), scene_.look.line(),
                        scene_.u(3));
        if (there && held_.since_of(cell) == HeldSince::kNow && !solid && !is_former(cell) &&
            gap > 0)
            stroke_rect(rect, colors_.solid(role_), scene_.look.line(), radius);
        if (place_.detail != CellDetail::kTints) texts(index, rect, solid, there);
    }

    void texts(std::size_t index, const Rect& rect, bool solid, bool there) {
        const FragmentCell& cell = held_.grid.cells[index];
        const std::string lane = std::to_string(cell.lane);
        const bool only_lane = place_.detail == CellDetail::kLanes;
        if (only_lane) {
            draw_text(rect.center(), lane,
                      {is_chosen(cell) ? Face::kMonoBold : Face::kMono, place_.type,
                       solid             ? colors_.on
                       : is_chosen(cell) ? colors_.accent
                                         : colors_.ink2,
                       Align::kCenter});
            return;
        }
        const Rect number{rect.x, rect.y, place_.lane_width, rect.h};
        if (is_chosen(cell)) fill_rect(number, colors_.accent, scene_.look.px(3));
        draw_text(number.center(), lane,
                  {is_chosen(cell) ? Face::kMonoBold : Face::kMono, place_.lane_type,
                   is_chosen(cell) ? colors_.on
                   : there         ? colors_.ink2
                                   : colors_.ink3,
                   Align::kCenter});
        // What this request brings in a later wavefront is shown faintly, the rest not at all.
        const bool comes = held_.since_of(cell) == HeldSince::kNow;
        if (!there && !comes) return;
        if (!there && is_sum()) return;
        const std::vector<std::string>& values =
            is_former(cell) ? texts_.former[index] : texts_.values[index];
        const float w = (rect.right() - number.right()) / static_cast<float>(texts_.across);
        const float h = rect.h / static_cast<float>(texts_.down);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto at = static_cast<float>(i);
            const ImVec2 center{texts_.across > 1 ? number.right() + (at + 0.5f) * w
                                                  : (number.right() + rect.right()) / 2,
                                texts_.down > 1 ? rect.y + (at + 0.5f) * h : rect.center().y};
            draw_text(center, values[i],
                      {there ? Face::kMonoBold : Face::kMono, place_.type,
                       solid   ? colors_.on
                       : there ? colors_.ink
                               : colors_.ink3,
                       Align::kCenter});
        }
    }

    // The frame of the chosen lane, and of the lane under the pointer.
    void mark(const FragmentCell& cell) const {
        const bool chosen = is_chosen(cell), pointed = scene_.pointed == int{cell.lane};
        if (!chosen && !pointed) return;
        const float line = chosen ? scene_.look.px(2.5f) : scene_.look.px(1.5f);
        const float most = std::min(place_.cell(cell).w, place_.cell(cell).h) / 3;
        stroke_rect(place_.cell(cell), colors_.accent, std::max(1.0f, std::min(line, most)),
                    scene_.look.px(4));
    }

    // The row of A and the column of B that make the chosen lane's first sums.
    void lights() const {
        if (!scene_.moment.product || scene_.lit <= 0) return;
        const HeldFragment* const sums = scene_.moment.fragment(MatrixOperand::kD);
        const auto cell = std::ranges::find(sums->grid.cells, scene_.lane,
                                            [](const FragmentCell& c) { return int{c.lane}; });
        if (cell == sums->grid.cells.end()) return;
        Rect band;
        const FragmentGrid& grid = held_.grid;
        if (grid.operand == MatrixOperand::kA)
            band = place_.elements({cell->at.row, 0}, 1, grid.columns);
        if (grid.operand == MatrixOperand::kB)
            band = place_.elements({0, cell->at.column}, grid.rows, 1);
        if (band.w <= 0) return;
        fill_rect(band, (colors_.accent & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, 40),
                  scene_.look.px(3));
        stroke_rect(band, colors_.accent, scene_.look.frame(), scene_.look.px(3));
    }

    // The rows and columns of the chosen lane's elements are in the accent colour.
    void numbers() {
        std::set<int> rows, columns;
        for (const FragmentCell& cell : held_.grid.cells) {
            if (!is_chosen(cell)) continue;
            for (int i = 0; i < cell.rows; ++i) rows.insert(cell.at.row + i);
            for (int i = 0; i < cell.columns; ++i) columns.insert(cell.at.column + i);
        }
        const float px = place_.number_type;
        const auto style = [&](bool chosen, Align align) {
            return TextStyle{chosen ? Face::kMonoBold : Face::kMono, px,
                             chosen ? colors_.accent : colors_.ink3, align};
        };
        const int step_y = steps(place_.pitch_y, 1.25f * px);
        for (int row = 0; row < held_.grid.rows; row += step_y)
            draw_text({place_.window.x - scene_.u(4),
                       place_.window.y + (static_cast<float>(row) + 0.5f) * place_.pitch_y},
                      std::to_string(row), style(rows.contains(row), Align::kRight));
        const float width = text_width("000", Face::kMonoBold, px);
        const int step_x = steps(place_.pitch_x, width);
        for (int column = 0; column < held_.grid.columns; column += step_x)
            draw_text({place_.window.x + (static_cast<float>(column) + 0.5f) * place_.pitch_x,
                       place_.window.y - 0.8f * px},
                      std::to_string(column), style(columns.contains(column), Align::kCenter));
    }
    // Each number, or each second, fourth ... of them.
    static int steps(float pitch, float needed) {
        int step = 1;
        while (static_cast<float>(step) * pitch < needed && step < 64) step *= 2;
        return step;
    }

    // The registers at the edges: at the left those of the first columns, at the right those of the
    // last ones.
    void brackets() {
        struct Span {
            int row0 = 1 << 20, row1 = 0, column0 = 1 << 20, column1 = 0;
        };
        std::map<int, Span> spans;  // by register
        for (const FragmentCell& cell : held_.grid.cells) {
            Span& span = spans[held_.grid.first_register(cell)];
            span.row0 = std::min(span.row0, cell.at.row);
            span.row1 = std::max(span.row1, cell.at.row + cell.rows);
            span.column0 = std::min(span.column0, cell.at.column);
            span.column1 = std::max(span.column1, cell.at.column + cell.columns);
        }
        const bool single = std::ranges::all_of(spans, [&](const auto& one) {
            return one.second.column1 - one.second.column0 >= held_.grid.columns;
        });
        for (const auto& [number, span] : spans) {
            const bool left = span.column0 == 0 && !single;
            if (!left && span.column1 != held_.grid.columns) continue;
            bracket(left, span.row0, span.row1, names_from(number));
        }
    }
    // All register names of a cell that begins with this register.
    std::vector<std::string> names_from(int first) const {
        std::vector<std::string> names;
        const auto cell = std::ranges::find_if(held_.grid.cells, [&](const FragmentCell& each) {
            return held_.grid.first_register(each) == first;
        });
        const int step = std::max(1, held_.grid.bits() / 32);
        for (int i = first; i <= held_.grid.last_register(*cell); i += step)
            names.push_back(scene_.moment.product ? register_name(held_.grid, i)
                                                  : "r" + std::to_string(i));
        return names;
    }
    void bracket(bool left, int row0, int row1, const std::vector<std::string>& names) {
        const float x0 = left ? place_.all.x : place_.all.right();
        const float px = place_.number_type, width = 2.2f * px;
        const float y0 = place_.window.y + static_cast<float>(row0) * place_.pitch_y + scene_.u(3);
        const float y1 = place_.window.y + static_cast<float>(row1) * place_.pitch_y - scene_.u(3);
        const float leading = 1.2f * px, high = leading * static_cast<float>(names.size());
        if (y1 - y0 < high) return;
        // At the left, row numbers stand between bracket and cells.
        const float line = left ? x0 + width * 0.35f : place_.window.right() + scene_.u(5);
        const float tip = left ? line + scene_.u(4) : line - scene_.u(4);
        const float middle = (y0 + y1) / 2, gap = high / 2 + scene_.u(2);
        const ImU32 ink = colors_.ink3;
        ImDrawList* const list = draw_list();
        list->AddLine({tip, y0}, {line, y0}, ink, scene_.look.line());
        list->AddLine({line, y0}, {line, middle - gap}, ink, scene_.look.line());
        list->AddLine({line, middle + gap}, {line, y1}, ink, scene_.look.line());
        list->AddLine({line, y1}, {tip, y1}, ink, scene_.look.line());
        float y = middle - (high - leading) / 2;
        for (const std::string& name : names) {
            draw_text({line, y}, name, {Face::kMonoBold, px, colors_.solid(role_), Align::kCenter});
            y += leading;
        }
    }

    TensorScene& scene_;
    const Palette& colors_;
    const FragmentPlace& place_;
    const FragmentTexts& texts_;
    const HeldFragment& held_;
    ColorRole role_;
};

}  // namespace

ImU32 group_tint(const LaneScene& scene, ColorRole role, int lane) {
    const float share = 0.12f + 0.2f * static_cast<float>(lane / 4) / 7;
    return mix(scene.colors().panel, scene.colors().solid(role), share);
}

void draw_fragment(TensorScene& scene, const FragmentPlace& place, const FragmentTexts& texts) {
    FragmentDrawing(scene, place, texts).draw();
}

std::optional<std::size_t> cell_at(const TensorScene& scene, const FragmentPlace& place,
                                   ImVec2 point) {
    const FragmentGrid& grid = scene.moment.fragments[place.which].grid;
    for (std::size_t i = 0; i < grid.cells.size(); ++i)
        if (place.cell(grid.cells[i]).contains(point)) return i;
    return std::nullopt;
}

std::string cell_text(const TensorScene& scene, const FragmentPlace& place, std::size_t index) {
    const HeldFragment& held = scene.moment.fragments[place.which];
    const FragmentCell& cell = held.grid.cells[index];
    const auto range = [](int first, int count) {
        return "[" + std::to_string(first) +
               (count > 1 ? ".." + std::to_string(first + count - 1) : "") + "]";
    };
    const bool of_product = scene.moment.product.has_value();
    std::string text = of_product
                           ? std::string(1, register_name(held.grid, 0)[0] - 'a' + 'A')
                           : "matrix " + std::to_string(held.grid.first_register(cell)) + " ";
    text += range(cell.at.row % (of_product ? 1 << 20 : 8), cell.rows) +
            range(cell.at.column % (of_product ? 1 << 20 : 8), cell.columns);
    if (held.has_values()) {
        for (int i = 0; i < cell.count && held.grid.bits() >= 8; ++i) {
            const std::string value(text_of(held.value(cell.lane, cell.first + i)).view());
            text += (i == 0 ? " = " : ", ") + value;
        }
    }
    text += ": lane " + std::to_string(cell.lane) + ", register ";
    const int step = std::max(1, held.grid.bits() / 32);
    for (int i = held.grid.first_register(cell); i <= held.grid.last_register(cell); i += step)
        text += (i == held.grid.first_register(cell) ? "" : ", ") +
                (of_product ? register_name(held.grid, i) : "r" + std::to_string(i));
    if (held.has_values())
        for (const std::string& bits :
             held.bits_of(held.words, cell.lane, held.grid.first_register(cell),
                          held.grid.last_register(cell)))
            text += " 0x" + bits;
    return text;
}

}  // namespace tilereel::stage

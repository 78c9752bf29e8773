// The watched thread's local variables: all of them in the watched lane, and one of them in all 32
// lanes.
#include <algorithm>
#include <cmath>

#include "app/panels/inspector/locals_lanes.h"
#include "app/panels/inspector/locals_memory.h"
#include "app/panels/inspector/locals_strip.h"
#include "app/panels/measure.h"
#include "app/panels/memory.h"
#include "app/ui/scroll_bar.h"
#include "app/ui/widgets.h"

namespace tilereel {
namespace {

struct Row {
    std::size_t variable = 0;  // index into WarpLocals::variables()
    LaneValues values{};
    std::string name{}, type{}, value{};
    InWarp in_warp{};
    bool changed = false;  // in the watched lane, in this step
};

// Keeps the beginning and the end of a long type name.
std::string short_type(const std::string& type) {
    constexpr std::size_t kLong = 22;
    if (type.size() <= kLong) return type;
    return type.substr(0, 10) + "\xe2\x80\xa6" + type.substr(type.size() - 10);
}

class LocalsPanel {
  public:
    LocalsPanel(const Look& look, const Rect& rect, const Replay& replay, const WarpLocals& locals,
                LocalsMemory& memory)
        : look_(look), replay_(replay), locals_(locals), memory_(memory) {
        px_ = type_px(look, 14);
        small_ = type_px(look, 13);
        row_h_ = std::round(1.55f * px_);
        pad_ = look.pad();
        inner_ = {rect.x + pad_, rect.y, rect.w - 2 * pad_, rect.h};
        make_rows();
        plan_columns();
    }

    void draw(const Rect& rect) {
        const float height = measured([&] { return draw_all(rect.y); });
        const ScrollArea area(look_, rect, height, memory_.scroll);
        draw_all(area.top());
    }

  private:
    void make_rows() {
        const Trace& trace = replay_.trace();
        for (std::size_t i = 0; i < locals_.variables().size(); ++i) {
            const LocalVariable& variable = locals_.variables()[i];
            Row row{.variable = i, .values = locals_.values(i)};
            const LocalValue& own = row.values[lane()];
            row.name = variable.name;
            row.type = short_type(variable.type);
            row.value = own.known ? short_text(trace, variable, own) : "-";
            row.in_warp = in_warp_of(trace, variable, row.values);
            row.changed = own.changed;
            rows_.push_back(std::move(row));
        }
    }

    [[nodiscard]] std::uint32_t lane() const { return memory_.watched_lane % kWarpSize; }

    // Puts name, type, value and range on one line if they fit, otherwise on two. In a low panel
    // with many variables they are on one line without the type.
    void plan_columns() {
        const auto width_of = [this](const char* caption, Face face, float px, auto text) {
            return std::max(text_width(caption, Face::kRegular, small_),
                            widest(rows_, face, px, text));
        };
        name_w_ = width_of("name", Face::kMonoBold, px_, &Row::name);
        type_w_ = width_of("type", Face::kMono, small_, &Row::type);
        value_w_ = width_of("value", Face::kMonoBold, px_, &Row::value);
        warp_w_ = width_of("in this warp", Face::kRegular, small_,
                           [](const Row& row) { return row.in_warp.words; });
        icon_w_ = std::round(1.6f * px_);
        const float gaps = 3 * look_.wide() + icon_w_;
        two_lines_ = name_w_ + type_w_ + value_w_ + warp_w_ + gaps > inner_.w;
        const float both = 1.8f * row_h_ * static_cast<float>(rows_.size());
        const float untyped = name_w_ + value_w_ + warp_w_ + gaps - look_.wide();
        if (!two_lines_ || both < 0.5f * inner_.h || untyped > inner_.w) return;
        two_lines_ = false;
        type_w_ = 0;
    }

    // Returns the height in pixels.
    float draw_all(float top) {
        y_ = top + look_.px(10);
        draw_head();
        if (rows_.empty()) {
            line("This warp has assigned no variable.", look_.colors().ink2);
            return y_ - top;
        }
        if (!two_lines_) draw_captions();
        for (const Row& row : rows_) draw_row(row);
        rule();
        draw_lanes(rows_[shown()]);
        return y_ + look_.gap() - top;
    }

    void line(const std::string& words, ImU32 color) {
        draw_text_fit({inner_.x, y_ + row_h_ / 2}, inner_.w, words,
                      {Face::kRegular, small_, color});
        y_ += row_h_;
    }

    void rule() {
        y_ += look_.gap();
        draw_rule(look_, {inner_.x, y_}, inner_.w);
        y_ += look_.gap();
    }

    void draw_head() {
        const Palette& colors = look_.colors();
        const float h = std::round(1.9f * px_);
        const std::string title =
            "Lane " + std::to_string(lane()) + " of warp " + std::to_string(memory_.watched_warp);
        const float px = std::min(type_px(look_, 18), px_ * 1.3f);
        const float w = draw_text({inner_.x, y_ + h / 2}, title, {Face::kSemiBold, px, colors.ink});
        const char* const keys = "keys: L lane, W warp";
        if (w + look_.pad() + text_width(keys, Face::kRegular, small_) <= inner_.w)
            draw_text({inner_.right(), y_ + h / 2}, keys,
                      {Face::kRegular, small_, colors.ink3, Align::kRight});
        y_ += h;
    }

    void draw_captions() {
        TextStyle style{Face::kRegular, small_, look_.colors().ink3};
        const float middle = y_ + row_h_ / 2;
        draw_text({inner_.x, middle}, "name", style);
        if (type_w_ > 0) draw_text({type_x(), middle}, "type", style);
        draw_text({warp_x() + icon_w_, middle}, "in this warp", style);
        style.align = Align::kRight;
        draw_text({value_right(), middle}, "value", style);
        y_ += row_h_;
    }

    // The extra space between two columns, from the width that is left over.
    [[nodiscard]] float spare() const {
        const float free =
            inner_.w - name_w_ - type_w_ - value_w_ - warp_w_ - icon_w_ - 3 * look_.wide();
        return std::clamp(free / 3, 0.0f, look_.px(28));
    }
    [[nodiscard]] float type_x() const { return inner_.x + name_w_ + look_.wide() + spare(); }
    [[nodiscard]] float value_right() const {
        return type_x() + type_w_ + look_.wide() + value_w_ + spare();
    }
    [[nodiscard]] float warp_x() const { return value_right() + look_.wide(); }

    [[nodiscard]] std::size_t shown() const {
        for (std::size_t i = 0; i < rows_.size(); ++i)
            if (rows_[i].name == memory_.chosen) return i;
        // A floating-point variable is mostly a sum, the most interesting one.
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const Local& local = replay_.trace().locals[locals_.variables()[i].local];
            if (local.type <= ElementType::kBfloat16) return i;
        }
        return rows_.size() - 1;
    }

    void draw_row(const Row& row) {
        const float h = two_lines_ ? 1.8f * row_h_ : row_h_;
        const Palette& colors = look_.colors();
        const Rect rect{inner_.x - look_.gap(), y_, inner_.w + look_.pad(), h};
        const Touch touch = touch_area(look_, "locals." + row.name, rect,
                                       "Show this variable in all lanes of the warp");
        if (touch.clicked) memory_.chosen = row.name;
        const bool chosen = &row == &rows_[shown()];
        draw_row_mark(look_, rect, chosen, touch.hovered);
        const float first = y_ + row_h_ * 0.5f;
        const float second = two_lines_ ? y_ + row_h_ * 1.28f : first;
        if (row.changed)  // changed in this step
            fill_rect({rect.x, y_ + look_.hair(), look_.tight(), h - look_.tight()}, colors.c,
                      look_.px(2));
        draw_text_fit({inner_.x, first}, inner_.w - value_w_ - look_.wide(), row.name,
                      {Face::kMonoBold, px_, colors.ink});
        const ImU32 value = row.changed ? colors.c : colors.ink;
        draw_text({two_lines_ ? inner_.right() : value_right(), first}, row.value,
                  {Face::kMonoBold, px_, value, Align::kRight});
        const float words = text_width(row.in_warp.words, Face::kRegular, small_);
        const float x = two_lines_ ? inner_.right() - words : warp_x() + icon_w_;
        const float type = two_lines_ ? inner_.x : type_x();
        const float type_room = two_lines_ ? x - icon_w_ - type : type_w_ + 1;
        if (type_w_ > 0)
            draw_text_fit({type, second}, type_room, row.type, {Face::kMono, small_, colors.ink3});
        draw_mark(row.in_warp.differs, {x - icon_w_ + look_.hair(), second});
        draw_text({x, second}, row.in_warp.words, {Face::kRegular, small_, colors.ink2});
        y_ += h;
    }

    // Draws an equals sign if all lanes have the same value, or three bars if the values differ.
    void draw_mark(bool differs, ImVec2 at) const {
        const ImU32 color = look_.colors().ink2;
        const float u = std::max(1.0f, std::round(px_ / 8));
        if (!differs) {
            fill_rect({at.x, at.y - 2 * u, 6 * u, u}, color);
            fill_rect({at.x, at.y + u, 6 * u, u}, color);
            return;
        }
        const float heights[] = {2, 5, 3.5f};
        for (int i = 0; i < 3; ++i)
            fill_rect({at.x + 2.2f * u * static_cast<float>(i), at.y + 2.5f * u - heights[i] * u,
                       1.5f * u, heights[i] * u},
                      color);
    }

    // Draws one variable in all lanes, with a bar and its value for each lane.
    void draw_lanes(const Row& row) {
        const Palette& colors = look_.colors();
        const float h = std::round(1.7f * px_);
        const float w =
            draw_text({inner_.x, y_ + h / 2}, row.name, {Face::kMonoBold, px_ * 1.1f, colors.c});
        draw_text_fit({inner_.x + w + look_.gap(), y_ + h / 2}, inner_.w - w - look_.gap(),
                      "in all lanes of warp " + std::to_string(memory_.watched_warp),
                      {Face::kRegular, px_, colors.ink2});
        y_ += h;
        draw_loop(row);
        y_ += look_.snug();
        const float lane_h = lane_height();
        const Rect rect{inner_.x, y_, inner_.w, lane_h * static_cast<float>(kLaneRows)};
        if (const auto clicked = draw_lane_values(look_, rect, lane_text(), shown_lanes(row)))
            memory_.lane_asked = clicked;
        y_ += lane_h * static_cast<float>(kLaneRows);
    }

    // The height of a lane's row: a share of the height that is left, within limits for
    // readability.
    [[nodiscard]] float lane_height() const {
        const float rows = static_cast<float>(rows_.size()) * (two_lines_ ? 1.8f : 1) + 3;
        const float left = inner_.h - rows * row_h_ - 4 * px_ - look_.px(60);
        return std::round(
            std::clamp(left / static_cast<float>(kLaneRows), 1.35f * small_, 1.9f * small_));
    }

    // Draws the iterations of the loop that changes the variable or, without a loop, its latest
    // values.
    void draw_loop(const Row& row) {
        const bool in_loop = locals_.iterations(row.variable, lane(), 2).has_value();
        const Rect rect{inner_.x, y_, inner_.w, in_loop ? strip_height(lane_text()) : row_h_};
        if (in_loop)
            draw_iterations(look_, rect, lane_text(), replay_, locals_, row.variable, lane());
        else
            draw_latest_values(look_, rect, lane_text(), shown_lanes(row));
        y_ += rect.h;
    }

    [[nodiscard]] StripText lane_text() const { return {px_, small_, row_h_}; }
    [[nodiscard]] ShownLanes shown_lanes(const Row& row) const {
        return {replay_, locals_, row.variable, row.values, lane()};
    }

    const Look& look_;
    const Replay& replay_;
    const WarpLocals& locals_;
    LocalsMemory& memory_;
    std::vector<Row> rows_;
    Rect inner_;
    float px_ = 14, small_ = 13, row_h_ = 22, pad_ = 16;
    float name_w_ = 0, type_w_ = 0, value_w_ = 0, warp_w_ = 0, icon_w_ = 0;
    bool two_lines_ = false;
    float y_ = 0;
};

const WarpLocals& locals_of(LocalsMemory& memory, const Replay& replay, std::uint32_t warp) {
    if (memory.replay != replay.id()) {
        memory.by_warp.clear();
        memory.replay = replay.id();
    }
    std::unique_ptr<WarpLocals>& locals = memory.by_warp[warp];
    if (locals == nullptr) locals = std::make_unique<WarpLocals>(replay, warp);
    return *locals;
}

}  // namespace

bool has_locals(const Workbench& workbench) {
    return workbench.replay() != nullptr && !workbench.replay()->trace().locals.empty();
}

Commands draw_locals(const Look& look, const Rect& rect, const Workbench& workbench,
                     PanelMemory& memory) {
    if (!has_locals(workbench)) return {};
    const Replay& replay = *workbench.replay();
    LocalsMemory& own = memory.parts().locals;
    const WarpLocals& locals = locals_of(own, replay, own.watched_warp);
    LocalsPanel(look, rect, replay, locals, own).draw(rect);
    return {};
}

}  // namespace tilereel

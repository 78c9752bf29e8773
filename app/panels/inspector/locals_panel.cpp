// The thread's own variables: each of them in the watched lane, and one of them in all 32 lanes.
#include "app/panels/inspector/locals_panel.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "app/panels/inspector/locals_strip.h"
#include "app/panels/measure.h"
#include "app/panels/memory.h"
#include "app/panels/overlay/overlay.h"
#include "app/ui/widgets.h"

namespace tilereel {
namespace {

constexpr std::size_t kLaneRows = kWarpSize / 2;  // lanes stand in two columns
constexpr std::size_t kHistory = 6;               // values

// What one variable is in the warp.
struct InWarp {
    std::string words;  // "0 to 31", "2 in all lanes"
    bool differs = false;
};

struct Row {
    std::size_t variable = 0;  // index into WarpLocals::variables()
    LaneValues values{};
    std::string name{}, type{}, value{};
    InWarp in_warp{};
    bool changed = false;  // in the watched lane
};

InWarp in_warp_of(const Trace& trace, const LocalVariable& variable, const LaneValues& values) {
    std::set<std::uint64_t> different;
    const LocalValue *least = nullptr, *most = nullptr;
    std::size_t known = 0;
    for (const LocalValue& value : values) {
        if (!value.known) continue;
        ++known;
        different.insert(value.bits);
        const double number = number_of(trace, variable, value);
        if (least == nullptr || number < number_of(trace, variable, *least)) least = &value;
        if (most == nullptr || number > number_of(trace, variable, *most)) most = &value;
    }
    if (known == 0) return {"no value yet", false};
    const std::string lanes = known == kWarpSize
                                  ? "all lanes"
                                  : std::to_string(known) + (known == 1 ? " lane" : " lanes");
    if (different.size() == 1) {
        if (is_address(trace, variable)) return {"same in " + lanes, false};
        return {short_text(trace, variable, *least) + " in " + lanes, false};
    }
    if (is_address(trace, variable)) return {"differs", true};
    if (trace.locals[variable.local].type_name == "bool") {
        std::size_t yes = 0;
        for (const LocalValue& value : values) yes += value.known && (value.bits & 1) != 0 ? 1 : 0;
        return {"true in " + std::to_string(yes) + " lanes", true};
    }
    return {short_text(trace, variable, *least) + " to " + short_text(trace, variable, *most),
            true};
}

// A long type's beginning and end say what it is.
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
        pad_ = look.px(16);
        inner_ = {rect.x + pad_, rect.y, rect.w - 2 * pad_, rect.h};
        make_rows();
        plan_columns();
    }

    void draw(const Rect& rect) {
        const float height = draw_all(rect, 0, false);
        const float offset = scroll_by_wheel(look_, rect, height, memory_.scroll);
        ImGui::PushClipRect(rect.min(), rect.max(), true);
        draw_all(rect, offset, true);
        ImGui::PopClipRect();
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

    // Name, type, value and range in one line where they fit, else in two; where two lines each
    // would fill a low panel, in one line without the type.
    void plan_columns() {
        for (const Row& row : rows_) {
            name_w_ = std::max(name_w_, text_width(row.name, Face::kMonoBold, px_));
            type_w_ = std::max(type_w_, text_width(row.type, Face::kMono, small_));
            value_w_ = std::max(value_w_, text_width(row.value, Face::kMonoBold, px_));
            warp_w_ = std::max(warp_w_, text_width(row.in_warp.words, Face::kRegular, small_));
        }
        const auto caption = [this](const char* word, float& width) {
            width = std::max(width, text_width(word, Face::kRegular, small_));
        };
        caption("name", name_w_);
        caption("type", type_w_);
        caption("value", value_w_);
        caption("in this warp", warp_w_);
        icon_w_ = std::round(1.6f * px_);
        const float gaps = 3 * look_.px(12) + icon_w_;
        two_lines_ = name_w_ + type_w_ + value_w_ + warp_w_ + gaps > inner_.w;
        const float both = 1.8f * row_h_ * static_cast<float>(rows_.size());
        const float untyped = name_w_ + value_w_ + warp_w_ + gaps - look_.px(12);
        if (!two_lines_ || both < 0.5f * inner_.h || untyped > inner_.w) return;
        two_lines_ = false;
        type_w_ = 0;
    }

    // Returns how high everything is; draws it only if asked.
    float draw_all(const Rect& rect, float offset, bool draws) {
        draws_ = draws;
        y_ = rect.y + look_.px(10) - offset;
        draw_head();
        if (rows_.empty()) {
            line("This warp has assigned no variable.", look_.colors().ink2);
            return y_ - rect.y + offset;
        }
        if (!two_lines_) draw_captions();
        for (const Row& row : rows_) draw_row(row);
        rule();
        draw_lanes(rows_[shown()]);
        return y_ + look_.px(8) - rect.y + offset;
    }

    void line(const std::string& words, ImU32 color) {
        if (draws_)
            draw_text_fit(ImGui::GetWindowDrawList(), {inner_.x, y_ + row_h_ / 2}, inner_.w, words,
                          {Face::kRegular, small_, color});
        y_ += row_h_;
    }

    void rule() {
        y_ += look_.px(8);
        if (draws_)
            ImGui::GetWindowDrawList()->AddRectFilled(
                {inner_.x, std::round(y_)}, {inner_.right(), std::round(y_) + look_.px(1)},
                look_.colors().line);
        y_ += look_.px(8);
    }

    void draw_head() {
        const Palette& colors = look_.colors();
        ImDrawList* list = ImGui::GetWindowDrawList();
        const float h = std::round(1.9f * px_);
        const std::string title =
            "Lane " + std::to_string(lane()) + " of warp " + std::to_string(memory_.watched_warp);
        const float px = std::min(type_px(look_, 18), px_ * 1.3f);
        if (draws_) {
            const float w =
                draw_text(list, {inner_.x, y_ + h / 2}, title, {Face::kSemiBold, px, colors.ink});
            const char* const keys = "keys: L lane, W warp";
            if (w + look_.px(16) + text_width(keys, Face::kRegular, small_) <= inner_.w)
                draw_text(list, {inner_.right(), y_ + h / 2}, keys,
                          {Face::kRegular, small_, colors.ink3, Align::kRight});
        }
        y_ += h;
    }

    void draw_captions() {
        if (draws_) {
            ImDrawList* list = ImGui::GetWindowDrawList();
            TextStyle style{Face::kRegular, small_, look_.colors().ink3};
            const float middle = y_ + row_h_ / 2;
            draw_text(list, {inner_.x, middle}, "name", style);
            if (type_w_ > 0) draw_text(list, {type_x(), middle}, "type", style);
            draw_text(list, {warp_x() + icon_w_, middle}, "in this warp", style);
            style.align = Align::kRight;
            draw_text(list, {value_right(), middle}, "value", style);
        }
        y_ += row_h_;
    }

    // A share of what is left over, between two columns.
    [[nodiscard]] float spare() const {
        const float free =
            inner_.w - name_w_ - type_w_ - value_w_ - warp_w_ - icon_w_ - 3 * look_.px(12);
        return std::clamp(free / 3, 0.0f, look_.px(28));
    }
    [[nodiscard]] float type_x() const { return inner_.x + name_w_ + look_.px(12) + spare(); }
    [[nodiscard]] float value_right() const {
        return type_x() + type_w_ + look_.px(12) + value_w_ + spare();
    }
    [[nodiscard]] float warp_x() const { return value_right() + look_.px(12); }

    [[nodiscard]] std::size_t shown() const {
        for (std::size_t i = 0; i < rows_.size(); ++i)
            if (rows_[i].name == memory_.chosen) return i;
        // A sum is what is looked at most.
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const Local& local = replay_.trace().locals[locals_.variables()[i].local];
            if (local.type <= ElementType::kBfloat16) return i;
        }
        return rows_.size() - 1;
    }

    void draw_row(const Row& row) {
        const float h = two_lines_ ? 1.8f * row_h_ : row_h_;
        if (!draws_) {
            y_ += h;
            return;
        }
        const Palette& colors = look_.colors();
        ImDrawList* list = ImGui::GetWindowDrawList();
        const Rect rect{inner_.x - look_.px(8), y_, inner_.w + look_.px(16), h};
        const Touch touch = touch_area(look_, "locals." + row.name, rect,
                                       "Show this variable in all lanes of the warp");
        if (touch.clicked) memory_.chosen = row.name;
        const bool chosen = &row == &rows_[shown()];
        if (chosen || touch.hovered)
            fill_rect(list, rect, chosen ? colors.accent_tint : colors.raised, look_.px(5));
        if (chosen) stroke_rect(list, rect, colors.accent, look_.px(1.5f), look_.px(5));
        const float first = y_ + row_h_ * 0.5f;
        const float second = two_lines_ ? y_ + row_h_ * 1.28f : first;
        if (row.changed)  // in this step
            fill_rect(list, {rect.x, y_ + look_.px(2), look_.px(4), h - look_.px(4)}, colors.c,
                      look_.px(2));
        draw_text_fit(list, {inner_.x, first}, inner_.w - value_w_ - look_.px(12), row.name,
                      {Face::kMonoBold, px_, colors.ink});
        const ImU32 value = row.changed ? colors.c : colors.ink;
        draw_text(list, {two_lines_ ? inner_.right() : value_right(), first}, row.value,
                  {Face::kMonoBold, px_, value, Align::kRight});
        const float words = text_width(row.in_warp.words, Face::kRegular, small_);
        const float x = two_lines_ ? inner_.right() - words : warp_x() + icon_w_;
        const float type = two_lines_ ? inner_.x : type_x();
        const float type_room = two_lines_ ? x - icon_w_ - type : type_w_ + 1;
        if (type_w_ > 0)
            draw_text_fit(list, {type, second}, type_room, row.type,
                          {Face::kMono, small_, colors.ink3});
        draw_mark(row.in_warp.differs, {x - icon_w_ + look_.px(2), second});
        draw_text(list, {x, second}, row.in_warp.words, {Face::kRegular, small_, colors.ink2});
        y_ += h;
    }

    // An equals sign where all lanes have the same value, three bars where they differ.
    void draw_mark(bool differs, ImVec2 at) const {
        ImDrawList* list = ImGui::GetWindowDrawList();
        const ImU32 color = look_.colors().ink2;
        const float u = std::max(1.0f, std::round(px_ / 8));
        if (!differs) {
            fill_rect(list, {at.x, at.y - 2 * u, 6 * u, u}, color);
            fill_rect(list, {at.x, at.y + u, 6 * u, u}, color);
            return;
        }
        const float heights[] = {2, 5, 3.5f};
        for (int i = 0; i < 3; ++i)
            fill_rect(list,
                      {at.x + 2.2f * u * static_cast<float>(i), at.y + 2.5f * u - heights[i] * u,
                       1.5f * u, heights[i] * u},
                      color);
    }

    // One variable in all lanes: a bar and its value each.
    void draw_lanes(const Row& row) {
        const Palette& colors = look_.colors();
        ImDrawList* list = ImGui::GetWindowDrawList();
        const float h = std::round(1.7f * px_);
        if (draws_) {
            const float w = draw_text(list, {inner_.x, y_ + h / 2}, row.name,
                                      {Face::kMonoBold, px_ * 1.1f, colors.c});
            draw_text_fit(list, {inner_.x + w + look_.px(8), y_ + h / 2},
                          inner_.w - w - look_.px(8),
                          "in all lanes of warp " + std::to_string(memory_.watched_warp),
                          {Face::kRegular, px_, colors.ink2});
        }
        y_ += h;
        draw_loop(row);
        y_ += look_.px(6);
        const float lane_h = lane_height();
        if (draws_) {
            const float gap = look_.px(14);
            const float half = (inner_.w - gap) / 2;
            for (std::uint32_t i = 0; i < kWarpSize; ++i) {
                const auto column = static_cast<float>(i / kLaneRows);
                const auto place = static_cast<float>(i % kLaneRows);
                draw_lane(row, i,
                          {inner_.x + column * (half + gap), y_ + place * lane_h, half, lane_h});
            }
        }
        y_ += lane_h * static_cast<float>(kLaneRows);
    }

    // What is left of the panel, but no less than can be read, and no more than looks good.
    [[nodiscard]] float lane_height() const {
        const float rows = static_cast<float>(rows_.size()) * (two_lines_ ? 1.8f : 1) + 3;
        const float left = inner_.h - rows * row_h_ - 4 * px_ - look_.px(60);
        return std::round(
            std::clamp(left / static_cast<float>(kLaneRows), 1.35f * small_, 1.9f * small_));
    }

    // The iterations of the loop that changes the variable; where there is none, its latest values.
    void draw_loop(const Row& row) {
        const StripText text{px_, small_, row_h_};
        const Rect rect{inner_.x, y_, inner_.w, strip_height(text)};
        if (!locals_.iterations(row.variable, lane(), 2)) return draw_history(row);
        if (draws_) draw_iterations(look_, rect, text, replay_, locals_, row.variable, lane());
        y_ += rect.h;
    }

    // "lane 5: 2.0, 6.0, 14.0": the latest values, the present one last.
    void draw_history(const Row& row) {
        const Palette& colors = look_.colors();
        const std::vector<LocalValue> past = locals_.history(row.variable, lane(), kHistory);
        const float h = row_h_;
        if (draws_ && past.size() > 1) {
            ImDrawList* list = ImGui::GetWindowDrawList();
            float x = inner_.x;
            x += draw_text(list, {x, y_ + h / 2}, "lane " + std::to_string(lane()) + ":",
                           {Face::kRegular, small_, colors.ink3}) +
                 look_.px(8);
            std::vector<std::string> texts;
            float needed = 0;
            for (std::size_t i = past.size(); i-- > 0;) {
                std::string text =
                    short_text(replay_.trace(), locals_.variables()[row.variable], past[i]);
                needed += text_width(text + "  ", Face::kMonoBold, small_) + look_.px(10);
                if (x + needed > inner_.right() && !texts.empty()) break;
                texts.insert(texts.begin(), std::move(text));
            }
            for (std::size_t i = 0; i < texts.size(); ++i) {
                const bool last = i + 1 == texts.size();
                x += draw_text(
                    list, {x, y_ + h / 2}, texts[i],
                    {last ? Face::kMonoBold : Face::kMono, small_, last ? colors.c : colors.ink2});
                if (!last)
                    x += draw_text(list, {x, y_ + h / 2}, ",", {Face::kMono, small_, colors.ink3}) +
                         look_.px(8);
            }
        }
        y_ += h;
    }

    void draw_lane(const Row& row, std::uint32_t index, const Rect& rect) {
        const Palette& colors = look_.colors();
        ImDrawList* list = ImGui::GetWindowDrawList();
        const LocalVariable& variable = locals_.variables()[row.variable];
        const LocalValue& value = row.values[index];
        const bool own = index == lane();
        const Touch touch =
            touch_area(look_, "locals.lane." + std::to_string(index), rect, "Watch this lane");
        if (touch.clicked) memory_.lane_asked = index;
        if (own || touch.hovered)
            fill_rect(list, rect, own ? colors.accent_tint : colors.raised, look_.px(3));
        if (own) stroke_rect(list, rect, colors.accent, look_.px(1.5f), look_.px(3));
        const float number = text_width("00", Face::kMono, small_) + look_.px(8);
        const float middle = rect.center().y;
        draw_text(list, {rect.x + number - look_.px(4), middle}, std::to_string(index),
                  {Face::kMono, small_, own ? colors.ink : colors.ink3, Align::kRight});
        const std::string text =
            value.known ? short_text(replay_.trace(), variable, value) : std::string("-");
        const float text_w = text_width(text, Face::kMonoBold, small_);
        draw_text(list, {rect.right() - look_.px(4), middle}, text,
                  {value.changed ? Face::kMonoBold : Face::kMono, small_,
                   !value.known    ? colors.ink3
                   : value.changed ? colors.c
                                   : colors.ink,
                   Align::kRight});
        const float widest = text_width("-0000.00", Face::kMono, small_);
        const float room = rect.w - number - std::max(text_w, widest) - look_.px(10);
        if (room > look_.px(8)) draw_bar(row, value, {rect.x + number, rect.y, room, rect.h});
    }

    // From nought on, to the right; values below it go to the left.
    void draw_bar(const Row& row, const LocalValue& value, const Rect& rect) {
        const Trace& trace = replay_.trace();
        const LocalVariable& variable = locals_.variables()[row.variable];
        double least = 0, most = 0;
        for (const LocalValue& each : row.values) {
            const double number = number_of(trace, variable, each);
            if (!std::isfinite(number)) continue;
            least = std::min(least, number);
            most = std::max(most, number);
        }
        const double number = number_of(trace, variable, value);
        if (!std::isfinite(number) || most <= least) return;
        const auto at = [&](double v) {
            return rect.x + rect.w * static_cast<float>((v - least) / (most - least));
        };
        const float from = std::min(at(0), at(number)), to = std::max(at(0), at(number));
        const Palette& colors = look_.colors();
        const float h = std::round(rect.h * 0.5f);
        fill_rect(ImGui::GetWindowDrawList(),
                  {from, std::round(rect.center().y - h / 2), std::max(to - from, look_.px(1)), h},
                  value.changed ? colors.c : mix(colors.c, colors.panel, 0.45f), look_.px(2));
    }

    const Look& look_;
    const Replay& replay_;
    const WarpLocals& locals_;
    LocalsMemory& memory_;
    std::vector<Row> rows_;
    Rect inner_;
    float px_ = 14, small_ = 13, row_h_ = 22, pad_ = 16;
    float name_w_ = 0, type_w_ = 0, value_w_ = 0, warp_w_ = 0, icon_w_ = 0;
    bool two_lines_ = false, draws_ = true;
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

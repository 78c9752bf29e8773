// The list of a race's lines. Each line is strong, thin or hidden, or the only strong one.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/overlay/overlay.h"
#include "app/panels/race/race_views.h"
#include "app/ui/controls.h"
#include "app/ui/menu.h"
#include "app/ui/scroll_bar.h"

namespace tilereel {
namespace {

constexpr const char* kLineList = "race.lines.list";

struct OpenChooser {
    std::size_t row = 0;  // the row that keys act on
    float scroll = 0;     // pixels
};
OpenChooser g_chooser;

struct ChoiceButton {
    const char *name, *label, *tip;
    LineChoice choice;
    char32_t key;
};
constexpr std::array<ChoiceButton, 3> kLineChoices = {{
    {"race.lines.top", "top", "The reference and the largest steps of the ladder (T)",
     LineChoice::kDefault, U't'},
    {"race.lines.all", "all", "Every line in a colour of its own (A)", LineChoice::kAll, U'a'},
    {"race.lines.none", "none", "Every line thin (N)", LineChoice::kNone, U'n'},
}};

class LineChooser {
  public:
    LineChooser(const RaceContext& race, const Rect& chip) : race_(race), look_(race.look) {
        px_ = race.type(14);
        row_ = std::round(std::max(1.9f * px_, look_.px(28)));
        head_ = std::round(2.6f * px_);
        foot_ = std::round(2.2f * px_);
        names_ = widest(race.contenders(), Face::kSemiBold, px_, short_name);
        only_ = button_width(look_, "only", 20);
        hide_ = button_width(look_, "show", 20);
        figure_ = text_width("00,000", Face::kMono, px_);
        const ImVec2 screen = ImGui::GetIO().DisplaySize;
        const float width =
            std::min(names_ + figure_ + only_ + hide_ + 6.5f * px_, screen.x - look_.pad());
        const auto rows = static_cast<float>(race.contenders().size());
        const float height = std::min(head_ + rows * row_ + foot_ + look_.gap(),
                                      screen.y - chip.bottom() - look_.wide());
        rect_ = {std::max(look_.gap(), chip.right() - width), chip.bottom() + look_.tight(), width,
                 height};
        body_ = {rect_.x, rect_.y + head_, rect_.w, rect_.h - head_ - foot_};
    }

    [[nodiscard]] const Rect& rect() const { return rect_; }

    void draw() {
        if (ImGui::IsWindowAppearing()) g_chooser = {};
        take_keys();
        draw_head();
        const float length = row_ * static_cast<float>(race_.contenders().size());
        {
            const ScrollArea area(look_, body_, length, g_chooser.scroll);
            for (std::uint32_t c = 0; c < race_.contenders().size(); ++c)
                if (const float y = area.top() + row_ * static_cast<float>(c); area.shows(y, row_))
                    draw_row(c, y);
        }
        draw_text_fit({rect_.x + px_, rect_.bottom() - foot_ / 2}, rect_.w - 2 * px_,
                      "Space: colour or thin   Enter: it alone   H: hide",
                      {Face::kRegular, 0.87f * px_, race_.colors().ink3});
    }

  private:
    void take_keys() {
        for (const KeyPress& press : claimed_keys(kLineList)) take(press);
    }

    void take(const KeyPress& press) {
        const std::size_t last = race_.contenders().size() - 1;
        const auto page = static_cast<std::size_t>(std::max(1.0f, body_.h / row_ - 1));
        const auto c = static_cast<std::uint32_t>(g_chooser.row);
        switch (press.key) {
            case Key::kUp:
                return go_to(g_chooser.row == 0 ? 0 : g_chooser.row - 1);
            case Key::kDown:
                return go_to(std::min(last, g_chooser.row + 1));
            case Key::kPageUp:
                return go_to(g_chooser.row < page ? 0 : g_chooser.row - page);
            case Key::kPageDown:
                return go_to(std::min(last, g_chooser.row + page));
            case Key::kHome:
                return go_to(0);
            case Key::kEnd:
                return go_to(last);
            case Key::kEnter:
                return race_.ask(SoloLine{c});
            default:
                break;
        }
        if (press.character == U' ') race_.ask(HighlightLine{c});
        if (press.character == U'h') race_.ask(ToggleLine{c});
        for (const ChoiceButton& button : kLineChoices)
            if (press.character == button.key) race_.ask(ChooseLines{button.choice});
        if (press.character >= U'0' && press.character <= U'9')
            type(static_cast<char>(press.character));
    }

    void go_to(std::size_t row) {
        g_chooser.row = row;
        const float top = row_ * static_cast<float>(row);
        g_chooser.scroll = std::clamp(g_chooser.scroll, top + row_ - body_.h, top);
    }

    // Goes to the next row whose kernel number begins with this digit.
    void type(char digit) {
        std::vector<MenuRow> rows;
        for (const Contender& contender : race_.contenders())
            rows.push_back({.name = {}, .title = short_name(contender)});
        if (const auto row = row_typed(rows, std::string(1, digit), g_chooser.row + 1)) go_to(*row);
    }

    void draw_head() {
        const float height = std::round(1.9f * px_);
        ButtonRow row(look_, {rect_.x + px_, std::round(rect_.y + (head_ - height) / 2),
                              rect_.w - 2 * px_, height});
        for (const ChoiceButton& button : kLineChoices)
            if (row.from_left(button.name, button.label, false, button.tip))
                race_.ask(ChooseLines{button.choice});
        if (!race_.size) return;
        const std::string size = size_text(race_.sizes()[*race_.size]);
        if (text_width(size, Face::kRegular, px_) < row.room().w)
            draw_text({rect_.right() - px_, rect_.y + head_ / 2}, size,
                      {Face::kRegular, px_, race_.colors().ink3, Align::kRight});
    }

    void draw_row(std::uint32_t c, float y) {
        const Palette& colors = race_.colors();
        const LineShown shown = race_.line(c);
        const std::string id = std::to_string(c);
        const float buttons = rect_.right() - look_.px(14) - hide_ - only_ - look_.snug();
        const Rect row{rect_.x + look_.tight(), y, buttons - rect_.x - look_.gap(), row_};
        const Touch touch = touch_area(look_, "race.lines.row." + id, row,
                                       "In a colour of its own, or thin (Space)");
        if (touch.clicked) race_.ask(HighlightLine{c});
        if (touch.hovered && (ImGui::GetIO().MouseDelta.x != 0 || ImGui::GetIO().MouseDelta.y != 0))
            g_chooser.row = c;
        if (g_chooser.row == c)
            stroke_rect(row.inset(look_.px(1)), colors.accent, look_.frame(), look_.px(5));
        const float middle = y + row_ / 2;
        draw_sample({row.x + 0.8f * px_, middle}, c, shown);
        const bool hidden = shown == LineShown::kHidden;
        draw_text_fit({row.x + 3.4f * px_, middle},
                      row.right() - figure_ - px_ - row.x - 3.4f * px_,
                      short_name(race_.contenders()[c]),
                      {shown == LineShown::kStrong ? Face::kSemiBold : Face::kRegular, px_,
                       hidden ? colors.ink3 : colors.ink});
        if (const auto median =
                race_.size ? race_.shown->figures.median(c, *race_.size) : std::nullopt)
            draw_text({row.right() - 0.5f * px_, middle}, figure_text(*median),
                      {Face::kMono, px_, hidden ? colors.ink3 : colors.ink2, Align::kRight});
        const float top = y + look_.hair(), height = row_ - look_.tight();
        const bool only = race_.bench.view().lines.only() == c;
        if (text_button(
                look_, "race.lines.only." + id, {buttons, top, only_, height}, "only", only,
                only ? "Show the other lines again (Enter)" : "Show only this line (Enter)"))
            race_.ask(SoloLine{c});
        if (text_button(look_, "race.lines.hide." + id,
                        {buttons + only_ + look_.snug(), top, hide_, height},
                        hidden ? "show" : "hide", hidden, "Show or hide this line (H)"))
            race_.ask(ToggleLine{c});
    }

    // Draws a sample of the line.
    void draw_sample(ImVec2 left, std::uint32_t c, LineShown shown) const {
        if (shown == LineShown::kHidden) return;
        const LineStyle& style = race_.styles[c];
        const ImVec2 way[2] = {left, {left.x + 2.0f * px_, left.y}};
        draw_dashed(way, style.color, style.width, style.dash);
        if (shown == LineShown::kStrong)
            draw_marker(style.marker, {left.x + px_, left.y}, 0.85f * px_, style.color,
                        race_.colors().panel);
    }

    const RaceContext& race_;
    const Look& look_;
    Rect rect_, body_;
    float px_ = 14, row_ = 28, head_ = 36, foot_ = 30, names_ = 0, only_ = 0, hide_ = 0,
          figure_ = 0;
};

std::string chooser_text(const RaceContext& race) {
    std::size_t strong = 0;
    for (std::uint32_t c = 0; c < race.contenders().size(); ++c) strong += race.strong(c);
    return std::to_string(strong) + " of " + std::to_string(race.contenders().size());
}

}  // namespace

float line_chooser_width(const RaceContext& race) {
    if (race.memory == nullptr || race.shown == nullptr) return 0;
    return value_chip_width(race.look, "lines", chooser_text(race));
}

void draw_line_chooser(const RaceContext& race, const Rect& chip) {
    const bool open = ImGui::IsPopupOpen(kLineList);
    if (draw_value_chip(race.look, "race.lines", chip, "lines", chooser_text(race), open,
                        "Which lines have a colour and a name, are thin, or hidden (L)") ||
        take_focus("race.lines"))
        ImGui::OpenPopup(kLineList);
    if (!ImGui::IsPopupOpen(kLineList)) return;
    LineChooser chooser(race, chip);
    if (!begin_menu(race.look, kLineList, chooser.rect())) return;
    chooser.draw();
    end_menu();
}

}  // namespace tilereel

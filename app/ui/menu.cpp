#include "app/ui/menu.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "app/ui/controls.h"
#include "app/ui/scroll_bar.h"
#include "app/ui/widgets.h"
#include "app/ui/wrap_text.h"

namespace tilereel {
namespace {

constexpr double kTypeAheadSeconds = 1.2;  // after such a pause, a new search text starts
constexpr float kDetailLeading = 1.4f;  // line height of a detail, as a multiple of the font size
constexpr std::size_t kNoRow = static_cast<std::size_t>(-1);

// The state of the open menu. At most one is open.
struct OpenMenu {
    std::size_t row = kNoRow;  // the row that Enter chooses
    float scroll = 0;          // pixels
    bool show_row = false;     // scroll so that the row is visible
    std::string name, typed;
    std::string typed_row;  // title of the last `typed` row that was selected automatically
    double typed_at = 0;
    ImVec2 mouse{};
};
OpenMenu g_menu;

// The nearest row that can be chosen, starting at `row` in this direction. Returns `row` if there
// is none.
std::size_t selectable(std::span<const MenuRow> rows, std::size_t row, int direction) {
    for (std::size_t at = row; at < rows.size(); at += static_cast<std::size_t>(direction))
        if (!rows[at].heading) return at;
    return row;
}

class Menu {
  public:
    Menu(const Look& look, std::string_view name, const Rect& chip, std::span<const MenuRow> rows,
         const MenuKeys& keys)
        : look_(look), name_(name), rows_(rows), keys_(keys) {
        px_ = look.font_px(15);
        detail_px_ = look.font_px(13);
        lay_out(chip);
    }

    // Draws the contents of the popup. Returns the chosen row, or row -1.
    MenuChoice draw() {
        if (ImGui::IsWindowAppearing()) open();
        go_to_typed_row();
        MenuChoice chosen = take_keys();
        scroll();
        const Clip clip(body_);
        const ImVec2 mouse = ImGui::GetIO().MousePos;
        const bool moved = mouse.x != g_menu.mouse.x || mouse.y != g_menu.mouse.y;
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const MenuChoice clicked = draw_row(i, moved);
            if (clicked.row >= 0) chosen = clicked;
        }
        g_menu.mouse = mouse;
        if (chosen.row >= 0 && !keys_.stays) ImGui::CloseCurrentPopup();
        return chosen;
    }

    [[nodiscard]] const Rect& rect() const { return rect_; }

  private:
    void lay_out(const Rect& chip) {
        const ImVec2 screen = ImGui::GetIO().DisplaySize;
        const float gap = look_.gap();
        pad_ = look_.wide();
        bool details = false;
        float width = chip.w;
        for (const MenuRow& row : rows_) {
            details |= !row.detail.empty();
            float actions = 0;
            for (const MenuAction& action : row.actions) actions += action_width(action);
            action_ = std::max(action_, actions);
            const float title = text_width(row.title, Face::kSemiBold, px_) +
                                text_width(row.value, Face::kMono, px_);
            width = std::max(width, title + sample_width(row) + (row.value.empty() ? 3 : 5) * pad_);
        }
        width += action_;
        if (details) width = std::max(width, look_.px(560) * std::sqrt(look_.text));
        width = std::min(width, screen.x - 2 * gap);
        detail_width_ = width - 4 * pad_;
        length_ = 0;
        for (const MenuRow& row : rows_) {
            tops_.push_back(length_);
            length_ += height_of(row);
        }
        const float below = screen.y - chip.bottom() - look_.wide(), above = chip.y - look_.wide();
        rect_ = {chip.x, chip.bottom() + look_.tight(), width,
                 std::min(length_ + gap, std::max(below, above))};
        if (rect_.h > below) rect_.y = chip.y - look_.tight() - rect_.h;  // opens upwards
        rect_.x = std::clamp(rect_.x, 0.0f, std::max(0.0f, screen.x - rect_.w - gap));
        body_ = {rect_.x, rect_.y + gap / 2, rect_.w, rect_.h - gap};
    }

    [[nodiscard]] float action_width(const MenuAction& action) const {
        return button_width(look_, action.label, 20) + look_.tight();
    }
    [[nodiscard]] float sample_width(const MenuRow& row) const { return row.sample ? 3 * px_ : 0; }

    [[nodiscard]] float height_of(const MenuRow& row) const {
        const float line = std::max(look_.px(32), std::round(1.9f * px_));
        if (row.heading && row.actions.empty()) return std::round(1.7f * px_);
        if (row.detail.empty()) return line;
        const auto lines = static_cast<float>(
            wrap_text(row.detail, detail_width_, Face::kRegular, detail_px_).size());
        return std::round(1.5f * px_ + lines * kDetailLeading * detail_px_ + look_.pad());
    }

    void open() {
        const auto current = std::ranges::find(rows_, true, &MenuRow::current);
        g_menu = {};
        g_menu.name = name_;
        g_menu.row = current == rows_.end() ? selectable(rows_, 0, +1)
                                            : static_cast<std::size_t>(current - rows_.begin());
        // The current row is centred, so that its neighbours are visible too.
        if (g_menu.row < rows_.size())
            g_menu.scroll = tops_[g_menu.row] + height_of(rows_[g_menu.row]) / 2 - body_.h / 2;
        g_menu.mouse = ImGui::GetIO().MousePos;
    }

    // Selects the row that the caller added because the user typed its title (MenuRow::typed).
    void go_to_typed_row() {
        const auto row = std::ranges::find(rows_, true, &MenuRow::typed);
        if (row == rows_.end() || row->title == g_menu.typed_row) return;
        g_menu.typed_row = row->title;
        go_to(static_cast<std::size_t>(row - rows_.begin()), +1);
    }

    MenuChoice take_keys() {
        claim_keys(name_);
        const std::span<const KeyPress> keys = claimed_keys(name_);
        bool typed = false;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            if (typed && keys[i].key == Key::kEnter) {  // the caller may add the row next
                give_back_keys(keys.subspan(i));
                return {};
            }
            typed |= keys[i].key == Key::kCharacter;
            const std::optional<MenuChoice> end = take(keys[i]);
            if (!end) continue;
            give_back_keys(keys.subspan(i + 1));
            if (end->row < 0) ImGui::CloseCurrentPopup();
            return *end;
        }
        return {};
    }

    // Handles one key. Returns a value if the key closes the menu, with a choice or without.
    std::optional<MenuChoice> take(const KeyPress& press) {
        switch (press.key) {
            case Key::kEnter:
                if (press.repeat || g_menu.row >= rows_.size()) return std::nullopt;
                return MenuChoice{static_cast<int>(g_menu.row), -1, U'\n'};
            case Key::kEscape:
                return MenuChoice{};
            case Key::kTab:
                move_focus(name_, press.shift ? -1 : +1);
                return MenuChoice{};
            case Key::kCharacter:
                if (keys_.keys.find(press.character) != std::u32string_view::npos)
                    return MenuChoice{static_cast<int>(g_menu.row), -1, press.character};
                type(press.character);
                break;
            case Key::kUp:
                go_to(g_menu.row == 0 ? 0 : g_menu.row - 1, -1);
                break;
            case Key::kDown:
                go_to(g_menu.row + 1, +1);
                break;
            case Key::kHome:
                go_to(0, +1);
                break;
            case Key::kEnd:
                go_to(rows_.size() - 1, -1);
                break;
            case Key::kPageUp:
                page(-1);
                break;
            case Key::kPageDown:
                page(+1);
                break;
            default:
                break;
        }
        return std::nullopt;
    }

    void go_to(std::size_t row, int direction) {
        if (rows_.empty() || row >= rows_.size()) return;
        const std::size_t to = selectable(rows_, row, direction);
        if (rows_[to].heading) return;
        g_menu.row = to;
        g_menu.show_row = true;
    }

    // Moves by a page. Two consecutive pages have one row in common.
    void page(int direction) {
        const float step = static_cast<float>(direction) * std::max(px_, body_.h - 2.5f * px_);
        const float aim = tops_[std::min(g_menu.row, rows_.size() - 1)] + step;
        std::size_t to = 0;
        while (to + 1 < rows_.size() && tops_[to + 1] <= aim) ++to;
        go_to(to, direction);
    }

    void type(char32_t character) {
        if (character < 0x20 || character > 0x7e) return;
        if (look_.now_seconds - g_menu.typed_at > kTypeAheadSeconds) g_menu.typed.clear();
        g_menu.typed_at = look_.now_seconds;
        g_menu.typed.push_back(static_cast<char>(character));
        if (const auto row = row_typed(rows_, g_menu.typed, 0)) go_to(*row, +1);
    }

    void scroll() {
        if (std::exchange(g_menu.show_row, false)) {
            const float top = tops_[g_menu.row], bottom = top + height_of(rows_[g_menu.row]);
            g_menu.scroll = std::clamp(g_menu.scroll, bottom - body_.h, top);
        }
        g_menu.scroll = scroll_in(look_, body_, length_, g_menu.scroll, name_ + ".scroll");
    }

    MenuChoice draw_row(std::size_t i, bool mouse_moved) {
        const MenuRow& row = rows_[i];
        const Palette& colors = look_.colors();
        const float y = body_.y + tops_[i] - g_menu.scroll, height = height_of(row);
        const float bar = length_ > body_.h ? look_.px(10) : 0;
        Rect area{rect_.x + look_.tight(), y, rect_.w - look_.gap() - action_ - bar, height};
        if (row.actions.empty()) area.w += action_;
        MenuChoice chosen;
        if (row.heading) {
            draw_heading(row, area);
        } else {
            const Interaction touch = interact(look_, name_ + "." + row.name, area, "");
            if (touch.clicked) chosen = {static_cast<int>(i), -1};
            if (touch.hovered && mouse_moved) g_menu.row = i;
            if (seen_part(area).h <= 0) return chosen;
            if (row.current || g_menu.row == i)
                fill_rect(area,
                          row.current ? colors.accent_tint : mix(colors.raised, colors.ink, 0.1f),
                          look_.px(5));
            if (g_menu.row == i)
                stroke_rect(area.inset(look_.px(0.75f)), colors.accent, look_.frame(), look_.px(5));
            draw_words(row, area);
        }
        float x = area.right();
        for (std::size_t a = 0; a < row.actions.size(); ++a) {
            const MenuAction& action = row.actions[a];
            const float wide = action_width(action);
            const Rect button{x + look_.tight(), y + look_.px(3), wide - look_.tight(),
                              height - look_.snug()};
            x += wide;
            const std::string name =
                name_ + "." + action.name + (row.name.empty() ? "" : "." + row.name);
            if (seen_part(button).h >= button.h &&
                text_button(look_, name, button, action.label, action.on, action.tip))
                chosen = {static_cast<int>(i), static_cast<int>(a)};
        }
        return chosen;
    }

    void draw_heading(const MenuRow& row, const Rect& area) const {
        const Palette& colors = look_.colors();
        register_widget(name_ + ".heading." + row.name, area);
        if (tops_.front() + area.y > body_.y + 1)
            fill_rect({area.x + pad_ / 2, area.y, area.w - pad_, look_.px(1)}, colors.line);
        draw_text_fit({area.x + pad_, area.center().y}, area.w - 2 * pad_, row.title,
                      {Face::kRegular, 0.87f * px_, colors.ink3});
    }

    void draw_words(const MenuRow& row, const Rect& area) const {
        const Palette& colors = look_.colors();
        const bool plain = row.detail.empty();
        const float middle = plain ? area.center().y : area.y + look_.gap() + 0.7f * px_;
        const float left = area.x + pad_ + sample_width(row);
        if (row.sample) row.sample({area.x + pad_, area.y, 2 * px_, area.h});
        const float value = draw_text({area.right() - pad_, middle}, row.value,
                                      {Face::kMono, px_, colors.ink2, Align::kRight});
        draw_text_fit({left, middle}, area.right() - (value > 0 ? 2 : 1) * pad_ - value - left,
                      row.title,
                      value_style(look_, row.title, row.faint ? colors.ink3 : colors.ink));
        const float leading = kDetailLeading * detail_px_;
        draw_lines({area.x + pad_, area.y + look_.gap() + 1.5f * px_ + leading / 2},
                   wrap_text(row.detail, detail_width_, Face::kRegular, detail_px_),
                   {Face::kRegular, detail_px_, colors.ink2}, leading);
    }

    const Look& look_;
    std::string name_;
    std::span<const MenuRow> rows_;
    const MenuKeys& keys_;
    Rect rect_, body_;
    float px_ = 15, detail_px_ = 13, pad_ = 12, action_ = 0, detail_width_ = 0, length_ = 0;
    std::vector<float> tops_;
};

std::string popup_of(std::string_view menu) { return std::string(menu) + ".list"; }

}  // namespace

int choice_chip(const Look& look, std::string_view name, const Rect& rect, std::string_view label,
                std::span<const std::string> choices, int current, std::string_view tip) {
    std::vector<MenuRow> rows;
    for (const std::string& choice : choices)
        rows.push_back(
            {.name = choice, .title = choice, .current = static_cast<int>(rows.size()) == current});
    const bool known = current >= 0 && current < static_cast<int>(choices.size());
    const std::string_view value =
        known ? std::string_view(choices[static_cast<std::size_t>(current)]) : "";
    return menu_chip(look, name, rect, label, value, rows, tip).row;
}

std::string typed_in_menu(std::string_view name) {
    const bool open = ImGui::IsPopupOpen((std::string(name) + ".list").c_str());
    return open && g_menu.name == name ? g_menu.typed : std::string();
}

bool begin_popup(const char* id, const Rect& rect) {
    ImGui::SetNextWindowPos(rect.min());
    ImGui::SetNextWindowSize({rect.w, rect.h});
    return ImGui::BeginPopup(
        id, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings |
                ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
}

bool menu_is_open(const Look& look, std::string_view name, const Rect& rect, std::string_view label,
                  std::string_view value, std::string_view tip) {
    if (measures()) return false;
    const std::string popup = popup_of(name);
    const bool was_open = ImGui::IsPopupOpen(popup.c_str());
    if (draw_value_chip(look, name, rect, label, value, was_open, tip) || take_focus(name))
        ImGui::OpenPopup(popup.c_str());
    return ImGui::IsPopupOpen(popup.c_str());
}

MenuChoice draw_open_menu(const Look& look, std::string_view name, const Rect& chip,
                          std::span<const MenuRow> rows, const MenuKeys& keys) {
    Menu menu(look, name, chip, rows, keys);
    if (!begin_popup(popup_of(name).c_str(), menu.rect())) return {};
    MenuChoice chosen;
    if (rows.empty())
        ImGui::CloseCurrentPopup();
    else
        chosen = menu.draw();
    ImGui::EndPopup();
    return chosen;
}

MenuChoice menu_chip(const Look& look, std::string_view name, const Rect& rect,
                     std::string_view label, std::string_view value, std::span<const MenuRow> rows,
                     std::string_view tip) {
    if (!menu_is_open(look, name, rect, label, value, tip)) return {};
    return draw_open_menu(look, name, rect, rows);
}

}  // namespace tilereel

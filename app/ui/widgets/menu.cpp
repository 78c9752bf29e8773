#include "app/ui/widgets/menu.h"

#include <algorithm>
#include <vector>

#include "app/ui/draw/wrap_text.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/keys.h"
#include "app/ui/widgets/menu_layout.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel {
namespace {

constexpr double kTypeAheadSeconds = 1.2;  // after such a pause, a new search text starts
constexpr std::size_t kNoRow = static_cast<std::size_t>(-1);

// The state of the open menu. At most one is open.
struct OpenMenu {
    std::size_t row = kNoRow;  // the row that Enter chooses
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
        : look_(look), name_(name), rows_(rows), keys_(keys), layout_(look, chip, rows) {}

    bool begin(const char* popup) {
        ImGui::SetNextWindowContentSize({0, layout_.length + look_.gap()});
        return begin_popup(popup, layout_.rect, true);
    }

    // Draws the contents of the popup. Returns the chosen row, or row -1.
    MenuChoice draw() {
        if (ImGui::IsWindowAppearing()) open();
        go_to_typed_row();
        MenuChoice chosen = take_keys();
        if (ImGui::GetScrollMaxY() > 0) register_widget(name_ + ".scroll", layout_.body);
        const Clip clip(layout_.body);
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

  private:
    void open() {
        const auto current = std::ranges::find(rows_, true, &MenuRow::current);
        g_menu = {};
        g_menu.name = name_;
        g_menu.row = current == rows_.end() ? selectable(rows_, 0, +1)
                                            : static_cast<std::size_t>(current - rows_.begin());
        // The current row is centred, so that its neighbours are visible too.
        if (g_menu.row < rows_.size())
            ImGui::SetScrollY(layout_.tops[g_menu.row] + layout_.height_of(rows_[g_menu.row]) / 2 -
                              layout_.body.h / 2);
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

    // Handles one key. Returns a value if the key chooses a row (row >= 0) or closes the menu
    // without a choice (row -1).
    std::optional<MenuChoice> take(const KeyPress& press) {
        const Key key = press.key;
        const bool chooses = keys_.keys.find(press.character) != std::u32string_view::npos;
        if (key == Key::kEscape) return MenuChoice{};
        if (key == Key::kTab || key == Key::kLeft || key == Key::kRight) {
            move_focus(name_, press.shift || key == Key::kLeft ? -1 : +1);
            return MenuChoice{};
        }
        if (key == Key::kEnter && !press.repeat && g_menu.row < rows_.size())
            return MenuChoice{static_cast<int>(g_menu.row), -1, U'\n'};
        if (key == Key::kCharacter && chooses)
            return MenuChoice{static_cast<int>(g_menu.row), -1, press.character};
        if (key == Key::kCharacter) type(press.character);
        if (key == Key::kUp) go_to(g_menu.row == 0 ? 0 : g_menu.row - 1, -1);
        if (key == Key::kDown) go_to(g_menu.row + 1, +1);
        if (key == Key::kHome) go_to(0, +1);
        if (key == Key::kEnd) go_to(rows_.size() - 1, -1);
        if (key == Key::kPageUp) page(-1);
        if (key == Key::kPageDown) page(+1);
        return std::nullopt;
    }

    void go_to(std::size_t row, int direction) {
        if (rows_.empty() || row >= rows_.size()) return;
        const std::size_t to = selectable(rows_, row, direction);
        if (rows_[to].heading) return;
        g_menu.row = to;
        const float top = layout_.tops[to], bottom = top + layout_.height_of(rows_[to]);
        ImGui::SetScrollY(std::clamp(ImGui::GetScrollY(), bottom - layout_.body.h, top));
    }

    // Moves by a page. Two consecutive pages have one row in common.
    void page(int direction) {
        const float step = static_cast<float>(direction) *
                           std::max(layout_.px, layout_.body.h - 2.5f * layout_.px);
        const float aim = layout_.tops[std::min(g_menu.row, rows_.size() - 1)] + step;
        std::size_t to = 0;
        while (to + 1 < rows_.size() && layout_.tops[to + 1] <= aim) ++to;
        go_to(to, direction);
    }

    void type(char32_t character) {
        if (character < 0x20 || character > 0x7e) return;
        if (look_.now_seconds - g_menu.typed_at > kTypeAheadSeconds) g_menu.typed.clear();
        g_menu.typed_at = look_.now_seconds;
        g_menu.typed.push_back(static_cast<char>(character));
        if (const auto row = row_typed(rows_, g_menu.typed)) go_to(*row, +1);
    }

    MenuChoice draw_row(std::size_t i, bool mouse_moved) {
        const MenuRow& row = rows_[i];
        const Palette& colors = look_.colors();
        const float y = layout_.body.y + layout_.tops[i] - ImGui::GetScrollY(),
                    height = layout_.height_of(row);
        const float bar = ImGui::GetScrollMaxY() > 0 ? look_.px(10) : 0;
        Rect area{layout_.rect.x + look_.tight(), y,
                  layout_.rect.w - look_.gap() - layout_.actions - bar, height};
        if (row.actions.empty()) area.w += layout_.actions;
        MenuChoice chosen;
        if (row.heading) {
            draw_heading(row, area);
        } else {
            const Interaction touch =
                interact(look_, name_ + "." + row.name, area, "", [](ImVec2 size) {
                    return ImGui::Selectable("##row", false, ImGuiSelectableFlags_DontClosePopups,
                                             size);
                });
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
            const float wide = layout_.action_width(action);
            const float line = std::min(height, layout_.line_height());
            const Rect button{x + look_.tight(), y + (height - line) / 2 + look_.px(3),
                              wide - look_.tight(), line - look_.snug()};
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
        if (layout_.tops.front() + area.y > layout_.body.y + 1)
            fill_rect({area.x + layout_.pad / 2, area.y, area.w - layout_.pad, look_.line()},
                      colors.line);
        draw_text_fit({area.x + layout_.pad, area.center().y}, area.w - 2 * layout_.pad, row.title,
                      {Face::kRegular, 0.87f * layout_.px, colors.ink3});
    }

    void draw_words(const MenuRow& row, const Rect& area) const {
        const Palette& colors = look_.colors();
        const bool plain = row.detail.empty();
        const float middle = plain ? area.center().y : area.y + look_.gap() + 0.7f * layout_.px;
        const float left = area.x + layout_.pad + layout_.sample_width(row);
        if (row.sample) row.sample({area.x + layout_.pad, area.y, 2 * layout_.px, area.h});
        const float value = draw_text({area.right() - layout_.pad, middle}, row.value,
                                      {Face::kMono, layout_.px, colors.ink2, Align::kRight});
        draw_text_fit({left, middle},
                      area.right() - (value > 0 ? 2 : 1) * layout_.pad - value - left, row.title,
                      value_style(look_, row.title, row.faint ? colors.ink3 : colors.ink));
        const float leading = kMenuDetailLeading * layout_.detail_px;
        draw_lines({area.x + layout_.pad, area.y + look_.gap() + 1.5f * layout_.px + leading / 2},
                   wrap_text(row.detail, layout_.detail_width, Face::kRegular, layout_.detail_px),
                   {Face::kRegular, layout_.detail_px, colors.ink2}, leading);
    }

    const Look& look_;
    std::string name_;
    std::span<const MenuRow> rows_;
    const MenuKeys& keys_;
    MenuLayout layout_;
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
    const bool open = ImGui::IsPopupOpen(popup_of(name).c_str());
    return open && g_menu.name == name ? g_menu.typed : std::string();
}

bool begin_popup(const char* id, const Rect& rect, bool scrolls) {
    ImGui::SetNextWindowPos(rect.min());
    ImGui::SetNextWindowSize({rect.w, rect.h});
    return ImGui::BeginPopup(
        id, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings |
                (scrolls ? 0 : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse));
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

void open_menu(std::string_view name) { ImGui::OpenPopup(popup_of(name).c_str()); }

bool menu_shows(std::string_view name) { return ImGui::IsPopupOpen(popup_of(name).c_str()); }

MenuChoice draw_open_menu(const Look& look, std::string_view name, const Rect& chip,
                          std::span<const MenuRow> rows, const MenuKeys& keys) {
    Menu menu(look, name, chip, rows, keys);
    if (!menu.begin(popup_of(name).c_str())) return {};
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

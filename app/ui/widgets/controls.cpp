// Chips, the Tab order of the chips, and the chip with three number fields.
#include "app/ui/widgets/controls.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "app/ui/fonts/utf8.h"
#include "app/ui/widgets/text_edit.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel {
namespace {

struct TabOrder {
    std::vector<std::string> controls;
    std::string wanted;    // the control that gets the keyboard focus next
    int wanted_frame = 0;  // the frame in which it was requested
    std::string button;    // the button that has the focus; empty: none
    int button_frame = 0;  // the frame in which it was drawn last
};
TabOrder g_tabs;

bool is_figure(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

constexpr std::array<const char*, 3> kFields = {".m", ".n", ".k"};

// The chip that is being edited. All three numbers are committed together when the chip loses the
// focus.
struct Editing {
    std::string chip;
    std::size_t field = 0;
    std::array<std::string, 3> typed;
    TextEdit edit;
    int drawn_frame = 0;

    void open(std::size_t to) {
        typed[field] = edit.text();
        field = to;
        edit.begin(typed[to]);
    }
};
std::optional<Editing> g_editing;

// Ends the edit. A field that was left empty keeps its old value.
TypedExtents commit(int values[3]) {
    Editing done = *std::exchange(g_editing, std::nullopt);
    done.typed[done.field] = done.edit.text();
    TypedExtents typed;
    std::array<int, 3> numbers{};
    for (std::size_t i = 0; i < 3; ++i) {
        const std::string_view text = trimmed(done.typed[i]);
        const std::optional<int> number = text.empty() ? values[i] : whole_number<int>(text);
        if (!number) {
            typed.refused = text;
            typed.field = i;
            return typed;
        }
        numbers[i] = *number;
    }
    typed.committed = !std::equal(numbers.begin(), numbers.end(), values);
    std::copy(numbers.begin(), numbers.end(), values);
    return typed;
}

void begin_edit(std::string_view chip, std::size_t field, const int values[3]) {
    Editing& editing = g_editing.emplace();
    editing.chip = chip;
    editing.field = field;
    for (std::size_t i = 0; i < 3; ++i) editing.typed[i] = std::to_string(values[i]);
    editing.edit.begin(editing.typed[field]);
}

// Draws the field that is being edited. It is as wide as its text needs and may cover its
// neighbours.
std::optional<EditEnd> draw_edited(const Look& look, Rect rect, std::string_view chip) {
    const Palette& colors = look.colors();
    TextEdit& edit = g_editing->edit;
    const TextStyle style{Face::kMono, look.font_px(15), colors.ink};
    const float pad = look.tight(), screen = ImGui::GetIO().DisplaySize.x;
    rect.w = std::max(rect.w, text_width(edit.text(), style) + 3 * pad);
    rect.w = std::min(rect.w, screen - pad);
    rect.x = std::min(rect.x, screen - pad - rect.w);
    const std::string_view text = trimmed(edit.text());
    const bool wrong = !text.empty() && text != "-" && !whole_number<int>(text);
    const Rect box{rect.x, rect.y + look.px(3), rect.w, rect.h - look.snug()};
    draw_box(box, colors.raised, wrong ? colors.conflict : colors.accent, look.frame(), look.px(4));
    return edit.draw(chip, {rect.x + pad, rect.y, rect.w - 2 * pad, rect.h}, style,
                     ArrowsAtEnds::kLeave);
}

float caption_width(const Look& look, std::string_view label) {
    return label.empty() ? 0 : text_width(label, Face::kRegular, look.font_px(14)) + look.px(9);
}

// The box of a chip. It is drawn in the accent colour while its list is open or it is being edited.
void draw_chip(const Look& look, const Rect& rect, bool hovered, bool open) {
    const Palette& colors = look.colors();
    fill_rect(rect, hovered ? mix(colors.raised, colors.ink, 0.08f) : colors.raised, look.corner());
    if (open) stroke_rect(rect, colors.accent, look.frame(), look.corner());
}

// Draws the caption at the left of a chip. Returns the x position at which the value starts.
float draw_caption(const Look& look, const Rect& rect, std::string_view label) {
    const float left = rect.x + look.wide();
    if (label.empty()) return left;
    return left + look.px(9) +
           draw_text({left, rect.center().y}, label,
                     {Face::kRegular, look.font_px(14), look.colors().ink3});
}

}  // namespace

float value_chip_width(const Look& look, std::string_view label, std::string_view value) {
    return caption_width(look, label) + button_width(look, value, look.narrow ? 26 : 34);
}

float extents_chip_width(const Look& look, std::size_t digits) {
    const float figures =
        static_cast<float>(3 * digits) * text_width("0", Face::kMono, look.font_px(15));
    return caption_width(look, "M N K") + figures + look.px(3 * 12 + 16);
}

TextStyle value_style(const Look& look, std::string_view value, ImU32 color) {
    return {is_figure(value) ? Face::kMono : Face::kSemiBold, look.font_px(15), color};
}

bool draw_value_chip(const Look& look, std::string_view name, const Rect& rect,
                     std::string_view label, std::string_view value, bool open,
                     std::string_view tip) {
    const Interaction touch = interact(look, name, rect, tip);
    draw_chip(look, rect, touch.hovered, open);
    const float left = draw_caption(look, rect, label);
    draw_text_fit({left, rect.center().y}, rect.right() - look.gap() - left, value,
                  value_style(look, value, look.colors().ink));
    return touch.clicked;
}

void set_tab_order(std::vector<std::string> controls) { g_tabs.controls = std::move(controls); }

void focus_control(std::string_view control) {
    g_tabs.wanted = control;
    g_tabs.wanted_frame = ImGui::GetFrameCount();
    claim_keys(control, KeysOf::kWaiting);  // until the control takes the focus
}

void focus_first_control() {
    if (!g_tabs.controls.empty()) focus_control(g_tabs.controls.front());
}

const std::string& wanted_control() { return g_tabs.wanted; }

bool pressed_by_key(const Look& look, std::string_view name, const Rect& rect) {
    if (measures()) return false;
    const int frame = ImGui::GetFrameCount();
    if (take_focus(name)) {
        g_tabs.button = name;
        g_tabs.button_frame = frame;
    }
    if (g_tabs.button != name) return false;
    const bool lost = frame - g_tabs.button_frame > 1 || ImGui::IsMouseClicked(0);
    g_tabs.button_frame = frame;
    if (lost) g_tabs.button.clear();
    if (lost) return false;
    stroke_rect(rect, look.colors().accent, look.frame(), look.corner());
    claim_keys(name);
    const std::span<const KeyPress> keys = claimed_keys(name);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const Key key = keys[i].key;
        const bool on =
            key == Key::kRight || key == Key::kDown || (key == Key::kTab && !keys[i].shift);
        const bool back =
            key == Key::kLeft || key == Key::kUp || (key == Key::kTab && keys[i].shift);
        const bool presses =
            key == Key::kEnter || (key == Key::kCharacter && keys[i].character == U' ');
        if (presses && keys[i].repeat) continue;
        g_tabs.button.clear();
        drop_claim(name);
        // A key without a meaning for the button goes on to the window.
        give_back_keys(keys.subspan(on || back || presses || key == Key::kEscape ? i + 1 : i));
        if (on || back) move_focus(name, on ? 1 : -1);
        return presses;
    }
    return false;
}

void move_focus(std::string_view control, int direction) {
    const std::vector<std::string>& all = g_tabs.controls;
    const auto here = std::find(all.begin(), all.end(), control);
    if (here == all.end()) return;
    const std::ptrdiff_t to = here - all.begin() + direction;
    if (to >= 0 && to < static_cast<std::ptrdiff_t>(all.size()))
        focus_control(all[static_cast<std::size_t>(to)]);
}

bool focus_wanted() { return !g_tabs.wanted.empty(); }

bool take_focus(std::string_view control) {
    // A control that is not drawn never takes the focus, so the request expires after one frame.
    if (ImGui::GetFrameCount() - g_tabs.wanted_frame > 1) g_tabs.wanted.clear();
    if (g_tabs.wanted != control) return false;
    g_tabs.wanted.clear();
    return true;
}

TypedExtents extents_chip(const Look& look, std::string_view name, const Rect& rect, int values[3],
                          std::string_view tip) {
    register_widget(name, rect);
    const bool hovered = ImGui::IsMouseHoveringRect(rect.min(), rect.max());
    const auto editing = [&] { return g_editing && g_editing->chip == name; };
    // A chip that was not drawn in the previous frame loses its edit.
    const int frame = ImGui::GetFrameCount();
    if (editing() && frame != g_editing->drawn_frame + 1) g_editing.reset();
    draw_chip(look, rect, hovered, editing());
    const float left = draw_caption(look, rect, "M N K") - look.tight();
    interact(look, std::string(name) + ".caption", {rect.x, rect.y, left - rect.x, rect.h}, tip);
    const float width = (rect.right() - look.tight() - left) / 3;
    std::array<Rect, 3> fields;
    std::optional<std::size_t> clicked;
    for (std::size_t i = 0; i < 3; ++i) {
        fields[i] = {std::round(left + static_cast<float>(i) * width), rect.y, std::round(width),
                     rect.h};
        const std::string field = std::string(name) + kFields[i];
        if (editing() && g_editing->field == i)
            register_widget(field, fields[i]);
        else if (interact(look, field, fields[i], "").held && ImGui::IsMouseClicked(0))
            clicked = i;
        if (take_focus(field)) clicked = i;
    }
    if (clicked && !editing())
        begin_edit(name, *clicked, values);
    else if (clicked)
        g_editing->open(*clicked);
    const TextStyle style{Face::kMono, look.font_px(15), look.colors().ink};
    for (std::size_t i = 0; i < 3; ++i) {
        if (editing() && g_editing->field == i) continue;
        const std::string text = editing() ? g_editing->typed[i] : std::to_string(values[i]);
        draw_text_fit({fields[i].x + look.tight(), rect.center().y}, fields[i].w - look.snug(),
                      text, style);
    }
    if (!editing()) return {};
    const std::size_t now = g_editing->field;
    const bool beside = ImGui::IsMouseClicked(0) && !clicked &&
                        !ImGui::IsMouseHoveringRect(fields[now].min(), fields[now].max());
    g_editing->drawn_frame = frame;
    std::optional<EditEnd> end = draw_edited(look, fields[now], name);
    if (beside) end = EditEnd::kEnter;
    TypedExtents typed;
    if (end == EditEnd::kEscape) {
        g_editing.reset();
    } else if (end == EditEnd::kTab && now < 2) {
        g_editing->open(now + 1);
    } else if (end == EditEnd::kBackTab && now > 0) {
        g_editing->open(now - 1);
    } else if (end) {
        typed = commit(values);
        // Up and Down leave all three fields.
        const bool on = end == EditEnd::kTab || end == EditEnd::kDown;
        if (end != EditEnd::kEnter && typed.refused.empty())
            move_focus(std::string(name) + (on ? kFields.back() : kFields.front()), on ? +1 : -1);
    }
    return typed;
}

}  // namespace tilereel

// The layout of the array's rows: length, padding, XOR swizzle, and the smallest padding without
// conflicts.
#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include "app/panels/patterns/pattern_views.h"
#include "app/ui/controls.h"
#include "app/ui/slider.h"

namespace tilereel {
namespace {

constexpr int kMostPad = 32;  // elements; a larger PAD only repeats the bank pattern
constexpr std::array<std::int64_t, 8> kRowLengths = {8, 16, 32, 33, 64, 128, 256, 1024};
constexpr std::array<std::int64_t, 4> kUnits = {1, 2, 4, 8};

// Draws a menu of numbers. Returns the number chosen in this frame, or nullopt.
template <std::size_t Count>
std::optional<std::int64_t> number_menu(const PatternContext& lab, const char* name,
                                        const Rect& place,
                                        const std::array<std::int64_t, Count>& offered,
                                        std::int64_t now, const char* tip) {
    std::vector<std::int64_t> values(offered.begin(), offered.end());
    if (std::ranges::find(values, now) == values.end()) values.push_back(now);
    std::ranges::sort(values);
    std::vector<std::string> labels;
    for (const std::int64_t value : values) labels.push_back(std::to_string(value));
    const auto current = static_cast<int>(std::ranges::find(values, now) - values.begin());
    const int chosen = choice_chip(lab.look, name, place, "", labels, current, tip);
    if (chosen < 0) return std::nullopt;
    return values[static_cast<std::size_t>(chosen)];
}

// A slider with its value at the left. Returns true when the value was changed.
bool figured_slider(const PatternContext& lab, const Rect& place, const char* name,
                    const std::string& figure, int& value, int most, const char* tip) {
    const float px = lab.look.font_px(15);
    const float figures = 3 * text_width("0", Face::kMonoBold, px);
    draw_text({place.x, place.center().y}, figure, {Face::kMonoBold, px, lab.colors().ink});
    return whole_slider(lab.look, name, {place.x + figures, place.y, place.w - figures, place.h},
                        value, 0, most, tip);
}

void draw_rows(const PatternContext& lab, PatternRow& row, PatternQuestion next) {
    RowLayout& layout = next.layout;
    const float menu = text_width("1024", Face::kSemiBold, lab.look.font_px(15)) + lab.look.px(40);
    const float slider = lab.look.px(200) + 4 * extra_px(lab.look);
    const Rect length = row.next("row length", menu);
    const Rect pad = row.next("PAD: unused elements a row", slider);
    const Rect swizzle = row.next("XOR swizzle: rows", slider);
    const Rect unit = row.next("unit", menu);
    if (const auto chosen = number_menu(lab, "patterns.row", length, kRowLengths, layout.row,
                                        "Elements of a row; PAD and swizzle move rows")) {
        layout.row = *chosen;
        lab.ask(next);
    }
    int padding = static_cast<int>(std::min<std::int64_t>(layout.pad, kMostPad));
    if (figured_slider(lab, pad, "patterns.pad", std::to_string(layout.pad), padding, kMostPad,
                       "Unused elements at the end of each row (Left, Right)")) {
        layout.pad = padding;
        lab.ask(next);
    }
    const auto power = [](std::int64_t value) {
        return std::countr_zero(static_cast<std::uint64_t>(value));
    };
    int exponent = power(layout.swizzle);
    const int most = std::max(power(largest_swizzle(layout)), 0);
    if (most == 0) {
        draw_text_fit({swizzle.x, swizzle.center().y}, swizzle.w, "rows of 2, 4, 8 ... only",
                      {Face::kRegular, lab.type(14), lab.colors().ink3});
    } else if (figured_slider(lab, swizzle, "patterns.swizzle",
                              layout.swizzle == 1 ? "off" : std::to_string(layout.swizzle),
                              exponent, most,
                              "Element x of row y lies at x ^ (y % rows * unit) (Up, Down)")) {
        layout.swizzle = std::int64_t{1} << exponent;
        lab.ask(next);
    }
    if (const auto chosen = number_menu(lab, "patterns.unit", unit, kUnits, layout.swizzle_unit,
                                        "Elements that a swizzle keeps together")) {
        layout.swizzle_unit = *chosen;
        lab.ask(next);
    }
}

// Shows the smallest PAD without conflicts. A click sets PAD to it.
void draw_least_pad(const PatternContext& lab, PatternRow& row) {
    const std::optional<std::int64_t>& pad = lab.answer().least_pad;
    const std::string label = !lab.shared() ? "shared memory only"
                              : pad         ? "PAD " + std::to_string(*pad)
                                            : "none";
    const float px = lab.look.font_px(15);
    const float wide = text_width("shared memory only", Face::kSemiBold, px);
    const Rect place = row.next("least padding without conflicts",
                                std::max(wide + lab.look.margin(), 15 * lab.type(13)));
    const bool on = pad && lab.shared() && lab.lab.question().layout.pad == *pad;
    if (!lab.shared() || !pad) {
        draw_text({place.x, place.center().y}, label, {Face::kRegular, px, lab.colors().ink3});
        register_widget("patterns.least_pad", place);
        return;
    }
    if (!text_button(lab.look, "patterns.least_pad", place, label, on,
                     "The least PAD with which no warp of the block has a conflict: takes it"))
        return;
    PatternQuestion next = lab.lab.question();
    next.layout.pad = *pad;
    lab.ask(next);
}

}  // namespace

void add_pattern_layout(const PatternContext& lab, PatternRow& row) {
    draw_rows(lab, row, lab.lab.question());
    draw_least_pad(lab, row);
}

}  // namespace tilereel

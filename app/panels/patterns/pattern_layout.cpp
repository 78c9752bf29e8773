// The layout of the array's rows: length, padding, XOR swizzle, and the smallest padding without
// conflicts.
#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <set>
#include <string>

#include "app/panels/patterns/pattern_views.h"
#include "app/workbench/view/pattern_keys.h"
#include "instrumentation/analysis/cost/matrix_loads.h"

namespace tilereel {
namespace {

// The slider's largest PAD, in elements. With elements of 4 bytes or more, a larger PAD only
// repeats the bank pattern.
constexpr int kMostPad = 32;
constexpr int kMostSteps = 8;  // of 16 bytes, for matrices
constexpr std::array<std::int64_t, 8> kRowLengths = {8, 16, 32, 33, 64, 128, 256, 1024};
constexpr std::array<std::int64_t, 4> kUnits = {1, 2, 4, 8};

// A menu of numbers. Returns the number chosen in this frame.
std::optional<std::int64_t> number_chosen(PatternRow& row, const char* caption, const char* name,
                                          std::span<const std::int64_t> offered, std::int64_t now,
                                          const char* tip) {
    std::set<std::int64_t> values(offered.begin(), offered.end());
    values.insert(now);
    std::vector<std::string> labels;
    for (const std::int64_t value : values) labels.push_back(std::to_string(value));
    const auto current = std::distance(values.begin(), values.find(now));
    const auto chosen = row.menu(caption, name, labels, static_cast<std::size_t>(current), tip);
    if (!chosen) return std::nullopt;
    return *std::next(values.begin(), static_cast<std::ptrdiff_t>(*chosen));
}

int log2_of(std::int64_t value) { return std::countr_zero(static_cast<std::uint64_t>(value)); }

void draw_rows(const PatternContext& lab, PatternRow& row, PatternQuestion next) {
    const RowLayout now = next.layout;
    RowLayout& layout = next.layout;
    const std::int64_t step = pad_step(next.operation, next.width_bytes);
    const CuteLayout* const of_text = lab.answer().pattern.index.layout();
    if (of_text != nullptr && row_length(*of_text)) {
        const TextStyle style{Face::kMonoBold, lab.look.font_px(15), lab.colors().ink};
        const std::string words = std::to_string(now.row);
        const Rect place = row.next("row length", text_width(words, style));
        draw_text({place.x, place.center().y}, words, style);
    } else if (const auto chosen =
                   number_chosen(row, "row length", "patterns.row", kRowLengths, now.row,
                                 "Elements of a row; PAD and swizzle move rows"))
        layout.row = *chosen;
    const int most_steps = step > 1 ? kMostSteps : kMostPad;
    int steps = static_cast<int>(std::min<std::int64_t>(now.pad / step, most_steps));
    if (row.slider("PAD: unused elements a row", "patterns.pad", std::to_string(now.pad), steps,
                   most_steps, "Unused elements at the end of each row (Left, Right)"))
        layout.pad = steps * step;
    int exponent = log2_of(now.swizzle);
    const int most = std::max(log2_of(largest_swizzle(now)), 0);
    if (most == 0) {
        const TextStyle style{Face::kRegular, lab.type(14), lab.colors().ink3};
        const char* const words = "rows of 2, 4, 8 ... only";
        const Rect place = row.next("XOR swizzle: rows", text_width(words, style));
        draw_text({place.x, place.center().y}, words, style);
    } else if (row.slider("XOR swizzle: rows", "patterns.swizzle",
                          now.swizzle == 1 ? "off" : std::to_string(now.swizzle), exponent, most,
                          "Element x of row y lies at x ^ (y % rows * unit) (Up, Down)")) {
        layout.swizzle = std::int64_t{1} << exponent;
    }
    if (const auto chosen = number_chosen(row, "unit", "patterns.unit", kUnits, now.swizzle_unit,
                                          "Elements that a swizzle keeps together"))
        layout.swizzle_unit = *chosen;
    if (layout != now) lab.ask(next);
}

// What takes all conflicts away.
struct Remedy {
    const char *caption, *name, *tip;
    std::string label;
    bool exists = false, chosen = false;
};

// Shows the remedy. Returns true when it was clicked.
bool draw_remedy(const PatternContext& lab, PatternRow& row, const Remedy& remedy) {
    const float px = lab.look.font_px(15);
    const float wide = std::max(text_width("shared memory only", Face::kSemiBold, px),
                                text_width(remedy.label, Face::kSemiBold, px));
    const Rect place =
        row.next(remedy.caption, std::max(wide + lab.look.margin(), 15 * lab.type(13)));
    if (remedy.exists)
        return text_button(lab.look, remedy.name, place, remedy.label, remedy.chosen, remedy.tip);
    draw_text({place.x, place.center().y}, remedy.label, {Face::kRegular, px, lab.colors().ink3});
    register_widget(remedy.name, place);
    return false;
}

void draw_least_pad(const PatternContext& lab, PatternRow& row) {
    const std::optional<std::int64_t>& pad = lab.answer().least_pad;
    const bool exists = lab.shared() && pad;
    if (!draw_remedy(lab, row,
                     {.caption = "least padding without conflicts",
                      .name = "patterns.least_pad",
                      .tip = "Set PAD to the least value with which no request has a conflict (P)",
                      .label = !lab.shared() ? "shared memory only"
                               : pad         ? "PAD " + std::to_string(*pad)
                                             : "none",
                      .exists = exists,
                      .chosen = exists && lab.lab.question().layout.pad == *pad}))
        return;
    if (const auto padded = with_least_pad(lab.lab)) lab.ask(*padded);
}

void draw_least_swizzle(const PatternContext& lab, PatternRow& row) {
    if (!lab.shared()) return;
    const std::optional<CuteSwizzle>& swizzle = lab.answer().least_swizzle;
    const bool exists = swizzle && swizzle->bits > 0;
    if (!draw_remedy(lab, row,
                     {.caption = "least swizzle without conflicts",
                      .name = "patterns.least_swizzle",
                      .tip = "Swizzle the layout without PAD, by the fewest bits with which no "
                             "request has a conflict (L)",
                      .label = !swizzle             ? "none"
                               : swizzle->bits == 0 ? "not needed"
                                                    : swizzle_text(*swizzle),
                      .exists = exists,
                      .chosen = exists && lab.answer().pattern.index.swizzle() == *swizzle}))
        return;
    if (const auto swizzled = with_least_swizzle(lab.lab)) lab.ask(*swizzled);
}

}  // namespace

void add_pattern_layout(const PatternContext& lab, PatternRow& row) {
    draw_rows(lab, row, lab.lab.question());
    draw_least_pad(lab, row);
    draw_least_swizzle(lab, row);
}

}  // namespace tilereel

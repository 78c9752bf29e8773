#include "app/panels/inspector/kernel_counts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace tilereel {
namespace {

constexpr double kFlashSeconds = 0.4;

std::string short_number(double value) {
    std::array<char, 32> text{};
    if (value >= 99.95)
        std::snprintf(text.data(), text.size(), "%.0f", value);
    else
        std::snprintf(text.data(), text.size(), "%.1f", value);
    std::string out = text.data();
    if (out.ends_with(".0")) out.resize(out.size() - 2);
    return out;
}

std::string with_two_places(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.2f", value);
    return text.data();
}

// FLOP per byte read from global memory. The untiled kernels have 0.25, as in the textbooks.
double flop_per_byte_read(const KernelCounts& counts) {
    const std::uint64_t bytes = counts.global_load.bytes_requested;
    return bytes == 0 ? 0 : static_cast<double>(counts.flop()) / static_cast<double>(bytes);
}

bool is_pad_pair(const std::string& before_label) { return before_label.starts_with("PAD"); }

int importance_of(const KernelFigure& figure, bool pad_pair) {
    return pad_pair ? figure.importance_of_pad : figure.importance;
}

CountsRow row_of(const KernelFigure& figure, const CountsColumn& before,
                 const KernelCounts& after) {
    CountsRow row;
    row.label = figure.label;
    const bool has_before = !before.label.empty();
    if (figure.get == nullptr) {
        const double was = flop_per_byte_read(before.counts), is = flop_per_byte_read(after);
        row.before = with_two_places(was);
        row.after = with_two_places(is);
        row.difference = difference_of(was, is, false);
    } else {
        const std::uint64_t was = figure.get(before.counts), is = figure.get(after);
        row.before = with_commas(was);
        row.after = with_commas(is);
        row.difference = difference_of(static_cast<double>(was), static_cast<double>(is), true);
        row.conflict_before = figure.conflicts && was > 0;
        row.conflict_after = figure.conflicts && is > 0;
    }
    if (!has_before) {
        row.before.clear();
        row.difference = {};
    }
    return row;
}

struct Columns {
    float before_right, after_right, label_width, px;
};

// The number columns are as wide as their text needs; the label column gets the rest.
Columns columns_of(const Look& look, const CountsPlace& place, const std::vector<CountsRow>& rows) {
    Columns columns{};
    for (columns.px = place.px; columns.px > look.px(9); columns.px -= 1) {
        const float before = widest(rows, Face::kMono, columns.px, &CountsRow::before);
        float after = widest(rows, Face::kMonoBold, columns.px, &CountsRow::after);
        float difference = widest(rows, Face::kMono, columns.px,
                                  [](const CountsRow& row) { return row.difference.text; });
        const float label =
            place.stacked ? 0 : widest(rows, Face::kRegular, columns.px, &CountsRow::label);
        const float gap = columns.px;
        // Each column has a fixed share of the width, or more if its numbers need it.
        difference = std::max(difference + gap, 0.21f * place.rect.w);
        after = std::max(after + gap, 0.19f * place.rect.w);
        columns.after_right = place.rect.w - difference;
        columns.before_right = columns.after_right - after;
        columns.label_width = columns.before_right - before - 0.6f * gap;
        if (columns.label_width >= label) break;
        columns.after_right = place.rect.w - std::max(difference - gap, 2 * gap) - 0.6f * gap;
        columns.before_right = columns.after_right - (after - 0.15f * gap);
        columns.label_width = columns.before_right - before - 0.6f * gap;
        if (columns.label_width >= label) break;
    }
    return columns;
}

// "08" for "08 tiled_b_transposed". A name without a number is returned unchanged.
std::string number_of_kernel(const std::string& name) {
    const bool numbered =
        name.size() > 2 && name[2] == ' ' && name.find_first_of("0123456789") == 0;
    return numbered ? name.substr(0, 2) : name;
}

void draw_head(const Look& look, const CountsPlace& place, const Columns& columns,
               const std::string& before, const std::string& after) {
    const Palette& colors = look.colors();
    const float left = place.rect.x, gap = look.px(10);
    float middle = place.rect.y + (place.two_line_head ? 0.28f : 0.5f) * place.head;
    float px = columns.px;
    const auto title_width = [&](const char* title) {
        return text_width(title, Face::kRegular, px);
    };
    const std::string beside = place.two_line_head ? "before" : before;  // on the title's line
    const float before_width = before.empty() ? 0 : text_width(beside, Face::kRegular, px) + gap;
    const char* title = "Whole kernel";
    if (title_width(title) + before_width > columns.before_right) title = "Kernel";
    draw_text({left, middle}, title, {Face::kRegular, px, colors.ink3});
    float taken = title_width(title) + gap;  // width of the names' line already used
    if (place.two_line_head) {
        if (!before.empty())
            draw_text({left + columns.before_right, middle}, "before",
                      {Face::kRegular, px, colors.ink2, Align::kRight});
        draw_text({left + columns.after_right, middle}, before.empty() ? "now" : "after",
                  {Face::kBold, px, colors.ink, Align::kRight});
        middle = place.rect.y + 0.78f * place.head;
        px -= look.hair();
        taken = 0;
    }
    // A long name may extend over the difference column, which has no caption. If it is still too
    // long, only the kernel's number is shown.
    const float after_room = columns.after_right - columns.before_right - gap;
    const float shift = std::clamp(text_width(after, Face::kSemiBold, px) - after_room, 0.0f,
                                   place.rect.w - columns.after_right);
    const auto fit = [&](float right, float room, const std::string& name, Face face, ImU32 color) {
        const bool whole = text_width(name, face, px) <= room + 1;
        const std::string text = whole ? name : number_of_kernel(name);
        const float width = std::min(room, text_width(text, face, px));
        draw_text_fit({left + right - width, middle}, room + 1, text, {face, px, color});
    };
    if (!before.empty())
        fit(columns.before_right, columns.before_right - taken, before, Face::kRegular,
            colors.ink2);
    fit(columns.after_right + shift, after_room + shift, after, Face::kSemiBold, colors.ink);
}

}  // namespace

Difference difference_of(double before, double after, bool whole) {
    if (before == after) return {"=", false};
    if (before == 0) return {"new", false};
    if (after > 0) {
        const double ratio = after > before ? after / before : before / after;
        if (ratio >= 1.05)
            return {(after > before ? "\xc3\x97" : "\xc3\xb7") + short_number(ratio), true};
    }
    const double change = std::abs(after - before);
    const std::string sign = after > before ? "+" : "-";
    return {
        sign + (whole ? with_commas(static_cast<std::uint64_t>(change)) : with_two_places(change)),
        true};
}

std::vector<CountsRow> rows_of_counts(const CountsColumn& before, const KernelCounts& after,
                                      std::size_t most) {
    const bool pad_pair = is_pad_pair(before.label);
    // The ratio is left out if no multiply-adds were recorded.
    const bool any_flop = before.counts.multiply_adds + after.multiply_adds != 0;
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < kKernelFigures.size(); ++i)
        if (kKernelFigures[i].get != nullptr || any_flop) chosen.push_back(i);
    std::stable_sort(chosen.begin(), chosen.end(), [&](std::size_t a, std::size_t b) {
        return importance_of(kKernelFigures[a], pad_pair) <
               importance_of(kKernelFigures[b], pad_pair);
    });
    chosen.resize(std::min(most, chosen.size()));
    std::sort(chosen.begin(), chosen.end());
    std::vector<CountsRow> rows;
    for (const std::size_t i : chosen) rows.push_back(row_of(kKernelFigures[i], before, after));
    return rows;
}

std::string after_label(const Trace& trace, const std::string& before_label,
                        const Generation& generation) {
    const Launch& launch = trace.launch;
    std::string label;
    if (before_label.find("TILE") != std::string::npos)
        label = "TILE " + std::to_string(launch.tile);
    if (before_label.find("PAD") != std::string::npos)
        label.append(label.empty() ? "PAD " : ", PAD ").append(std::to_string(launch.pad));
    const bool other_generation = std::ranges::any_of(generations(), [&](const Generation& each) {
        return before_label.find(each.title) != std::string::npos;
    });
    if (other_generation) label.append(label.empty() ? "" : ", ").append(generation.title);
    if (!label.empty()) return label;
    const KernelInfo* kernel = find_kernel(launch.kernel);
    return kernel != nullptr ? std::string(kernel->title) : launch.kernel;
}

bool counts_need_two_lines(const Look& look, const CountsPlace& place, const Workbench& workbench,
                           std::size_t rows_wanted) {
    if (workbench.recording() == nullptr) return false;
    const std::vector<CountsRow> rows =
        rows_of_counts(workbench.before(), workbench.recording()->counts, rows_wanted);
    return columns_of(look, place, rows).px < 0.8f * place.px;
}

void draw_kernel_counts(const Look& look, const CountsPlace& place, const Workbench& workbench,
                        std::size_t rows_wanted) {
    const Recording* recording = workbench.recording();
    if (recording == nullptr) return;
    const Palette& colors = look.colors();
    const CountsColumn& before = workbench.before();
    const std::vector<CountsRow> rows = rows_of_counts(before, recording->counts, rows_wanted);
    const Columns columns = columns_of(look, place, rows);
    draw_head(look, place, columns, before.label,
              after_label(*recording->trace, before.label, *recording->generation));
    const bool fresh = workbench.changed_seconds_ago() < kFlashSeconds;
    float middle = place.rect.y + place.head + place.row / 2;
    for (const CountsRow& row : rows) {
        const float left = place.rect.x;
        if (place.stacked) middle -= 0.25f * place.row;
        draw_text_fit({left, middle}, place.stacked ? place.rect.w : columns.label_width, row.label,
                      {Face::kRegular, columns.px, colors.ink2});
        if (place.stacked) middle += 0.5f * place.row;
        draw_text({left + columns.before_right, middle}, row.before,
                  {Face::kMono, columns.px, row.conflict_before ? colors.conflict : colors.ink2,
                   Align::kRight});
        const bool flash = fresh && row.before != row.after;
        draw_text({left + columns.after_right, middle}, row.after,
                  {Face::kMonoBold, columns.px,
                   flash                ? colors.accent
                   : row.conflict_after ? colors.conflict
                                        : colors.ink,
                   Align::kRight});
        draw_text({left + place.rect.w, middle}, row.difference.text,
                  {Face::kMono, columns.px, row.difference.counts ? colors.accent : colors.ink3,
                   Align::kRight});
        middle += place.stacked ? 0.75f * place.row : place.row;
    }
}

}  // namespace tilereel

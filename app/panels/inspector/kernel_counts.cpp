#include "app/panels/inspector/kernel_counts.h"

#include <algorithm>
#include <cmath>

#include "app/panels/measure.h"
#include "app/panels/panel_column.h"
#include "app/panels/recorded_text.h"
#include "instrumentation/base/format/decimal_text.h"

namespace tilereel {
namespace {

constexpr double kFlashSeconds = 0.4;

std::string short_number(double value) {
    std::string out = printed(value >= 99.95 ? "%.0f" : "%.1f", value);
    if (out.ends_with(".0")) out.resize(out.size() - 2);
    return out;
}

// FLOP per byte read from global memory. The untiled kernels have 0.25, as in the textbooks.
double flop_per_byte_read(const KernelCounts& counts) {
    const std::uint64_t bytes = counts.global_load.bytes_requested;
    return bytes == 0 ? 0 : static_cast<double>(counts.flop()) / static_cast<double>(bytes);
}

CountsRow row_of(const KernelFigure& figure, const CountsColumn& before,
                 const KernelCounts& after) {
    CountsRow row;
    row.label = figure.label;
    const bool has_before = !before.label.empty();
    if (figure.get == nullptr) {
        const double was = flop_per_byte_read(before.counts), is = flop_per_byte_read(after);
        row.before = printed("%.2f", was);
        row.after = printed("%.2f", is);
        row.difference = difference_of(was, is, false);
    } else {
        const std::uint64_t was = figure.get(before.counts), is = figure.get(after);
        row.before = with_commas(was) + figure.unit;
        row.after = with_commas(is) + figure.unit;
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

constexpr std::size_t kMostBlocksNamed = 64;

// The counters that differ between the source code as written and the compiled code.
WrapTable compiled_table(const Look& look, const AsCompiled& compiled, float px) {
    const Palette& colors = look.colors();
    WrapTable table(look, px, {Align::kLeft, Align::kRight, Align::kRight}, 1);
    for (std::size_t i = 0; compiled.row != nullptr && i < kCompiledCounters; ++i) {
        if (compiled.row->written[i] == compiled.row->compiled[i]) continue;
        if (table.rows() == 0)
            table.add(
                {{"As compiled", Face::kRegular, colors.ink3},
                 {"written", Face::kRegular, colors.ink2},
                 {"compiled, " + short_gpu_name(compiled.row->gpu), Face::kSemiBold, colors.ink}});
        table.add(
            {{std::string(text_of(static_cast<CompiledCounter>(i))), Face::kRegular, colors.ink2},
             {with_commas(compiled.row->written[i]), Face::kMono, colors.ink2},
             {with_commas(compiled.row->compiled[i]), Face::kMonoBold, colors.ink}});
    }
    if (table.rows() == 0) table.add({{"As compiled", Face::kRegular, colors.ink3}});
    return table;
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
        sign + (whole ? with_commas(static_cast<std::uint64_t>(change)) : printed("%.2f", change)),
        true};
}

std::vector<CountsRow> rows_of_counts(const CountsColumn& before, const KernelCounts& after) {
    const bool pad_pair = before.label.starts_with("PAD");
    // The ratio is left out if no multiply-adds were recorded.
    const bool any_flop = before.counts.multiply_adds + after.multiply_adds != 0;
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < kKernelFigures.size(); ++i)
        if (kKernelFigures[i].get != nullptr || any_flop) chosen.push_back(i);
    const auto importance = pad_pair ? &KernelFigure::importance_of_pad : &KernelFigure::importance;
    std::ranges::stable_sort(chosen, {},
                             [&](std::size_t i) { return kKernelFigures[i].*importance; });
    std::vector<CountsRow> rows;
    for (const std::size_t i : chosen) rows.push_back(row_of(kKernelFigures[i], before, after));
    return rows;
}

std::vector<TableCell> cells_of(const CountsRow& row, const Palette& colors) {
    return {
        {row.label, Face::kRegular, colors.ink2},
        {row.before, Face::kMono, row.conflict_before ? colors.conflict : colors.ink2},
        {row.after, Face::kMonoBold, row.conflict_after ? colors.conflict : colors.ink},
        {row.difference.text, Face::kMono, row.difference.counts ? colors.accent : colors.ink3}};
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

float draw_kernel_counts(const Look& look, const Rect& rect, const Workbench& workbench) {
    const Recording& recording = *workbench.recording();
    const Palette& colors = look.colors();
    const CountsColumn& before = workbench.before();
    const float px = type_px(look, 14);
    const std::size_t chosen = recording.trace->chosen_blocks.size();
    const std::string part = with_commas(chosen) + " of " +
                             with_commas(recording.trace->launch.grid.count()) + " blocks: ";
    std::vector<StyledText> title = {
        {chosen == 0 ? "Whole kernel: " : part, Face::kRegular, colors.ink3}};
    if (!before.label.empty())
        title.push_back({before.label + " \xe2\x86\x92 ", Face::kRegular, colors.ink2});
    title.push_back({after_label(*recording.trace, before.label, *recording.generation),
                     Face::kSemiBold, colors.ink});
    Column column(look, rect);
    column.styled(title, px);
    const bool fresh = workbench.changed_seconds_ago() < kFlashSeconds;
    WrapTable table(look, px, {Align::kLeft, Align::kRight, Align::kRight, Align::kRight}, 1);
    for (const CountsRow& row : rows_of_counts(before, recording.counts)) {
        std::vector<TableCell> cells = cells_of(row, colors);
        if (fresh && row.before != row.after) cells[2].color = colors.accent;
        table.add(std::move(cells));
    }
    table.place(rect.w);
    column.space(table.draw({rect.x, column.y()}));
    return column.height();
}

float draw_compiled(const Look& look, const Rect& rect, const Workbench& workbench) {
    const AsCompiled& compiled = workbench.recording()->compiled;
    const float px = type_px(look, 13);
    const TextStyle words{Face::kRegular, px, look.colors().ink2};
    WrapTable table = compiled_table(look, compiled, px);
    table.place(rect.w);
    Column column(look, rect);
    column.rule();
    column.space(look.gap());
    column.space(table.draw({rect.x, column.y()}));
    std::string why;
    for (const std::string& sentence : compiled.sentences)
        why += (why.empty() ? "" : " ") + sentence;
    const std::string where = multiprocessors_text(*workbench.replay(), kMostBlocksNamed);
    for (const std::string& text : {why, where})
        if (!text.empty()) {
            column.space(look.gap());
            column.paragraph(text, words);
        }
    return column.height();
}

}  // namespace tilereel

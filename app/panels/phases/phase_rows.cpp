#include "app/panels/phases/phase_rows.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>

#include "app/ui/fonts/utf8.h"

namespace tilereel {
namespace {

constexpr std::size_t kMostListed = 4;      // a longer list in a cell is shortened
const std::string kMore = "\xe2\x80\xa6 ";  // an ellipsis

// Counts characters, not bytes: an ellipsis is one character of three bytes.
std::size_t characters(const std::string& text) {
    return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, continues_character));
}

std::string value_text(float value) {
    std::array<char, 32> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

std::string source_text(const Trace& trace, const PhaseLoad& load) {
    return text_of(trace, ElementRange{*load.from, load.from_extent});
}
std::string target_text(const Trace& trace, const PhaseLoad& load) {
    return text_of(trace, ElementRange{*load.to, load.to_extent});
}

std::vector<std::string> lines_of(const Trace& trace, const PhaseLoad& load) {
    std::vector<std::string> lines;
    if (load.from) {
        if (load.by_other_block) lines.emplace_back("other block:");
        lines.push_back((load.by_other_block ? "" : "Load ") + source_text(trace, load));
    } else {
        lines.emplace_back("not loaded,");
        lines.push_back(value_text(load.value) + " stored");
    }
    if (load.to) lines.push_back("-> " + target_text(trace, load));
    return lines;
}

std::string in_a_line(const Trace& trace, const PhaseLoad& load) {
    const std::string to = load.to ? " -> " + target_text(trace, load) : "";
    return (load.by_other_block ? "other block: " : "") +
           (load.from ? source_text(trace, load) : value_text(load.value)) + to;
}

std::string matrix_product_text(const Trace& trace, const Product& product) {
    const auto operand = [&](const std::optional<Operand>& read) {
        return read ? text_of(trace, read->read) : std::string("?");
    };
    return operand(product.a) + "*" + operand(product.b);
}

// All `count` lines, or if there are too many: the first, the number of the others, and the last.
template <class Line>
void list(std::vector<std::string>& lines, std::size_t count, const Line& line,
          const std::string& more) {
    if (count <= kMostListed) {
        for (std::size_t i = 0; i < count; ++i) lines.push_back(line(i));
        return;
    }
    lines.push_back(line(0));
    lines.push_back(more + kMore + std::to_string(count - 2) + " more");
    lines.push_back(line(count - 1));
}

std::vector<std::string> lines_of(const Trace& trace, const std::vector<PhaseSum>& sums) {
    std::vector<std::string> lines;
    if (sums.empty()) return lines;
    const PhaseSum& sum = sums.front();
    const std::string name = sum.c ? text_of(trace, *sum.c) : "sum";
    list(
        lines, sum.products.size(),
        [&](std::size_t i) {
            return (i == 0 ? name + "+=" : "+ ") + matrix_product_text(trace, sum.products[i]);
        },
        "+ ");
    if (sums.size() > 1) lines.push_back("and " + std::to_string(sums.size() - 1) + " more sums");
    return lines;
}

// "C[0..15,0..63] +=", "A[0..15,0..63]", "* B[0..63,0..63]", "32 m16n8k16"
std::vector<std::string> lines_of(const Trace& trace, const PhaseTile& tile) {
    const std::string whole = text_of(trace, tile);
    const std::size_t sum = whole.find("+="), product = whole.find('*', sum);
    return {std::string(who_multiplies(tile)) + ": " + whole.substr(0, sum + 2),
            whole.substr(sum + 2, product - sum - 2), "* " + whole.substr(product + 1),
            "by " + products_text(tile)};
}

bool contains(const std::vector<ArrayId>& arrays, ArrayId array) {
    return std::ranges::find(arrays, array) != arrays.end();
}

template <class Visit>
void for_each_cell(const PhaseTable& table, const Visit& visit) {
    for (const PhaseThread& thread : table.threads)
        for (const PhaseCell& cell : thread.phases) visit(cell);
}

// A column for each array that is loaded from, then one for each array that is only stored to.
std::vector<PhaseColumn> columns_of(const PhaseTable& table) {
    std::vector<PhaseColumn> columns;
    for_each_cell(table, [&](const PhaseCell& cell) {
        for (const PhaseLoad& load : cell.loads) {
            if (!load.from) continue;
            auto column = std::ranges::find(columns, load.from->array, &PhaseColumn::array);
            if (column == columns.end())
                column = columns.insert(column, {.array = load.from->array});
            if (load.to && !contains(column->targets, load.to->array))
                column->targets.push_back(load.to->array);
        }
    });
    std::ranges::sort(columns, {}, &PhaseColumn::array);
    for_each_cell(table, [&](const PhaseCell& cell) {
        for (const PhaseLoad& load : cell.loads)
            if (load.to && std::ranges::none_of(columns, [&](const PhaseColumn& column) {
                    return belongs(column, load);
                }))
                columns.push_back({.targets = {load.to->array}});
    });
    bool sums = false;
    for_each_cell(table, [&](const PhaseCell& cell) { sums |= !cell.sums.empty() || cell.tile; });
    if (sums || columns.empty()) columns.push_back({.sums = true});
    return columns;
}

}  // namespace

bool belongs(const PhaseColumn& column, const PhaseLoad& load) {
    if (column.sums) return false;
    if (load.from) return load.from->array == column.array;
    return load.to && contains(column.targets, load.to->array);
}

PhaseLayout lay_out(const Trace& trace, const PhaseTable& table) {
    PhaseLayout layout{.columns = columns_of(table)};
    for (PhaseColumn& column : layout.columns)
        for_each_cell(table, [&](const PhaseCell& cell) {
            const PhaseCellText text = text_of(trace, cell, column);
            layout.lines = std::max(layout.lines, text.lines.size());
            for (const std::string& line : text.lines)
                column.characters = std::max(column.characters, characters(line));
        });
    return layout;
}

PhaseCellText text_of(const Trace& trace, const PhaseCell& cell, const PhaseColumn& column) {
    PhaseCellText text;
    if (column.sums) {
        text.lines = lines_of(trace, cell.sums);
        if (cell.tile)
            std::ranges::copy(lines_of(trace, *cell.tile), std::back_inserter(text.lines));
        return text;
    }
    std::vector<const PhaseLoad*> loads;
    for (const PhaseLoad& load : cell.loads)
        if (belongs(column, load)) {
            loads.push_back(&load);
            text.not_loaded |= !load.from;
        }
    if (loads.size() == 1)
        text.lines = lines_of(trace, *loads[0]);
    else
        list(
            text.lines, loads.size(), [&](std::size_t i) { return in_a_line(trace, *loads[i]); },
            "");
    return text;
}

std::string whole_text(const Trace& trace, const PhaseThread& thread, std::uint32_t phase) {
    if (phase >= thread.phases.size()) return {};
    const PhaseCell& cell = thread.phases[phase];
    std::string text = "Thread" + name_of(thread) + ", phase " + std::to_string(phase + 1) + ": ";
    std::string rest;
    for (const PhaseLoad& load : cell.loads)
        rest += (rest.empty() ? "" : "; ") +
                (load.from ? text_of(trace, load)
                           : "not loaded, " + value_text(load.value) + " stored" +
                                 (load.to ? " -> " + text_of(trace, *load.to) : ""));
    for (const PhaseSum& sum : cell.sums) rest += (rest.empty() ? "" : "; ") + text_of(trace, sum);
    if (cell.tile)
        rest += (rest.empty() ? "with its " : "; with its ") +
                std::string(who_multiplies(*cell.tile)) + ": " + text_of(trace, *cell.tile) +
                " by " + products_text(*cell.tile);
    return text + (rest.empty() ? "nothing" : rest);
}

std::string name_of(const PhaseThread& thread) {
    const std::string z = thread.z == 0 ? "" : std::to_string(thread.z) + ",";
    return "[" + z + std::to_string(thread.y) + "," + std::to_string(thread.x) + "]";
}

}  // namespace tilereel

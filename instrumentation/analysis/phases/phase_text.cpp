#include <array>
#include <charconv>
#include <string_view>

#include "instrumentation/analysis/phases/phase_table.h"
#include "instrumentation/base/format/with_commas.h"

namespace tilereel {
namespace {

// "1", "3" and "5" of "As[1,3,5]"
std::vector<std::string_view> indices_of(std::string_view element) {
    std::vector<std::string_view> indices;
    const std::size_t open = element.find('[');
    if (open == std::string_view::npos) return indices;
    element = element.substr(open + 1, element.size() - open - 2);
    for (std::size_t at = 0;;) {
        const std::size_t comma = element.find(',', at);
        indices.push_back(element.substr(at, comma - at));
        if (comma == std::string_view::npos) return indices;
        at = comma + 1;
    }
}

// "A[0..15,0..63]"; of several rectangles the first and the number of the others.
std::string operand_text(const Trace& trace, const std::vector<ElementRange>& ranges) {
    if (ranges.empty()) return "?";
    return text_of(trace, ranges[0]) +
           (ranges.size() > 1 ? " and " + std::to_string(ranges.size() - 1) + " more" : "");
}

}  // namespace

std::string text_of(const Trace& trace, const ElementName& at) {
    std::string words;  // As[1][3][5] is As[1,3,5] here
    for (const char c : element_name(trace.arrays[at.array], at.row, at.column)) {
        if (c == '[' && words.ends_with(']'))
            words.back() = ',';
        else
            words += c;
    }
    return words;
}

std::string text_of(const Trace& trace, const ElementRange& range) {
    if (range.extent == RangeExtent{}) return text_of(trace, range.first);
    const ElementName last{range.first.array, range.first.row + range.extent.rows - 1,
                           range.first.column + range.extent.columns - 1};
    const std::string from = text_of(trace, range.first), to = text_of(trace, last);
    const std::vector<std::string_view> first = indices_of(from), end = indices_of(to);
    std::string words = from.substr(0, from.find('['));
    for (std::size_t i = 0; i < first.size(); ++i) {
        words += i == 0 ? '[' : ',';
        words += first[i];
        if (i < end.size() && first[i] != end[i]) words += ".." + std::string(end[i]);
    }
    return words + "]";
}

std::string text_of(const Trace& trace, const PhaseLoad& load) {
    const std::string to =
        load.to ? " -> " + text_of(trace, ElementRange{*load.to, load.to_extent}) : "";
    if (load.from)
        return (load.by_other_block ? "Other block: " : "Load ") +
               text_of(trace, ElementRange{*load.from, load.from_extent}) + to;
    std::array<char, 32> value{};
    const auto end = std::to_chars(value.data(), value.data() + value.size(), load.value).ptr;
    return "Store " + std::string(value.data(), end) + to;
}

std::string text_of(const Trace& trace, const PhaseSum& sum) {
    const auto operand = [&](const std::optional<Operand>& read) {
        return read ? text_of(trace, read->read) : std::string("?");
    };
    std::string words = sum.c ? text_of(trace, *sum.c) : "sum";
    for (std::size_t i = 0; i < sum.products.size(); ++i)
        words +=
            (i == 0 ? "+=" : " + ") + operand(sum.products[i].a) + "*" + operand(sum.products[i].b);
    return words;
}

std::string text_of(const Trace& trace, const PhaseTile& tile) {
    return (tile.c ? text_of(trace, *tile.c) : "sums") + "+=" + operand_text(trace, tile.a) + "*" +
           operand_text(trace, tile.b);
}

std::string_view who_multiplies(const PhaseTile& tile) {
    return tile.of_warpgroup ? "warpgroup" : "warp";
}

std::string products_text(const PhaseTile& tile) {
    return (tile.products == 0 ? "" : with_commas(tile.products) + " ") + tile.shape;
}

}  // namespace tilereel

#include <array>
#include <charconv>

#include "instrumentation/analysis/phases/phase_table.h"

namespace tilereel {

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

std::string text_of(const Trace& trace, const PhaseLoad& load) {
    const std::string to = load.to ? " -> " + text_of(trace, *load.to) : "";
    if (load.from) return "Load " + text_of(trace, *load.from) + to;
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

}  // namespace tilereel

#include <array>
#include <charconv>

#include "instrumentation/analysis/phase_table.h"

namespace tilereel {

std::string words_of(const Trace& trace, const ElementName& at) {
    return trace.arrays[at.array].name + "[" + std::to_string(at.row) + "," +
           std::to_string(at.column) + "]";
}

std::string words_of(const Trace& trace, const PhaseLoad& load) {
    const std::string to = load.to ? " -> " + words_of(trace, *load.to) : "";
    if (load.from) return "Load " + words_of(trace, *load.from) + to;
    std::array<char, 32> value{};
    const auto end = std::to_chars(value.data(), value.data() + value.size(), load.value).ptr;
    return "Store " + std::string(value.data(), end) + to;
}

std::string words_of(const Trace& trace, const PhaseSum& sum) {
    const auto operand = [&](const std::optional<Operand>& read) {
        return read ? words_of(trace, read->read) : std::string("?");
    };
    std::string words = sum.c ? words_of(trace, *sum.c) : "sum";
    for (std::size_t i = 0; i < sum.products.size(); ++i)
        words +=
            (i == 0 ? "+=" : " + ") + operand(sum.products[i].a) + "*" + operand(sum.products[i].b);
    return words;
}

}  // namespace tilereel

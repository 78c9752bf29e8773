#include "app/exercise/requirement.h"

#include <algorithm>
#include <array>
#include <utility>

#include "app/lesson/figures.h"

namespace tilereel {
namespace {

constexpr std::array<std::pair<std::string_view, Comparison>, 5> kSigns = {
    {{"==", Comparison::kEqual},
     {"<=", Comparison::kAtMost},
     {">=", Comparison::kAtLeast},
     {"<", Comparison::kBelow},
     {">", Comparison::kAbove}}};

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

bool take(std::string_view& text, std::string_view words) {
    if (!text.starts_with(words)) return false;
    text.remove_prefix(words.size());
    return true;
}
bool take_end(std::string_view& text, std::string_view words) {
    if (!text.ends_with(words)) return false;
    text.remove_suffix(words.size());
    return true;
}

Error no_such_counter(std::string_view name) {
    return wrong_call("there is no counter \"" + std::string(name) +
                      "\"; write one such as shared.bank_conflicts, global_load.sectors, barriers, "
                      "barriers per phase, lanes on or launches");
}

bool is_counter(std::string_view name) { return std::ranges::count(counter_names(), name) > 0; }

// `text`: behind "at least".
Result<Requirement> fewer(Requirement made, std::string_view text) {
    const auto misread = [] {
        return wrong_call("write it as \"at least 4 x fewer global_load.sectors than handed out\"");
    };
    const std::size_t sign = text.find(" x fewer ");
    if (sign == std::string_view::npos) return misread();
    made.factor = TRY(value_of_expression(text.substr(0, sign), {}));
    text.remove_prefix(sign + std::string_view(" x fewer ").size());
    if (!take_end(text, " than handed out") || !(made.factor >= 1)) return misread();
    made.kind = Requirement::Kind::kFewer;
    made.name = trimmed(text);
    if (!is_counter(made.name)) return no_such_counter(made.name);
    return made;
}

Result<Requirement> counter(Requirement made, std::string_view text,
                            const std::vector<std::string>& sizes) {
    for (const auto& [sign, comparison] : kSigns) {
        const std::size_t at = text.find(sign);
        if (at == std::string_view::npos) continue;
        made.name = trimmed(text.substr(0, at));
        if (!is_counter(made.name)) return no_such_counter(made.name);
        std::string_view limit = trimmed(text.substr(at + sign.size()));
        if (made.name == "lanes on") take_end(limit, "%");
        made.limit = trimmed(limit);
        made.comparison = comparison;
        NamedNumbers any;
        for (const std::string& size : sizes) any[size] = 1;
        TRY(value_of_expression(made.limit, any));
        return made;
    }
    return wrong_call(
        "\"" + std::string(text) +
        "\" is no check: write \"out is right\", \"no findings\", \"no errors\", a counter with "
        "==, "
        "<=, <, >= or > and a number, or \"at least 4 x fewer COUNTER than handed out\"");
}

}  // namespace

bool holds(double value, Comparison comparison, double limit) {
    switch (comparison) {
        case Comparison::kEqual:
            return value == limit;
        case Comparison::kAtMost:
            return value <= limit;
        case Comparison::kBelow:
            return value < limit;
        case Comparison::kAtLeast:
            return value >= limit;
        case Comparison::kAbove:
            return value > limit;
    }
    return false;
}

std::string wanted_text(Comparison comparison, double limit) {
    constexpr std::array kWords = {"", "at most ", "less than ", "at least ", "more than "};
    return std::string("should be ") + kWords[static_cast<std::size_t>(comparison)] +
           text_of_figure(limit);
}

const std::vector<std::string>& counter_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all = {"barriers per phase", "lanes on", "launches", "threads",
                                        "shared_bytes"};
        LessonFigures figures;
        put_count_figures(figures, {});
        for (const auto& [name, value] : figures) all.push_back(name);
        return all;
    }();
    return names;
}

Result<Requirement> requirement_of_words(const std::string& words,
                                         const std::vector<std::string>& outputs,
                                         const std::vector<std::string>& sizes) {
    Requirement made{.words = std::string(trimmed(words))};
    std::string_view text = trimmed(words);
    if (text == "no findings" || text == "no errors") {
        made.kind =
            text == "no errors" ? Requirement::Kind::kNoErrors : Requirement::Kind::kNoFindings;
        return made;
    }
    if (take_end(text, " is right")) {
        made.kind = Requirement::Kind::kRight;
        made.name = trimmed(text);
        if (std::ranges::count(outputs, made.name) > 0) return made;
        std::string known;
        for (const std::string& each : outputs) known += (known.empty() ? "" : ", ") + each;
        return wrong_call(
            "there is no array \"" + made.name + "\" that is written" +
            (known.empty() ? "; only an exercise has such arrays" : "; those are: " + known));
    }
    if (take(text, "at least ")) return fewer(std::move(made), text);
    return counter(std::move(made), text, sizes);
}

}  // namespace tilereel

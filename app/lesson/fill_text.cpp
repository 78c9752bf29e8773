// Replaces the figures in the sentences of a lesson.
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <sstream>

#include "app/lesson/figures.h"
#include "instrumentation/base/format/with_commas.h"

namespace tilereel {
namespace {

Result<LessonValue> value_of(const std::string& word, const FigureLookup& lookup) {
    double number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error == std::errc() && end == word.data() + word.size()) return LessonValue(number);
    if (const LessonValue* const value = lookup(word)) return *value;
    return wrong_call("there is no figure {" + word +
                      "} here; assets/lessons/README.md lists the figures");
}

Result<double> joined_by(char operation, double left, double right) {
    switch (operation) {
        case '+':
            return left + right;
        case '-':
            return left - right;
        case '*':
            return left * right;
        case '/':
            if (right == 0) return wrong_call("a figure is divided by 0");
            return left / right;
        default:
            return wrong_call("figures are joined by + - * /, with blanks around them");
    }
}

Result<std::string> evaluated(const std::string& expression, const FigureLookup& lookup) {
    std::istringstream words(expression);
    std::string word;
    words >> word;
    const LessonValue first = TRY(value_of(word, lookup));
    if (const auto* const text = std::get_if<std::string>(&first)) {
        if (words >> word) return wrong_call("{" + expression + "} joins a name to a number");
        return *text;
    }
    double value = std::get<double>(first);
    for (std::string operation; words >> operation;) {
        if (operation.size() != 1 || !(words >> word))
            return wrong_call("\"" + expression + "\" is no figure: write {name} or {name / name}");
        const LessonValue next = TRY(value_of(word, lookup));
        const auto* const number = std::get_if<double>(&next);
        if (number == nullptr) return wrong_call("{" + word + "} is no number");
        const double result = TRY(joined_by(operation.front(), value, *number));
        value = result;
    }
    return text_of_figure(value);
}

}  // namespace

std::string text_of_figure(double value) {
    const double whole = std::round(value);
    if (std::abs(value - whole) < 1e-9 || std::abs(value) >= 100)
        return (whole < 0 ? "-" : "") + with_commas(static_cast<std::uint64_t>(std::abs(whole)));
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), std::abs(value) < 10 ? "%.2f" : "%.1f", value);
    std::string figure = text.data();
    while (figure.back() == '0') figure.pop_back();
    if (figure.back() == '.') figure.pop_back();
    return figure;
}

Result<std::string> filled(std::string_view text, const FigureLookup& lookup) {
    std::string result;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '{') {
            result += text[at];
            continue;
        }
        if (text.substr(at).starts_with("{{")) {
            result += '{';
            ++at;
            continue;
        }
        const std::size_t end = text.find('}', at);
        if (end == std::string_view::npos) return wrong_call("a { has no }; write {{ for a brace");
        const std::string figure =
            TRY(evaluated(std::string(text.substr(at + 1, end - at - 1)), lookup));
        result += figure;
        at = end;
    }
    return result;
}

}  // namespace tilereel

#include "instrumentation/cuda/text/launch_line_reader.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "instrumentation/cuda/text/text_words.h"

namespace tilereel::program {
namespace {

// The arguments of dim3, made from "8x4", "8,4" or an expression.
std::string extents_text(const std::string& value) {
    const bool digits = std::ranges::all_of(value, [](char c) {
        return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == 'x' || c == ',';
    });
    std::string text = value;
    if (digits) std::ranges::replace(text, 'x', ',');
    return text;
}

// "x[4][8]" -> x, {4, 8}
bool split_extents(const std::string& target, std::string& name, Given& given) {
    std::size_t at = 0;
    while (at < target.size() && is_word(target[at])) ++at;
    name = target.substr(0, at);
    while (at < target.size() && target[at] == '[') {
        int depth = 0;
        std::size_t end = at;
        do {
            if (target[end] == '[') ++depth;
            if (target[end] == ']') --depth;
            ++end;
        } while (end < target.size() && depth > 0);
        if (depth != 0 || end - at <= 2) return false;
        given.extents.push_back(target.substr(at + 1, end - at - 2));
        at = end;
    }
    return at == target.size() && !name.empty();
}

bool is_setting(const std::string& word) {
    return word == "grid" || word == "block" || word == "shared";
}

// The compiler would take such a number for another one.
bool is_beyond_64_bits(const std::string& number) {
    constexpr std::size_t kMostDigits = 18;
    return number.size() > kMostDigits &&
           number.find_first_not_of("0123456789") == std::string::npos;
}

// What is wrong with an expression, apart from what only the compiler knows; empty: nothing.
std::string mistake_in(const std::string& expression) {
    char literal = 0;
    int depth = 0;
    for (std::size_t at = 0; at < expression.size(); ++at) {
        const char c = expression[at];
        if (literal != 0 || c == '"' || c == '\'') {
            literal = literal == 0 ? c : c == literal ? 0 : literal;
            continue;
        }
        if (std::string_view("([{").find(c) != std::string_view::npos) ++depth;
        if (std::string_view(")]}").find(c) != std::string_view::npos) --depth;
        const char next = at + 1 < expression.size() ? expression[at + 1] : 0;
        const char before = at > 0 ? expression[at - 1] : 0;
        const bool compares = next == '=' || std::string_view("=!<>").find(before) < 4;
        if (depth < 0) return "has a bracket that nothing opens";
        if (c == ';') return "has a semicolon; write one value";
        if (c == '=' && depth == 0 && !compares) return "assigns with =; write a value";
        const std::string_view word =
            at == 0 || !is_word(before) ? word_at(expression, at) : std::string_view();
        const char behind = at + word.size() < expression.size() ? expression[at + word.size()] : 0;
        if ((word == "inf" || word == "nan") && behind != '(')
            return "is no number; write INFINITY or NAN in its place";
    }
    if (literal != 0) return "has a quotation mark without its counterpart";
    return depth > 0 ? "has a bracket that nothing closes" : "";
}

}  // namespace

Parsed parse_launch_line(std::string_view text) {
    Parsed parsed;
    std::vector<std::string> words = split(text, true, is_space);
    if (words.empty()) {
        parsed.error =
            "the line names no kernel; write its name first, as in saxpy<float> block=256";
        return parsed;
    }
    parsed.kernel = words[0];
    const std::size_t head = text.find(words[0]) + words[0].size();
    words = split(text.substr(head), false, is_space);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::vector<std::string> sides =
            split(words[i], false, [](char c) { return c == '='; });
        std::string target = words[i], value;
        const std::size_t equals = sides.empty() ? std::string::npos : sides[0].size();
        if (sides.size() > 1 || (equals < words[i].size() && words[i][equals] == '=')) {
            target = sides[0];
            value = words[i].substr(std::min(equals + 1, words[i].size()));
        } else if (i + 1 < words.size()) {
            value = words[++i];  // "grid 4"
        }
        Given given;
        std::string name;
        if (const std::string mistake = mistake_in(value); !mistake.empty()) {
            parsed.error = "'" + words[i] + "' " + mistake;
            return parsed;
        }
        if (is_beyond_64_bits(value)) {
            parsed.error = "'" + words[i] + "' is too large: it needs more than 64 bits";
            return parsed;
        }
        if (value.empty() || !split_extents(target, name, given)) {
            parsed.error = "'" + words[i] + "' is not understood; write NAME=VALUE for a number " +
                           "and NAME[EXTENT]=CONTENT for an array";
            return parsed;
        }
        if (is_setting(name) && given.extents.empty()) {
            parsed.has_settings = true;
            (name == "grid"    ? parsed.grid
             : name == "block" ? parsed.block
                               : parsed.shared) = name == "shared" ? value : extents_text(value);
            continue;
        }
        if (std::ranges::any_of(given.extents, is_beyond_64_bits)) {
            parsed.error = "'" + target + "' has too many elements; write a smaller extent";
            return parsed;
        }
        given.value = value;
        if (!parsed.given.emplace(name, given).second) {
            parsed.error = "'" + name + "' is given twice";
            return parsed;
        }
        parsed.order.push_back(name);
    }
    return parsed;
}

}  // namespace tilereel::program

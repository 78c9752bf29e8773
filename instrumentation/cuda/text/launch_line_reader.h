#pragma once
// A launch line as it is written: the kernel's name, the shape of the launch, and what each
// parameter gets. What the file has is not known here.
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tilereel::program {

// The value or the array that a line gives to a parameter.
struct Given {
    std::vector<std::string> extents;  // of an array
    std::string value;
};

// `error`: a sentence; empty: the line is understood.
struct Parsed {
    std::string kernel;  // "saxpy<float>"
    std::map<std::string, Given> given;
    std::vector<std::string> order;
    std::string grid = "1", block, shared = "0";
    bool has_settings = false;  // grid, block or shared is given
    std::string error;
};
[[nodiscard]] Parsed parse_launch_line(std::string_view text);

// Splits a text at the separators outside of brackets and literals. `angles`: < and > are brackets.
template <class IsSeparator>
std::vector<std::string> split(std::string_view text, bool angles, IsSeparator&& is_separator) {
    std::vector<std::string> parts(1);
    int depth = 0;
    char literal = 0;
    for (const char c : text) {
        if (literal != 0) {
            if (c == literal) literal = 0;
        } else if (c == '"' || c == '\'') {
            literal = c;
        } else if (c == '(' || c == '[' || c == '{' || (angles && c == '<')) {
            ++depth;
        } else if (c == ')' || c == ']' || c == '}' || (angles && c == '>')) {
            --depth;
        } else if (depth <= 0 && is_separator(c)) {
            parts.emplace_back();
            continue;
        }
        parts.back() += c;
    }
    std::erase_if(parts, [](const std::string& part) { return part.empty(); });
    return parts;
}

}  // namespace tilereel::program

#pragma once
// The library that reads TOML calls itself for each part of a dotted key and for each bracket, so a
// hostile file could exhaust the stack. This looks at the text before.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

namespace tilereel {

inline constexpr int kDeepestToml = 64;  // brackets within each other, and parts of a key

// The position behind the text or the comment that begins at `at`; `at` if neither does.
[[nodiscard]] inline std::size_t behind_toml_text(std::string_view toml, std::size_t at) {
    const char quote = toml[at];
    if (quote == '#') return std::min(toml.find('\n', at), toml.size());
    if (quote != '"' && quote != '\'') return at;
    const std::string_view three = quote == '"' ? "\"\"\"" : "'''";
    const bool has_lines = toml.substr(at).starts_with(three);
    for (at += has_lines ? 3 : 1; at < toml.size(); ++at) {
        if (toml[at] == '\\' && quote == '"')
            ++at;
        else if (has_lines && toml.substr(at).starts_with(three))
            return at + 3;
        else if (!has_lines && (toml[at] == quote || toml[at] == '\n'))
            return toml[at] == quote ? at + 1 : at;
    }
    return toml.size();
}

// The line, from 1, where a file is nested deeper than kDeepestToml; nullopt if none is.
[[nodiscard]] inline std::optional<int> too_deep_line(std::string_view toml) {
    int brackets = 0, dots = 0;
    for (std::size_t at = 0; at < toml.size();) {
        if (const std::size_t behind = behind_toml_text(toml, at); behind != at) {
            at = behind;
            continue;
        }
        const char c = toml[at++];
        if (c == '.') ++dots;
        if (std::string_view("\n[]{},=").find(c) != std::string_view::npos) dots = 0;
        if (c == '[' || c == '{') ++brackets;
        if ((c == ']' || c == '}') && brackets > 0) --brackets;
        if (brackets > kDeepestToml || dots > kDeepestToml)
            return 1 + static_cast<int>(std::ranges::count(toml.substr(0, at), '\n'));
    }
    return std::nullopt;
}

}  // namespace tilereel

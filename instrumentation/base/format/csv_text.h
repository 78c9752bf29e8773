#pragma once
// Texts in tables of comma-separated values.
#include <string>

namespace tilereel {

// A field of a table (RFC 4180): in quotes if it contains a comma, a quote or a line end.
[[nodiscard]] inline std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

// A name that comes from a file, for a table. A spreadsheet runs a text that begins with =, +, -,
// @, a tab or a line end as a formula; after an apostrophe it shows it. Source: OWASP, "CSV
// Injection".
[[nodiscard]] inline std::string csv_name(const std::string& text) {
    const bool begins =
        !text.empty() && std::string("=+-@\t\r\n").find(text[0]) != std::string::npos;
    const bool is_number =
        begins && text.size() > 1 && text.find_first_not_of("0123456789.", 1) == std::string::npos;
    return begins && !is_number ? "'" + text : text;
}

}  // namespace tilereel

#include "app/workbench/program/compile_error_line.h"

#include <algorithm>
#include <array>
#include <string>

#include "app/lesson/read_lesson.h"

namespace tilereel {

bool lacks_semicolon(std::string_view compiler_words) {
    // The quotes depend on the locale.
    constexpr std::array<std::array<const char*, 2>, 2> kQuotes = {
        {{"'", "'"}, {"\xe2\x80\x98", "\xe2\x80\x99"}}};
    const auto says = [&](const std::string& words) {
        return compiler_words.find(words) != std::string_view::npos;
    };
    for (const auto& [open, close] : kQuotes) {
        const std::string semicolon = open + std::string(";") + close;
        const std::string comma = open + std::string(",") + close;
        if (says("expected " + semicolon) || says("expected " + comma + " or " + semicolon))
            return true;
    }
    return says("expected initializer before");
}

std::uint32_t line_to_mend(std::string_view text, const program::CompileError& error) {
    const auto code_of = [text](std::uint32_t line) {
        const std::string_view whole = line_of_text(text, static_cast<int>(line));
        return whole.substr(std::min(whole.find_first_not_of(" \t\r"), whole.size()));
    };
    if (!lacks_semicolon(error.message) || error.line == 0) return error.line;
    const std::string_view own = line_of_text(text, static_cast<int>(error.line));
    if (error.column != own.size() - code_of(error.line).size() + 1) return error.line;
    for (std::uint32_t line = error.line; line-- > 1;)
        if (const std::string_view code = code_of(line); !code.empty() && !code.starts_with("//"))
            return line;
    return error.line;
}

}  // namespace tilereel

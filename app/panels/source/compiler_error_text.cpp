#include "app/panels/source/compiler_error_text.h"

#include "app/workbench/program/compile_error_line.h"

namespace tilereel {
namespace {

// The quotes in a compiler's messages depend on the locale: \u2018 and \u2019, or '.
std::string with_plain_quotes(std::string_view words) {
    std::string text(words);
    for (const std::string_view quote : {"\xe2\x80\x98", "\xe2\x80\x99"})
        for (std::size_t at = text.find(quote); at != std::string::npos; at = text.find(quote, at))
            text.replace(at, quote.size(), "'");
    return text;
}

// The first name in quotes. Empty if there is none.
std::string quoted(const std::string& text) {
    const std::size_t begin = text.find('\'');
    const std::size_t end = begin == std::string::npos ? begin : text.find('\'', begin + 1);
    return end == std::string::npos ? std::string() : text.substr(begin + 1, end - begin - 1);
}

}  // namespace

std::string explain_compiler_error(std::string_view compiler_words) {
    const std::string text = with_plain_quotes(compiler_words);
    const auto has = [&text](const char* part) { return text.find(part) != std::string::npos; };
    if (lacks_semicolon(text)) return "A ; is missing";
    if (has("expected '}'")) return "A } is missing";
    if (has("expected ')'")) return "A ) is missing";
    if (has("expected ']'")) return "A ] is missing";
    if (has("expected '('")) return "A ( is missing";
    if (has("was not declared in this scope") && !quoted(text).empty())
        return quoted(text) + " is not declared here: is the name right?";
    if (has("too few arguments to function")) return "The call has too few arguments";
    if (has("too many arguments to function")) return "The call has too many arguments";
    if (has("No such file or directory") && text.find(':') != std::string::npos)
        return text.substr(0, text.find(':')) + " is not found: add its folder with -I";
    return {};
}

}  // namespace tilereel

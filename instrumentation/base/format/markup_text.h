#pragma once
// Text in HTML and XML.
#include <string>
#include <string_view>

namespace tilereel {

// Characters that mean something in HTML and XML are written as entities, so that the text can be
// the content of an element or the value of an attribute in quotation marks.
[[nodiscard]] inline std::string markup_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '"')
            out += "&quot;";
        else
            out += c;
    }
    return out;
}

}  // namespace tilereel

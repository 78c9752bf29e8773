#pragma once
// Text within a page: between tags, in an attribute, and as JSON within a script.
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace tilereel {

// Escapes text between tags or in an attribute with double quotes. Bytes that are no UTF-8 become
// U+FFFD, and control characters other than a line's end are left out.
[[nodiscard]] std::string escaped(std::string_view text);
// JSON within <script>, escaped so that it contains neither "</script>" nor "<!--".
[[nodiscard]] std::string embeddable(const nlohmann::ordered_json& data);
// A script that holds data and is not run.
[[nodiscard]] std::string script_with(const char* id, const std::string& json);
// The text deflated (RFC 1950) and in base64, which a browser unpacks with DecompressionStream.
[[nodiscard]] std::string packed(const std::string& text);

}  // namespace tilereel

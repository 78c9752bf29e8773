#pragma once
// JSON as text. The library's reader and writer are templates that take a second to compile, so
// they are compiled once, here.
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace tilereel {

// `indent`: spaces for each level; -1: all on one line. A byte that is not UTF-8 becomes U+FFFD.
[[nodiscard]] std::string json_text(const nlohmann::json& json, int indent = -1);
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& json, int indent = -1);

// is_discarded() if the text is not JSON.
[[nodiscard]] nlohmann::json read_json(std::string_view text);

}  // namespace tilereel

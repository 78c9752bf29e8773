#pragma once
// Opens a page in a real browser without a window.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace tilereel {

// The first installed Chromium-based browser; empty if there is none.
[[nodiscard]] std::string installed_browser();

// Opens the page and runs `script` (JavaScript) after the page's own scripts. The script calls
// report(value). Returns this value as "value" and the messages of all errors as "errors"; nullopt
// if the browser failed. `window`: its size, "1366,768".
[[nodiscard]] std::optional<nlohmann::json> run_in_page(const std::filesystem::path& page,
                                                        const std::string& script,
                                                        const std::string& window = "1366,768");

}  // namespace tilereel

#pragma once
// A page in a real browser without a window.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace tilereel {

// Chromium or one of its kin, the first that is installed; empty: none is.
[[nodiscard]] std::string installed_browser();

// Opens the page and runs `script` (JavaScript) behind the page's own. Returns what the script gave
// to report(value), with the messages of all errors in "errors"; nothing if the browser failed.
// `window`: its size, "1366,768".
[[nodiscard]] std::optional<nlohmann::json> run_in_page(const std::filesystem::path& page,
                                                        const std::string& script,
                                                        const std::string& window = "1366,768");

}  // namespace tilereel

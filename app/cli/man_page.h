#pragma once
// The manual page, made from the command line's own descriptions.
#include <CLI/CLI.hpp>
#include <string>

namespace tilereel {

// The page of section 1 in the language of man(7), for `app` with its subcommands; `version` such
// as "0.1.0". Subcommands and options of the group "" are left out, as in --help.
[[nodiscard]] std::string man_page(const CLI::App& app, const std::string& version);

}  // namespace tilereel

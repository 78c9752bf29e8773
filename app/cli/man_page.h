#pragma once
// Makes the manual page from the descriptions of the command line.
#include <CLI/CLI.hpp>
#include <string>

namespace tilereel {

// A page of section 1 in the language of man(7), for `app` with its subcommands. `version`: such as
// "0.1.0". Subcommands and options of the group "" are left out, as in --help.
[[nodiscard]] std::string man_page(const CLI::App& app, const std::string& version);

}  // namespace tilereel

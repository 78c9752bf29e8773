#pragma once
// Command line options that say what they take when given something else.
#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace tilereel {

// Adds `name` to `app`; `parse` returns what the option takes ("a whole number from 1 to 9") when
// the text is not that, else "".
using ParseOption = std::function<std::string(const std::string& text)>;
CLI::Option* add_checked_option(CLI::App& app, const std::string& name, ParseOption parse,
                                const std::string& description, const std::string& type);
// The name of a file; an empty one is refused.
CLI::Option* add_file_option(CLI::App& app, const std::string& name, std::string& value,
                             const std::string& description);
// A whole number from `least` to `most` into an optional<int> or optional<uint64_t>.
template <class T>
CLI::Option* add_whole_option(CLI::App& app, const std::string& name, std::optional<T>& value,
                              std::int64_t least, std::int64_t most,
                              const std::string& description);

}  // namespace tilereel

#pragma once
// Command line options with an error message that says which values are accepted.
#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "instrumentation/base/result.h"

namespace tilereel {

// Adds `name` to `app`. `parse` returns "" if it accepts the text, otherwise a description of the
// accepted values such as "a whole number from 1 to 9".
using ParseOption = std::function<std::string(const std::string& text)>;
CLI::Option* add_checked_option(CLI::App& app, const std::string& name, ParseOption parse,
                                const std::string& description, const std::string& type);
// A file name. An empty one is an error.
CLI::Option* add_file_option(CLI::App& app, const std::string& name, std::string& value,
                             const std::string& description);
// An integer from `least` to `most`. T: int or uint64_t.
template <class T>
CLI::Option* add_whole_option(CLI::App& app, const std::string& name, std::optional<T>& value,
                              std::int64_t least, std::int64_t most,
                              const std::string& description);

// An error if a file that the command writes is one that it reads, or two are the same file.
[[nodiscard]] Status check_written_files(const CLI::App& command);

}  // namespace tilereel

#pragma once
// What a shell offers when Tab is pressed: the completion scripts of bash and zsh ask the program,
// so they know every command and option that it knows.
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace tilereel {

// What the last of `words` can become; `words` are those behind the program's name up to the
// cursor, the last one possibly empty. Names of commands, options, kernels and GPU generations and
// the values that an option names ("a|b|c"), in the order of --help. Empty where a file name is
// expected or nothing fits: then the shell offers files.
[[nodiscard]] std::vector<std::string> completions(const CLI::App& app,
                                                   const std::vector<std::string>& words);

}  // namespace tilereel

#pragma once
// Shell completion. The completion scripts of bash and zsh ask the program, so they always know all
// of its commands and options.
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace tilereel {

// The possible completions of the last of `words`. `words`: the words between the program's name
// and the cursor; the last may be empty. Returns names of commands, options, kernels and GPU
// generations, and the values that an option lists ("a|b|c"), in the order of --help. Empty if a
// file name is expected or nothing matches; the shell then offers files.
[[nodiscard]] std::vector<std::string> completions(const CLI::App& app,
                                                   const std::vector<std::string>& words);

}  // namespace tilereel

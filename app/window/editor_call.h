#pragma once
// How a file is opened at a line in the user's own editor: the program and its arguments. No shell
// reads them, so a file's name is an argument whatever stands in it.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "instrumentation/base/result.h"

namespace tilereel {

// What the call depends on.
struct EditorSurroundings {
    std::function<std::string(const char* name)> variable;  // of the environment; empty: not set
    std::function<bool(const std::string& program)> is_installed;
};
[[nodiscard]] EditorSurroundings editor_surroundings();  // those of this process

// VISUAL, or else EDITOR, with the line as that editor takes it; an editor of the terminal in a
// terminal of the desktop. Without both variables: what the desktop opens such a file with, at no
// line. `file` must be absolute; line 0: none. kFailed with a sentence that says what to set or to
// install.
[[nodiscard]] Result<std::vector<std::string>> editor_call(const std::filesystem::path& file,
                                                           std::uint32_t line,
                                                           const EditorSurroundings& around);

// Starts the call, and does not wait for its end. Returns the name of the program. kFailed if it
// cannot be started.
[[nodiscard]] Result<std::string> start_editor(const std::vector<std::string>& call);

}  // namespace tilereel

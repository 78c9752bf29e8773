#pragma once
// Small files of text: sources, PTX and assembly on their way to a compiler and back.
#include <filesystem>
#include <string>
#include <string_view>

#include "instrumentation/base/result.h"

namespace tilereel::plain {

// Empty if the file cannot be read.
[[nodiscard]] std::string read_text(const std::filesystem::path& path);
// Overwrites the file. kFailed, with the path, if it cannot be written.
Status write_text(const std::filesystem::path& path, std::string_view text);

}  // namespace tilereel::plain

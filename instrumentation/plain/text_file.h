#pragma once
// Small files of text: sources, PTX and assembly on their way to a compiler and back.
#include <filesystem>
#include <string>
#include <string_view>

#include "instrumentation/base/result.h"

namespace tilereel::plain {

// Empty where the file cannot be read.
[[nodiscard]] std::string read_text(const std::filesystem::path& path);
// Replaces what the file holds. kFailed, with the path, where it cannot be written.
Status write_text(const std::filesystem::path& path, std::string_view text);

}  // namespace tilereel::plain

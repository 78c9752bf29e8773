#pragma once
// Small files of text: sources, PTX and assembly on their way to a compiler and back.
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "instrumentation/base/result.h"

namespace tilereel {

// Empty if the file cannot be read.
[[nodiscard]] std::string read_text(const std::filesystem::path& path);
// The text of a source file without a byte order mark. An error says why it is not read: only
// regular files of up to kMostSourceBytes are. Does not wait for a pipe or a device.
[[nodiscard]] Result<std::string> read_source(const std::filesystem::path& path);
inline constexpr std::uint64_t kMostSourceBytes = std::uint64_t{32} << 20;
// "#line 12 "file.cu"" and a line end. The name may contain any character.
[[nodiscard]] std::string line_directive(unsigned line, std::string_view file);
// Overwrites the file. kFailed, with the path, if it cannot be written.
Status write_text(const std::filesystem::path& path, std::string_view text);

}  // namespace tilereel

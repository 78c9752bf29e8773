#pragma once
// Reads a file that can be anything: a stranger's, damaged, or no file at all.
#include <cstdint>
#include <filesystem>
#include <string>

#include "instrumentation/base/result.h"

namespace tilereel {

// The contents of a regular file of at most `most_bytes`. An error says why it is not read. Does
// not wait for a pipe or a device, and needs no more memory than the file has bytes.
[[nodiscard]] Result<std::string> read_regular_file(const std::filesystem::path& path,
                                                    std::uint64_t most_bytes);

}  // namespace tilereel

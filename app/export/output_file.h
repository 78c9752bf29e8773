#pragma once
// A file that appears whole or not at all.
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "instrumentation/base/result.h"

namespace tilereel {

// A temporary file beside `path`, removed again unless keep() succeeds.
class OutputFile {
  public:
    explicit OutputFile(const std::filesystem::path& path);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    [[nodiscard]] const std::filesystem::path& temporary() const { return temporary_; }
    Status write(std::span<const std::byte> bytes);
    // Syncs what is in the temporary file, whoever wrote it, and renames it to `path`.
    Status keep();

  private:
    std::filesystem::path path_, temporary_;
    bool kept_ = false;
};

}  // namespace tilereel

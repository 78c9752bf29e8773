#pragma once
// A program file with debug information.
#include <elfutils/libdw.h>

#include <filesystem>

namespace tilereel::gpu {

// Opens the file; the destructor closes it.
class DebugFile {
  public:
    explicit DebugFile(const std::filesystem::path& path);
    ~DebugFile();
    DebugFile(const DebugFile&) = delete;
    DebugFile& operator=(const DebugFile&) = delete;
    [[nodiscard]] Dwarf* dwarf() const { return dwarf_; }  // null: it cannot be read

  private:
    int file_;
    Dwarf* dwarf_ = nullptr;
};

}  // namespace tilereel::gpu

#pragma once
// A folder for temporary files, of this user alone, gone with the object. If the process is killed,
// the next one that makes such a folder removes it.
#include <filesystem>

#include "instrumentation/base/result.h"

namespace tilereel {

class TemporaryFolder {
  public:
    // In the system's folder for temporary files ($TMPDIR, or /tmp).
    static Result<TemporaryFolder> make();
    TemporaryFolder(TemporaryFolder&& other) noexcept;
    TemporaryFolder& operator=(TemporaryFolder&&) = delete;
    ~TemporaryFolder();
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    TemporaryFolder(std::filesystem::path path, int descriptor)
        : path_(std::move(path)), descriptor_(descriptor) {}
    std::filesystem::path path_;  // empty: moved from
    int descriptor_;              // holds the lock
};

}  // namespace tilereel

#pragma once
// A folder for temporary files that only this user can access. The destructor removes it, unless it
// was renamed or replaced. If the process is killed, the next process that makes such a folder
// removes it (owned_names.h says how it knows that the folder is ours).
#include <filesystem>

#include "instrumentation/base/files/owned_names.h"
#include "instrumentation/base/result.h"

namespace tilereel {

class TemporaryFolder {
  public:
    // In the system's folder for temporary files ($TMPDIR, or /tmp).
    static Result<TemporaryFolder> make();
    // In `parent`, which must exist. A folder that a killed process left there is removed first.
    static Result<TemporaryFolder> make_in(const std::filesystem::path& parent,
                                           const OwnedNames& names);
    TemporaryFolder(TemporaryFolder&& other) noexcept;
    TemporaryFolder& operator=(TemporaryFolder&&) = delete;
    ~TemporaryFolder();
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    TemporaryFolder(std::filesystem::path path, int descriptor)
        : path_(std::move(path)), descriptor_(descriptor) {}
    std::filesystem::path path_;  // empty: moved from
    int descriptor_;              // of the folder; holds the lock
};

}  // namespace tilereel

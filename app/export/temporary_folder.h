#pragma once
#include <filesystem>

#include "instrumentation/base/result.h"

namespace tilereel {

// A new empty folder of this process alone, removed with all that is in it.
class TemporaryFolder {
  public:
    static Result<TemporaryFolder> create();
    TemporaryFolder(TemporaryFolder&& other) noexcept;
    TemporaryFolder& operator=(TemporaryFolder&&) = delete;
    ~TemporaryFolder();

    [[nodiscard]] std::filesystem::path file(const char* name) const { return path_ / name; }

  private:
    explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}
    std::filesystem::path path_;
};

}  // namespace tilereel

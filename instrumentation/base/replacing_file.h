#pragma once
// A file that appears whole or not at all: written without a name (or under a temporary one where
// the file system needs a name), synced, and only then renamed over the target. The old file's
// mode stays, and its owner where this user may set it. A link is followed.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "instrumentation/base/result.h"

namespace tilereel {

class ReplacingFile {
  public:
    // Refuses a target that is a folder or a device, and a folder that cannot be written. Removes
    // what killed programs of this user left in that folder.
    static Result<ReplacingFile> open(const std::filesystem::path& target);
    ReplacingFile(ReplacingFile&& other) noexcept;
    ReplacingFile& operator=(ReplacingFile&&) = delete;
    ~ReplacingFile();  // without commit(): leaves nothing behind

    Status write(std::span<const std::byte> bytes);
    void seek(std::uint64_t position) { position_ = position; }
    [[nodiscard]] std::uint64_t position() const { return position_; }
    [[nodiscard]] std::uint64_t size() const { return size_; }
    Status commit();  // syncs, then replaces the target

  private:
    explicit ReplacingFile(std::filesystem::path target) : target_(std::move(target)) {}
    [[nodiscard]] Error error(int error_number) const;
    void take_over_permissions() const;

    std::filesystem::path target_;
    std::filesystem::path temporary_;  // empty while the file has no name
    int descriptor_ = -1;
    std::uint64_t position_ = 0, size_ = 0;
};

// A whole file of these bytes; on any failure the old one stays.
Status replace_file(const std::filesystem::path& target, std::span<const std::byte> bytes);

}  // namespace tilereel

#pragma once
// Replaces a file atomically. The new file is written without a name (or under a temporary name, if
// the file system requires one), synced, and then renamed to the target. It keeps the mode of the
// old file, and its owner if this user may set it. Symbolic links are followed.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "instrumentation/base/result.h"

namespace tilereel {

// kUnsynced: a file that is read once and deleted, or one of many. It may be lost where the
// computer loses power, and its folder is not swept. Syncing takes most of the time of a small
// file.
enum class FileSync : std::uint8_t { kSynced, kUnsynced };

class ReplacingFile {
  public:
    // Refuses a target that is a folder or a device, and a folder that cannot be written. Removes
    // what killed programs of this user left in that folder.
    static Result<ReplacingFile> open(const std::filesystem::path& target,
                                      FileSync sync = FileSync::kSynced);
    ReplacingFile(ReplacingFile&& other) noexcept;
    ReplacingFile& operator=(ReplacingFile&&) = delete;
    ~ReplacingFile();  // without commit(): leaves nothing behind

    Status write(std::span<const std::byte> bytes);
    void seek(std::uint64_t position) { position_ = position; }
    [[nodiscard]] std::uint64_t position() const { return position_; }
    [[nodiscard]] std::uint64_t size() const { return size_; }
    Status commit();  // syncs, unless kUnsynced, then replaces the target

  private:
    explicit ReplacingFile(std::filesystem::path target) : target_(std::move(target)) {}
    [[nodiscard]] Error error(int error_number) const;
    void take_over_permissions() const;

    std::filesystem::path target_;
    std::filesystem::path temporary_;  // empty while the file has no name
    FileSync sync_ = FileSync::kSynced;
    int descriptor_ = -1;
    std::uint64_t position_ = 0, size_ = 0;
};

// Replaces the file by one with these bytes. If it fails, the old file stays.
Status replace_file(const std::filesystem::path& target, std::span<const std::byte> bytes);

}  // namespace tilereel

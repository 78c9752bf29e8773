#include "instrumentation/base/files/replacing_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "instrumentation/base/files/owned_names.h"

namespace tilereel {
namespace {

constexpr const char* kOpenFiles = "/proc/self/fd/";

std::filesystem::path folder_of(const std::filesystem::path& target) {
    return target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
}

constexpr OwnedNames kParts = {".tilereel-", ".part"};

// Follows the links of a name to a file, which need not exist.
constexpr int kMostLinks = 40;  // as in the kernel
Result<std::filesystem::path> behind_links(std::filesystem::path name) {
    for (int links = 0; links < kMostLinks; ++links) {
        std::error_code none;
        const std::filesystem::path to = std::filesystem::read_symlink(name, none);
        if (none) return name;
        name = folder_of(name) / to;  // `to` alone if it is absolute
    }
    return failed("cannot write '" + name.string() +
                  "': its symbolic links form a cycle; name another file");
}

std::string quoted(const std::filesystem::path& path) { return "'" + path.string() + "'"; }

std::string advice(int error_number) {
    switch (error_number) {
        case ENOSPC:
        case EDQUOT:
            return "the disk is full; free some space or write somewhere else";
        case EFBIG:
            return "the file would be larger than is allowed there; write somewhere else";
        case EACCES:
        case EPERM:
        case EROFS:
            return "its folder may not be written; choose another folder";
        case ENOENT:
        case ENOTDIR:
            return "its folder does not exist; create it or choose another";
        case ENAMETOOLONG:
            return "the name is too long; choose a shorter one";
        default:
            return std::generic_category().message(error_number) + "; write somewhere else";
    }
}

}  // namespace

Error ReplacingFile::error(int error_number) const {
    return failed("cannot write " + quoted(target_) + ": " + advice(error_number));
}

Result<ReplacingFile> ReplacingFile::open(const std::filesystem::path& target, FileSync sync) {
    std::error_code ignored;
    ReplacingFile file(target);
    file.sync_ = sync;
    if (target.empty()) return wrong_call("cannot write a file without a name; give it one");
    const auto status = std::filesystem::status(target, ignored);
    if (std::filesystem::is_directory(status) || !target.has_filename())
        return failed("cannot write " + quoted(target) + ": it is a folder; name a file in it");
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
        return failed("cannot write " + quoted(target) + ": it is not a plain file; name another");
    // A link is kept, and its target is written.
    std::filesystem::path behind = TRY(behind_links(target));
    file.target_ = std::move(behind);
    if (sync == FileSync::kSynced) remove_abandoned_files(folder_of(file.target_), kParts);
    constexpr int kMode = 0666;  // minus the user's umask
    // A file without a name disappears with the process, even if it is killed. It gets its name
    // later through /proc.
    if (std::filesystem::exists(kOpenFiles, ignored))
        file.descriptor_ =
            ::open(folder_of(file.target_).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, kMode);
    if (file.descriptor_ < 0) {
        std::filesystem::path temporary = new_owned_name(folder_of(file.target_), kParts);
        file.descriptor_ = ::open(temporary.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, kMode);
        if (file.descriptor_ < 0) return file.error(errno);
        file.temporary_ = std::move(temporary);
    }
    lock_for_owner(file.descriptor_);
    file.take_over_permissions();
    return file;
}

// The mode and, where this user may, the owner of the file that will be replaced.
void ReplacingFile::take_over_permissions() const {
    struct stat old {
    }, own{};
    if (::stat(target_.c_str(), &old) != 0 || ::fstat(descriptor_, &own) != 0) return;
    constexpr mode_t kPermissions = 0777, kOfGroup = 0070;
    mode_t mode = old.st_mode & kPermissions;
    constexpr auto kSameUser = static_cast<uid_t>(-1);
    const bool same_group =
        old.st_gid == own.st_gid || ::fchown(descriptor_, kSameUser, old.st_gid) == 0;
    // Only root may change the owner of a file.
    [[maybe_unused]] const int given = ::fchown(descriptor_, old.st_uid, static_cast<gid_t>(-1));
    // The permissions of the old group must not apply to another group.
    if (!same_group) mode &= ~kOfGroup | (mode & 0007) << 3;
    ::fchmod(descriptor_, mode);
}

ReplacingFile::ReplacingFile(ReplacingFile&& other) noexcept
    : target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      sync_(other.sync_),
      descriptor_(std::exchange(other.descriptor_, -1)),
      position_(other.position_),
      size_(other.size_) {}

ReplacingFile::~ReplacingFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Status ReplacingFile::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t written =
            ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(position_));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return error(written < 0 ? errno : ENOSPC);
        bytes = bytes.subspan(static_cast<std::size_t>(written));
        position_ += static_cast<std::uint64_t>(written);
        size_ = std::max(size_, position_);
    }
    return Done{};
}

Status ReplacingFile::commit() {
    if (sync_ == FileSync::kSynced && ::fsync(descriptor_) != 0) return error(errno);
    // Nothing is allocated after the first link: a failure would leave a file behind, or report a
    // failure for a file that was written.
    const std::filesystem::path folder_path = folder_of(target_);
    if (temporary_.empty()) {
        // linkat() does not replace; so the file first gets a temporary name.
        std::filesystem::path temporary = new_owned_name(folder_of(target_), kParts);
        const std::string self = std::string(kOpenFiles) + std::to_string(descriptor_);
        if (::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, temporary.c_str(), AT_SYMLINK_FOLLOW) != 0)
            return error(errno);
        temporary_ = std::move(temporary);
    }
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) return error(errno);
    temporary_.clear();
    if (sync_ == FileSync::kUnsynced) return Done{};
    // The new name survives a power failure only after its folder is synced, too. Some file systems
    // cannot sync a folder; the file is whole either way.
    const int folder = ::open(folder_path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
        ::fsync(folder);
        ::close(folder);
    }
    return Done{};
}

Status replace_file(const std::filesystem::path& target, std::span<const std::byte> bytes) {
    ReplacingFile file = TRY(ReplacingFile::open(target));
    TRY(file.write(bytes));
    return file.commit();
}

}  // namespace tilereel

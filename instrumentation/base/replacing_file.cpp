#include "instrumentation/base/replacing_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

namespace tilereel {
namespace {

constexpr const char* kOpenFiles = "/proc/self/fd/";

std::filesystem::path folder_of(const std::filesystem::path& target) {
    return target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
}

// A name in the target's folder that no other writer uses, however long the target's own name is.
std::filesystem::path temporary_name(const std::filesystem::path& target) {
    static std::atomic<unsigned> counter{0};
    return folder_of(target) /
           (".tilereel-" + std::to_string(::getpid()) + "-" + std::to_string(counter++) + ".part");
}

std::string quoted(const std::filesystem::path& path) { return "'" + path.string() + "'"; }

std::string advice(int error_number) {
    switch (error_number) {
        case ENOSPC:
        case EDQUOT:
            return "the disk is full; free some space or write somewhere else";
        case EFBIG:
            return "it would be larger than files may be here; write somewhere else";
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

Result<ReplacingFile> ReplacingFile::open(const std::filesystem::path& target) {
    std::error_code ignored;
    ReplacingFile file(target);
    if (target.empty()) return failed("cannot write a file without a name; give it one");
    const auto status = std::filesystem::status(target, ignored);
    if (std::filesystem::is_directory(status) || !target.has_filename())
        return failed("cannot write " + quoted(target) + ": it is a folder; name a file in it");
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
        return failed("cannot write " + quoted(target) + ": it is not a plain file; name another");
    // A link stays a link: what it points to is replaced.
    if (std::filesystem::is_symlink(target, ignored)) {
        const auto pointed_to = std::filesystem::weakly_canonical(target, ignored);
        if (!ignored) file.target_ = pointed_to;
    }
    constexpr int kMode = 0666;  // less the user's umask
    // A file without a name goes with the process, even if that is killed; it can be named later
    // only through /proc.
    if (std::filesystem::exists(kOpenFiles, ignored))
        file.descriptor_ =
            ::open(folder_of(file.target_).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, kMode);
    if (file.descriptor_ >= 0) return file;
    const std::filesystem::path temporary = temporary_name(file.target_);
    file.descriptor_ = ::open(temporary.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, kMode);
    if (file.descriptor_ < 0) return file.error(errno);
    file.temporary_ = temporary;
    return file;
}

ReplacingFile::ReplacingFile(ReplacingFile&& other) noexcept
    : target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
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
    if (::fsync(descriptor_) != 0) return error(errno);
    if (temporary_.empty()) {
        // linkat() does not replace; so the file first gets a temporary name.
        const std::filesystem::path temporary = temporary_name(target_);
        const std::string self = std::string(kOpenFiles) + std::to_string(descriptor_);
        if (::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, temporary.c_str(), AT_SYMLINK_FOLLOW) != 0)
            return error(errno);
        temporary_ = temporary;
    }
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) return error(errno);
    temporary_.clear();
    // The new name itself survives a power cut only once its folder is synced, too. Some file
    // systems cannot sync a folder; the file is whole either way.
    const int folder = ::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
        ::fsync(folder);
        ::close(folder);
    }
    return Done{};
}

}  // namespace tilereel

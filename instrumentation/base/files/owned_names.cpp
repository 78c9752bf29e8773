#include "instrumentation/base/files/owned_names.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <optional>
#include <string>
#include <system_error>

#include "instrumentation/base/files/remove_folder.h"

namespace tilereel {
namespace {

constexpr std::size_t kBootDigits = 8;
constexpr const char* kUnknownBoot = "00000000";

// The first bytes of a file; empty if it cannot be read.
std::string beginning_of(int folder, const char* name) {
    const int file = ::openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return {};
    std::array<char, 1024> text{};
    const ssize_t count = ::read(file, text.data(), text.size());
    ::close(file);
    return {text.data(), static_cast<std::size_t>(count < 0 ? 0 : count)};
}

// The start of a process in clock ticks after the system's start (proc(5)); 0: not known.
std::uint64_t start_of(pid_t process) {
    const std::string path = "/proc/" + std::to_string(process) + "/stat";
    const std::string text = beginning_of(AT_FDCWD, path.c_str());
    std::size_t at = text.rfind(')');  // the program's name may contain blanks
    constexpr int kFieldsAfterName = 20;
    for (int i = 0; i < kFieldsAfterName && at != std::string::npos; ++i)
        at = text.find(' ', at + 1);
    std::uint64_t start = 0;
    if (at != std::string::npos)
        std::from_chars(text.data() + at + 1, text.data() + text.size(), start);
    return start;
}

std::string boot() {
    const std::string id = beginning_of(AT_FDCWD, "/proc/sys/kernel/random/boot_id");
    return id.size() < kBootDigits ? kUnknownBoot : id.substr(0, kBootDigits);
}

struct Owner {
    pid_t process = 0;
    std::uint64_t start = 0;
    std::string boot;
};

// The owner in a name that new_owned_name() made; nullopt for any other name.
std::optional<Owner> owner_of(std::string_view name, const OwnedNames& names) {
    if (!name.starts_with(names.begin) || !name.ends_with(names.end) ||
        name.size() < names.begin.size() + names.end.size())
        return std::nullopt;
    name.remove_prefix(names.begin.size());
    name.remove_suffix(names.end.size());
    Owner owner;
    const auto take = [&](auto& number) {
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
        if (error != std::errc()) return false;
        name.remove_prefix(static_cast<std::size_t>(end - name.data()));
        return true;
    };
    const auto take_dash = [&] {
        if (!name.starts_with('-')) return false;
        name.remove_prefix(1);
        return true;
    };
    if (!take(owner.process) || owner.process <= 0 || !take_dash() || !take(owner.start) ||
        !take_dash() || name.size() <= kBootDigits)
        return std::nullopt;
    owner.boot = name.substr(0, kBootDigits);
    name.remove_prefix(kBootDigits);
    unsigned counter = 0;
    if (owner.boot.find_first_not_of("0123456789abcdef") != std::string::npos || !take_dash() ||
        !take(counter) || !name.empty())
        return std::nullopt;
    return owner;
}

bool may_live(const Owner& owner) {
    const std::string here = boot();
    if (here != owner.boot && here != kUnknownBoot && owner.boot != kUnknownBoot) return false;
    if (::kill(owner.process, 0) != 0 && errno == ESRCH) return false;
    const std::uint64_t start = start_of(owner.process);
    return start == 0 || owner.start == 0 || start == owner.start;
}

std::string mark_text(const std::string& name, const struct stat& folder) {
    return "Tilereel's temporary folder " + name + ", user " + std::to_string(::geteuid()) +
           ", inode " + std::to_string(folder.st_ino) + "\n";
}

bool has_mark(int folder, const std::string& name, const struct stat& status) {
    const int mark = ::openat(folder, kOwnerMark, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (mark < 0) return false;
    struct stat own {};
    const bool sound = ::fstat(mark, &own) == 0 && S_ISREG(own.st_mode) &&
                       own.st_uid == ::geteuid() && own.st_nlink == 1;
    ::close(mark);
    return sound && beginning_of(folder, kOwnerMark) == mark_text(name, status);
}

// Opens and locks a file or folder of this user whose owner has ended; returns its descriptor, else
// -1. The owner may run on another machine or in a container, where its number means
// nothing here, so the lock must be free, too.
int open_abandoned(int folder, const char* name, const Owner& owner, mode_t type) {
    if (may_live(owner)) return -1;
    const int descriptor = ::openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) return -1;
    struct stat status {};
    if (::fstat(descriptor, &status) == 0 && (status.st_mode & S_IFMT) == type &&
        status.st_uid == ::geteuid() && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        return descriptor;
    ::close(descriptor);
    return -1;
}

// Does not use directory_iterator, which ends the program when it gets no memory.
template <class Remove>
void each_abandoned(const std::filesystem::path& folder, const OwnedNames& names, mode_t type,
                    Remove&& remove) {
    DIR* const entries = ::opendir(folder.c_str());
    if (entries == nullptr) return;
    while (const dirent* const entry = ::readdir(entries)) {
        const std::optional<Owner> owner = owner_of(entry->d_name, names);
        if (!owner) continue;
        const int locked = open_abandoned(::dirfd(entries), entry->d_name, *owner, type);
        if (locked < 0) continue;
        remove(::dirfd(entries), entry->d_name, locked);
        ::close(locked);
    }
    ::closedir(entries);
}

}  // namespace

std::filesystem::path new_owned_name(const std::filesystem::path& folder, const OwnedNames& names) {
    static std::atomic<unsigned> counter{0};
    const std::string begin = std::string(names.begin) + std::to_string(::getpid()) + "-" +
                              std::to_string(start_of(::getpid())) + "-" + boot() + "-";
    std::filesystem::path name;
    std::error_code ignored;
    do {  // a process on another machine or in a container may have the same number
        name = folder / (begin + std::to_string(counter++) + std::string(names.end));
    } while (std::filesystem::exists(std::filesystem::symlink_status(name, ignored)));
    return name;
}

void lock_for_owner(int descriptor) { ::flock(descriptor, LOCK_EX | LOCK_NB); }

bool mark_owned_folder(int descriptor, const std::string& name) {
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) return false;
    const std::string text = mark_text(name, status);
    constexpr mode_t kMode = 0600;
    const int mark = ::openat(descriptor, kOwnerMark,
                              O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kMode);
    if (mark < 0) return false;
    const bool whole = ::write(mark, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    const int problem = errno;
    ::close(mark);
    errno = problem;
    return whole;
}

void remove_abandoned_files(const std::filesystem::path& folder, const OwnedNames& names) {
    each_abandoned(folder, names, S_IFREG,
                   [](int within, const char* name, int) { ::unlinkat(within, name, 0); });
}

void remove_abandoned_folders(const std::filesystem::path& folder, const OwnedNames& names) {
    each_abandoned(folder, names, S_IFDIR, [&](int within, const char* name, int locked) {
        struct stat status {};
        constexpr mode_t kOfOthers = 077;
        if (::fstat(locked, &status) != 0 || (status.st_mode & kOfOthers) != 0) return;
        if (has_mark(locked, name, status))
            remove_folder(within, name, locked, kOwnerMark);
        else
            ::unlinkat(within, name, AT_REMOVEDIR);  // killed before the mark was written: empty
    });
}

}  // namespace tilereel

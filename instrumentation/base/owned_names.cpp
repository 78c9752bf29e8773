#include "instrumentation/base/owned_names.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <optional>
#include <string>
#include <system_error>

namespace tilereel {
namespace {

// The process number in a name that new_owned_name() made; nullopt for any other name.
std::optional<pid_t> owner_of(std::string_view name, const OwnedNames& names) {
    if (!name.starts_with(names.begin) || !name.ends_with(names.end)) return std::nullopt;
    const char* const first = name.data() + names.begin.size();
    pid_t process = 0;
    const auto [end, error] = std::from_chars(first, name.data() + name.size(), process);
    if (error != std::errc() || *end != '-' || process <= 0) return std::nullopt;
    return process;
}

// Opens and locks a file or folder whose owner has ended; returns its descriptor, else -1. The
// owner may run on another machine or in a container, where its number means nothing
// here, so the lock must be free, too.
int open_abandoned(int folder, const char* name, pid_t owner, mode_t type) {
    if (::kill(owner, 0) == 0 || errno != ESRCH) return -1;
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
        const std::optional<pid_t> owner = owner_of(entry->d_name, names);
        if (!owner) continue;
        const int locked = open_abandoned(::dirfd(entries), entry->d_name, *owner, type);
        if (locked < 0) continue;
        remove(::dirfd(entries), entry->d_name);
        ::close(locked);
    }
    ::closedir(entries);
}

}  // namespace

std::filesystem::path new_owned_name(const std::filesystem::path& folder, const OwnedNames& names) {
    static std::atomic<unsigned> counter{0};
    const std::string begin = std::string(names.begin) + std::to_string(::getpid()) + "-";
    std::filesystem::path name;
    std::error_code ignored;
    do {  // a process on another machine or in a container may have the same number
        name = folder / (begin + std::to_string(counter++) + std::string(names.end));
    } while (std::filesystem::exists(std::filesystem::symlink_status(name, ignored)));
    return name;
}

void lock_for_owner(int descriptor) { ::flock(descriptor, LOCK_EX | LOCK_NB); }

void remove_abandoned_files(const std::filesystem::path& folder, const OwnedNames& names) {
    each_abandoned(folder, names, S_IFREG,
                   [](int within, const char* name) { ::unlinkat(within, name, 0); });
}

void remove_abandoned_folders(const std::filesystem::path& folder, const OwnedNames& names) {
    each_abandoned(folder, names, S_IFDIR, [&](int, const char* name) {
        std::error_code ignored;
        std::filesystem::remove_all(folder / name, ignored);
    });
}

}  // namespace tilereel

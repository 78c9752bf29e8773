#include "instrumentation/program/occupied_bytes.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace tilereel::program {
namespace {

constexpr std::uint64_t kBlock = 512;  // of stat::st_blocks
constexpr std::uint64_t kPage = 4096;
constexpr int kDeepest = 64;

std::uint64_t bytes_of(const struct stat& file) {
    return std::max(kPage, static_cast<std::uint64_t>(file.st_blocks) * kBlock);
}

}  // namespace

void OccupiedBytes::add_folder(const std::filesystem::path& folder) {
    add_entries(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), kDeepest);
}

void OccupiedBytes::add_entries(int folder, int depth) {
    if (folder < 0) return;
    DIR* const entries = ::fdopendir(folder);
    if (entries == nullptr) {
        ::close(folder);
        return;
    }
    while (const dirent* const entry = ::readdir(entries)) {
        const std::string name = entry->d_name;
        struct stat file {};
        if (name == "." || name == ".." ||
            ::fstatat(::dirfd(entries), name.c_str(), &file, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        total_ += bytes_of(file);
        if (S_ISDIR(file.st_mode) && depth > 0)
            add_entries(::openat(::dirfd(entries), name.c_str(),
                                 O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC),
                        depth - 1);
    }
    ::closedir(entries);
}

void OccupiedBytes::add_unnamed_files(int processes, const std::string& process) {
    const int folder =
        ::openat(processes, (process + "/fd").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR* const entries = folder < 0 ? nullptr : ::fdopendir(folder);
    if (entries == nullptr) {
        if (folder >= 0) ::close(folder);
        return;
    }
    while (const dirent* const entry = ::readdir(entries)) {
        struct stat file {};
        if (entry->d_name[0] == '.' || ::fstatat(folder, entry->d_name, &file, 0) != 0) continue;
        if (S_ISREG(file.st_mode) && file.st_nlink == 0 &&
            unnamed_.emplace(file.st_dev, file.st_ino).second)
            total_ += bytes_of(file);
    }
    ::closedir(entries);
}

}  // namespace tilereel::program

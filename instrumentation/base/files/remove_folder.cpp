#include "instrumentation/base/files/remove_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <utility>

namespace tilereel {
namespace {

using Name = std::array<char, 64>;

bool is_same(const struct stat& one, const struct stat& other) {
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

// Gives a folder all permissions of its owner. The path in /proc names the open folder, so that a
// link which replaces the folder is not followed. Does nothing if it is not a folder.
void permit(int parent, const char* name) {
    const int folder = ::openat(parent, name, O_PATH | O_NOFOLLOW | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return;
    Name path;
    std::snprintf(path.data(), path.size(), "/proc/self/fd/%d", folder);
    [[maybe_unused]] const int changed = ::chmod(path.data(), S_IRWXU);
    ::close(folder);
}

class Entries {
  public:
    Entries(int parent, const char* name) {
        constexpr int kFolder = O_RDONLY | O_NOFOLLOW | O_DIRECTORY | O_CLOEXEC;
        int folder = ::openat(parent, name, kFolder);
        if (folder < 0) return;
        entries_ = ::fdopendir(folder);
        if (entries_ == nullptr) ::close(folder);
    }
    ~Entries() {
        if (entries_ != nullptr) ::closedir(entries_);
    }
    Entries(const Entries&) = delete;
    Entries& operator=(const Entries&) = delete;
    explicit operator bool() const { return entries_ != nullptr; }
    [[nodiscard]] int descriptor() const { return ::dirfd(entries_); }
    void restart() { ::rewinddir(entries_); }
    // nullptr at the end.
    const char* next() {
        while (const dirent* const entry = ::readdir(entries_))
            if (std::strcmp(entry->d_name, ".") != 0 && std::strcmp(entry->d_name, "..") != 0)
                return entry->d_name;
        return nullptr;
    }

  private:
    DIR* entries_ = nullptr;
};

// Removes one folder tree. A nested folder is moved up into the tree's top and is emptied from
// there. So two open folders suffice for any depth, and no path gets long.
class TreeRemoval {
  public:
    TreeRemoval(Entries& top, dev_t device) : top_(top), device_(device) {}

    void run(const char* last) {
        remove_all_but(last);
        remove_all_but("");
    }

  private:
    void remove_all_but(const char* kept) {
        bool any = true;
        while (std::exchange(any, false)) {
            top_.restart();
            while (const char* const name = top_.next())
                any = (std::strcmp(name, kept) != 0 && remove_entry(name)) || any;
        }
    }
    bool remove_entry(const char* name) {
        const int top = top_.descriptor();
        if (::unlinkat(top, name, 0) == 0) return true;
        struct stat status {};
        if (::fstatat(top, name, &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISDIR(status.st_mode) ||
            status.st_dev != device_)
            return false;
        if (::unlinkat(top, name, AT_REMOVEDIR) == 0) return true;
        permit(top, name);
        bool any = false;
        if (Entries inner(top, name); inner)
            while (const char* const entry = inner.next())
                any = take_out(inner.descriptor(), entry) || any;
        return ::unlinkat(top, name, AT_REMOVEDIR) == 0 || any;
    }
    // Removes a file, or moves a folder to the top under a new name.
    bool take_out(int folder, const char* entry) {
        if (::unlinkat(folder, entry, 0) == 0 || ::unlinkat(folder, entry, AT_REMOVEDIR) == 0)
            return true;
        struct stat status {};
        if (::fstatat(folder, entry, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISDIR(status.st_mode) || status.st_dev != device_)
            return false;
        permit(folder, entry);
        Name moved;
        do {
            std::snprintf(moved.data(), moved.size(), "moved-%llu", count_++);
        } while (::fstatat(top_.descriptor(), moved.data(), &status, AT_SYMLINK_NOFOLLOW) == 0);
        return ::renameat(folder, entry, top_.descriptor(), moved.data()) == 0;
    }

    Entries& top_;
    dev_t device_;
    unsigned long long count_ = 0;
};

}  // namespace

bool remove_folder(int parent, const char* name, int expected, const char* last) {
    struct stat now {
    }, made{};
    const auto is_unchanged = [&] {
        return ::fstat(expected, &made) == 0 &&
               ::fstatat(parent, name, &now, AT_SYMLINK_NOFOLLOW) == 0 && is_same(now, made);
    };
    if (!is_unchanged()) return false;
    if (::unlinkat(parent, name, AT_REMOVEDIR) == 0) return true;
    permit(parent, name);
    {
        Entries top(parent, name);
        struct stat opened {};
        if (!top || ::fstat(top.descriptor(), &opened) != 0 || !is_same(opened, made)) return false;
        TreeRemoval(top, made.st_dev).run(last);
    }
    return is_unchanged() && ::unlinkat(parent, name, AT_REMOVEDIR) == 0;
}

}  // namespace tilereel

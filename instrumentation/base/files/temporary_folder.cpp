#include "instrumentation/base/files/temporary_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

#include "instrumentation/base/files/owned_names.h"
#include "instrumentation/base/files/remove_folder.h"

namespace tilereel {
namespace {

constexpr OwnedNames kFolders = {"tilereel-", ""};

}  // namespace

Result<TemporaryFolder> TemporaryFolder::make() {
    // An empty TMPDIR is none. A relative one would name another folder for each child.
    const char* const chosen = std::getenv("TMPDIR");
    const bool is_chosen = chosen != nullptr && *chosen != 0;
    std::error_code error;
    const std::filesystem::path named = is_chosen ? chosen : "/tmp";
    const std::filesystem::path parent = std::filesystem::absolute(named, error);
    if (error || !std::filesystem::is_directory(parent, error))
        return failed((is_chosen ? "TMPDIR names " : "temporary files belong in ") +
                      named.string() +
                      ", which is no folder; set TMPDIR to a folder that you may "
                      "write");
    Result<TemporaryFolder> folder = make_in(parent, kFolders);
    if (!folder) return failed(folder.error().message + "; name another with TMPDIR");
    return folder;
}

Result<TemporaryFolder> TemporaryFolder::make_in(const std::filesystem::path& parent,
                                                 const OwnedNames& names) {
    remove_abandoned_folders(parent, names);
    constexpr int kTries = 100;
    for (int i = 0; i < kTries; ++i) {
        std::filesystem::path path = new_owned_name(parent, names);
        if (::mkdir(path.c_str(), S_IRWXU) != 0) {
            if (errno == EEXIST) continue;
            break;
        }
        const int descriptor =
            ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (descriptor >= 0) lock_for_owner(descriptor);
        if (descriptor >= 0 && mark_owned_folder(descriptor, path.filename().string()))
            return TemporaryFolder(std::move(path), descriptor);
        const int problem = errno;
        if (descriptor >= 0) {
            ::unlinkat(descriptor, kOwnerMark, 0);
            ::close(descriptor);
        }
        ::rmdir(path.c_str());
        errno = problem;
        break;
    }
    return failed("cannot make a folder in " + parent.string() + ": " +
                  std::generic_category().message(errno));
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), descriptor_(std::exchange(other.descriptor_, -1)) {}

TemporaryFolder::~TemporaryFolder() {
    if (path_.empty()) return;
    // If the program has replaced the folder, what stands at its path now is not ours and stays.
    // An empty folder is removed without opening anything, which may fail without free descriptors;
    // so removal is tried again.
    ::unlinkat(descriptor_, kOwnerMark, 0);
    for (int tries = 0; tries < 2; ++tries)
        if (remove_folder(AT_FDCWD, path_.c_str(), descriptor_, kOwnerMark)) break;
    ::close(descriptor_);
}

}  // namespace tilereel

#include "app/export/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

namespace tilereel {

Result<TemporaryFolder> TemporaryFolder::create() {
    std::error_code error;
    const std::filesystem::path parent = std::filesystem::temp_directory_path(error);
    if (error)
        return failed("there is no folder for temporary files (" + error.message() +
                      "); set TMPDIR to one that can be written");
    std::string name = (parent / "tilereel-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
        return failed("cannot make a folder in " + parent.string() + " (" + std::strerror(errno) +
                      "); set TMPDIR to one that can be written");
    return TemporaryFolder(name);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})) {}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace tilereel

#include "instrumentation/program/cache_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "instrumentation/base/digest.h"
#include "instrumentation/base/files/temporary_folder.h"
#include "instrumentation/base/files/text_file.h"
#include "instrumentation/base/interruption.h"

namespace tilereel::program {
namespace {

namespace fs = std::filesystem;

// An absolute path in the environment; the XDG specification says to ignore a relative one.
fs::path folder_in_environment(const char* name) {
    const char* const value = std::getenv(name);
    const fs::path path = value == nullptr ? "" : value;
    return path.is_absolute() ? path : fs::path();
}

fs::path cache_of_user() {
    if (const fs::path chosen = folder_in_environment("XDG_CACHE_HOME"); !chosen.empty())
        return chosen / "tilereel";
    const fs::path home = folder_in_environment("HOME");
    return home.empty() ? home : home / ".cache" / "tilereel";
}

// True for a folder of this user, no link, that this user may write and others may neither write
// nor read. A folder that others can only read is closed to them. Where others could write,
// they may have put something, so such a folder is not used.
bool is_for_us_alone(const fs::path& path) {
    const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) return false;
    constexpr mode_t kOthers = 077, kOthersWrite = 022;
    struct stat status {};
    const bool ours = ::fstat(folder, &status) == 0 && status.st_uid == ::geteuid() &&
                      (status.st_mode & kOthersWrite) == 0 &&
                      ((status.st_mode & kOthers) == 0 || ::fchmod(folder, S_IRWXU) == 0) &&
                      ::faccessat(folder, ".", W_OK | X_OK, AT_EACCESS) == 0;
    ::close(folder);
    return ours;
}

fs::path sum_file(fs::path file) { return file += ".sum"; }

// Size and digest. A precompiled header has some 20 MB.
std::string sum_of(const fs::path& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return {};
    std::vector<std::byte> buffer(std::size_t{1} << 18);
    Digest digest;
    std::uint64_t size = 0;
    for (std::size_t filled = 0;;) {
        const ssize_t count = ::read(file, buffer.data() + filled, buffer.size() - filled);
        if (count > 0) filled += static_cast<std::size_t>(count);
        if (count > 0 && filled < buffer.size()) continue;
        digest.add(std::span(buffer).first(filled));
        size += filled;
        filled = 0;
        if (count <= 0) break;
    }
    ::close(file);
    std::string text = std::to_string(size);
    for (const std::uint64_t sum : digest.sums()) text += ' ' + std::to_string(sum);
    return text + '\n';
}

}  // namespace

fs::path cache_of_process() {
    static std::mutex mutex;
    static std::optional<TemporaryFolder> folder;
    const std::lock_guard lock(mutex);
    if (!folder) {
        Result<TemporaryFolder> made = TemporaryFolder::make();
        if (!made) return {};
        folder.emplace(*std::move(made));
    }
    return folder->path();
}

fs::path cache_folder() {
    const fs::path path = cache_of_user();
    if (path.empty()) return cache_of_process();
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    ::mkdir(path.c_str(), S_IRWXU);
    return is_for_us_alone(path) ? path : cache_of_process();
}

Status write_sum(const fs::path& file) { return write_text(sum_file(file), sum_of(file)); }

bool has_its_sum(const fs::path& file) {
    const std::string sum = sum_of(file);
    return !sum.empty() && read_text(sum_file(file)) == sum;
}

CacheLock::CacheLock(const fs::path& cache, int most_seconds)
    : file_(open((cache / "lock").c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600)) {
    using namespace std::chrono;
    const auto end = steady_clock::now() + seconds(most_seconds);
    while (file_ >= 0 && !held_) {
        held_ = flock(file_, LOCK_EX | LOCK_NB) == 0;
        const bool waits = !held_ && errno == EWOULDBLOCK && !was_interrupted();
        if (!waits || steady_clock::now() >= end) return;
        std::this_thread::sleep_for(milliseconds(20));
    }
}

CacheLock::~CacheLock() {
    if (file_ >= 0) close(file_);
}

void remove_from_cache(const fs::path& name) {
    const Result<TemporaryFolder> aside = TemporaryFolder::make_in(name.parent_path(), kHalfMade);
    std::error_code error;
    if (aside) fs::rename(name, aside->path() / "removed", error);
}

}  // namespace tilereel::program

#include "app/export/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

namespace tilereel {
namespace {

class FileDescriptor {
  public:
    explicit FileDescriptor(int descriptor) : descriptor_(descriptor) {}
    ~FileDescriptor() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    FileDescriptor(const FileDescriptor&) = delete;
    FileDescriptor& operator=(const FileDescriptor&) = delete;
    [[nodiscard]] int get() const { return descriptor_; }

  private:
    int descriptor_;
};

Error cannot_write(const std::filesystem::path& path, int error) {
    return failed("cannot write " + path.string() + " (" + std::strerror(error) +
                  "); choose another file or make room");
}

}  // namespace

OutputFile::OutputFile(const std::filesystem::path& path) : path_(path), temporary_(path) {
    temporary_ += ".part" + std::to_string(::getpid());
}

OutputFile::~OutputFile() {
    std::error_code ignored;
    if (!kept_) std::filesystem::remove(temporary_, ignored);
}

Status OutputFile::write(std::span<const std::byte> bytes) {
    const FileDescriptor file(
        ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (file.get() < 0) return cannot_write(path_, errno);
    while (!bytes.empty()) {
        const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return cannot_write(path_, errno);
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return Done{};
}

Status OutputFile::keep() {
    const FileDescriptor file(::open(temporary_.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0 || ::fsync(file.get()) != 0) return cannot_write(path_, errno);
    if (std::filesystem::is_directory(path_)) return cannot_write(path_, EISDIR);
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) return cannot_write(path_, errno);
    kept_ = true;
    return Done{};
}

}  // namespace tilereel

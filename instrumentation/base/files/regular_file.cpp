#include "instrumentation/base/files/regular_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace tilereel {

Result<std::string> read_regular_file(const std::filesystem::path& path, std::uint64_t most_bytes) {
    // Without O_NONBLOCK, open() would wait for the other end of a pipe.
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0)
        return failed("cannot read " + path.string() + ": " + std::strerror(errno) +
                      "; name a file that you may read");
    struct Closing {
        int file;
        ~Closing() { close(file); }
    } const closing{file};
    struct stat about {};
    if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode))
        return failed(path.string() + " is a folder, a pipe or a device; name a regular file");
    const auto bytes = static_cast<std::uint64_t>(about.st_size);
    if (bytes > most_bytes)
        return failed(path.string() + " has " + std::to_string(bytes >> 20) +
                      " MiB; name a file of at most " + std::to_string(most_bytes >> 20) + " MiB");
    std::string text(bytes, '\0');
    std::size_t filled = 0;
    while (filled < text.size()) {
        const ssize_t count = read(file, text.data() + filled, text.size() - filled);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0)
            return failed("cannot read " + path.string() + ": " + std::strerror(errno) +
                          "; copy it to another disk");
        if (count == 0) break;
        filled += static_cast<std::size_t>(count);
    }
    text.resize(filled);
    return text;
}

}  // namespace tilereel

#include "instrumentation/plain/text_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

namespace tilereel::plain {

std::string read_text(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

Result<std::string> read_source(const std::filesystem::path& path) {
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
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
        return failed(path.string() +
                      " is a folder, a pipe or a device; name a regular file with CUDA source");
    const auto bytes = static_cast<std::uint64_t>(about.st_size);
    if (bytes > kMostSourceBytes)
        return failed(path.string() + " has " + std::to_string(bytes >> 20) +
                      " MiB; Tilereel reads source files of up to " +
                      std::to_string(kMostSourceBytes >> 20) +
                      " MiB: keep data in a file that the program reads");
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
    if (text.starts_with(kMark)) text.erase(0, kMark.size());
    return text;
}

std::string line_directive(unsigned line, std::string_view file) {
    std::string text = "#line " + std::to_string(line) + " \"";
    for (const char c : file) {
        if (c == '"' || c == '\\') text += '\\';
        if (c >= 0 && c < ' ') {
            const int code = c;
            text += '\\';
            for (const int shift : {6, 3, 0}) text += static_cast<char>('0' + (code >> shift) % 8);
        } else {
            text += c;
        }
    }
    return text + "\"\n";
}

Status write_text(const std::filesystem::path& path, std::string_view text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file) return failed("cannot write " + path.string() + "; make room on its disk");
    return Done{};
}

}  // namespace tilereel::plain

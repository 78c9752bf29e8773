#pragma once
// A file in memory, for readers that need a path. If it cannot be made, the program reports it and
// stops. Otherwise a target would read less than its input, and pass.
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>

namespace tilereel::fuzz {

class MemoryFile {
  public:
    explicit MemoryFile(std::span<const std::uint8_t> bytes)
        : descriptor_(memfd_create("fuzz", MFD_CLOEXEC)) {
        if (descriptor_ < 0) fail("memfd_create");
        while (!bytes.empty()) {
            const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
            if (written < 0 && errno == EINTR) continue;
            if (written <= 0) fail("write");
            bytes = bytes.subspan(static_cast<std::size_t>(written));
        }
    }
    ~MemoryFile() { close(descriptor_); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    [[nodiscard]] std::filesystem::path path() const {
        return "/proc/self/fd/" + std::to_string(descriptor_);
    }

  private:
    [[noreturn]] static void fail(const char* call) {
        std::fprintf(stderr, "file in memory: %s: %s\n", call, std::strerror(errno));
        std::abort();
    }

    int descriptor_;
};

}  // namespace tilereel::fuzz

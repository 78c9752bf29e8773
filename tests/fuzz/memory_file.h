#pragma once
// A file in memory, for readers that need a path.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace tilereel::fuzz {

class MemoryFile {
  public:
    explicit MemoryFile(std::span<const std::uint8_t> bytes)
        : descriptor_(memfd_create("fuzz", MFD_CLOEXEC)) {
        while (!bytes.empty()) {
            const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
            if (written <= 0) break;
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
    int descriptor_;
};

}  // namespace tilereel::fuzz

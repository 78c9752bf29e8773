#pragma once
#include <cstdint>
#include <string>

namespace tilereel {

// 1000 -> "1000 bytes", 4294967296 -> "4096 MiB": a whole number, rounded up. The unit is the
// smallest of bytes, KiB and MiB that needs at most four digits, or else MiB.
[[nodiscard]] inline std::string bytes_text(std::uint64_t bytes) {
    constexpr std::uint64_t kMost = 10'000;
    if (bytes < kMost) return std::to_string(bytes) + " bytes";
    const std::uint64_t kibibytes = bytes / 1024 + (bytes % 1024 != 0);
    if (kibibytes < kMost) return std::to_string(kibibytes) + " KiB";
    return std::to_string(kibibytes / 1024 + (kibibytes % 1024 != 0)) + " MiB";
}

}  // namespace tilereel

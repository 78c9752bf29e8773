#pragma once
// The members of a trace file in a flat format, so that a fuzzer changes their content and not the
// zip container: for each member its number in kMembers (one byte), its length (four bytes,
// little-endian) and its bytes.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilereel::fuzz {

struct Member {
    std::string name;
    std::vector<std::uint8_t> bytes;
};

// A length beyond the end is reduced to the remaining bytes.
[[nodiscard]] std::vector<Member> members_of(std::span<const std::uint8_t> input);
[[nodiscard]] std::vector<std::uint8_t> bytes_of(const std::vector<Member>& members);
// A zip file with these members and valid CRCs; empty if libzip refuses them.
[[nodiscard]] std::vector<std::uint8_t> zip_of(const std::vector<Member>& members);
// The members of a zip file.
[[nodiscard]] std::vector<Member> members_of_file(const std::string& path);

}  // namespace tilereel::fuzz

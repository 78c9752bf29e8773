#pragma once
// Says how far outside of its array an access lies.
#include <cstdint>
#include <string>

namespace tilereel::runtime {

struct MemoryArray;

// "1,024 elements", "1 element"
[[nodiscard]] std::string counted(std::uint64_t count, const std::string& unit);

struct OutsideAccess {
    std::int64_t offset_bytes = 0;  // from the array's first byte
    std::uint32_t width_bytes = 0, element_bytes = 0;
    std::uint64_t array_bytes = 0;
};
// "x[2000255], 1,999,232 elements beyond the last of its 1,024", "x[-1], 1 element before the
// first of its 32"; of an access of several elements "x[30] to x[33], 2 elements beyond ..."
[[nodiscard]] std::string outside_text(const std::string& name, const OutsideAccess& access);

// "4,096 bytes beyond", "1 byte before"; the address lies outside of the array.
[[nodiscard]] std::string distance_text(const MemoryArray& array, std::uint64_t address);

// As the program names it; "an array" if no recorded access has.
[[nodiscard]] std::string name_of(const MemoryArray& array);

}  // namespace tilereel::runtime

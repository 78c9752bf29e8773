#pragma once
// The source line of an address in the program's code, from its debug information.
#include <cstdint>
#include <string>

namespace tilereel::runtime {

struct SourceLine {
    std::string file;
    std::uint32_t line = 0;  // 0: unknown
};
// The line of the user's code, also where a function of our headers was inlined. Runs addr2line,
// which takes about ten milliseconds.
[[nodiscard]] SourceLine source_line(std::uint64_t address);

}  // namespace tilereel::runtime

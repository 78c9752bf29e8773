#pragma once
// The source line of an address in the program's code, by what the compiler has left in the file.
#include <cstdint>
#include <string>

namespace tilereel::plain {

struct SourceLine {
    std::string file;
    std::uint32_t line = 0;  // 0: not known
};
// Where the program's code has called a hook of the compiler's last, on this CPU thread; 0:
// nowhere.
extern thread_local std::uint64_t last_hook_call;
// Of the user's own code where that has been inlined. Runs addr2line: some ten milliseconds.
[[nodiscard]] SourceLine source_line(std::uint64_t address);

}  // namespace tilereel::plain

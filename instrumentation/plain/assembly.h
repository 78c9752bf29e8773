#pragma once
// Finds in g++'s assembly what the hooks of -fsanitize=thread do not report: the extent of loops,
// and which pairs of calls belong to one copy of a structure.
#include <cstdint>
#include <string>
#include <string_view>

namespace tilereel::plain {

// The kind of an entry of the section kMarksSection: the first of its three 8-byte numbers. The
// comments give the other two.
enum class Mark : std::uint64_t {
    kCall = 1,  // the return address of a call; 0
    // The same for the store of a structure copy. g++ reports the store first; the next call
    // reports the load.
    kStoreOfCopy = 2,
    kLoop = 3,  // begin and end address
};
// Not loaded with the program. The name makes it debug information for the linker, so that it may
// refer to discarded code.
inline constexpr std::string_view kMarksSection = ".debug_tilereel";

// Marks calls and loops in the assembly that g++ -O0 -fsanitize=thread wrote for a file with device
// code. Redirects calls that differ on the device (printf, malloc ...) to the runtime, and every
// undefined thread-local variable to the block's dynamic shared memory.
[[nodiscard]] std::string mark_assembly(std::string_view text);

}  // namespace tilereel::plain

#pragma once
// What the compiler's own access hooks do not say, from the assembly that it writes: where loops
// lie, and which calls make up one copy of a structure.
#include <cstdint>
#include <string>
#include <string_view>

namespace tilereel::plain {

// A record of the section kMarksSection: three numbers of 8 bytes.
enum class Mark : std::uint64_t {
    kCall = 1,  // the address behind a call, 0
    // The same, where a structure is copied: the compiler tells of the store first, and of the load
    // by the next call.
    kStoreOfCopy = 2,
    kLoop = 3,  // where it begins, where it ends
};
// Not loaded with the program. The linker takes it for debug information, so that it may name code
// which is left out.
inline constexpr std::string_view kMarksSection = ".debug_tilereel";

// The assembly of a file with device code that g++ -O0 -fsanitize=thread has written, with its
// calls and loops marked. Calls that the device answers in its own way (printf, malloc ...) go to
// the runtime, and every undefined thread-local variable is the block's dynamic shared memory.
[[nodiscard]] std::string mark_assembly(std::string_view text);

}  // namespace tilereel::plain

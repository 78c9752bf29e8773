#pragma once
#include <cstdint>

namespace tilereel::runtime {

// Copies like std::memmove(). A large copy into device memory that does not overlap its source is
// made by all cores: most of its time goes into the first touch of the pages it writes. The caller
// holds a HostCall and has checked `to`. A source that is not mapped faults on the calling thread,
// whose stack names the line of the program.
void move_bytes(void* to, const void* from, std::uint64_t bytes, bool to_device);

}  // namespace tilereel::runtime

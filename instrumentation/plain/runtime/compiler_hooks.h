#pragma once
// Receives the reports of -fsanitize=thread: accesses, and the begin and end of functions.
#include <cstdint>

#include "instrumentation/plain/hooks.h"
#include "instrumentation/plain/runtime/running_block.h"

namespace tilereel::plain {

// Reports an access of host or device code before it happens. `from`: the return address of the
// reporting call. A caller that makes the access itself must use the returned address.
void* note_access(const void* address, std::uint32_t bytes, SiteKind kind, bool is_aligned,
                  const void* from);
// The same for an atomic operation. In a library function it is recorded only if the function is
// atomic, such as atomicAdd(): all its operations together are then one read-modify-write.
void* note_atomic(const volatile void* address, std::uint32_t bytes, SiteKind kind,
                  const void* from);

// The function that contains the address `from` begins or ends. `caller`: its return address;
// `frame`: its frame pointer.
void note_entry(const void* caller, const void* from, const char* frame);
void note_exit(const void* from);
// The program calls the runtime function `callee`, which returns to `from`.
void note_call(const void* from, const char* callee);
// The block whose thread is running; null if host code is.
[[nodiscard]] RunningBlock* block_of_thread();

}  // namespace tilereel::plain

#pragma once
// Receives what the calls of -fsanitize=thread report: accesses, and the begin and end of
// functions.
#include <cstdint>

#include "instrumentation/plain/hooks.h"
#include "instrumentation/plain/runtime/running_block.h"

namespace tilereel::plain {

// Reports an access before it is made, by host or device code. `from`: where the reporting call
// returns to. If the caller itself makes the access, it must use the returned address.
void* note_access(const void* address, std::uint32_t bytes, SiteKind kind, bool is_aligned,
                  const void* from);
// The same for an atomic operation. In a library function it is recorded only if the function is an
// atomic one, such as atomicAdd(); then all its operations together are one read-modify-write.
void* note_atomic(const volatile void* address, std::uint32_t bytes, SiteKind kind,
                  const void* from);

// The function that holds the address `from` begins, or ends. `caller`: where it returns to;
// `frame`: its frame pointer.
void note_entry(const void* caller, const void* from, const char* frame);
void note_exit(const void* from);
// The program calls `callee` in the runtime, which returns to `from`.
void note_call(const void* from, const char* callee);
// The block whose thread is running; null: host code is.
[[nodiscard]] RunningBlock* block_of_thread();

}  // namespace tilereel::plain

#pragma once
// What the entry points of -fsanitize=thread tell: accesses, and which functions a thread is in.
#include <cstdint>

#include "instrumentation/plain/hooks.h"
#include "instrumentation/plain/runtime/running_block.h"

namespace tilereel::plain {

// Before an access of host or device code, by the code that returns to `from`. Where the access is
// the caller's own to make, it goes to the address that is returned.
void* note_access(const void* address, std::uint32_t bytes, SiteKind kind, bool is_aligned,
                  const void* from);
// An atomic operation; a load of one is an access only outside of library functions, where it may
// be a part of a read-modify-write.
void* note_atomic(const volatile void* address, std::uint32_t bytes, SiteKind kind,
                  const void* from);

// A function has begun, which `from` returns to, and which returns to `caller`; `frame`: its frame
// pointer. The function that `from` returns to ends.
void note_entry(const void* caller, const void* from, const char* frame);
void note_exit(const void* from);
// A call of the runtime, which returns to `from`.
void note_call(const void* from, const char* callee);
// The block whose thread has called; null: host code has.
[[nodiscard]] RunningBlock* block_of_thread();

}  // namespace tilereel::plain

#pragma once
// What the entry points of -fsanitize=thread tell: accesses, and which functions a thread is in.
#include <cstdint>

#include "instrumentation/plain/hooks.h"

namespace tilereel::plain {

// Before an access of host or device code, by the code that returns to `from`. Where the access is
// the caller's own to make, it goes to the address that is returned.
void* note_access(const void* address, std::uint32_t bytes, SiteKind kind, bool is_aligned,
                  const void* from);
// An atomic operation; a load of one is an access only outside of library functions, where it may
// be a part of a read-modify-write.
void* note_atomic(const volatile void* address, std::uint32_t bytes, SiteKind kind,
                  const void* from);

}  // namespace tilereel::plain

#pragma once
#include "../gcc.h"

namespace tilereel::runtime {

// Whether it is memcpy(), memmove() or memset().
bool moves_bytes(tree function);
// Whether such a call touches local variables only, which are no arrays.
bool moves_locals(gimple* call);
bool is_address_of_local(tree pointer);

// Replaces such calls by assignments, where the compiler knows a small number of bytes. nvcc moves
// them in accesses of one byte.
void assign_moved_bytes(function* function);

}  // namespace tilereel::runtime

#pragma once
// Joins the accesses of members of one aligned object, as nvcc does: *p = {a, b} of a float2, and
// p->y = b; p->x = a;, are one store of 8 bytes.
#include "../gcc.h"

namespace tilereel::runtime {

// Before hooks are placed.
void join_members(function* function);

// Whether a call only computes: accesses may move across it.
bool only_computes(gimple* call);

}  // namespace tilereel::runtime

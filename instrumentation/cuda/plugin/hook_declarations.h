#pragma once
// The declarations of the hooks, as trees of GCC.
#include "gcc.h"

namespace tilereel::runtime {

struct Hooks {
    tree load, store_int, store_float, store_double, store_wide, stored, atomic;
    tree value_int, value_float, value_double;
    tree at, enter, leave, host_call, shared, subscript, kernel, begin, entry;
};
const Hooks& hooks();
void mark_hooks();            // for GCC's garbage collector, as Descriptors::mark()
bool is_hook(tree function);  // whether it is a hook that device code calls

}  // namespace tilereel::runtime

#pragma once
// Puts the inline hooks of include/tilereel/inline_hooks.h in place of the runtime's.
#include <map>

#include "gcc.h"

namespace tilereel::runtime {

// The calls of hooks that may be inline. For an access: the bits of its offset in an array that
// must be 0.
using InlineHooks = std::map<gimple*, unsigned>;

// Called when the function has all its hooks. Those that are not in `inlined` stay calls.
void use_inline_hooks(function* function, const InlineHooks& inlined);
// Whether the function is one of include/tilereel/inline_hooks.h.
bool is_inline_hook(tree function);

}  // namespace tilereel::runtime

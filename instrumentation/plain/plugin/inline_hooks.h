#pragma once
// Puts the inline hooks of include/tilereel/inline_hooks.h in place of the runtime's.
#include <set>

#include "gcc.h"

namespace tilereel::plain {

// `outlined`: calls of hooks that stay as they are. Called when all hooks of the function are in
// it.
void use_inline_hooks(function* function, const std::set<gimple*>& outlined);
// Whether the function is one of include/tilereel/inline_hooks.h.
bool is_inline_hook(tree function);

}  // namespace tilereel::plain

#pragma once
#include <new>

namespace tilereel {

// As operator new does without memory: calls the handler that the program has set, then throws
// std::bad_alloc.
[[noreturn]] inline void refuse_memory() {
    if (const std::new_handler handler = std::get_new_handler()) handler();
    throw std::bad_alloc();
}

}  // namespace tilereel

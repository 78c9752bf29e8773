#pragma once
// From one stack to another in a few nanoseconds: what a barrier costs where nothing is recorded.
// On x86-64 only the registers that a call preserves are kept; elsewhere, and under a sanitizer,
// fiber.h does it.
#include "instrumentation/record/fiber.h"

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

#define TILEREEL_OWN_STACK_SWITCH
extern "C" void tilereel_switch_stack(void** from, void* to);

namespace tilereel::plain {

using Suspended = void*;                               // the stack pointer
inline Suspended suspended_main() { return nullptr; }  // of the CPU thread itself
inline void switch_stack(Suspended& from, Suspended& to) { tilereel_switch_stack(&from, to); }
// `fibers`: whose stack number i it is. entry() never returns.
Suspended begin_on_stack(Fibers& fibers, std::size_t i, void (*entry)());

}  // namespace tilereel::plain

#else

namespace tilereel::plain {

using Suspended = Flow;
inline Suspended suspended_main() { return flow_of_this_thread(); }
inline void switch_stack(Suspended& from, Suspended& to) { switch_flow(from, to); }
inline Suspended begin_on_stack(Fibers& fibers, std::size_t i, void (*entry)()) {
    fibers.prepare(i, entry);
    return fibers[i];
}

}  // namespace tilereel::plain

#endif

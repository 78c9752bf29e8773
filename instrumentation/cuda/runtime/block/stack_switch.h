#pragma once
// Switches between stacks in a few nanoseconds: a barrier in a block that is not recorded costs
// little more than that. On x86-64 a switch saves only the callee-saved registers; elsewhere, and
// under a sanitizer, fiber.h switches.
#include "instrumentation/base/sanitizers.h"
#include "instrumentation/cuda/runtime/block/fiber.h"

#if defined(__x86_64__) && !TILEREEL_ADDRESS_SANITIZER && !TILEREEL_THREAD_SANITIZER

#define TILEREEL_OWN_STACK_SWITCH
// The callee-saved registers (System V ABI for x86-64, 3.2.1). A suspended stack holds these, r15
// on top, and the return address.
#define TILEREEL_PUSH_REGISTERS \
    "pushq %rbp\n pushq %rbx\n pushq %r12\n pushq %r13\n pushq %r14\n pushq %r15\n"
#define TILEREEL_POP_REGISTERS \
    "popq %r15\n popq %r14\n popq %r13\n popq %r12\n popq %rbx\n popq %rbp\n"
// The start of a function in assembly.
#define TILEREEL_ASSEMBLER_FUNCTION(name) \
    ".pushsection .text\n .p2align 4\n .globl " name "\n .type " name ", @function\n" name ":\n"
extern "C" void tilereel_switch_stack(void** from, void* to);

namespace tilereel::runtime {

using Suspended = void*;                               // the stack pointer
inline Suspended suspended_main() { return nullptr; }  // of the CPU thread itself
inline void switch_stack(Suspended& from, Suspended& to) { tilereel_switch_stack(&from, to); }
// Prefetches the top frames of a suspended stack into the CPU's cache.
inline void prefetch_stack(Suspended suspended) {
    constexpr int kLineBytes = 64, kLines = 4;
    for (int line = 0; line < kLines; ++line)
        __builtin_prefetch(static_cast<const char*>(suspended) + line * kLineBytes, 1);
}
// Prepares stack number i of `fibers` to run entry(), which never returns.
Suspended begin_on_stack(Fibers& fibers, std::size_t i, void (*entry)());

}  // namespace tilereel::runtime

#else

namespace tilereel::runtime {

using Suspended = Flow;
inline Suspended suspended_main() { return flow_of_this_thread(); }
inline void switch_stack(Suspended& from, Suspended& to) { switch_flow(from, to); }
inline void prefetch_stack(const Suspended&) {}
inline Suspended begin_on_stack(Fibers& fibers, std::size_t i, void (*entry)()) {
    fibers.prepare(i, entry);
    return fibers[i];
}

}  // namespace tilereel::runtime

#endif

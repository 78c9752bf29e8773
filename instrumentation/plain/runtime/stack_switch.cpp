#include "instrumentation/plain/runtime/stack_switch.h"

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

#include <cstdint>
#include <cstring>

// System V ABI for x86-64, 3.2.1: a call preserves rbx, rbp and r12 to r15. Most switches go from
// one barrier to the one before it: a return would be predicted to go to the former.
asm(R"(
.pushsection .text
.p2align 4
.globl tilereel_switch_stack
.type tilereel_switch_stack, @function
tilereel_switch_stack:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    popq %rcx
    jmp *%rcx
.size tilereel_switch_stack, . - tilereel_switch_stack
.popsection
)");

namespace tilereel::plain {

Suspended begin_on_stack(Fibers& fibers, std::size_t i, void (*entry)()) {
    fibers.prepare(i, entry);  // sets the bounds
    const Flow& flow = fibers[i];
    auto top = reinterpret_cast<std::uintptr_t>(flow.stack_bottom) + flow.stack_bytes;
    top &= ~std::uintptr_t{15};
    // Six registers, the address to return to, and its own return address, which is none.
    auto* const frame = reinterpret_cast<std::uint64_t*>(top) - 8;
    std::memset(frame, 0, 8 * sizeof(std::uint64_t));
    frame[6] = reinterpret_cast<std::uint64_t>(entry);
    return frame;
}

}  // namespace tilereel::plain

#endif

#include "instrumentation/cuda/runtime/block/stack_switch.h"

#if defined(__x86_64__) && !TILEREEL_ADDRESS_SANITIZER && !TILEREEL_THREAD_SANITIZER

#include <cstdint>
#include <cstring>

// tilereel_switch_stack() ends with a return. Nearly always the next thread was suspended at the
// same place as this one, so the processor's return predictor is right, here and in the callers.
asm(TILEREEL_ASSEMBLER_FUNCTION("tilereel_switch_stack") TILEREEL_PUSH_REGISTERS R"(
    movq %rsp, (%rdi)
    movq %rsi, %rsp
)" TILEREEL_POP_REGISTERS R"(
    ret
.popsection
)");

namespace tilereel::runtime {

Suspended begin_on_stack(Fibers& fibers, std::size_t i, void (*entry)()) {
    // Six registers, the address to return to, and its own return address, which is none.
    auto* const frame = reinterpret_cast<std::uint64_t*>(fibers.top(i)) - 8;
    std::memset(frame, 0, 8 * sizeof(std::uint64_t));
    frame[6] = reinterpret_cast<std::uint64_t>(entry);
    return frame;
}

}  // namespace tilereel::runtime

#endif

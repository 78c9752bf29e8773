#pragma once
// For ladder_main.cu: what a kernel does without one of its barriers.
namespace tilereel::plain {

// Launches from now on pass by the barrier, or the wait, on this line of the kernel's file; 0:
// none. The threads then run in exactly this order (ThreadOrder in trace.h, as a number).
void leave_out_barrier(unsigned line, unsigned order) noexcept;

}  // namespace tilereel::plain

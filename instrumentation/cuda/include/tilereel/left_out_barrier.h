#pragma once
// For ladder_main.cu: runs a kernel without one of its barriers.
namespace tilereel::runtime {

// All later launches ignore the barrier or wait on this line of the kernel's file; 0: none. Their
// threads run in exactly this order (ThreadOrder in trace.h, as a number).
void leave_out_barrier(unsigned line, unsigned order) noexcept;

}  // namespace tilereel::runtime

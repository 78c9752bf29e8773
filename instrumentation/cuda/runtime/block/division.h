#pragma once
// Integer divisions that the CPU cannot do. The CPU raises a signal; a GPU computes an unspecified
// value and goes on. So the signal handler puts a value into the registers and skips the
// instruction, and the division is reported after the launch.
#include <cstdint>

#include "instrumentation/cuda/hooks.h"
#include "instrumentation/cuda/runtime/launch_recorder.h"

namespace tilereel::runtime {

class RunningBlock;

enum class BadDivision : std::uint8_t {
    kNone,      // the instruction is not an integer division
    kByZero,    // the quotient becomes -1, the remainder the dividend
    kOverflow,  // the least integer by -1: the quotient becomes the dividend, the remainder 0
};
// `context`: the ucontext_t of the signal, SIGFPE. Called from a signal handler.
BadDivision skip_division(void* context);

// Notes a division of the running thread. Called from a signal handler. `code`: the address of its
// instruction; `line`: its line if the instruction has none.
void note_division(BadDivision division, const RunningBlock& block, std::uint64_t code,
                   std::uint32_t line);
// Reports the divisions since the last call: to the recorder, or to the parent if it is null.
void report_divisions(LaunchRecorder* recorder);

}  // namespace tilereel::runtime

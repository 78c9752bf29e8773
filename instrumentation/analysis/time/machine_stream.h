#pragma once
// The instructions of recorded blocks as nvcc has compiled them, for the simulation of an SM.
//
// The recording says what a warp accesses, in which order, the machine code (machine_executions.h)
// with which instructions. Blocks of the machine code are run in the order of their addresses,
// loops as often as the accesses on their lines say; each access takes the next records of its
// line.
#include "instrumentation/analysis/machine/machine_executions.h"
#include "instrumentation/analysis/time/block_stream.h"

namespace tilereel {

struct MachineStream {
    BlockStream stream;
    double explained = 0;  // of the bytes that were recorded: the machine code's accesses of them
};
// Error (kFailed): the recording and the machine code do not fit together; the message is a clause,
// "no accesses on the lines that ... say".
[[nodiscard]] Result<MachineStream> machine_stream_of_block(const Trace& trace, std::uint32_t block,
                                                            const Generation& generation,
                                                            WhatIf what_if,
                                                            const MachineKernel& kernel);

}  // namespace tilereel
